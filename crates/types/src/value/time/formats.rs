//! The formats that a text may be in.

use super::invalid;
use crate::value::Value;
use puppetfn_base::error::Error;

/// How a text of a time is to be read.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Formats<'a> {
    /// In one of the formats that Puppet knows.
    #[default]
    Default,
    /// In this format.
    One(&'a str),
    /// In the first of these formats that fits.
    Many(Vec<&'a str>),
}

impl<'a> Formats<'a> {
    /// Returns the formats in a value: a string or an array of strings; the defaults if the value is missing.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if the value is something else.
    pub fn of(value: Option<&'a Value>) -> Result<Self, Error> {
        let string = |value: &'a Value| {
            if let Value::String(text) = value {
                Ok(&**text)
            } else {
                Err(invalid("Format must be a String"))
            }
        };
        match value {
            None | Some(Value::Undef | Value::Default) => Ok(Self::Default),
            Some(Value::Array(items)) => Ok(Self::Many(items.iter().map(string).collect::<Result<_, _>>()?)),
            Some(value) => Ok(Self::One(string(value)?)),
        }
    }
}

#[cold]
pub(super) fn not_in_format(text: &str, format: &str) -> Error {
    invalid(format!("Unable to parse '{text}' using format '{format}'"))
}

#[cold]
pub(super) fn in_no_format(text: &str, formats: &[&str]) -> Error {
    invalid(format!("Unable to parse '{text}' using any of the formats {}", formats.join(", ")))
}
