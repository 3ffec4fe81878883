//! Numbers as text.

use std::fmt::Write as _;

use super::decimal::DecimalDigits;
use super::{CtyNumber, check_digits};
use puppetfn_base::error::Error;

/// Number of digits in the text of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DigitCount {
    /// As many as distinguish it from all other numbers of its precision.
    Shortest,
    /// This many: after the decimal point, or in all for [`CtyNumber::to_general`].
    Exactly(u32),
}

impl CtyNumber {
    /// Without an exponent, as in `1234.5`.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if there are too many digits.
    pub fn to_fixed(&self, digits: DigitCount) -> Result<String, Error> {
        let Some(mut decimal) = self.digits(digits)? else { return Ok(self.infinity()) };
        let count = match digits {
            DigitCount::Exactly(count) => {
                decimal.round(decimal.point.saturating_add(i64::from(count)));
                i64::from(count)
            }
            DigitCount::Shortest => decimal.digits.len() as i64 - decimal.point,
        };
        self.fixed(&decimal, count)
    }

    /// With an exponent, as in `1.2345e+03`.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if there are too many digits.
    pub fn to_scientific(&self, digits: DigitCount) -> Result<String, Error> {
        let Some(mut decimal) = self.digits(digits)? else { return Ok(self.infinity()) };
        let count = match digits {
            DigitCount::Exactly(count) => {
                decimal.round(i64::from(count) + 1);
                i64::from(count)
            }
            DigitCount::Shortest => decimal.digits.len() as i64 - 1,
        };
        self.scientific(&decimal, count)
    }

    /// With an exponent if it is small or large.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if there are too many digits.
    pub fn to_general(&self, digits: DigitCount) -> Result<String, Error> {
        let Some(mut decimal) = self.digits(digits)? else { return Ok(self.infinity()) };
        let count = match digits {
            DigitCount::Exactly(count) => {
                let count = i64::from(count.max(1));
                decimal.round(count);
                count
            }
            DigitCount::Shortest => decimal.digits.len() as i64,
        };
        let used = decimal.digits.len() as i64;
        let limit = match digits {
            DigitCount::Shortest => 6,
            DigitCount::Exactly(_) if count > used && used >= decimal.point => used,
            DigitCount::Exactly(_) => count,
        };
        let exponent = decimal.point - 1;
        if !decimal.digits.is_empty() && (exponent < -4 || exponent >= limit) {
            return self.scientific(&decimal, count.min(used) - 1);
        }
        self.fixed(&decimal, used - decimal.point)
    }

    fn digits(&self, digits: DigitCount) -> Result<Option<DecimalDigits>, Error> {
        match digits {
            DigitCount::Shortest => self.shortest(),
            DigitCount::Exactly(_) => self.decimal(),
        }
    }

    fn infinity(&self) -> String {
        if self.negative { "-Inf".to_owned() } else { "+Inf".to_owned() }
    }

    fn sign(&self) -> String {
        if self.negative { "-".to_owned() } else { String::new() }
    }

    fn fixed(&self, decimal: &DecimalDigits, fraction: i64) -> Result<String, Error> {
        check_digits(decimal.point.max(0).saturating_add(fraction.max(0)).unsigned_abs())?;
        let mut text = self.sign();
        if decimal.point <= 0 {
            text.push('0');
        }
        text.extend((0..decimal.point).map(|place| char::from(b'0' + decimal.at(place))));
        if fraction > 0 {
            text.push('.');
            let places = decimal.point..decimal.point.saturating_add(fraction);
            text.extend(places.map(|place| char::from(b'0' + decimal.at(place))));
        }
        Ok(text)
    }

    fn scientific(&self, decimal: &DecimalDigits, fraction: i64) -> Result<String, Error> {
        check_digits(fraction.max(0).unsigned_abs())?;
        let mut text = self.sign();
        text.push(char::from(b'0' + decimal.at(0)));
        if fraction > 0 {
            text.push('.');
            text.extend((1..=fraction).map(|place| char::from(b'0' + decimal.at(place))));
        }
        let exponent = if decimal.digits.is_empty() { 0 } else { decimal.point - 1 };
        let sign = if exponent < 0 { '-' } else { '+' };
        // Writing to a string cannot fail.
        let _ = write!(text, "e{sign}{:02}", exponent.unsigned_abs());
        Ok(text)
    }
}
