//! Points in time as text in a format of Ruby's `strftime`.
//!
//! See Ruby's `strftime.c`.

use std::fmt::Write;

use strftime::fmt::strftime;
use strftime::{Error as FormatError, Time};

use super::super::calendar::DateTime;
use super::super::{BoundedText, invalid};
use super::Timestamp;
use super::zone::{Offset, local_offset};
use puppetfn_base::error::Error;

impl Timestamp {
    /// Formats the time, as the time in `timezone`: a name like `PST`, an offset like `+02:00`, or `current`. Without one,
    /// in UTC.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if the format is incomplete or the time zone does not
    /// exist, and with [`puppetfn_base::error::ErrorKind::Limit`] if the text would be too long.
    pub fn format(self, format: &str, timezone: Option<&str>) -> Result<String, Error> {
        let timezone = timezone.filter(|timezone| !timezone.is_empty());
        let time = LocalTime::new(self, timezone.map_or(Ok(Offset::UTC), local_offset)?)?;
        let mut out = BoundedText::for_format(format);
        match time.write(format, &mut out) {
            Ok(()) => Ok(out.finish()),
            Err(FormatError::InvalidFormatString) => Err(invalid(format!("invalid format: {format}"))),
            Err(_) => Err(BoundedText::exceeded(format)),
        }
    }
}

/// A point in time, as the clocks show it somewhere.
struct LocalTime {
    stamp: Timestamp,
    offset: Offset,
    date: DateTime,
    year: i32,
}

impl LocalTime {
    fn new(stamp: Timestamp, offset: Offset) -> Result<Self, Error> {
        let date = DateTime::at(stamp.whole_seconds().saturating_add(offset.seconds.into()));
        let year = i32::try_from(date.year)
            .map_err(|_| invalid(format!("The year {} is too far away to be formatted", date.year)))?;
        Ok(Self { stamp, offset, date, year })
    }

    /// strftime-ruby 1.3 writes a zero too many for offsets of -10 hours and less. Offsets of 10 hours and more are right.
    fn write(&self, format: &str, out: &mut BoundedText) -> Result<(), FormatError> {
        if self.offset.seconds > -10 * 3600 {
            return strftime(self, format, out);
        }
        let east = Self { offset: Offset { seconds: -self.offset.seconds, ..self.offset }, ..*self };
        let mut rest = format;
        while let Some((before, directive, behind)) = split_at_offset(rest) {
            strftime(self, before, out)?;
            let mut offset = BoundedText::for_format(directive);
            strftime(&east, directive, &mut offset)?;
            out.write_str(&offset.finish().replace('+', "-"))?;
            rest = behind;
        }
        strftime(self, rest, out)
    }
}

/// Returns the first directive for the offset of the time zone, with the text before and after it.
fn split_at_offset(format: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let start = from + format.get(from..)?.find('%')?;
        let rest = format.get(start + 1..)?;
        let options =
            rest.find(|c: char| !"-_0^#:EO".contains(c) && !c.is_ascii_digit()).unwrap_or(rest.len());
        // A directive ends with one letter, which may also be another `%`.
        from = start + 1 + options + rest.get(options..)?.chars().next().map_or(0, char::len_utf8);
        let directive = format.get(start..from)?;
        if directive.ends_with('z') {
            return Some((format.get(..start)?, directive, format.get(from..)?));
        }
        if from == format.len() {
            return None;
        }
    }
}

impl Time for LocalTime {
    fn year(&self) -> i32 {
        self.year
    }

    fn month(&self) -> u8 {
        self.date.month
    }

    fn day(&self) -> u8 {
        self.date.day
    }

    fn hour(&self) -> u8 {
        self.date.hour
    }

    fn minute(&self) -> u8 {
        self.date.minute
    }

    fn second(&self) -> u8 {
        self.date.second
    }

    fn nanoseconds(&self) -> u32 {
        self.stamp.subsecond_nanos()
    }

    fn day_of_week(&self) -> u8 {
        self.date.day_of_week()
    }

    fn day_of_year(&self) -> u16 {
        self.date.day_of_year()
    }

    fn to_int(&self) -> i64 {
        self.stamp.whole_seconds()
    }

    fn is_utc(&self) -> bool {
        self.offset.is_utc
    }

    fn utc_offset(&self) -> i32 {
        self.offset.seconds
    }

    /// Ruby has no name for a time zone given as an offset.
    fn time_zone(&self) -> &str {
        if self.offset.is_utc { "UTC" } else { "" }
    }
}
