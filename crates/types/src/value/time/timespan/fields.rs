//! The parts of a length of time: days, hours and so on.

use super::super::{Formats, invalid, out_of_range, truncated};
use super::Timespan;
use crate::value::{Hash, Value};
use puppetfn_base::error::Error;

pub(super) const MICROSECOND: i128 = 1_000;
pub(super) const MILLISECOND: i128 = 1_000 * MICROSECOND;
pub(super) const SECOND: i128 = 1_000 * MILLISECOND;
pub(super) const MINUTE: i128 = 60 * SECOND;
pub(super) const HOUR: i128 = 60 * MINUTE;
pub(super) const DAY: i128 = 24 * HOUR;

/// The names of the parts in a hash, and their units in nanoseconds.
const PARTS: [(&str, i128); 7] = [
    ("days", DAY),
    ("hours", HOUR),
    ("minutes", MINUTE),
    ("seconds", SECOND),
    ("milliseconds", MILLISECOND),
    ("microseconds", MICROSECOND),
    ("nanoseconds", 1),
];

/// The parts of a length of time. As an input, each may have any size and sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fields {
    /// The days.
    pub days: i64,
    /// The hours.
    pub hours: i64,
    /// The minutes.
    pub minutes: i64,
    /// The seconds.
    pub seconds: i64,
    /// The milliseconds.
    pub milliseconds: i64,
    /// The microseconds.
    pub microseconds: i64,
    /// The nanoseconds.
    pub nanoseconds: i64,
}

impl Timespan {
    /// Returns the sum of the parts.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if the seconds have more than 64 bits.
    pub fn from_fields(fields: &Fields) -> Result<Self, Error> {
        let Fields { days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds } = *fields;
        let parts = [days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds];
        // 64 bits of days are less than 111 bits of nanoseconds.
        Self::from_nanos(parts.iter().zip(PARTS).map(|(part, (_, unit))| i128::from(*part) * unit).sum())
    }

    /// Returns the time span described by a hash: a `string`, maybe with a `format`, or parts like `hours` and whether
    /// their sum is `negative`. Other keys are ignored.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if the value of a key is of another type, the string does
    /// not match the format, or the seconds have more than 64 bits.
    pub fn from_hash(hash: &Hash) -> Result<Self, Error> {
        if let Some(string) = hash.get_str("string") {
            let Value::String(text) = string else {
                return Err(invalid("A Timespan is made of a 'string' that must be a String"));
            };
            return Self::parse(text, &Formats::of(hash.get_str("format"))?);
        }
        let negative = !matches!(hash.get_str("negative"), None | Some(Value::Undef | Value::Boolean(false)));
        let mut sum = 0;
        for (key, unit) in PARTS {
            sum += match hash.get_str(key) {
                None | Some(Value::Undef | Value::Boolean(false)) => 0,
                Some(Value::Integer(number)) => i128::from(*number) * unit,
                Some(Value::Float(number)) => {
                    truncated(number * unit as f64).ok_or_else(|| out_of_range("A Timespan"))?
                }
                Some(_) => return Err(invalid(format!("The '{key}' of a Timespan must be an Integer"))),
            };
        }
        Self::from_nanos(if negative { -sum } else { sum })
    }

    /// Returns the size of its parts, whether it is negative or not.
    pub fn fields(self) -> Fields {
        let nanos = self.nanos().abs();
        let part = |unit: i128, next: i128| (nanos / unit % (next / unit)) as i64;
        Fields {
            days: (nanos / DAY) as i64,
            hours: part(HOUR, DAY),
            minutes: part(MINUTE, HOUR),
            seconds: part(SECOND, MINUTE),
            milliseconds: part(MILLISECOND, SECOND),
            microseconds: part(MICROSECOND, MILLISECOND),
            nanoseconds: part(1, MICROSECOND),
        }
    }

    /// Returns a hash of the parts that are not zero, with `negative` if it is.
    pub fn to_hash(self) -> Hash {
        let Fields { days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds } = self.fields();
        let parts = [
            ("days", days),
            ("hours", hours),
            ("minutes", minutes),
            ("seconds", seconds),
            ("nanoseconds", nanoseconds),
            ("microseconds", microseconds),
            ("milliseconds", milliseconds),
        ];
        let entry = |(name, part): (&str, i64)| (name.into(), Value::Integer(part));
        let mut hash: Hash = parts.into_iter().filter(|(_, part)| *part != 0).map(entry).collect();
        if self.is_negative() {
            hash.insert("negative".into(), Value::Boolean(true));
        }
        hash
    }

    /// Returns a hash of the seconds and the nanoseconds, the latter only if not zero. Both have the sign of the time span.
    pub fn to_compact_hash(self) -> Hash {
        let (seconds, nanos) = (self.nanos() / SECOND, self.nanos() % SECOND);
        let mut hash = Hash::default();
        hash.insert("seconds".into(), Value::Integer(seconds as i64));
        if nanos != 0 {
            hash.insert("nanoseconds".into(), Value::Integer(nanos as i64));
        }
        hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(entries: &[(&str, Value)]) -> Hash {
        entries.iter().map(|(key, value)| ((*key).into(), value.clone())).collect()
    }

    #[test]
    fn a_span_is_the_sum_of_its_parts() {
        let fields =
            Fields { days: 1, hours: -25, seconds: 90, nanoseconds: 1_000_000_001, ..Fields::default() };
        let span = Timespan::from_fields(&fields).unwrap();
        assert_eq!(span.to_string(), "-0-00:58:28.999999999");
        let parts = Fields {
            minutes: 58,
            seconds: 28,
            milliseconds: 999,
            microseconds: 999,
            nanoseconds: 999,
            ..Fields::default()
        };
        assert_eq!(span.fields(), parts);
        assert!(Timespan::from_fields(&Fields { days: i64::MAX, ..Fields::default() }).is_err());
    }

    #[test]
    fn a_hash_has_the_parts_that_are_not_zero() {
        let span = Timespan::from_nanos(-(2 * HOUR + 5_000_007)).unwrap();
        let parts = [
            ("hours", Value::Integer(2)),
            ("nanoseconds", Value::Integer(7)),
            ("milliseconds", Value::Integer(5)),
            ("negative", Value::Boolean(true)),
        ];
        assert_eq!(span.to_hash(), hash(&parts));
        assert_eq!(Timespan::from_hash(&span.to_hash()), Ok(span));
        let compact = [("seconds", Value::Integer(-7200)), ("nanoseconds", Value::Integer(-5_000_007))];
        assert_eq!(span.to_compact_hash(), hash(&compact));
        assert_eq!(Timespan::from_hash(&span.to_compact_hash()), Ok(span));
    }

    #[test]
    fn a_hash_may_have_a_string() {
        let span = Timespan::from_hash(&hash(&[("string", "3".into()), ("format", "%H".into())]));
        assert_eq!(span, Ok(Timespan::from_seconds(3 * 3600)));
        let error = Timespan::from_hash(&hash(&[("days", "1".into())])).unwrap_err();
        assert_eq!(error.message(), "The 'days' of a Timespan must be an Integer");
    }
}
