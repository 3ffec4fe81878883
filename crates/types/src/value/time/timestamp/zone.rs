//! Time zones: the names and offsets that Ruby parses, and the zone of the machine.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::{NANOS_PER_SECOND, invalid, is_space};
use super::strptime::strptime;
use puppetfn_base::error::Error;

/// The offset of local time from UTC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Offset {
    pub seconds: i32,
    /// Whether it is UTC itself, rather than another zone with the same time.
    pub is_utc: bool,
}

impl Offset {
    pub const UTC: Self = Self { seconds: 0, is_utc: true };
}

/// Returns the offset of a time zone from UTC in nanoseconds. The zone is `current`, or a zone that Ruby's `strptime`
/// parses; the text after it is ignored.
pub(super) fn utc_offset(timezone: &str) -> Result<i128, Error> {
    if timezone.eq_ignore_ascii_case("current") {
        let now = jiff::Timestamp::now();
        return Ok(i128::from(jiff::tz::TimeZone::system().to_offset(now).seconds()) * NANOS_PER_SECOND);
    }
    let zone = strptime(timezone, "%z").and_then(|parsed| parsed.zone);
    zone.and_then(offset_of).ok_or_else(|| invalid(format!("Illegal timezone '{timezone}'")))
}

/// Returns the offset in which a time is shown: in whole minutes, and less than a day.
pub(super) fn local_offset(timezone: &str) -> Result<Offset, Error> {
    let minutes = match timezone.as_bytes() {
        // In this form, Puppet passes it to Ruby unchanged.
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2]
            if [h1, h2, m1, m2].iter().all(|d| d.is_ascii_digit()) =>
        {
            let number = |tens: &u8, ones: &u8| i128::from(tens - b'0') * 10 + i128::from(ones - b'0');
            if *m1 > b'5' {
                return Err(invalid(format!(
                    "\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: \
                     {timezone}"
                )));
            }
            let minutes = number(h1, h2) * 60 + number(m1, m2);
            if (*sign, minutes) == (b'-', 0) {
                return Ok(Offset::UTC);
            }
            if *sign == b'-' { -minutes } else { minutes }
        }
        _ => utc_offset(timezone)?.div_euclid(60 * NANOS_PER_SECOND),
    };
    match i32::try_from(minutes) {
        Ok(minutes) if minutes.abs() < 24 * 60 => Ok(Offset { seconds: minutes * 60, is_utc: false }),
        _ => Err(invalid("utc_offset out of range")),
    }
}

/// Returns the length of the time zone that a text begins with: an offset like `+09:30` or `GMT+2`, words
/// before `standard time` or `daylight time`, or one word, maybe with `DST`.
pub(super) fn length(text: &[u8]) -> Option<usize> {
    offset_length(text).or_else(|| long_name_length(text)).or_else(|| name_length(text))
}

fn offset_length(text: &[u8]) -> Option<usize> {
    let prefix = ["gmt", "utc", "ut", ""].iter().find(|prefix| starts_with(text, prefix))?.len();
    let digits = |from: usize| count(text, from, |byte| byte.is_ascii_digit());
    matches!(text.get(prefix), Some(b'+' | b'-')).then_some(())?;
    let mut end = prefix + 1;
    for (index, separators) in [&b""[..], b",.:", b":"].into_iter().enumerate() {
        let start = end + usize::from(index > 0);
        let separated = index == 0 || text.get(end).is_some_and(|byte| separators.contains(byte));
        if !separated || digits(start) == 0 {
            return (index > 0).then_some(end);
        }
        end = start + digits(start);
    }
    Some(end)
}

fn long_name_length(text: &[u8]) -> Option<usize> {
    let words = count(text, 0, |byte| byte.is_ascii_alphabetic() || byte == b'.' || is_space(byte));
    // The last `standard time` wins.
    (1..words).rev().find_map(|start| {
        let rest = text.get(start..)?;
        let kind = ["standard", "daylight"].into_iter().find(|kind| starts_with(rest, kind))?.len();
        let space = count(rest, kind, is_space);
        let end = start + kind + space + "time".len();
        let matches = space > 0 && starts_with(rest.get(kind + space..)?, "time") && ends_word(text, end);
        matches.then_some(end)
    })
}

fn name_length(text: &[u8]) -> Option<usize> {
    let name = count(text, 0, |byte| byte.is_ascii_alphabetic());
    let space = count(text, name, is_space);
    let with_dst = name + space + "dst".len();
    let has_dst = space > 0 && starts_with(text.get(name + space..)?, "dst") && ends_word(text, with_dst);
    let end = if has_dst { with_dst } else { name };
    (name > 0 && ends_word(text, end)).then_some(end)
}

/// Counts the bytes from an index on that are of one kind.
fn count(text: &[u8], from: usize, is_one: impl Fn(u8) -> bool) -> usize {
    text.iter().skip(from).take_while(|byte| is_one(**byte)).count()
}

fn starts_with(text: &[u8], prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// Returns true if a word cannot continue at an index.
fn ends_word(text: &[u8], index: usize) -> bool {
    !text.get(index).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Returns the offset in nanoseconds of a time zone that has the form of one.
fn offset_of(zone: &str) -> Option<i128> {
    let words: Vec<_> = zone.split_ascii_whitespace().map(str::to_ascii_lowercase).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let (name, daylight) = match words.as_slice() {
        [name @ .., "standard", "time"] if !name.is_empty() => (name, 0),
        [name @ .., "daylight", "time"] | [name @ .., "dst"] if !name.is_empty() => (name, 3600),
        name => (name, 0),
    };
    if let Some(seconds) = names().get(name.join(" ").as_str()) {
        return Some(i128::from(seconds + daylight) * NANOS_PER_SECOND);
    }
    let [offset] = words.as_slice() else { return None };
    let offset = offset.strip_prefix("gmt").or_else(|| offset.strip_prefix("utc")).unwrap_or(offset);
    let (negative, digits) = match offset.split_at_checked(1)? {
        ("+", digits) => (false, digits),
        ("-", digits) => (true, digits),
        _ => return None,
    };
    let nanos = numeric(digits)?;
    Some(if negative { -nanos } else { nanos })
}

/// `9`, `09`, `930`, `0930`, `093015`, `9:30`, `9:30:15` or `9.5`.
fn numeric(digits: &str) -> Option<i128> {
    if let Some((hours, fraction)) = digits.split_once([',', '.']) {
        // More digits are less than a nanosecond.
        let fraction = fraction.get(..15).unwrap_or(fraction);
        let hour = 3600 * NANOS_PER_SECOND;
        let part = fraction.parse::<i128>().ok()? * hour / 10_i128.pow(fraction.len() as u32);
        return Some(whole(hours)? * hour + part);
    }
    let mut parts = digits.split(':');
    let (hours, minutes, seconds) = match (parts.next()?, parts.next(), parts.next()) {
        (digits, None, _) if digits.len() > 2 => {
            let (hours, rest) = digits.split_at_checked(2 - digits.len() % 2)?;
            (hours, rest.get(..2)?, rest.get(2..4).unwrap_or("0"))
        }
        (hours, minutes, seconds) => (hours, minutes.unwrap_or("0"), seconds.unwrap_or("0")),
    };
    Some((whole(hours)? * 3600 + whole(minutes)? * 60 + whole(seconds)?) * NANOS_PER_SECOND)
}

/// Returns a number of hours, minutes or seconds; `None` if it is beyond any offset.
fn whole(digits: &str) -> Option<i128> {
    digits.parse::<u32>().ok().map(i128::from)
}

/// Returns the offsets of time zones that have names, in seconds.
fn names() -> &'static HashMap<&'static str, i32> {
    static NAMES: LazyLock<HashMap<&'static str, i32>> = LazyLock::new(|| {
        let lines = include_str!("zones.txt").lines().filter(|line| !line.starts_with('#'));
        let groups = lines.filter_map(|line| line.split_once(": "));
        let zones = groups.filter_map(|(offset, names)| {
            let (sign, offset) = offset.split_at_checked(1)?;
            let (hours, minutes) = offset.split_once(':')?;
            let seconds = hours.parse::<i32>().ok()? * 3600 + minutes.parse::<i32>().ok()? * 60;
            let seconds = if sign == "-" { -seconds } else { seconds };
            Some(names.split(", ").map(move |name| (name, seconds)))
        });
        zones.flatten().collect()
    });
    &NAMES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(timezone: &str) -> Option<i128> {
        utc_offset(timezone).ok().map(|nanos| nanos / NANOS_PER_SECOND)
    }

    #[test]
    fn zones_have_rubys_offsets() {
        for (timezone, offset) in [
            ("UTC", 0),
            ("pst", -28_800),
            ("EST DST", -14_400),
            ("Eastern Daylight  Time", -14_400),
            ("E. Australia Standard Time", 36_000),
            ("new  zealand standard time zone", 43_200),
            ("chadt", 49_500),
            ("+9", 32_400),
            ("+900", 32_400),
            ("-0990", -37_800),
            ("+12345", 5_025),
            ("+123456", 45_296),
            ("+1234567", 5_025),
            ("+9:30:15", 34_215),
            ("gmt+2", 7_200),
            ("UTC-5.5", -19_800),
            ("+9,25", 33_300),
            ("utc+", 0),
            ("+25:00", 90_000),
        ] {
            assert_eq!(seconds(timezone), Some(offset), "{timezone}");
        }
        for timezone in
            ["", "J", "+", "Europe/Stockholm", "EST5EDT", "ut+3", "standard time", "+99999999999:00"]
        {
            assert_eq!(seconds(timezone), None, "{timezone}");
        }
        assert!(seconds("Current").is_some());
    }

    #[test]
    fn times_are_shown_in_whole_minutes() {
        let minutes = |timezone| local_offset(timezone).map(|offset| offset.seconds / 60).ok();
        assert_eq!(minutes("+05:30"), Some(330));
        assert_eq!(minutes("-0530"), Some(-330));
        assert_eq!(minutes("+1:02:59"), Some(62));
        assert_eq!(minutes("-1:02:01"), Some(-63));
        assert_eq!((minutes("+24:00"), minutes("+05:60"), minutes("+2400")), (None, None, None));
        assert_eq!(local_offset("-00:00"), Ok(Offset::UTC));
        assert!(!local_offset("UTC").unwrap().is_utc);
    }
}
