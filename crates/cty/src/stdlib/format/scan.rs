//! The text of a format.
//!
//! See go-cty's `cty/function/stdlib/format_fsm.rl`.

use super::verb::Verb;
use crate::function::argument_error;
use crate::stdlib::failure;
use crate::text::{quoted, quoted_character};
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// Replaces the verbs of the format by the arguments, all of which have to be used.
pub(super) fn format(format: &str, arguments: &[Value], limits: &Limits) -> Result<String, Error> {
    let mut out = String::new();
    let mut next = 1;
    let mut highest = 0;
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let start = format.len() - after.len() - 1;
        let (verb, length) = Scanner::new(format, start).verb(next)?;
        highest = highest.max(verb.argument);
        let argument = verb.argument.checked_sub(1).and_then(|index| arguments.get(index));
        let argument = argument.ok_or_else(|| {
            failure(format!(
                "not enough arguments for {} at {start}: need index {} but have {} total",
                quoted(verb.raw),
                verb.argument,
                arguments.len()
            ))
        })?;
        verb.append(argument, &mut out, limits)?;
        limits.check_size(out.len() as u64)?;
        next = verb.argument + 1;
        rest = format.get(start + length..).unwrap_or_default();
    }
    out.push_str(rest);
    limits.check_size(out.len() as u64)?;
    if highest < arguments.len() {
        let message = match highest {
            0 => "too many arguments; no verbs in format string".to_owned(),
            _ => format!("too many arguments; only {highest} used by format string"),
        };
        return Err(argument_error(highest + 1, message));
    }
    Ok(out)
}

/// Reads one verb: `%`, flags, width, precision, the number of the argument, and a letter.
struct Scanner<'f> {
    format: &'f str,
    start: usize,
    at: usize,
}

impl<'f> Scanner<'f> {
    fn new(format: &'f str, start: usize) -> Self {
        Self { format, start, at: start + 1 }
    }

    fn peek(&self) -> Option<char> {
        self.format.get(self.at..)?.chars().next()
    }

    fn take(&mut self, accepted: impl Fn(char) -> bool) -> Option<char> {
        let next = self.peek().filter(|next| accepted(*next))?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Digits as a number; one beyond all limits where there are too many.
    fn number(&mut self) -> Option<usize> {
        let mut number: Option<usize> = None;
        while let Some(digit) = self.take(|next| next.is_ascii_digit()) {
            let value = digit.to_digit(10).unwrap_or(0) as usize;
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(value));
        }
        number
    }

    fn verb(mut self, next_argument: usize) -> Result<(Verb<'f>, usize), Error> {
        let mut verb = Verb::new(self.start, next_argument);
        while let Some(flag) = self.take(|next| matches!(next, '0' | '#' | '-' | '+' | ' ')) {
            match flag {
                '0' => verb.zero = true,
                '#' => verb.sharp = true,
                '-' => verb.minus = true,
                '+' => verb.plus = true,
                _ => verb.space = true,
            }
        }
        verb.width = self.number();
        if self.take(|next| next == '.').is_some() {
            verb.precision = Some(self.number().unwrap_or(0));
        }
        if self.take(|next| next == '[').is_some() {
            if self.peek() == Some('0') {
                return Err(self.unrecognized());
            }
            verb.argument = self.number().ok_or_else(|| self.unrecognized())?;
            self.take(|next| next == ']').ok_or_else(|| self.unrecognized())?;
        }
        verb.mode = self.take(|next| next.is_ascii_alphabetic()).ok_or_else(|| self.unrecognized())?;
        verb.raw = self.format.get(self.start..self.at).unwrap_or_default();
        Ok((verb, self.at - self.start))
    }

    #[cold]
    fn unrecognized(&self) -> Error {
        match self.peek() {
            None => failure(format!("invalid format string starting at offset {}", self.at)),
            Some(next) => {
                let next = quoted_character(next);
                failure(format!("unrecognized format character {next} at offset {}", self.at))
            }
        }
    }
}
