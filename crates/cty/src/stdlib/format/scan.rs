//! The text of a format.
//!
//! See go-cty's `cty/function/stdlib/format_fsm.rl`.

use super::verb::FormatVerb;
use crate::function::argument_error;
use crate::stdlib::failure;
use crate::text::{quoted, quoted_character};
use crate::value::CtyValue;
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{cut, not, opt};
use nom::multi::many0;
use nom::sequence::{delimited, preceded};
use nom::{Finish, Parser};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_base::recognize::number;

/// Replaces the verbs of the format by the arguments, all of which have to be used.
pub(super) fn format(format: &str, arguments: &[CtyValue], limits: &Limits) -> Result<String, Error> {
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
        let (verb, length) = verb(format, start, next)?;
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

/// Reads the verb at an offset: `%`, flags, width, precision, the number of the argument, and a letter. Gives its
/// length, too.
fn verb(format: &str, offset: usize, next_argument: usize) -> Result<(FormatVerb<'_>, usize), Error> {
    let text = format.get(offset..).unwrap_or_default();
    let flags = many0(one_of("0#-+ "));
    let precision = preceded(char('.'), opt(number));
    // Behind a bracket, nothing else will do.
    let argument = delimited(char('['), cut(preceded(not(char('0')), number)), cut(char(']')));
    let letter = satisfy(|c| c.is_ascii_alphabetic());
    let parts = (char('%'), flags, opt(number), opt(precision), opt(argument), letter).parse(text);
    let (rest, (_, flags, width, precision, argument, mode)) =
        parts.finish().map_err(|problem: nom::error::Error<&str>| unrecognized(format, problem.input))?;
    let length = text.len() - rest.len();
    let has = |flag| flags.contains(&flag);
    let verb = FormatVerb {
        raw: text.get(..length).unwrap_or_default(),
        offset,
        argument: argument.unwrap_or(next_argument),
        mode,
        zero: has('0'),
        sharp: has('#'),
        plus: has('+'),
        minus: has('-'),
        space: has(' '),
        width,
        precision: precision.map(Option::unwrap_or_default),
    };
    Ok((verb, length))
}

/// Returns the error for an invalid character at the start of a format's rest.
#[cold]
fn unrecognized(format: &str, rest: &str) -> Error {
    let at = format.len() - rest.len();
    match rest.chars().next() {
        None => failure(format!("invalid format string starting at offset {at}")),
        Some(next) => {
            let next = quoted_character(next);
            failure(format!("unrecognized format character {next} at offset {at}"))
        }
    }
}
