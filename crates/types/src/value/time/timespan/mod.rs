//! Lengths of time.
//!
//! See Puppet's `pops/time/timespan.rb`.

mod fields;
mod format;
mod scan;

pub use fields::Fields;

use std::cmp::Ordering;
use std::fmt;

use super::{NANOS_PER_SECOND, SecondsNumber, TimeData, out_of_range};
use puppetfn_base::error::Error;

/// A length of time: Puppet's `Timespan`. It may be negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timespan(TimeData);

impl Timespan {
    /// Creates a length of time of this many seconds.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(TimeData::from_seconds(seconds))
    }

    /// Creates a length of time from a number of seconds. Fractions of a nanosecond are truncated.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if it is not a number, or has more than 64 bits.
    pub fn from_number(seconds: impl Into<SecondsNumber>) -> Result<Self, Error> {
        Self::checked(seconds.into().seconds_to_nanos())
    }

    /// Creates a length of time of this many nanoseconds.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if the seconds have more than 64 bits.
    pub fn from_nanos(nanos: i128) -> Result<Self, Error> {
        Self::checked(Some(nanos))
    }

    pub(super) fn checked(nanos: Option<i128>) -> Result<Self, Error> {
        nanos.and_then(TimeData::from_nanos).map(Self).ok_or_else(|| out_of_range("A Timespan"))
    }

    /// Returns all of it in nanoseconds.
    pub fn nanos(self) -> i128 {
        self.0.nanos()
    }

    /// Returns all of it in whole seconds, rounded down.
    pub fn whole_seconds(self) -> i64 {
        self.0.seconds
    }

    /// Returns all of it in seconds.
    pub fn to_f64(self) -> f64 {
        self.0.to_f64()
    }

    /// Returns true if it is less than zero.
    pub fn is_negative(self) -> bool {
        self.0.seconds < 0
    }

    /// Compares it with a number of seconds; an integer is compared with the whole seconds only.
    pub fn cmp_number(self, number: impl Into<SecondsNumber>) -> Option<Ordering> {
        self.0.cmp_number(number.into())
    }
}

/// Puppet shows a fraction as an integer without the zeros at its end.
fn without_last_zeros(mut number: i128) -> i128 {
    while number != 0 && number % 10 == 0 {
        number /= 10;
    }
    number
}

impl fmt::Display for Timespan {
    /// Prints in the first of the default formats, as Puppet does: `1-02:03:04.5`. The last part is
    /// no decimal fraction: 500 milliseconds and 5 nanoseconds look the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        let nanos = self.nanos().abs();
        let fraction = without_last_zeros(nanos % NANOS_PER_SECOND);
        let Fields { days, hours, minutes, seconds, .. } = self.fields();
        write!(f, "{sign}{days}-{hours:02}:{minutes:02}:{seconds:02}.{fraction}")
    }
}

impl fmt::Debug for Timespan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timespan({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fraction_is_shown_as_puppet_does() {
        for (nanos, shown) in [
            (0, "0-00:00:00.0"),
            (93_784_005_006_007, "1-02:03:04.5006007"),
            (-90_000_000_000, "-0-00:01:30.0"),
            (1_500_000_000, "0-00:00:01.5"),
            (50_000_000, "0-00:00:00.5"),
            (-5, "-0-00:00:00.5"),
        ] {
            assert_eq!(Timespan::from_nanos(nanos).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn what_has_too_many_seconds_is_refused() {
        assert!(Timespan::from_number(i64::MAX).is_ok());
        assert!(Timespan::from_nanos(i128::MAX).is_err());
        for seconds in [1e19, -1e300, f64::INFINITY, f64::NAN] {
            let error = Timespan::from_number(seconds).unwrap_err();
            assert_eq!(error.message(), "A Timespan is out of range: its seconds must have 64 bits");
        }
    }

    #[test]
    fn an_integer_is_compared_with_whole_seconds() {
        let span = Timespan::from_number(1.5).unwrap();
        assert_eq!(span.cmp_number(1), Some(Ordering::Equal));
        assert_eq!(span.cmp_number(1.0), Some(Ordering::Greater));
        assert_eq!(span.cmp_number(f64::NAN), None);
        assert!(Timespan::from_number(-0.5).unwrap() < Timespan::default());
    }
}
