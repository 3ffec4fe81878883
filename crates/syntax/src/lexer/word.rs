//! Names, references, variables and numbers.
//!
//! See Puppet's `pops/parser/lexer2.rb` and `pops/patterns.rb`.

use super::number::{self, MalformedNumber};
use super::{Lexer, is_word};
use crate::token::{self, TokenKind};
use nom::bytes::complete::{tag, take_while1};
use nom::combinator::{opt, recognize};
use nom::multi::many0_count;
use nom::{IResult, Parser};
use puppetfn_base::error::Error;

impl<'s> Lexer<'s> {
    /// Reads a name, keyword or bare word. Words may have inner dashes, and segments that start with `_`.
    pub(super) fn name(&mut self) -> TokenKind<'s> {
        let start = self.at;
        let mut is_name = true;
        loop {
            let colons = self.colons();
            match self.byte(colons) {
                b'a'..=b'z' => {}
                b'_' => is_name = false,
                _ => break,
            }
            self.at += colons + 1;
            self.skip_word();
            if self.byte(0) == b'-' {
                let dashed = self.rest().bytes().take_while(|&byte| is_word(byte) || byte == b'-').count();
                let dashed = self.rest().get(..dashed).unwrap_or_default().trim_end_matches('-');
                is_name &= dashed.is_empty();
                self.at += dashed.len();
            }
        }
        let text = self.since(start);
        if is_name { token::word(text, self.mode.tasks) } else { TokenKind::Word(text) }
    }

    /// `Foo::Bar`, also with a leading `::`.
    pub(super) fn reference(&mut self) -> Result<TokenKind<'s>, Error> {
        let start = self.at;
        loop {
            let colons = self.colons();
            if !self.byte(colons).is_ascii_uppercase() {
                break;
            }
            self.at += colons;
            self.skip_word();
        }
        if self.colons() > 0 {
            return Err(if self.text.as_bytes().get(start) == Some(&b':') {
                self.error(self.at + 3, "Illegal fully qualified class reference")
            } else {
                self.error(self.at + 1, "Illegal class reference")
            });
        }
        Ok(TokenKind::Reference(self.since(start)))
    }

    /// Reads a name or reference that starts with `::`.
    pub(super) fn qualified(&mut self) -> Result<TokenKind<'s>, Error> {
        match self.byte(2) {
            b'A'..=b'Z' => self.reference(),
            b'a'..=b'z' | b'_' => Ok(self.name()),
            _ => Err(self.error(self.at + 2, "Illegal fully qualified name")),
        }
    }

    /// `$name`, or just the dollar.
    pub(super) fn variable(&mut self) -> TokenKind<'s> {
        let length = variable_length(self.rest().get(1..).unwrap_or_default());
        self.at += 1;
        let start = self.at;
        self.at += length;
        TokenKind::Variable(self.since(start))
    }

    pub(super) fn number(&mut self) -> Result<TokenKind<'s>, Error> {
        let mut start = self.at;
        if let Some(length) = number::length(self.rest().as_bytes()) {
            self.at += length;
        } else {
            self.skip_word();
            // Digits before a dot belong to the number that is shown.
            let before = self.text.get(..start).unwrap_or_default();
            if let Some(before) = before.strip_suffix('.') {
                start = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            }
        }
        let text = self.since(start);
        number::value(text).map_err(|malformed| {
            let message = match malformed {
                MalformedNumber::Hex => format!("Not a valid hex number {text}"),
                MalformedNumber::Octal => format!("Not a valid octal number {text}"),
                MalformedNumber::Decimal => format!("Not a valid decimal number {text}"),
                MalformedNumber::Other => format!("Illegal number '{text}'"),
                MalformedNumber::Overflow(hex) => format!(
                    "A Literal Integer resulted in a value outside of Puppet Integer max range, got '+0x{hex}'"
                ),
                MalformedNumber::Infinite => format!("The float {text} is too large: floats end at 1.8e308"),
            };
            self.error(start, message)
        })
    }

    /// Returns the length of `::` if it comes next.
    fn colons(&self) -> usize {
        if self.byte(0) == b':' && self.byte(1) == b':' { 2 } else { 0 }
    }

    fn skip_word(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|&&byte| is_word(byte)).count();
    }
}

/// Returns the length of the variable name that `text` starts with, maybe qualified; 0 if there is none.
pub(super) fn variable_length(text: &str) -> usize {
    let word = || take_while1(is_word);
    let colons = || tag(&b"::"[..]);
    let mut name = recognize((opt(colons()), word(), many0_count((colons(), word()))));
    let found: IResult<&[u8], &[u8]> = name.parse(text.as_bytes());
    found.map_or(0, |(_, name)| name.len())
}
