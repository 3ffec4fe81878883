//! Timestamps of RFC 3339, read as leniently as Go 1.19 does: an hour may have one digit.
//!
//! The parser is written by hand and not with nom, because each part has an error of its own, and some errors show the
//! text after the part.

use std::fmt;

use crate::text::quoted;
use puppetfn_types::value::time::DateTime;

const NANOSECONDS: i128 = 1_000_000_000;

/// A point in time, with an offset to UTC.
#[derive(Clone, Copy)]
pub(super) struct Rfc3339Timestamp {
    /// Since 1970.
    seconds: i64,
    nanoseconds: u32,
    offset: i32,
}

impl Rfc3339Timestamp {
    /// Parses a timestamp. The error names the first part that does not match.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parser = TimestampParser { rest: text };
        let year = parser.year()?;
        parser.literal("-")?;
        let month = parser.number("month", FieldWidth::Two, 1..=12)?;
        parser.literal("-")?;
        let day = parser.number("day of month", FieldWidth::Two, 0..=99)?;
        parser.literal("T")?;
        let hour = parser.number("hour", FieldWidth::OneOrTwo, 0..=23)?;
        parser.literal(":")?;
        let minute = parser.number("minute", FieldWidth::Two, 0..=59)?;
        parser.literal(":")?;
        let second = parser.number("second", FieldWidth::Two, 0..=59)?;
        let nanoseconds = parser.fraction();
        let offset = parser.offset()?;
        if !parser.rest.is_empty() {
            return Err(parser.cannot_use("timestamp segment"));
        }
        let time = DateTime { year: i64::from(year), month, day, hour, minute, second };
        // A day that the month does not have carries over to the next month.
        let seconds = time.to_seconds().filter(|seconds| day > 0 && DateTime::at(*seconds) == time);
        let seconds = seconds.ok_or_else(|| error(": day out of range"))?;
        Ok(Self { seconds: seconds - i64::from(offset), nanoseconds, offset })
    }

    /// Returns the time this many nanoseconds later.
    pub fn after(self, nanoseconds: i64) -> Self {
        let total =
            i128::from(self.seconds) * NANOSECONDS + i128::from(self.nanoseconds) + i128::from(nanoseconds);
        let seconds = i64::try_from(total.div_euclid(NANOSECONDS)).unwrap_or(self.seconds);
        Self { seconds, nanoseconds: total.rem_euclid(NANOSECONDS) as u32, ..self }
    }

    /// Returns the local date and time.
    pub fn local(&self) -> DateTime {
        DateTime::at(self.seconds + i64::from(self.offset))
    }

    /// Returns the offset to UTC, as in `+0130`, with this between hours and minutes.
    pub fn offset(&self, separator: &str) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
    }

    /// Returns the offset, or `Z` for UTC.
    pub fn offset_or_z(&self) -> String {
        if self.offset == 0 { "Z".to_owned() } else { self.offset(":") }
    }
}

impl fmt::Display for Rfc3339Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DateTime { year, month, day, hour, minute, second } = self.local();
        if year < 0 {
            f.write_str("-")?;
        }
        let year = year.unsigned_abs();
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{}", self.offset_or_z())
    }
}

#[cold]
fn error(reason: &str) -> String {
    format!("not a valid RFC3339 timestamp{reason}")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FieldWidth {
    Two,
    OneOrTwo,
}

struct TimestampParser<'t> {
    rest: &'t str,
}

impl<'t> TimestampParser<'t> {
    fn cannot_use(&self, what: &str) -> String {
        match self.rest {
            "" => error(&format!(": end of string before {what}")),
            rest => error(&format!(": cannot use {} as {what}", quoted(rest))),
        }
    }

    /// Returns the digits at the start, at most this many.
    fn digits(&self, most: usize) -> &'t str {
        let count = self.rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        self.rest.get(..count).unwrap_or_default()
    }

    fn advance(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
    }

    fn literal(&mut self, wanted: &str) -> Result<(), String> {
        if let Some(rest) = self.rest.strip_prefix(wanted) {
            self.rest = rest;
            return Ok(());
        }
        Err(match (wanted, self.rest) {
            ("T", _) => error(": missing required time introducer 'T'"),
            (wanted, "") => error(&format!(": end of string where {} is expected", quoted(wanted))),
            (wanted, rest) => {
                error(&format!(": found {} where {} is expected", quoted(rest), quoted(wanted)))
            }
        })
    }

    fn year(&mut self) -> Result<u16, String> {
        let Some(year) =
            self.rest.get(..4).filter(|year| year.starts_with(|next: char| next.is_ascii_digit()))
        else {
            return Err(self.cannot_use("year"));
        };
        self.advance(4);
        let valid = year.bytes().all(|digit| digit.is_ascii_digit());
        year.parse().ok().filter(|_| valid).ok_or_else(|| self.cannot_use("year"))
    }

    fn number(
        &mut self,
        what: &str,
        width: FieldWidth,
        range: std::ops::RangeInclusive<u8>,
    ) -> Result<u8, String> {
        let digits = self.digits(2);
        if digits.is_empty() || width == FieldWidth::Two && digits.len() < 2 {
            return Err(self.cannot_use(what));
        }
        self.advance(digits.len());
        digits.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| self.cannot_use(what))
    }

    /// Returns the nanoseconds after a point or a comma. Digits after the ninth are ignored.
    fn fraction(&mut self) -> u32 {
        let Some(after) = self.rest.strip_prefix(['.', ',']) else { return 0 };
        let digits = TimestampParser { rest: after }.digits(usize::MAX);
        if digits.is_empty() {
            return 0;
        }
        self.advance(1 + digits.len());
        format!("{digits:0<9}").get(..9).and_then(|nine| nine.parse().ok()).unwrap_or(0)
    }

    fn offset(&mut self) -> Result<i32, String> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Ok(0);
        }
        let Some(text) = self.rest.get(..6).filter(|text| text.get(3..4) == Some(":")) else {
            return Err(self.cannot_use("UTC offset"));
        };
        let two_digits = |digits: Option<&str>| {
            digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?.parse::<i32>().ok()
        };
        let sign = text.get(..1).filter(|sign| matches!(*sign, "+" | "-"));
        let seconds = two_digits(text.get(1..3))
            .zip(two_digits(text.get(4..)))
            .map(|(hours, minutes)| (hours * 60 + minutes) * 60);
        self.advance(6);
        match sign.zip(seconds) {
            Some(("-", seconds)) => Ok(-seconds),
            Some((_, seconds)) => Ok(seconds),
            None => Err(self.cannot_use("UTC offset")),
        }
    }
}
