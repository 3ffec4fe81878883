//! Arguments as numbers and characters.

use super::integer::Integer;
use super::invalid;
use crate::convert::number;
use crate::value::{Value, float_to_s};
use puppetfn_base::error::{Error, RaisedAs};

/// Returns the argument of `%d` and the like.
pub(super) fn integer(value: &Value) -> Result<Integer, Error> {
    if let Value::Integer(number) = value {
        return Ok(Integer::Small(*number));
    }
    if let Value::Float(number) = value {
        return Integer::of(*number)
            .ok_or_else(|| invalid(float_to_s(*number)).with_details(RaisedAs("FloatDomainError")));
    }
    if let Value::Timestamp(time) = value {
        return Ok(Integer::Small(time.whole_seconds()));
    }
    if let Value::Timespan(time) = value {
        return Ok(Integer::Small(time.whole_seconds()));
    }
    if let Value::String(text) = value {
        let number = number::integer(&number::without_separators(text), None);
        return number.map(Integer::Small).map_err(|error| error.with_details(RaisedAs::ARGUMENT_ERROR));
    }
    Err(no_number(value, "Integer"))
}

/// Returns the argument of `*`, which must be a number.
pub(super) fn implicit_integer(value: &Value) -> Result<Integer, Error> {
    if let Value::Integer(_) | Value::Float(_) = value {
        return integer(value);
    }
    if let Value::Undef = value {
        return Err(of_wrong_class("no implicit conversion from nil to integer"));
    }
    Err(of_wrong_class(format!("no implicit conversion of {} into Integer", kind(value))))
}

/// Returns the argument of `%e` and the like.
pub(super) fn float(value: &Value) -> Result<f64, Error> {
    if let Value::Float(number) = value {
        return Ok(*number);
    }
    if let Value::Integer(number) = value {
        #[allow(clippy::cast_precision_loss, reason = "Puppet shows the nearest float")]
        return Ok(*number as f64);
    }
    if let Value::Timestamp(time) = value {
        return Ok(time.to_f64());
    }
    if let Value::Timespan(time) = value {
        return Ok(time.to_f64());
    }
    if let Value::String(text) = value {
        return number::strict_float(text).map_err(|error| error.with_details(RaisedAs::ARGUMENT_ERROR));
    }
    Err(no_number(value, "Float"))
}

/// Returns the argument of `%c`: a character, or its number.
pub(super) fn character(value: &Value) -> Result<String, Error> {
    if let Value::String(text) = value {
        let mut chars = text.chars();
        return match (chars.next(), chars.next()) {
            (Some(_), None) => Ok(text.to_string()),
            _ => Err(invalid("%c requires a character")),
        };
    }
    let is_number =
        matches!(value, Value::Integer(_) | Value::Float(_) | Value::Timestamp(_) | Value::Timespan(_));
    let number = match if is_number { integer(value)? } else { implicit_integer(value)? } {
        Integer::Small(number) => u32::try_from(number).ok(),
        Integer::Large(_) => None,
    };
    number.and_then(char::from_u32).map(String::from).ok_or_else(|| invalid("invalid character"))
}

#[cold]
fn no_number(value: &Value, number: &str) -> Error {
    of_wrong_class(format!("can't convert {} into {number}", kind(value)))
}

#[cold]
fn of_wrong_class(message: impl Into<String>) -> Error {
    invalid(message).with_details(RaisedAs::TYPE_ERROR)
}

/// Returns the name that Ruby's messages have for the kind of a value.
fn kind(value: &Value) -> String {
    if let Value::Undef = value {
        "nil".to_owned()
    } else if let Value::Boolean(truth) = value {
        truth.to_string()
    } else {
        value.ruby_class().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_ruby_does() {
        for (text, number) in [("0x1f", 31), (" -0b11 ", -3), ("017", 15), ("1_000", 1000), ("+5", 5)] {
            assert_eq!(integer(&text.into()).unwrap(), Integer::Small(number), "{text}");
        }
        for text in ["1__0", "_1", "", "08", "1.5", "--1"] {
            let message = integer(&text.into()).unwrap_err().to_string();
            assert_eq!(message, format!("invalid value for Integer(): \"{text}\""));
        }
        assert_eq!(float(&"-1_0.5".into()).unwrap(), -10.5);
        assert_eq!(float(&"inf".into()).unwrap_err().to_string(), "invalid value for Float(): \"inf\"");
    }
}
