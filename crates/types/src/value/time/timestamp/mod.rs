//! Points in time.
//!
//! See Puppet's `pops/time/timestamp.rb`.

mod parse;
mod strftime;
mod strptime;
mod zone;

use std::cmp::Ordering;
use std::fmt;

use super::calendar::DateTime;
use super::{SecondsNumber, TimeData, out_of_range};
use puppetfn_base::error::Error;
use web_time::{SystemTime, UNIX_EPOCH};

/// A point in time: Puppet's `Timestamp`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(TimeData);

impl Timestamp {
    /// Creates the point in time this many seconds after the beginning of 1970, in UTC.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(TimeData::from_seconds(seconds))
    }

    /// Creates the point in time a number of seconds after the beginning of 1970. Fractions of a nanosecond are truncated.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if it is not a number, or has more than 64 bits.
    pub fn from_number(seconds: impl Into<SecondsNumber>) -> Result<Self, Error> {
        Self::checked(seconds.into().seconds_to_nanos())
    }

    /// Returns the time of the system's clock.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if the clock shows an impossible time.
    pub fn now() -> Result<Self, Error> {
        let nanos = match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(after) => i128::try_from(after.as_nanos()).ok(),
            Err(before) => i128::try_from(before.duration().as_nanos()).ok().map(|nanos| -nanos),
        };
        Self::checked(nanos)
    }

    /// Creates the point in time this many nanoseconds after the beginning of 1970.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if the seconds have more than 64 bits.
    pub fn from_nanos(nanos: i128) -> Result<Self, Error> {
        Self::checked(Some(nanos))
    }

    pub(super) fn checked(nanos: Option<i128>) -> Result<Self, Error> {
        nanos.and_then(TimeData::from_nanos).map(Self).ok_or_else(|| out_of_range("A Timestamp"))
    }

    /// Returns the nanoseconds since the beginning of 1970.
    pub fn nanos(self) -> i128 {
        self.0.nanos()
    }

    /// Returns the whole seconds since the beginning of 1970, rounded down.
    pub fn whole_seconds(self) -> i64 {
        self.0.seconds
    }

    /// Returns the nanoseconds that follow the whole seconds.
    pub fn subsecond_nanos(self) -> u32 {
        self.0.nanos
    }

    /// Returns the seconds since the beginning of 1970.
    pub fn to_f64(self) -> f64 {
        self.0.to_f64()
    }

    /// Compares it with a number of seconds; an integer is compared with the whole seconds only.
    pub fn cmp_number(self, number: impl Into<SecondsNumber>) -> Option<Ordering> {
        self.0.cmp_number(number.into())
    }
}

impl fmt::Display for Timestamp {
    /// Prints as Puppet does: `2020-01-01T10:20:30.123000000 UTC`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DateTime { year, month, day, hour, minute, second } = DateTime::at(self.0.seconds);
        let sign = if year < 0 { "-" } else { "" };
        let (year, nanos) = (year.unsigned_abs(), self.0.nanos);
        write!(f, "{sign}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanos:09} UTC")
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timestamp({self})")
    }
}

#[cfg(test)]
mod tests;
