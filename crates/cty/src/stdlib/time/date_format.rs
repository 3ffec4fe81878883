//! Formats of dates: letters stand for parts of the date, quoted text for itself.
//!
//! See go-cty's `cty/function/stdlib/datetime.go`.

use super::timestamp::Rfc3339Timestamp;
use crate::text::quoted;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag};
use nom::character::complete::char;
use nom::combinator::{map, value};
use nom::multi::many0;
use nom::sequence::delimited;
use puppetfn_base::recognize::Recognized;
use puppetfn_types::value::time::{DAYS, MONTHS};

pub(super) fn format(format: &str, time: &Rfc3339Timestamp) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        let end = if first == '\'' {
            let (after, text) = literal(rest).map_err(|_| "unterminated literal '")?;
            out.push_str(&text);
            rest.len() - after.len()
        } else if first.is_ascii_alphabetic() {
            let length = rest.chars().take_while(|next| *next == first).count();
            out.push_str(&part(rest.get(..length).unwrap_or(rest), first, time)?);
            length
        } else {
            let end =
                rest.find(|next: char| next == '\'' || next.is_ascii_alphabetic()).unwrap_or(rest.len());
            out.push_str(rest.get(..end).unwrap_or(rest));
            end
        };
        rest = rest.get(end..).unwrap_or_default();
    }
    Ok(out)
}

/// Parses quoted text, in which two quotes stand for one. An empty pair of quotes is a quote itself.
fn literal(text: &str) -> Recognized<'_, String> {
    let quote = || value("'", tag("''"));
    let quoted = delimited(char('\''), many0(alt((is_not("'"), quote()))), char('\''));
    alt((map(quote(), str::to_owned), map(quoted, |parts| parts.concat()))).parse(text)
}

fn part(verb: &str, letter: char, time: &Rfc3339Timestamp) -> Result<String, String> {
    let local = time.local();
    let invalid = |rule: &str| Err(format!("invalid date format verb {}{rule}", quoted(verb)));
    let plain_or_two = |number: u8, rule: &str| match verb.len() {
        1 => Ok(number.to_string()),
        2 => Ok(format!("{number:02}")),
        _ => invalid(rule),
    };
    let name =
        |names: &[&str], index: u8| names.get(usize::from(index)).copied().unwrap_or_default().to_owned();
    let short = |name: String| name.chars().take(3).collect();
    match (letter, verb.len()) {
        ('Y', 2) => Ok(format!("{:02}", local.year % 100)),
        ('Y', 4) => Ok(format!("{:04}", local.year)),
        ('Y', _) => invalid(": year must either be \"YY\" or \"YYYY\""),
        ('M', 3) => Ok(short(name(&MONTHS, local.month - 1))),
        ('M', 4) => Ok(name(&MONTHS, local.month - 1)),
        ('M', _) => plain_or_two(local.month, ": month must be \"M\", \"MM\", \"MMM\", or \"MMMM\""),
        ('D', _) => plain_or_two(local.day, ": day of month must either be \"D\" or \"DD\""),
        ('E', 3) => Ok(short(name(&DAYS, local.day_of_week()))),
        ('E', 4) => Ok(name(&DAYS, local.day_of_week())),
        ('E', _) => invalid(": day of week must either be \"EEE\" or \"EEEE\""),
        ('h', _) => plain_or_two(local.hour, ": 24-hour must either be \"h\" or \"hh\""),
        ('H', _) => {
            let hour = (local.hour + 11) % 12 + 1;
            plain_or_two(hour, ": 12-hour must either be \"H\" or \"HH\"")
        }
        ('A', 2) => Ok(if local.hour < 12 { "AM" } else { "PM" }.to_owned()),
        ('a', 2) => Ok(if local.hour < 12 { "am" } else { "pm" }.to_owned()),
        ('A' | 'a', _) => invalid(&format!(": must be \"{letter}{letter}\"")),
        ('m', _) => plain_or_two(local.minute, ": minute must either be \"m\" or \"mm\""),
        ('s', _) => plain_or_two(local.second, ": second must either be \"s\" or \"ss\""),
        ('Z', 1) => Ok(time.offset_or_z()),
        ('Z', 3) if time.offset("") == "+0000" => Ok("UTC".to_owned()),
        ('Z', 3 | 4) => Ok(time.offset("")),
        ('Z', 5) => Ok(time.offset(":")),
        ('Z', _) => invalid(": timezone must be Z, ZZZZ, or ZZZZZ"),
        _ => invalid(""),
    }
}
