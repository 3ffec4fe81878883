//! Ruby's `DateTime._strptime`: parses a text by a format. It is lax in many ways that formats rely on; no crate is lax in
//! the same ones.
//!
//! The parser is written by hand and not with nom: its grammar is the format, which is only known at run time, and a
//! directive may take fewer digits if another one follows.
//!
//! See Ruby's `ext/date/date_strptime.c`.

use std::ops::RangeInclusive;

use super::super::{DAYS, MONTHS, is_space};
use super::zone;

/// The parsed fields. Weeks, days of the year and seconds since 1970 are parsed, too, but a Timestamp does not use them.
#[derive(Debug, Default)]
pub(super) struct ParsedTime<'t> {
    year: Option<i64>,
    century: Option<i64>,
    pub month: Option<u8>,
    pub day: Option<u8>,
    hour: Option<u8>,
    afternoon: Option<bool>,
    pub minute: Option<u8>,
    pub second: Option<u8>,
    /// The fraction of the second, which may have a sign.
    pub nanos: Option<i32>,
    /// The text of the time zone.
    pub zone: Option<&'t str>,
    /// Whether text is left after the end of the format.
    pub leftover: bool,
}

impl ParsedTime<'_> {
    /// Returns the year, with its century.
    pub fn full_year(&self) -> Option<i64> {
        let century = self.century.map_or(0, |century| century.saturating_mul(100));
        self.year.map(|year| year.saturating_add(century))
    }

    /// Returns the hour, from 0 to 23.
    pub fn full_hour(&self) -> Option<u8> {
        self.hour.map(|hour| match self.afternoon {
            Some(afternoon) => hour % 12 + if afternoon { 12 } else { 0 },
            None => hour,
        })
    }
}

/// Reads a text in a format; `None` if it is not in the format.
pub(super) fn strptime<'t>(text: &'t str, format: &str) -> Option<ParsedTime<'t>> {
    let mut reader = StrptimeReader { text, at: 0, parsed: ParsedTime::default() };
    reader.read(format.as_bytes())?;
    reader.parsed.leftover = text.len() > reader.at;
    Some(reader.parsed)
}

struct StrptimeReader<'t> {
    text: &'t str,
    /// The number of bytes parsed; beyond the end after a `%` at the end of text and format.
    at: usize,
    parsed: ParsedTime<'t>,
}

const ANY_WIDTH: usize = usize::MAX;

impl StrptimeReader<'_> {
    fn read(&mut self, format: &[u8]) -> Option<()> {
        let mut at = 0;
        while let Some(&byte) = format.get(at) {
            match byte {
                b'%' => at = self.directive(format, at)?,
                byte if is_space(byte) => {
                    while self.peek().is_some_and(is_space) {
                        self.at += 1;
                    }
                    at += 1;
                }
                byte => {
                    self.literal(byte)?;
                    at += 1;
                }
            }
        }
        Some(())
    }

    /// Parses the text for the directive at `percent`, and returns the position in the format after it.
    fn directive(&mut self, format: &[u8], percent: usize) -> Option<usize> {
        let rest = format.get(percent + 1..).unwrap_or_default();
        let skipped = match rest {
            [b'E', b'c' | b'C' | b'x' | b'X' | b'y' | b'Y', ..] => 1,
            [b'O', next, ..] if b"deHImMSuUVwWy".contains(next) => 1,
            [b'E' | b'O', ..] => {
                self.literal(b'%')?;
                return Some(percent + 1);
            }
            [b':', b'z', ..] => 1,
            [b':', b':', b'z', ..] => 2,
            [b':', b':', b':', b'z', ..] => 3,
            [b':', ..] => return None,
            _ => 0,
        };
        let at = percent + 1 + skipped;
        let Some(&conversion) = format.get(at) else {
            self.literal(b'%')?;
            self.at += 1;
            return Some(at);
        };
        let before_number = format.get(at + 1..).is_some_and(begins_with_number);
        self.conversion(conversion, before_number)?;
        Some(at + 1)
    }

    fn conversion(&mut self, conversion: u8, before_number: bool) -> Option<()> {
        let up_to = |width| if before_number { width } else { ANY_WIDTH };
        match conversion {
            b'A' | b'a' => _ = self.name(&DAYS)?,
            b'B' | b'b' | b'h' => self.parsed.month = Some(self.name(&MONTHS)? + 1),
            b'C' => self.parsed.century = Some(self.digits(up_to(2))?),
            b'd' | b'e' => self.parsed.day = Some(self.padded(1..=31)?),
            b'G' => _ = self.digits(up_to(4))?,
            b'g' => _ = self.year_of_century()?,
            b'H' | b'k' => self.parsed.hour = Some(self.padded(0..=24)?),
            b'I' | b'l' => self.parsed.hour = Some(self.padded(1..=12)?),
            b'j' => _ = self.number(3, 1..=366)?,
            b'L' => self.fraction(up_to(3))?,
            b'N' => self.fraction(up_to(9))?,
            b'M' => self.parsed.minute = Some(self.number(2, 0..=59)? as u8),
            b'm' => self.parsed.month = Some(self.number(2, 1..=12)? as u8),
            b'P' | b'p' => self.meridian()?,
            b'Q' | b's' => {
                self.skip(b"-");
                self.digits(ANY_WIDTH)?;
            }
            b'S' => self.parsed.second = Some(self.number(2, 0..=60)? as u8),
            b'U' | b'W' => _ = self.number(2, 0..=53)?,
            b'u' => _ = self.number(1, 1..=7)?,
            b'V' => _ = self.number(2, 1..=53)?,
            b'w' => _ = self.number(1, 0..=6)?,
            b'Y' => {
                let negative = self.skip(b"-+") == Some(b'-');
                let year = self.digits(up_to(4))?;
                self.parsed.year = Some(if negative { -year } else { year });
            }
            b'y' => self.parsed.year = Some(self.year_of_century()?),
            b'Z' | b'z' => self.zone()?,
            b'%' => self.literal(b'%')?,
            other => {
                if let Some(format) = combination(other) {
                    return self.read(format);
                }
                self.literal(b'%')?;
                self.literal(other)?;
            }
        }
        Some(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn literal(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    /// Skips a byte if it is one of these.
    fn skip(&mut self, bytes: &[u8]) -> Option<u8> {
        let byte = self.peek().filter(|byte| bytes.contains(byte))?;
        self.at += 1;
        Some(byte)
    }

    fn rest(&self) -> &[u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn skip_text(&mut self, text: &str) -> Option<()> {
        let found = self.rest().get(..text.len())?.eq_ignore_ascii_case(text.as_bytes());
        found.then(|| self.at += text.len())
    }

    /// Returns the index of a name, in full or as its first three letters.
    fn name(&mut self, names: &[&str]) -> Option<u8> {
        let mut full = names.iter().chain(names).zip(0_u8..);
        let count = names.len() as u8;
        let (_, index) = full.find(|(name, index)| {
            let name = if *index < count { name } else { name.get(..3).unwrap_or(name) };
            self.skip_text(name).is_some()
        })?;
        Some(index % count)
    }

    /// At most `width` digits as a number, the largest one if they are too many.
    fn digits(&mut self, width: usize) -> Option<i64> {
        let digits = self.rest().iter().take(width).take_while(|byte| byte.is_ascii_digit());
        let (mut number, mut count) = (0_i64, 0);
        for digit in digits {
            number = number.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
            count += 1;
        }
        self.at += count;
        (count > 0).then_some(number)
    }

    fn number(&mut self, width: usize, range: RangeInclusive<i64>) -> Option<i64> {
        self.digits(width).filter(|number| range.contains(number))
    }

    /// Returns a number of two digits, of which the first may be a blank.
    fn padded(&mut self, range: RangeInclusive<i64>) -> Option<u8> {
        let width = if self.skip(b" ").is_some() { 1 } else { 2 };
        self.number(width, range).map(|number| number as u8)
    }

    /// Parses a year of two digits. It is between 1969 and 2068, unless the century is given.
    fn year_of_century(&mut self) -> Option<i64> {
        let year = self.number(2, 0..=99)?;
        self.parsed.century.get_or_insert(if year >= 69 { 19 } else { 20 });
        Some(year)
    }

    fn fraction(&mut self, width: usize) -> Option<()> {
        let negative = self.skip(b"-+") == Some(b'-');
        let start = self.at;
        self.digits(width)?;
        let digits = self.text.as_bytes().get(start..self.at).unwrap_or_default();
        // Fractions of a nanosecond are ignored.
        let digits = digits.iter().chain(std::iter::repeat(&b'0')).take(9);
        let nanos = digits.fold(0, |nanos, digit| nanos * 10 + i32::from(digit - b'0'));
        self.parsed.nanos = Some(if negative { -nanos } else { nanos });
        Some(())
    }

    fn meridian(&mut self) -> Option<()> {
        let names = [("am", false), ("pm", true), ("a.m.", false), ("p.m.", true)];
        let (_, afternoon) = names.into_iter().find(|(name, _)| self.skip_text(name).is_some())?;
        self.parsed.afternoon = Some(afternoon);
        Some(())
    }

    fn zone(&mut self) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        let (zone, _) = rest.split_at_checked(zone::length(rest.as_bytes())?)?;
        self.at += zone.len();
        self.parsed.zone = Some(zone);
        Some(())
    }
}

/// Returns the format that a directive abbreviates.
fn combination(directive: u8) -> Option<&'static [u8]> {
    Some(match directive {
        b'c' => b"%a %b %e %H:%M:%S %Y",
        b'D' | b'x' => b"%m/%d/%y",
        b'F' => b"%Y-%m-%d",
        b'n' | b't' => b" ",
        b'R' => b"%H:%M",
        b'r' => b"%I:%M:%S %p",
        b'T' | b'X' => b"%H:%M:%S",
        b'v' => b"%e-%b-%Y",
        b'+' => b"%a %b %e %H:%M:%S %Z %Y",
        _ => return None,
    })
}

/// Returns true if the next part of a format is a digit, or a directive that reads digits.
fn begins_with_number(format: &[u8]) -> bool {
    let is_number = |byte: &u8| byte.is_ascii_digit() || b"CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy".contains(byte);
    match format {
        [b'%', b'E' | b'O', directive, ..] => is_number(directive),
        [b'%', directive, ..] => is_number(directive),
        [byte, ..] => byte.is_ascii_digit(),
        [] => false,
    }
}
