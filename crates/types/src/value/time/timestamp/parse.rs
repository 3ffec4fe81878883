//! Points in time from their texts.

use super::super::calendar::DateTime;
use super::super::formats::{in_no_format, not_in_format};
use super::super::{Formats, NANOS_PER_SECOND, invalid};
use super::Timestamp;
use super::strptime::{ParsedTime, strptime};
use super::zone::utc_offset;
use crate::value::{Hash, Value};
use puppetfn_base::error::Error;

/// The default formats. The second half has no time zone.
const DEFAULTS: [&str; 10] = [
    "%FT%T.%N %Z",
    "%FT%T %Z",
    "%F %T.%N %Z",
    "%F %T %Z",
    "%F %Z",
    "%FT%T.%N",
    "%FT%T",
    "%F %T.%N",
    "%F %T",
    "%F",
];

impl Timestamp {
    /// Parses a text in one of the formats, as a time in `timezone`: a name like `PST`, an offset like `+02:00`, or
    /// `current`. Without `timezone`, the text may name the time zone; otherwise the time is in UTC.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if the text matches none of the formats, the time zone
    /// does not exist or is given twice, or the seconds have more than 64 bits.
    pub fn parse(text: &str, formats: &Formats<'_>, timezone: Option<&str>) -> Result<Self, Error> {
        let timezone = timezone.filter(|timezone| !timezone.is_empty());
        let parsed = match formats {
            Formats::Default => {
                let (_, without_zone) = DEFAULTS.split_at(DEFAULTS.len() / 2);
                first_that_fits(text, if timezone.is_some() { without_zone } else { &DEFAULTS }, timezone)
            }
            Formats::Many(formats) => first_that_fits(text, formats, timezone),
            Formats::One(format) => {
                let parsed = strptime(text, format).filter(|parsed| !parsed.leftover);
                let parsed = parsed.ok_or_else(|| not_in_format(text, format))?;
                if timezone.is_some() && parsed.zone.is_some() {
                    return Err(invalid(
                        "Using a Timezone designator in format specification is mutually exclusive to \
                         providing an explicit timezone argument",
                    ));
                }
                Ok(parsed)
            }
        }?;
        let nanos = local_nanos(text, &parsed)?;
        let offset = timezone.or(parsed.zone).map_or(Ok(0), utc_offset)?;
        Self::checked(nanos.map(|nanos| nanos - offset))
    }

    /// Returns the time described by a hash: a `string`, maybe with a `format` and a `timezone`. Other keys are ignored.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if the value of a key is of another type, the string does
    /// not match the format, the time zone does not exist, or the seconds have more than 64 bits.
    pub fn from_hash(hash: &Hash) -> Result<Self, Error> {
        let string = |key| match hash.get_str(key) {
            None | Some(Value::Undef | Value::Default) => Ok(None),
            Some(Value::String(text)) => Ok(Some(&**text)),
            Some(_) => Err(invalid(format!("The '{key}' of a Timestamp must be a String"))),
        };
        let text =
            string("string")?.ok_or_else(|| invalid("A Timestamp is made of a hash with a 'string'"))?;
        Self::parse(text, &Formats::of(hash.get_str("format"))?, string("timezone")?)
    }
}

fn first_that_fits<'t>(
    text: &'t str,
    formats: &[&str],
    timezone: Option<&str>,
) -> Result<ParsedTime<'t>, Error> {
    let mut parsed = formats.iter().filter_map(|format| strptime(text, format));
    parsed
        .find(|parsed| !parsed.leftover && (timezone.is_none() || parsed.zone.is_none()))
        .ok_or_else(|| in_no_format(text, formats))
}

/// Returns the nanoseconds from 1970 to the parsed time, in its own time zone. Missing parts have their first value, but
/// the year is required.
fn local_nanos(text: &str, parsed: &ParsedTime<'_>) -> Result<Option<i128>, Error> {
    let year = parsed
        .full_year()
        .ok_or_else(|| invalid(format!("Unable to make a Timestamp of '{text}': the format has no year")))?;
    let date = DateTime {
        year,
        month: parsed.month.unwrap_or(1),
        day: parsed.day.unwrap_or(1),
        hour: parsed.full_hour().unwrap_or(0),
        minute: parsed.minute.unwrap_or(0),
        second: parsed.second.unwrap_or(0),
    };
    let nanos = parsed.nanos.unwrap_or(0);
    match (date.hour, date.minute, date.second) {
        (24, 1.., _) => return Err(invalid("min out of range")),
        (24, _, 1..) => return Err(invalid("sec out of range")),
        _ if nanos < 0 => return Err(invalid("subsecx out of range")),
        _ => {}
    }
    Ok(date.to_seconds().map(|seconds| i128::from(seconds) * NANOS_PER_SECOND + i128::from(nanos)))
}
