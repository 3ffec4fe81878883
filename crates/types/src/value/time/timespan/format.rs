//! The formats of lengths of time: `%D` days, `%H` hours, `%M` minutes, `%S` seconds, `%L`
//! milliseconds and `%N` nanoseconds, each with a flag and a width.
//!
//! See Puppet's `pops/time/timespan.rb`.

use std::fmt::{self, Write};

use super::super::formats::{in_no_format, not_in_format};
use super::super::{BoundedText, Formats, invalid};
use super::fields::{DAY, HOUR, MILLISECOND, MINUTE, SECOND};
use super::{Timespan, scan, without_last_zeros};
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag};
use nom::character::complete::{anychar, char, digit0, one_of};
use nom::combinator::{cut, map, map_opt, opt};
use nom::multi::many0;
use nom::sequence::preceded;
use nom::{Finish, Parser};
use puppetfn_base::error::Error;
use puppetfn_base::recognize::{Recognized, number};

const DEFAULTS: [&str; 8] =
    ["%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S"];

impl Timespan {
    /// Parses a text in one of the formats.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if the text matches none of them, a format is wrong, or
    /// the seconds have more than 64 bits; with [`puppetfn_base::error::ErrorKind::Limit`] if the only format is too
    /// ambiguous.
    pub fn parse(text: &str, formats: &Formats<'_>) -> Result<Self, Error> {
        match formats {
            Formats::One(format) => TimespanFormat::new(format)?.parse(text),
            Formats::Default => Self::parse_first(text, &DEFAULTS),
            Formats::Many(formats) => Self::parse_first(text, formats),
        }
    }

    fn parse_first(text: &str, formats: &[&str]) -> Result<Self, Error> {
        for format in formats {
            if let Ok(span) = TimespanFormat::new(format)?.parse(text) {
                return Ok(span);
            }
        }
        Err(in_no_format(text, formats))
    }

    /// Formats the length of time.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if the format is wrong, and with
    /// [`puppetfn_base::error::ErrorKind::Limit`] if the text would be too long.
    pub fn format(self, format: &str) -> Result<String, Error> {
        let mut out = BoundedText::for_format(format);
        match TimespanFormat::new(format)?.write(self, &mut out) {
            Ok(()) => Ok(out.finish()),
            Err(fmt::Error) => Err(BoundedText::exceeded(format)),
        }
    }
}

/// A format that was read.
struct TimespanFormat<'s> {
    source: &'s str,
    segments: Vec<FormatSegment<'s>>,
}

pub(super) enum FormatSegment<'s> {
    Literal(&'s str),
    Value(TimespanDirective),
}

/// A directive.
pub(super) struct TimespanDirective {
    unit: TimeUnit,
    pub pad: Option<PadKind>,
    pub width: Option<u32>,
    /// Whether it includes the larger units, which are not in the format.
    pub total: bool,
}

/// The units from the smallest on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TimeUnit {
    Nanosecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PadKind {
    Zero,
    Blank,
}

impl TimeUnit {
    fn of(directive: char) -> Option<Self> {
        Some(match directive {
            'D' => Self::Day,
            'H' => Self::Hour,
            'M' => Self::Minute,
            'S' => Self::Second,
            'L' => Self::Millisecond,
            'N' => Self::Nanosecond,
            _ => return None,
        })
    }

    fn default_width(self) -> u32 {
        match self {
            Self::Day => 1,
            Self::Hour | Self::Minute | Self::Second => 2,
            Self::Millisecond => 3,
            Self::Nanosecond => 9,
        }
    }

    /// Returns true for units of a fraction of a second.
    fn is_fraction(self) -> bool {
        self <= Self::Millisecond
    }

    /// Returns the unit in nanoseconds.
    fn nanos(self) -> i128 {
        match self {
            Self::Day => DAY,
            Self::Hour => HOUR,
            Self::Minute => MINUTE,
            Self::Second => SECOND,
            Self::Millisecond => MILLISECOND,
            Self::Nanosecond => 1,
        }
    }

    /// Returns the unit that consists of these, in nanoseconds; for a fraction, the second.
    fn next_nanos(self) -> i128 {
        match self {
            Self::Day => i128::MAX,
            Self::Hour => DAY,
            Self::Minute => HOUR,
            Self::Second => MINUTE,
            Self::Millisecond | Self::Nanosecond => SECOND,
        }
    }
}

impl<'s> TimespanFormat<'s> {
    fn new(source: &'s str) -> Result<Self, Error> {
        let segments =
            many0(alt((map(is_not("%"), FormatSegment::Literal), directive))).parse(source).finish();
        let (_, mut segments) = segments.map_err(|problem| bad_specifier(source, problem.input))?;
        // The first part of the largest unit includes all larger units.
        let largest = segments.iter().filter_map(FormatSegment::value).map(|value| value.unit).max();
        let mut values = segments.iter_mut().filter_map(FormatSegment::value_mut);
        if let Some(first) = values.find(|value| Some(value.unit) == largest) {
            first.total = true;
        }
        Ok(Self { source, segments })
    }

    fn write(&self, span: Timespan, out: &mut impl Write) -> fmt::Result {
        if span.is_negative() {
            out.write_char('-')?;
        }
        self.segments.iter().try_for_each(|segment| match segment {
            FormatSegment::Literal(text) => out.write_str(text),
            FormatSegment::Value(value) => value.write(span.nanos().abs(), out),
        })
    }

    fn parse(&self, text: &str) -> Result<Timespan, Error> {
        let mismatch = || not_in_format(text, self.source);
        let unsigned = text.strip_prefix('-');
        let parts = match unsigned.map(|text| scan::parts(text, &self.segments)).transpose()?.flatten() {
            Some(parts) => parts,
            None => scan::parts(text, &self.segments)?.ok_or_else(mismatch)?,
        };
        let mut nanos = Some(0_i128);
        for (segment, part) in self.segments.iter().zip(parts) {
            let FormatSegment::Value(value) = segment else { continue };
            let digits = part.trim_start();
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(mismatch());
            }
            nanos = nanos.zip(value.nanos(digits)?).and_then(|(sum, part)| sum.checked_add(part));
        }
        Timespan::checked(nanos.map(|nanos| if unsigned.is_some() { -nanos } else { nanos }))
    }
}

impl FormatSegment<'_> {
    fn value(&self) -> Option<&TimespanDirective> {
        if let Self::Value(value) = self { Some(value) } else { None }
    }

    fn value_mut(&mut self) -> Option<&mut TimespanDirective> {
        if let Self::Value(value) = self { Some(value) } else { None }
    }
}

impl TimespanDirective {
    pub fn width_or_default(&self) -> u32 {
        self.width.unwrap_or(self.unit.default_width())
    }

    /// Returns the value of some digits in nanoseconds; `None` if it is too large.
    fn nanos(&self, digits: &str) -> Result<Option<i128>, Error> {
        let number = digits.parse::<i128>().ok();
        if !self.unit.is_fraction() {
            return Ok(number.and_then(|number| number.checked_mul(self.unit.nanos())));
        }
        if self.total {
            return Err(invalid(
                "Format specifiers %L and %N denotes fractions and must be used together with a specifier of \
                 higher magnitude",
            ));
        }
        // The digits are a decimal fraction. More than nine count as nanoseconds, as in Puppet.
        let scale = 9_u32.saturating_sub(u32::try_from(digits.len()).unwrap_or(9));
        Ok(number.and_then(|number| number.checked_mul(10_i128.pow(scale))))
    }

    fn write(&self, nanos: i128, out: &mut impl Write) -> fmt::Result {
        let width = self.width_or_default() as usize;
        let digits = self.number(nanos).to_string();
        let padding = width.saturating_sub(digits.len());
        match (self.unit.is_fraction(), self.pad) {
            (_, None) => out.write_str(&digits),
            (true, Some(_)) => {
                out.write_str(&digits)?;
                write_repeated(' ', padding, out)
            }
            (false, Some(pad)) => {
                write_repeated(if pad == PadKind::Zero { '0' } else { ' ' }, padding, out)?;
                out.write_str(&digits)
            }
        }
    }

    /// Returns the number that it shows of a length of time.
    fn number(&self, nanos: i128) -> i128 {
        let above = if self.total { i128::MAX } else { self.unit.next_nanos() };
        // A width of less than nine selects the leading digits of the nanoseconds: `%6N` is microseconds.
        let one = match (self.unit, self.width_or_default()) {
            (TimeUnit::Nanosecond, width @ 0..9) => 10_i128.pow(9 - width),
            (unit, _) => unit.nanos(),
        };
        let number = nanos % above / one;
        let strips_zeros = self.unit.is_fraction() && !self.total && self.pad != Some(PadKind::Zero);
        if strips_zeros { without_last_zeros(number) } else { number }
    }
}

/// The width of `write!` would do, but for its upper limit.
fn write_repeated(c: char, count: usize, out: &mut impl Write) -> fmt::Result {
    (0..count).try_for_each(|_| out.write_char(c))
}

/// `%`, a flag, a width and a letter. A `%` in place of the letter is literal.
fn directive(text: &str) -> Recognized<'_, FormatSegment<'_>> {
    let pad = map(opt(one_of("-_0")), |flag| match flag {
        Some('-') => None,
        Some('_') => Some(PadKind::Blank),
        _ => Some(PadKind::Zero),
    });
    let width = opt(map(number, |width| u32::try_from(width).unwrap_or(u32::MAX)));
    let value = map((pad, width, map_opt(anychar, TimeUnit::of)), |(pad, width, unit)| {
        FormatSegment::Value(TimespanDirective { unit, pad, width, total: false })
    });
    let percent = preceded((opt(one_of("-_0")), digit0), tag("%"));
    preceded(char('%'), cut(alt((map(percent, FormatSegment::Literal), value)))).parse(text)
}

/// Returns the error for an invalid directive at the rest of a format. The message shows the directive up to there; at the
/// end of the format, without its last character.
#[cold]
fn bad_specifier(source: &str, rest: &str) -> Error {
    let mut read = source.strip_suffix(rest).unwrap_or(source);
    let start = read.rfind('%').unwrap_or_default();
    if rest.is_empty() {
        read = read.get(..read.len() - 1).unwrap_or_default();
    }
    let expression = read.get(start..).unwrap_or_default();
    let position = read.chars().count();
    invalid(format!("Bad format specifier '{expression}' in '{source}', at position {position}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nanos(text: &str, format: &str) -> i128 {
        Timespan::parse(text, &Formats::One(format)).unwrap().nanos()
    }

    fn message<T: fmt::Debug>(result: Result<T, Error>) -> String {
        result.unwrap_err().message().to_owned()
    }

    #[test]
    fn spans_are_formatted_as_in_puppet() {
        let span = Timespan::from_nanos(93_784_005_006_007).unwrap();
        for (format, text) in [
            ("%D %H %M %S %L %N", "1 02 03 04 5   5006007  "),
            ("%S", "93784"),
            ("%L", "93784005"),
            ("%N", "93784005006007"),
            ("%3N %6N %9N", "93784005 5006   5006007  "),
            ("%D:%_3H:%-M:%5S", "1:  2:3:00004"),
            ("%H %D %H", "02 1 02"),
            ("%-L|%_5L|%S", "5|5    |93784"),
            ("100%% é%-%", "100% é%"),
            ("", ""),
        ] {
            assert_eq!(span.format(format).unwrap(), text, "{format}");
        }
        let negative = Timespan::from_nanos(-500_000_000).unwrap();
        assert_eq!(negative.format("%D-%H:%M:%S.%L").unwrap(), "-0-00:00:00.500");
        assert_eq!(negative.format("%S.%-L %_N").unwrap(), "-00.5 5        ");
        assert_eq!(span.format("%S%0N").unwrap(), "937845006007  ");
    }

    #[test]
    fn spans_are_read_as_in_puppet() {
        for (text, format, seconds) in [
            ("100", "%H", 360_000),
            ("1-25", "%D-%H", 176_400),
            ("123", "%H%M", 43_380),
            (" 5", "%_2H", 18_000),
            ("   5", "%_H", 18_000),
            ("-5", "-%S", -5),
            ("--5", "-%S", -5),
            ("005%", "%3S%%", 5),
        ] {
            assert_eq!(nanos(text, format), seconds * SECOND, "{text} {format}");
        }
        assert_eq!(nanos("1.5", "%S.%N"), 1_500_000_000);
        assert_eq!(nanos("1.005", "%S.%L"), 1_005_000_000);
        assert_eq!(nanos("1.0000000005", "%S.%10N"), 1_000_000_005);
        let parsed = Timespan::parse("1-02:03:04.5", &Formats::Default).unwrap();
        assert_eq!(parsed.to_string(), "1-02:03:04.5");
        let parsed = Timespan::parse("2:03", &Formats::Many(vec!["%H", "%M:%S"])).unwrap();
        assert_eq!(parsed, Timespan::from_seconds(123));
    }

    #[test]
    fn texts_in_another_format_are_refused() {
        for (text, format) in
            [("5", "%3H"), ("5 5", "%_3H %M"), ("1:123", "%H:%M"), ("5 ", "%_2H"), ("٣", "%S")]
        {
            let error = message(Timespan::parse(text, &Formats::One(format)));
            assert_eq!(error, format!("Unable to parse '{text}' using format '{format}'"));
        }
        assert_eq!(
            message(Timespan::parse("x", &Formats::Many(vec!["%H", "%S"]))),
            "Unable to parse 'x' using any of the formats %H, %S"
        );
        assert!(message(Timespan::parse("5", &Formats::One("%L"))).contains("denotes fractions"));
        assert!(
            message(Timespan::parse("9".repeat(40).as_str(), &Formats::One("%S"))).contains("out of range")
        );
    }

    #[test]
    fn a_wrong_format_is_refused_at_its_place() {
        let span = Timespan::default();
        for (format, expression, position) in
            [("%Q", "%", 1), ("%-", "%", 1), ("%", "", 0), ("é%3-H", "%3", 3), ("a%_5", "%_", 3)]
        {
            let expected =
                format!("Bad format specifier '{expression}' in '{format}', at position {position}");
            assert_eq!(message(span.format(format)), expected);
        }
    }

    #[test]
    fn long_texts_are_refused() {
        let wide = "%9999999999D".repeat(3);
        assert_eq!(
            Timespan::default().format(&wide).unwrap_err().kind(),
            &puppetfn_base::error::ErrorKind::Limit
        );
        assert!(Timespan::parse("5", &Formats::One("%9999999999D")).is_err());
        let (digits, many) = ("5".repeat(3000), "%D".repeat(2000));
        let error = Timespan::parse(&digits, &Formats::One(&many)).unwrap_err();
        assert!(error.message().contains("limit 'backtracking'"), "{error}");
    }
}
