//! Numbers.
//!
//! See Puppet's `pops/parser/lexer2.rb` and `pops/patterns.rb`.

use crate::token::TokenKind;
use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::{char, digit1, hex_digit1, one_of, satisfy};
use nom::combinator::{not, opt, recognize};
use nom::sequence::terminated;
use nom::{IResult, Parser};

/// Reasons why a text that starts with a digit is not a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MalformedNumber {
    Hex,
    Octal,
    Decimal,
    Other,
    /// An integer that does not fit, in hexadecimal digits.
    Overflow(String),
    /// A float that does not fit.
    Infinite,
}

/// Returns the length of the number that `text` starts with, if it ends at the end of a word.
pub(super) fn length(text: &[u8]) -> Option<usize> {
    let hex = recognize((tag_no_case(&b"0x"[..]), hex_digit1));
    let fraction = || (char('.'), digit1);
    let exponent = || (one_of("eE"), opt(char('-')), digit1);
    let end = || not(satisfy(|c| c.is_ascii_alphanumeric() || c == '_'));
    // The longest form wins, but only one after which the word ends.
    let decimal = alt((
        terminated(recognize((digit1, fraction(), exponent())), end()),
        terminated(recognize((digit1, fraction())), end()),
        terminated(recognize((digit1, exponent())), end()),
        terminated(digit1, end()),
    ));
    let mut number = alt((terminated(hex, end()), decimal));
    let found: IResult<&[u8], &[u8]> = number.parse(text);
    found.ok().map(|(_, number)| number.len())
}

/// Returns the value of a number as [`length`] cuts it out, or of a word that is not a number.
pub(super) fn value<'s>(text: &str) -> Result<TokenKind<'s>, MalformedNumber> {
    let bytes = text.as_bytes();
    match bytes {
        [b'0', b'x' | b'X', ..] => {
            let digits = text.get(2..).unwrap_or_default();
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                return Err(MalformedNumber::Hex);
            }
            integer(digits, 16)
        }
        [b'0', second, ..] if *second != b'.' => {
            if !text.bytes().all(|b| (b'0'..=b'7').contains(&b)) {
                return Err(MalformedNumber::Octal);
            }
            integer(text, 8)
        }
        _ => {
            let digits = count(bytes, u8::is_ascii_digit);
            if digits == bytes.len() {
                integer(text, 10)
            } else if matches!(bytes.get(digits), Some(b'e' | b'E' | b'.')) {
                if length(bytes) != Some(bytes.len()) {
                    return Err(MalformedNumber::Decimal);
                }
                match text.parse::<f64>() {
                    Ok(float) if float.is_finite() => Ok(TokenKind::Float(float)),
                    Ok(_) => Err(MalformedNumber::Infinite),
                    Err(_) => Err(MalformedNumber::Decimal),
                }
            } else {
                Err(MalformedNumber::Other)
            }
        }
    }
}

fn integer<'s>(digits: &str, radix: u32) -> Result<TokenKind<'s>, MalformedNumber> {
    match u64::from_str_radix(digits, radix) {
        Ok(number) if number <= i64::MIN.unsigned_abs() => Ok(TokenKind::Integer(number)),
        Ok(_) | Err(_) => Err(MalformedNumber::Overflow(hex(digits, radix))),
    }
}

/// Maximum number of digits shown of an integer that does not fit.
const SHOWN_DIGITS: usize = 1_000;

/// Returns an integer in hexadecimal digits; of one that is longer than anyone reads, the first digits.
#[cold]
fn hex(digits: &str, radix: u32) -> String {
    let shown = digits.get(..SHOWN_DIGITS).unwrap_or(digits);
    // Four hexadecimal digits each, the lowest first.
    let mut parts: Vec<u32> = vec![0];
    for digit in shown.chars().filter_map(|c| c.to_digit(radix)) {
        let mut carry = digit;
        for part in &mut parts {
            let sum = *part * radix + carry;
            *part = sum & 0xffff;
            carry = sum >> 16;
        }
        if carry > 0 {
            parts.push(carry);
        }
    }
    let mut hex: String = parts.iter().rev().map(|part| format!("{part:04x}")).collect();
    hex.drain(..hex.len() - hex.trim_start_matches('0').len());
    if shown.len() < digits.len() {
        hex.push_str("...");
    }
    hex
}

fn count(text: &[u8], test: impl Fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| test(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_with_its_word() {
        for (text, number) in
            [("1]", "1"), ("1.5,", "1.5"), ("1.5e-3 ", "1.5e-3"), ("1..2", "1"), ("5.]", "5"), ("1.5x", "1")]
        {
            assert_eq!(length(text.as_bytes()), Some(number.len()), "{text}");
        }
        for text in ["1_000", "0b11", "0xG", "12ab"] {
            assert_eq!(length(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn values_are_checked_by_form() {
        assert_eq!(value("0xFF"), Ok(TokenKind::Integer(255)));
        assert_eq!(value("017"), Ok(TokenKind::Integer(15)));
        assert_eq!(value("0"), Ok(TokenKind::Integer(0)));
        assert_eq!(value("0.5"), Ok(TokenKind::Float(0.5)));
        assert_eq!(value("1e3"), Ok(TokenKind::Float(1000.0)));
        assert_eq!(value("9223372036854775808"), Ok(TokenKind::Integer(1 << 63)));
        assert_eq!(value("9223372036854775809"), Err(MalformedNumber::Overflow("8000000000000001".into())));
        assert_eq!(value(&"7".repeat(100_000)).map_err(|_| ()), Err(()));
        assert_eq!(value("1e400"), Err(MalformedNumber::Infinite));
        assert_eq!(value("08"), Err(MalformedNumber::Octal));
        assert_eq!(value("0xG"), Err(MalformedNumber::Hex));
        assert_eq!(value("1.5x"), Err(MalformedNumber::Decimal));
        assert_eq!(value("1_000"), Err(MalformedNumber::Other));
    }
}
