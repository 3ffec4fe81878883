//! Numbers from strings, as Ruby's `Integer()` and `Float()` read them.
//!
//! See Ruby's `bignum.c` (`rb_int_parse_cstr`) and `object.c` (`rb_str_to_dbl`).

use std::borrow::Cow;

use crate::value::{InspectedString, Value, integer_out_of_range};
use nom::Parser;
use nom::character::complete::{char, digit1};
use nom::combinator::recognize;
use nom::multi::separated_list1;
use num_bigint::BigInt;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::recognize::{Recognized, decimal, whole};

/// Parses an integer. Without a radix, the prefix determines it; with one, a prefix may repeat it.
pub(super) fn integer(text: &str, radix: Option<u32>) -> Result<i64, Error> {
    if let Value::Integer(number) = any_integer(text, radix)? {
        Ok(number)
    } else {
        Err(integer_out_of_range(text))
    }
}

/// Returns the integer of any size that a text is; see [`integer`].
pub(super) fn any_integer(text: &str, radix: Option<u32>) -> Result<Value, Error> {
    let number = NumberText::of(text);
    let (stated, digits) = match number.prefix() {
        Some((stated, digits)) if radix.is_none_or(|radix| radix == stated) => (Some(stated), digits),
        _ => (None, number.digits),
    };
    let radix = radix.or(stated).unwrap_or(10);
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(invalid("Integer", text));
    }
    let digits = format!("{}{digits}", number.sign);
    match i64::from_str_radix(&digits, radix) {
        Ok(number) => Ok(Value::Integer(number)),
        Err(_) => integer_of_any_size(&digits, radix),
    }
}

/// Returns the float that a text is. It may be a hexadecimal integer, too, and a binary one without a sign.
pub(super) fn float(text: &str) -> Result<f64, Error> {
    let number = NumberText::of(text);
    let magnitude = match number.prefix() {
        Some((16, digits)) => digits_of(digits, 16),
        Some((2, digits)) if text.starts_with('0') => digits_of(digits, 2),
        // Rust's `parse` also accepts names such as `inf`.
        _ if number.digits.starts_with(|c: char| c.is_ascii_digit()) => number.digits.parse().ok(),
        _ => None,
    };
    match magnitude {
        Some(magnitude) => Ok(if number.sign == "-" { -magnitude } else { magnitude }),
        None => Err(invalid("Float", text)),
    }
}

/// Returns the integer of these digits, at least one, as a float.
fn digits_of(digits: &str, radix: u32) -> Option<f64> {
    let digit = |sum: f64, c: char| Some(sum * f64::from(radix) + f64::from(c.to_digit(radix)?));
    digits.chars().try_fold(0.0, digit).filter(|_| !digits.is_empty())
}

/// A number literal: after blanks, its sign and the rest.
struct NumberText<'t> {
    sign: &'t str,
    digits: &'t str,
}

impl<'t> NumberText<'t> {
    fn of(text: &'t str) -> Self {
        let text = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
        let sign = usize::from(text.starts_with(['+', '-']));
        let (sign, digits) = text.split_at(sign);
        Self { sign, digits }
    }

    /// Returns the radix that a prefix states, and the digits after it.
    fn prefix(&self) -> Option<(u32, &'t str)> {
        let rest = self.digits.strip_prefix('0')?;
        Some(match rest.chars().next()? {
            'x' | 'X' => (16, rest.get(1..)?),
            'b' | 'B' => (2, rest.get(1..)?),
            _ => (8, rest),
        })
    }
}

/// Returns the text without the blanks between its sign and its digits; `None` if it has no such blanks.
pub(super) fn without_blanks(text: &str) -> Option<String> {
    let (sign, rest) = text.split_at_checked(1)?;
    let digits = rest.trim_start_matches([' ', '\t']);
    let separated = matches!(sign, "+" | "-") && digits.len() < rest.len() && !digits.contains('\n');
    separated.then(|| format!("{sign}{digits}"))
}

/// Returns the float that a text is to Ruby's `Float()`, which lets blanks stand around it and a `_` between
/// digits.
pub fn strict_float(text: &str) -> Result<f64, Error> {
    let digits = without_separators(text);
    let number = NumberText::of(&digits);
    let is_float = match number.prefix() {
        Some((radix, _)) if radix != 8 => radix == 16,
        _ => whole(decimal(digit1, "+-"), number.digits).is_some(),
    };
    let magnitude = number.digits.strip_prefix('.').map(|fraction| format!("0.{fraction}"));
    match magnitude {
        _ if !is_float => Err(invalid("Float", text)),
        Some(magnitude) => float(&format!("{}{magnitude}", number.sign)),
        None => float(&digits),
    }
    .map_err(|_| invalid("Float", text))
}

/// Returns a number literal without the blanks at its end and the `_` between its digits.
pub(super) fn without_separators(text: &str) -> Cow<'_, str> {
    let text = text.trim_ascii_end();
    let misplaced = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    if misplaced || !text.contains('_') { text.into() } else { text.replace('_', "").into() }
}

/// Returns the integer at the beginning of a text, as Ruby's `to_i` reads it: zero if the text begins with none.
pub fn leading_integer(text: &str) -> Result<i64, Error> {
    let number = NumberText::of(text);
    let digits =
        separated_digits(number.digits).map_or("0".to_owned(), |(_, digits)| digits.replace('_', ""));
    format!("{}{digits}", number.sign).parse().map_err(|_| integer_out_of_range(digits))
}

/// Returns the float at the beginning of a text, as Ruby's `to_f` reads it: zero if the text begins with none.
pub fn leading_float(text: &str) -> f64 {
    let number = NumberText::of(text);
    let Ok((_, digits)) = recognize(decimal(separated_digits, "+-")).parse(number.digits) else { return 0.0 };
    format!("{}{}", number.sign, digits.replace('_', "")).parse().unwrap_or(0.0)
}

/// Returns digits with single `_` between them.
fn separated_digits(text: &str) -> Recognized<'_, &str> {
    recognize(separated_list1(char('_'), digit1)).parse(text)
}

#[cold]
fn invalid(function: &str, text: &str) -> Error {
    Error::new(ErrorKind::Conversion, format!("invalid value for {function}(): {}", InspectedString(text)))
}

/// The largest number of digits of an integer. To read and to show one takes time by the square of their number.
const MOST_DIGITS: usize = 4_000;

/// Returns the integer of a text, of any size.
///
/// # Errors
/// Fails if the text has more than 4,000 digits, or other characters.
pub fn integer_of_any_size(digits: &str, radix: u32) -> Result<Value, Error> {
    let number = (digits.len() <= MOST_DIGITS).then(|| BigInt::parse_bytes(digits.as_bytes(), radix));
    number.flatten().map(Value::from).ok_or_else(|| too_long(digits))
}

#[cold]
fn too_long(digits: &str) -> Error {
    const SHOWN: usize = 40;
    let shown = digits.get(..SHOWN).map_or_else(|| digits.to_owned(), |start| format!("{start}..."));
    let message = format!("the integer {shown} has more than the 4,000 digits that are allowed");
    Error::new(ErrorKind::Unrepresentable, message)
}

/// Returns the number that a text is to Puppet: an integer or a float; `None` if it is neither.
pub(super) fn numeric(text: &str) -> Result<Option<Value>, Error> {
    if matches!(text.as_bytes(), [b'0', b'b' | b'B', ..]) {
        return integer(text, None).map(|number| Some(Value::Integer(number)));
    }
    let number = NumberText::of(text);
    let digits = number.digits.trim_start_matches([' ', '\t']);
    if text.contains(['\n', '\x0b', '\x0c', '\r']) || matches!(digits.as_bytes(), [b'0', b'b' | b'B', ..]) {
        return Ok(None);
    }
    let number = format!("{}{digits}", number.sign);
    let is_hex = matches!(digits.as_bytes(), [b'0', b'x' | b'X', ..]);
    if is_hex || !digits.contains(['.', 'e', 'E']) {
        return integer(&number, None).map(|number| Some(Value::Integer(number)));
    }
    let exponent_of_zero = digits
        .split_once(['e', 'E'])
        .is_some_and(|(mantissa, _)| mantissa.chars().all(|c| matches!(c, '0' | '.')));
    let number = float(&number)?;
    Ok((number.is_finite() && !exponent_of_zero).then_some(Value::Float(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_states_the_radix_or_repeats_it() {
        for (text, radix, number) in [
            ("010", None, Some(8)),
            ("010", Some(10), Some(10)),
            ("010", Some(2), Some(2)),
            ("09", None, None),
            ("0", None, Some(0)),
            ("-0x1F", None, Some(-31)),
            ("0x1F", Some(16), Some(31)),
            ("0x1F", Some(10), None),
            ("0b1", Some(16), Some(177)),
            ("\n 0B11", Some(2), Some(3)),
            ("- 1", None, None),
        ] {
            assert_eq!(integer(text, radix).ok(), number, "{text} {radix:?}");
        }
    }

    #[test]
    fn a_float_is_decimal_or_hexadecimal() {
        for (text, number) in [
            ("010", Some(10.0)),
            ("-0x1F", Some(-31.0)),
            (" 1.5e-3", Some(0.0015)),
            ("1e400", Some(f64::INFINITY)),
            ("0b11", Some(3.0)),
            ("-0b11", None),
            ("0x", None),
            ("inf", None),
            ("", None),
        ] {
            assert_eq!(float(text).ok(), number, "{text}");
        }
    }

    #[test]
    fn floats_are_strict_or_at_the_beginning() {
        for (text, number) in [
            (" -1_000.5e-1\n", Some(-100.05)),
            (".5", Some(0.5)),
            ("-0x1F", Some(-31.0)),
            ("010", Some(10.0)),
            ("1.", None),
            ("0b11", None),
            ("1__0", None),
            ("1e", None),
            ("", None),
            ("nan", None),
        ] {
            assert_eq!(strict_float(text).ok(), number, "{text}");
        }
        for (text, number) in [
            ("1_0.5_0e1_0x", 105_000_000_000.0),
            (".5", 0.5),
            ("1.", 1.0),
            ("-1.e5", -1.0),
            ("1e", 1.0),
            ("1e+x", 1.0),
            ("_1", 0.0),
            ("1__0", 1.0),
            ("0x1A", 0.0),
            ("1e400", f64::INFINITY),
            ("", 0.0),
        ] {
            assert_eq!(leading_float(text), number, "{text}");
        }
        for (text, number) in [("\n-1_000abc", -1000), ("- 5", 0), ("1__0", 1), ("_1", 0), ("", 0)] {
            assert_eq!(leading_integer(text).ok(), Some(number), "{text}");
        }
        assert!(leading_integer("9223372036854775808").is_err());
    }

    #[test]
    fn a_number_is_what_it_is_in_puppet_code() {
        for (text, number) in [
            ("0b11", Some(Value::Integer(3))),
            ("-0b11", None),
            ("- 010", Some(Value::Integer(-8))),
            ("-0x1f", Some(Value::Integer(-31))),
            ("0xE5", Some(Value::Integer(229))),
            ("1e3", Some(Value::Float(1000.0))),
            ("0.0", Some(Value::Float(0.0))),
            ("0.0e1", None),
            ("1e400", None),
            ("\n1", None),
        ] {
            assert_eq!(numeric(text), Ok(number), "{text}");
        }
    }
}
