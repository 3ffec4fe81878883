//! Points in time and lengths of time, to the nanosecond.

mod arithmetic;
mod calendar;
mod formats;
mod timespan;
mod timestamp;

pub use calendar::{DAYS, DateTime, MONTHS};

pub use arithmetic::{ArithmeticError, TimeOperand, TimeOperator, calculate};
pub use formats::Formats;
pub use timespan::{Fields, Timespan};
pub use timestamp::Timestamp;

use std::cmp::Ordering;
use std::fmt;

use super::Value;
use puppetfn_base::error::{Error, ErrorKind};

const NANOS_PER_SECOND: i128 = 1_000_000_000;

/// A count of nanoseconds, the representation of both kinds of times: `seconds` rounded down, and the rest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct TimeData {
    seconds: i64,
    nanos: u32,
}

const _: () = assert!(size_of::<TimeData>() == 16);

impl TimeData {
    const fn from_seconds(seconds: i64) -> Self {
        Self { seconds, nanos: 0 }
    }

    /// Creates the time; `None` if the seconds have more than 64 bits.
    fn from_nanos(nanos: i128) -> Option<Self> {
        Some(Self {
            seconds: i64::try_from(nanos.div_euclid(NANOS_PER_SECOND)).ok()?,
            nanos: u32::try_from(nanos.rem_euclid(NANOS_PER_SECOND)).ok()?,
        })
    }

    fn nanos(self) -> i128 {
        i128::from(self.seconds) * NANOS_PER_SECOND + i128::from(self.nanos)
    }

    fn to_f64(self) -> f64 {
        quotient(self.nanos(), NANOS_PER_SECOND)
    }

    /// Compares with a number; `None` if that is NaN. Between a fraction of a second and a whole number, Puppet
    /// compares whole seconds.
    fn cmp_number(self, number: SecondsNumber) -> Option<Ordering> {
        match number {
            SecondsNumber::Integer(number) => Some(self.seconds.cmp(&number)),
            SecondsNumber::Float(number) => self.to_f64().partial_cmp(&number),
        }
    }
}

/// A number that counts seconds, or multiplies or divides them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SecondsNumber {
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
}

impl From<i64> for SecondsNumber {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<f64> for SecondsNumber {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<SecondsNumber> for Value {
    fn from(number: SecondsNumber) -> Self {
        match number {
            SecondsNumber::Integer(number) => Self::Integer(number),
            SecondsNumber::Float(number) => Self::Float(number),
        }
    }
}

impl SecondsNumber {
    /// Returns this many seconds in nanoseconds. Fractions of a nanosecond are truncated.
    fn seconds_to_nanos(self) -> Option<i128> {
        match self {
            Self::Integer(seconds) => Some(i128::from(seconds) * NANOS_PER_SECOND),
            Self::Float(seconds) => truncated(seconds * NANOS_PER_SECOND as f64),
        }
    }
}

/// Returns the whole part of a float; `None` if it is not a number or too large for any time.
fn truncated(number: f64) -> Option<i128> {
    // Times have less than 94 bits, and so does whatever is computed from them here.
    (number.abs() < 2f64.powi(96)).then_some(number as i128)
}

/// Returns the quotient of two integers, rounded as Ruby's `fdiv` does: both are reduced first.
fn quotient(dividend: i128, divisor: i128) -> f64 {
    let common = gcd(dividend.unsigned_abs(), divisor.unsigned_abs()).max(1) as i128;
    (dividend / common) as f64 / (divisor / common) as f64
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns true if Ruby's formats take a byte for a blank.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

#[cold]
fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Conversion, message)
}

#[cold]
fn out_of_range(what: &str) -> Error {
    invalid(format!("{what} is out of range: its seconds must have 64 bits"))
}

/// The output of a format, whose widths must not make it arbitrarily long.
struct BoundedText {
    text: String,
    limit: usize,
}

impl BoundedText {
    const BEYOND_FORMAT: usize = 1_000_000;

    fn for_format(format: &str) -> Self {
        Self { text: String::new(), limit: format.len().saturating_add(Self::BEYOND_FORMAT) }
    }

    fn finish(self) -> String {
        self.text
    }

    #[cold]
    fn exceeded(format: &str) -> Error {
        let format: String = format.chars().take(40).collect();
        let limit = Self::BEYOND_FORMAT;
        Error::new(
            ErrorKind::Limit,
            format!("the text in format '{format}' would be more than {limit} bytes longer than the format"),
        )
    }
}

impl fmt::Write for BoundedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.text.len() + text.len() > self.limit {
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}
