//! Times in queries and rows.

use puppetfn_types::value::time::{DAYS, MONTHS};

/// A time: nanoseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Instant(i128);

/// Nanoseconds of a second.
const SECOND: i128 = 1_000_000_000;
/// Seconds of a day.
const DAY: i128 = 86_400;

/// A time in the parts of a calendar, in UTC.
struct Calendar {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    nanosecond: i64,
    /// The day of the week, from Sunday on.
    weekday: i64,
    /// The day of the year, from 1 on.
    yearday: i64,
}

impl Instant {
    /// Parses a time in the notation of ISO 8601: a date, and after `T` or a space a time with or without a zone. Without one it is in
    /// UTC.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, time) = match text.split_once(['T', ' ']) {
            Some((date, time)) => (date, time),
            None => (text, ""),
        };
        let mut parts = date.splitn(3, '-');
        let year: i64 = digits(parts.next()?, 4)?;
        let month = parts.next().map_or(Some(1), |part| digits(part, 2))?;
        let day = parts.next().map_or(Some(1), |part| digits(part, 2))?;
        if !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
            return None;
        }
        let (time, offset) = split_zone(time)?;
        let mut parts = time.splitn(3, ':');
        let hour = parts.next().filter(|part| !part.is_empty()).map_or(Some(0), |part| digits(part, 2))?;
        let minute = parts.next().map_or(Some(0), |part| digits(part, 2))?;
        let (second, fraction) = match parts.next() {
            Some(part) => {
                let (second, fraction) = part.split_once('.').unwrap_or((part, "0"));
                (digits(second, 2)?, nanoseconds(fraction)?)
            }
            None => (0, 0),
        };
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = hour * 3_600 + minute * 60 + second - offset;
        let days = i128::from(days_since_1970(year, month, day));
        Some(Self((days * DAY + i128::from(seconds)) * SECOND + i128::from(fraction)))
    }

    fn calendar(self) -> Calendar {
        let seconds = self.0.div_euclid(SECOND);
        let days = i64::try_from(seconds.div_euclid(DAY)).unwrap_or_default();
        let clock = i64::try_from(seconds.rem_euclid(DAY)).unwrap_or_default();
        // See http://howardhinnant.github.io/date_algorithms.html, civil_from_days.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Calendar {
            year,
            month,
            day,
            hour: clock / 3_600,
            minute: clock / 60 % 60,
            second: clock % 60,
            nanosecond: i64::try_from(self.0.rem_euclid(SECOND)).unwrap_or_default(),
            weekday: (days + 4).rem_euclid(7),
            yearday: days - days_since_1970(year, 1, 1) + 1,
        }
    }

    /// Formats the time, in UTC, as PostgreSQL's function `to_char` does.
    ///
    /// # Errors
    /// Fails if the format has a pattern that is not supported, which the error is.
    pub fn format(self, format: &str) -> Result<String, String> {
        let calendar = self.calendar();
        let mut out = String::new();
        let mut rest = format;
        while let Some(next) = rest.chars().next() {
            if let Some(quoted) = rest.strip_prefix('"') {
                let (literal, after) = quoted.split_once('"').unwrap_or((quoted, ""));
                out.push_str(literal);
                rest = after;
            } else if next.is_ascii_alphabetic() {
                let (fills, pattern) = match rest.strip_prefix("FM") {
                    Some(pattern) => (false, pattern),
                    None => (true, rest),
                };
                let (name, text) = calendar.pattern(pattern, fills).ok_or_else(|| {
                    pattern.chars().take_while(char::is_ascii_alphanumeric).collect::<String>()
                })?;
                out.push_str(&text);
                rest = pattern.get(name.len()..).unwrap_or("");
            } else {
                out.push(next);
                rest = rest.get(next.len_utf8()..).unwrap_or("");
            }
        }
        Ok(out)
    }
}

impl Calendar {
    /// Returns the pattern that a format begins with, and its text.
    fn pattern(&self, format: &str, fills: bool) -> Option<(&'static str, String)> {
        let name = |names: &[&'static str], index: i64| {
            usize::try_from(index).ok().and_then(|index| names.get(index).copied()).unwrap_or("")
        };
        let (month, day) = (name(&MONTHS, self.month - 1), name(&DAYS, self.weekday));
        let number =
            |value: i64, width: usize| if fills { format!("{value:0width$}") } else { value.to_string() };
        let word = |text: &str| if fills { format!("{text:<9}") } else { text.to_owned() };
        let half = (self.hour + 11) % 12 + 1;
        let meridiem = if self.hour < 12 { "AM" } else { "PM" };
        let short = |text: &str| text.get(..3).unwrap_or(text).to_owned();
        let patterns: [(&'static str, String); 34] = [
            ("YYYY", number(self.year, 4)),
            ("YYY", number(self.year % 1_000, 3)),
            ("YY", number(self.year % 100, 2)),
            ("HH24", number(self.hour, 2)),
            ("HH12", number(half, 2)),
            ("HH", number(half, 2)),
            ("MI", number(self.minute, 2)),
            ("SSSS", (self.hour * 3_600 + self.minute * 60 + self.second).to_string()),
            ("SS", number(self.second, 2)),
            ("MS", format!("{:03}", self.nanosecond / 1_000_000)),
            ("US", format!("{:06}", self.nanosecond / 1_000)),
            ("AM", meridiem.to_owned()),
            ("PM", meridiem.to_owned()),
            ("am", meridiem.to_lowercase()),
            ("pm", meridiem.to_lowercase()),
            ("MONTH", word(&month.to_uppercase())),
            ("Month", word(month)),
            ("month", word(&month.to_lowercase())),
            ("MON", short(&month.to_uppercase())),
            ("Mon", short(month)),
            ("mon", short(&month.to_lowercase())),
            ("MM", number(self.month, 2)),
            ("DAY", word(&day.to_uppercase())),
            ("Day", word(day)),
            ("day", word(&day.to_lowercase())),
            ("DDD", number(self.yearday, 3)),
            ("DD", number(self.day, 2)),
            ("DY", short(&day.to_uppercase())),
            ("Dy", short(day)),
            ("dy", short(&day.to_lowercase())),
            ("D", (self.weekday + 1).to_string()),
            ("WW", number((self.yearday - 1) / 7 + 1, 2)),
            ("Q", ((self.month - 1) / 3 + 1).to_string()),
            ("TZ", "UTC".to_owned()),
        ];
        patterns.into_iter().find(|(pattern, _)| format.starts_with(pattern))
    }
}

/// Returns a number of as many digits.
fn digits(text: &str, count: usize) -> Option<i64> {
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

fn nanoseconds(fraction: &str) -> Option<i64> {
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    format!("{fraction:0<9}").get(..9)?.parse().ok()
}

/// Splits a time into the time and the seconds of its zone.
fn split_zone(time: &str) -> Option<(&str, i64)> {
    if let Some(utc) = time.strip_suffix('Z') {
        return Some((utc, 0));
    }
    let Some(at) = time.find(['+', '-']) else { return Some((time, 0)) };
    let (time, zone) = time.split_at_checked(at)?;
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let zone = zone.get(1..)?.replace(':', "");
    let (hours, minutes) = match zone.len() {
        2 => (digits(&zone, 2)?, 0),
        4 => (digits(zone.get(..2)?, 2)?, digits(zone.get(2..)?, 2)?),
        _ => return None,
    };
    Some((time, sign * (hours * 3_600 + minutes * 60)))
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// See http://howardhinnant.github.io/date_algorithms.html, days_from_civil.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted_month = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_compared_whatever_their_zones() {
        let same = [
            "2024-02-29T12:00:00Z",
            "2024-02-29T12:00:00.000Z",
            "2024-02-29T14:30:00+02:30",
            "2024-02-29 12:00",
        ];
        for text in same {
            assert_eq!(Instant::parse(text), Instant::parse(same[0]), "{text}");
        }
        assert!(
            Instant::parse("2016-02-07T08:45:42.170687300Z") > Instant::parse("2016-02-07T08:45:42.170Z")
        );
        assert!(Instant::parse("1969-12-31") < Instant::parse("1970-01-01"));
        for text in ["", "yesterday", "2023-02-29", "2024-13-01", "2024-01-01T25:00", "2024-01-01T10:00:00.x"]
        {
            assert_eq!(Instant::parse(text), None, "{text}");
        }
    }

    #[test]
    fn times_are_formatted_as_to_char_formats_them() {
        let instant = Instant::parse("2024-02-29T15:04:05.123456Z").unwrap();
        for (format, text) in [
            ("YYYY-MM-DD", "2024-02-29"),
            ("HH24:MI:SS.MS", "15:04:05.123"),
            ("HH12 AM", "03 PM"),
            ("DAY", "THURSDAY "),
            ("FMDay, FMDD Mon", "Thursday, 29 Feb"),
            ("\"day\" DDD \"of\" Q", "day 060 of 1"),
        ] {
            assert_eq!(instant.format(format).unwrap(), text, "{format}");
        }
        assert_eq!(instant.format("YYYY J").unwrap_err(), "J");
    }
}
