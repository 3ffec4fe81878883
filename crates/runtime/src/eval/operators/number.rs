//! Conversion of operands to numbers.
//!
//! See Puppet's `pops/evaluator/evaluator_impl.rb`.

use std::sync::Arc;

use super::{BlamedOperand, OperatorFault};
use nom::character::complete::{digit1, hex_digit1};
use num_bigint::BigInt;
use puppetfn_base::limits::Limits;
use puppetfn_base::recognize::{DecimalParts, decimal, whole};
use puppetfn_types::value::{SemVer, Timespan, Timestamp, Value};

/// An operand of arithmetic.
#[derive(Clone, Debug)]
pub(in crate::eval) enum Numeric {
    Integer(i64),
    Float(f64),
    Timespan(Timespan),
    Timestamp(Timestamp),
    /// A version, with which nothing can be computed, though Puppet tries.
    Version(Arc<SemVer>),
}

impl From<Numeric> for Value {
    fn from(number: Numeric) -> Self {
        match number {
            Numeric::Integer(number) => Self::Integer(number),
            Numeric::Float(number) => Self::Float(number),
            Numeric::Timespan(span) => Self::Timespan(span),
            Numeric::Timestamp(stamp) => Self::Timestamp(stamp),
            Numeric::Version(version) => Self::SemVer(version),
        }
    }
}

/// Returns the number that a value is. A text of a number is none where code is taken strictly, and Puppet says
/// so in other words.
pub(in crate::eval) fn coerce(value: &Value, blamed: BlamedOperand) -> Result<Numeric, OperatorFault> {
    match value {
        Value::Integer(number) => Ok(Numeric::Integer(*number)),
        Value::Float(number) => Ok(Numeric::Float(*number)),
        Value::Timespan(span) => Ok(Numeric::Timespan(*span)),
        Value::Timestamp(stamp) => Ok(Numeric::Timestamp(*stamp)),
        Value::SemVer(version) => Ok(Numeric::Version(Arc::clone(version))),
        Value::String(text) => match shown_number(text) {
            Some(number) => Err(OperatorFault {
                number: number_of_text(text),
                ..OperatorFault::new(
                    blamed,
                    format!("The string '{text}' was automatically coerced to the numerical value {number}"),
                )
            }),
            None => Err(not_numeric(value, blamed)),
        },
        Value::Undef
        | Value::Default
        | Value::Boolean(_)
        | Value::Regexp(_)
        | Value::Array(_)
        | Value::Hash(_)
        | Value::SemVerRange(_)
        | Value::Binary(_)
        | Value::Uri(_)
        | Value::Type(_)
        | Value::Sensitive(_)
        | Value::Iterator(_)
        | Value::Callable(_)
        | Value::Object(_)
        | Value::Runtime(_)
        | Value::Unknown(_) => Err(not_numeric(value, blamed)),
    }
}

#[cold]
fn not_numeric(value: &Value, blamed: BlamedOperand) -> OperatorFault {
    match value.ruby_to_s(&Limits::FURTHEST) {
        Ok(text) => OperatorFault::new(blamed, format!("The value '{text}' cannot be converted to Numeric.")),
        Err(error) => OperatorFault::new(blamed, error.message()),
    }
}

/// Maximum number of digits that are converted to decimal for a message. The time grows with their square.
const CONVERTED: usize = 1_000;

fn in_decimal(negative: bool, digits: &str, radix: u32) -> Option<String> {
    let number = BigInt::parse_bytes(digits.as_bytes(), radix)?;
    Some(if negative { -number } else { number }.to_string())
}

/// Returns the number that a text is, as it is shown.
fn shown_number(text: &str) -> Option<String> {
    let (negative, digits) = parts(text)?;
    let sign = if negative { "-" } else { "" };
    match digits {
        NumericText::Hex(digits) if digits.len() > CONVERTED => Some(format!("{sign}0x{digits}")),
        NumericText::Hex(digits) => in_decimal(negative, digits, 16),
        NumericText::Decimal(digits)
            if digits.starts_with('0') && (2..=CONVERTED).contains(&digits.len()) =>
        {
            in_decimal(negative, digits, 8)
        }
        NumericText::Decimal(digits) => Some(format!("{}{digits}", if digits == "0" { "" } else { sign })),
        NumericText::Float(number) => {
            Some(puppetfn_types::value::float_to_s(if negative { -number } else { number }))
        }
    }
}

/// Returns the integer that a text represents, if any: indexes of strings may be such texts.
pub(in crate::eval) fn integer_of_text(text: &str) -> Option<i64> {
    let (negative, digits) = parts(text)?;
    let magnitude = match digits {
        NumericText::Hex(digits) => u64::from_str_radix(digits, 16).ok()?,
        NumericText::Decimal(digits) if digits.starts_with('0') => u64::from_str_radix(digits, 8).ok()?,
        NumericText::Decimal(digits) => digits.parse().ok()?,
        NumericText::Float(_) => return None,
    };
    if negative { 0i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
}

/// Returns the number that a text is, if it is one of 64 bits.
fn number_of_text(text: &str) -> Option<Value> {
    match parts(text)? {
        (negative, NumericText::Float(number)) => Some(Value::Float(if negative { -number } else { number })),
        (_, NumericText::Hex(_) | NumericText::Decimal(_)) => integer_of_text(text).map(Value::Integer),
    }
}

enum NumericText<'t> {
    Hex(&'t str),
    Decimal(&'t str),
    Float(f64),
}

/// Splits the text of a number into its sign, true for a minus, and its digits.
fn parts(text: &str) -> Option<(bool, NumericText<'_>)> {
    let blank = |c: char| c == ' ' || c == '\t';
    let text = text.strip_prefix("::").unwrap_or(text).trim_matches(blank);
    let (negative, number) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start_matches(blank)),
        None => (false, text.strip_prefix('+').unwrap_or(text).trim_start_matches(blank)),
    };
    if let Some(digits) = number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")) {
        return whole(hex_digit1, digits).map(|digits| (negative, NumericText::Hex(digits)));
    }
    let DecimalParts { integer, fraction, exponent } = whole(decimal(digit1, "-"), number)?;
    if integer.is_empty() {
        return None;
    }
    if fraction.is_none() && exponent.is_none() {
        return Some((negative, NumericText::Decimal(integer)));
    }
    // Zero with an exponent is not taken for a number.
    let is_zero = [integer, fraction.unwrap_or_default()].concat().bytes().all(|digit| digit == b'0');
    if is_zero && exponent.is_some() {
        return None;
    }
    let number = number.parse::<f64>().ok().filter(|number| number.is_finite())?;
    Some((negative, NumericText::Float(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_numbers_are_known() {
        for (text, number) in [
            ("5", Some("5")),
            (" -5 ", Some("-5")),
            ("- 5", Some("-5")),
            ("0x1F", Some("31")),
            ("-0xffffffffffffffffffffffffffffffffff", Some("-87112285931760246646623899502532662132735")),
            ("010", Some("8")),
            (
                "0777777777777777777777777777777777777777777777",
                Some("43556142965880123323311949751266331066367"),
            ),
            ("08", None),
            ("5.5e-1", Some("0.55")),
            ("5.", None),
            (".5", None),
            ("5e", None),
            ("0e1", None),
            ("::7", Some("7")),
            ("NaN", None),
            ("", None),
        ] {
            assert_eq!(shown_number(text).as_deref(), number, "{text}");
        }
    }
}
