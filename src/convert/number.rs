//! Numbers of texts, as Ruby's `Integer()` and `Float()` read them.

use crate::error::{Error, ErrorKind};
use crate::value::Value;

/// The integer that a text is. Without a radix its prefix says which one it has; with one, a
/// prefix may repeat it.
pub(super) fn integer(text: &str, radix: Option<u32>) -> Result<i64, Error> {
    let number = Written::of(text);
    let (stated, digits) = match number.prefix() {
        Some((stated, digits)) if radix.is_none_or(|radix| radix == stated) => (Some(stated), digits),
        _ => (None, number.digits),
    };
    let radix = radix.or(stated).unwrap_or(10);
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(invalid("Integer", text));
    }
    i64::from_str_radix(&format!("{}{digits}", number.sign), radix).map_err(|_| out_of_range(text))
}

/// The float that a text is; it may be a hexadecimal integer, too.
pub(super) fn float(text: &str) -> Result<f64, Error> {
    let number = Written::of(text);
    let magnitude = match number.prefix() {
        Some((16, digits)) if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit()) => Some(
            digits
                .chars()
                .filter_map(|c| c.to_digit(16))
                .fold(0.0, |sum, digit| sum * 16.0 + f64::from(digit)),
        ),
        // What Rust reads beyond digits, point and exponent are names such as `inf`.
        _ if number.digits.starts_with(|c: char| c.is_ascii_digit()) => number.digits.parse().ok(),
        _ => None,
    };
    match magnitude {
        Some(magnitude) => Ok(if number.sign == "-" { -magnitude } else { magnitude }),
        None => Err(invalid("Float", text)),
    }
}

/// A number as it is written: behind blanks, its sign and the rest.
struct Written<'t> {
    sign: &'t str,
    digits: &'t str,
}

impl<'t> Written<'t> {
    fn of(text: &'t str) -> Self {
        let text = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
        let sign = usize::from(text.starts_with(['+', '-']));
        let (sign, digits) = text.split_at(sign);
        Self { sign, digits }
    }

    /// The radix that a prefix states, and the digits behind it.
    fn prefix(&self) -> Option<(u32, &'t str)> {
        let rest = self.digits.strip_prefix('0')?;
        Some(match rest.chars().next()? {
            'x' | 'X' => (16, rest.get(1..)?),
            'b' | 'B' => (2, rest.get(1..)?),
            _ => (8, rest),
        })
    }
}

/// The text without the blanks between its sign and its digits, if there are any.
pub(super) fn without_blanks(text: &str) -> Option<String> {
    let (sign, rest) = text.split_at_checked(1)?;
    let digits = rest.trim_start_matches([' ', '\t']);
    let separated = matches!(sign, "+" | "-") && digits.len() < rest.len() && !digits.contains('\n');
    separated.then(|| format!("{sign}{digits}"))
}

#[cold]
fn invalid(function: &str, text: &str) -> Error {
    match Value::from(text).ruby_inspect() {
        Ok(text) => Error::new(ErrorKind::Conversion, format!("invalid value for {function}(): {text}")),
        Err(error) => error,
    }
}

/// The error of an integer that is none of Puppet's.
#[cold]
pub(super) fn out_of_range(number: impl std::fmt::Display) -> Error {
    Error::new(
        ErrorKind::Conversion,
        format!("The number {number} does not fit into an Integer, which has 64 bits"),
    )
}

/// The number that a text is to Puppet: an integer, a float, or none.
pub(super) fn numeric(text: &str) -> Result<Option<Value>, Error> {
    if matches!(text.as_bytes(), [b'0', b'b' | b'B', ..]) {
        return integer(text, None).map(|number| Some(Value::Integer(number)));
    }
    let number = Written::of(text);
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
