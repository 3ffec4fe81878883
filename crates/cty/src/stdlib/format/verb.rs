//! One verb of a format, and how it formats a value.
//!
//! See go-cty's `cty/function/stdlib/format.go`.

use num_bigint::{BigInt, Sign};

use crate::convert::convert;
use crate::number::{CtyNumber, DigitCount};
use crate::stdlib::failure;
use crate::stdlib::json::encode;
use crate::stdlib::string::graphemes;
use crate::text::{json_string, quoted, quoted_character};
use crate::types::CtyType;
use crate::value::CtyValue;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

/// A verb, as in `%-5.2f`.
pub(super) struct FormatVerb<'f> {
    /// Its text.
    pub raw: &'f str,
    /// Offset in the format.
    pub offset: usize,
    /// The number of its argument, from 1.
    pub argument: usize,
    pub mode: char,
    pub zero: bool,
    pub sharp: bool,
    pub plus: bool,
    pub minus: bool,
    pub space: bool,
    pub width: Option<usize>,
    pub precision: Option<usize>,
}

impl FormatVerb<'_> {
    /// Appends the value in the verb's format.
    pub fn append(&self, value: &CtyValue, out: &mut String, limits: &Limits) -> Result<(), Error> {
        limits.check_size(self.width.unwrap_or(0) as u64)?;
        limits.check_size(self.precision.unwrap_or(0) as u64)?;
        if self.mode != 'v' && value.is_null() {
            return Err(self.unsupported("null value cannot be formatted"));
        }
        out.push_str(&match self.mode {
            'v' => self.padded(self.as_is(value, limits)?),
            't' => {
                let truth = self.converted(value, &CtyType::Bool)?.as_bool()?;
                if truth { "true".to_owned() } else { "false".to_owned() }
            }
            'b' | 'd' | 'o' | 'x' | 'X' => {
                self.integer(self.converted(value, &CtyType::Number)?.as_number()?)?
            }
            'e' | 'E' | 'f' | 'g' | 'G' => {
                self.float(self.converted(value, &CtyType::Number)?.as_number()?)?
            }
            's' | 'q' => {
                let converted = self.converted(value, &CtyType::String)?;
                let mut text = converted.as_string()?.to_string();
                if let Some(count) = self.precision.filter(|count| *count > 0) {
                    text = graphemes(&text).take(count).collect();
                }
                self.padded(if self.mode == 'q' { json_string(&text) } else { text })
            }
            mode => {
                let (mode, raw) = (quoted_character(mode), quoted(self.raw));
                let message = format!("unsupported format verb {mode} in {raw} at offset {}", self.offset);
                return Err(failure(message));
            }
        });
        Ok(())
    }

    fn unsupported(&self, reason: &str) -> Error {
        failure(format!("unsupported value for {} at {}: {reason}", quoted(self.raw), self.offset))
    }

    fn converted(&self, value: &CtyValue, t: &CtyType) -> Result<CtyValue, Error> {
        convert(value, t).map_err(|error| self.reworded(error))
    }

    fn reworded(&self, error: Error) -> Error {
        match error.kind() {
            ErrorKind::Limit => error,
            _ => self.unsupported(error.message()),
        }
    }

    /// Returns the most readable text of a value: strings and numbers plain, all else as JSON.
    fn as_is(&self, value: &CtyValue, limits: &Limits) -> Result<String, Error> {
        if !self.sharp && !value.is_null() {
            match value.ty() {
                CtyType::String => return Ok(value.as_string()?.to_string()),
                CtyType::Number => return value.as_number()?.to_general(DigitCount::Shortest),
                _ => {}
            }
        }
        encode(value, limits).map_err(|error| self.reworded(error))
    }

    /// Returns the text, made as wide as asked, counted in characters as people see them.
    fn padded(&self, text: String) -> String {
        let missing = self.width.unwrap_or(0).saturating_sub(graphemes(&text).count());
        let padding = if self.zero { "0" } else { " " }.repeat(missing);
        if self.minus { text + &padding } else { padding + &text }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    fn integer(&self, number: &CtyNumber) -> Result<String, Error> {
        let not_integer = || self.unsupported("an integer is required");
        if !number.is_integer() {
            return Err(not_integer());
        }
        let integer: BigInt = number.truncated()?.ok_or_else(not_integer)?;
        let (radix, prefix) = match self.mode {
            'b' => (2, "0b"),
            'o' => (8, "0"),
            'x' => (16, "0x"),
            'X' => (16, "0X"),
            _ => (10, ""),
        };
        let mut digits = integer.magnitude().to_str_radix(radix);
        if self.mode == 'X' {
            digits.make_ascii_uppercase();
        }
        if digits == "0" && self.precision == Some(0) {
            return Ok(String::new());
        }
        let prefix = if self.sharp { prefix } else { "" };
        let sign = self.sign(integer.sign() == Sign::Minus);
        let mut zeros = self.precision.unwrap_or(0).saturating_sub(digits.len());
        let length = sign.len() + prefix.len() + zeros + digits.len();
        let padding = self.width.unwrap_or(0).saturating_sub(length);
        let (mut left, mut right) = (0, 0);
        if self.minus {
            right = padding;
        } else if self.zero && self.precision.is_none() {
            zeros = padding;
        } else {
            left = padding;
        }
        let (left, zeros, right) = (" ".repeat(left), "0".repeat(zeros), " ".repeat(right));
        Ok([&left, sign, prefix, &zeros, &digits, &right].concat())
    }

    fn float(&self, number: &CtyNumber) -> Result<String, Error> {
        let exactly = |count: usize| DigitCount::Exactly(u32::try_from(count).unwrap_or(u32::MAX));
        let digits = exactly(self.precision.unwrap_or(6));
        let magnitude = number.absolute();
        let mut text = match self.mode {
            'e' | 'E' => magnitude.to_scientific(digits)?,
            'f' => magnitude.to_fixed(digits)?,
            _ => magnitude.to_general(self.precision.map_or(DigitCount::Shortest, exactly))?,
        };
        let mut sign = self.sign(number.is_negative());
        if number.is_infinite() {
            text = "Inf".to_owned();
            // The sign of infinity is always shown.
            sign = if sign.is_empty() { "+" } else { sign };
            if !number.is_negative() && self.space {
                sign = " ";
            }
        } else if matches!(self.mode, 'E' | 'G') {
            text.make_ascii_uppercase();
        }
        let missing = self.width.unwrap_or(0).saturating_sub(sign.len() + text.len());
        Ok(if self.minus {
            [sign, &text, &" ".repeat(missing)].concat()
        } else if self.zero && !number.is_infinite() {
            [sign, &"0".repeat(missing), &text].concat()
        } else {
            [&" ".repeat(missing), sign, &text].concat()
        })
    }
}
