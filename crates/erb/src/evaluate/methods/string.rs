//! Methods of strings.

use std::ops::Range;
use std::sync::Arc;

use puppetfn_types::value::{Regex, Value};

use super::super::TemplateRenderer;
use super::text;
use crate::expression::TemplateBlock;
use crate::names::Method;
use crate::object::{EvaluationStop, StopResult, TemplateObject};

/// The characters that `strip` removes. Ruby also removes the null character.
const BLANKS: [char; 6] = [' ', '\t', '\n', '\u{b}', '\u{c}', '\r'];

pub(super) fn call(
    renderer: &TemplateRenderer<'_>,
    method: Method,
    receiver: &Arc<str>,
    arguments: &[TemplateObject],
    block: Option<&TemplateBlock>,
) -> StopResult<TemplateObject> {
    match (arguments, block) {
        ([], None) => unary(method, receiver),
        ([argument], None) => with_argument(renderer, method, receiver, argument),
        ([first, second], None) => with_two(renderer, method, receiver, first, second),
        _ => Err(EvaluationStop::Uncertain),
    }
}

fn unary(method: Method, receiver: &Arc<str>) -> StopResult<TemplateObject> {
    Ok(match method {
        Method::Length => to_integer(receiver.chars().count())?,
        Method::IsEmpty => receiver.is_empty().into(),
        Method::ToSym => TemplateObject::Symbol(Arc::clone(receiver)),
        Method::ToI => leading_integer(receiver)?,
        // The letters beyond ASCII depend on the version of Unicode.
        Method::Upcase => text(ascii(receiver)?.to_ascii_uppercase()),
        Method::Downcase => text(ascii(receiver)?.to_ascii_lowercase()),
        Method::Capitalize => {
            let mut lower = ascii(receiver)?.to_ascii_lowercase();
            if let Some(first) = lower.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            text(lower)
        }
        Method::Strip => without_null(receiver)?.trim_matches(BLANKS).into(),
        Method::StripLeft => without_null(receiver)?.trim_start_matches(BLANKS).into(),
        Method::StripRight => without_null(receiver)?.trim_end_matches(BLANKS).into(),
        Method::Chomp => chomped(receiver).into(),
        Method::Split => TemplateObject::from(words(without_null(receiver)?)),
        Method::Lines => {
            TemplateObject::from(receiver.split_inclusive('\n').map(Value::from).collect::<Vec<_>>())
        }
        Method::Reverse => text(ascii(receiver)?.chars().rev().collect()),
        _ => return Err(EvaluationStop::Uncertain),
    })
}

fn with_argument(
    renderer: &TemplateRenderer<'_>,
    method: Method,
    receiver: &Arc<str>,
    argument: &TemplateObject,
) -> StopResult<TemplateObject> {
    Ok(match method {
        Method::Plus => {
            let other = argument.as_str()?;
            renderer.check_text(receiver.len().saturating_add(other.len()))?;
            text(format!("{receiver}{other}"))
        }
        Method::Times => {
            let count = usize::try_from(argument.as_integer()?).map_err(|_| EvaluationStop::Uncertain)?;
            renderer.check_text(receiver.len().saturating_mul(count))?;
            text(receiver.repeat(count))
        }
        Method::Includes => receiver.contains(&**argument.as_str()?).into(),
        Method::StartsWith => receiver.starts_with(&**argument.as_str()?).into(),
        Method::EndsWith => receiver.ends_with(&**argument.as_str()?).into(),
        Method::Split => TemplateObject::from(split(receiver, argument)?),
        Method::PadLeft | Method::PadRight => pad(renderer, method, receiver, argument, " ")?,
        Method::Less | Method::LessOrEqual | Method::Greater | Method::GreaterOrEqual => {
            super::ordered(method, receiver.as_bytes().cmp(argument.as_str()?.as_bytes()))?
        }
        _ => return Err(EvaluationStop::Uncertain),
    })
}

fn with_two(
    renderer: &TemplateRenderer<'_>,
    method: Method,
    receiver: &Arc<str>,
    first: &TemplateObject,
    second: &TemplateObject,
) -> StopResult<TemplateObject> {
    let second = second.as_str()?;
    match method {
        Method::PadLeft | Method::PadRight => pad(renderer, method, receiver, first, second),
        Method::Replace | Method::ReplaceAll => {
            replace(renderer, receiver, first, second, method == Method::ReplaceAll)
        }
        _ => Err(EvaluationStop::Uncertain),
    }
}

/// Matches a string with a regular expression, in either order.
pub(super) fn match_(
    method: Method,
    left: &TemplateObject,
    right: &TemplateObject,
) -> StopResult<TemplateObject> {
    let (subject, regex) = match (left, right) {
        (subject, TemplateObject::Regex(regex)) | (TemplateObject::Regex(regex), subject) => (subject, regex),
        _ => return Err(EvaluationStop::Uncertain),
    };
    let subject = match subject {
        TemplateObject::Value(Value::Undef) if method == Method::Match => return Ok(TemplateObject::NIL),
        subject => subject.as_str()?,
    };
    let found = first_match(subject, regex, 0)?;
    match (method, found) {
        (Method::IsMatch, found) => Ok(found.is_some().into()),
        (Method::NotMatch, found) => Ok(found.is_none().into()),
        (_, Some(place)) => to_integer(place.start),
        (_, None) => Ok(TemplateObject::NIL),
    }
}

/// Returns the place of the first match at or after an offset. Text beyond ASCII depends on the version of Unicode, and `^` after
/// the last line is not Ruby's.
pub(crate) fn first_match(text: &str, regex: &Regex, start: usize) -> StopResult<Option<Range<usize>>> {
    if !text.is_ascii() || (text.ends_with('\n') && regex.source().contains('^')) {
        return Err(EvaluationStop::Uncertain);
    }
    let groups = regex.groups_from(text, start).map_err(|_| EvaluationStop::Uncertain)?;
    Ok(groups.map(|groups| groups.whole))
}

fn to_integer(count: usize) -> StopResult<TemplateObject> {
    i64::try_from(count).map(TemplateObject::from).map_err(|_| EvaluationStop::Uncertain)
}

fn ascii(text: &str) -> StopResult<&str> {
    if text.is_ascii() { Ok(text) } else { Err(EvaluationStop::Uncertain) }
}

fn without_null(text: &str) -> StopResult<&str> {
    if text.contains('\0') { Err(EvaluationStop::Uncertain) } else { Ok(text) }
}

fn chomped(text: &str) -> &str {
    let line =
        text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).or_else(|| text.strip_suffix('\r'));
    line.unwrap_or(text)
}

/// Returns the integer that a text begins with; 0 if there is none.
fn leading_integer(text: &str) -> StopResult<TemplateObject> {
    let text = text.trim_start_matches(BLANKS);
    let (sign, digits) = match text.as_bytes().first() {
        Some(b'-' | b'+') => text.split_at(1),
        _ => ("", text),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let (digits, rest) = digits.split_at(end);
    // Digits can have an underscore between them.
    if rest.starts_with('_') {
        return Err(EvaluationStop::Uncertain);
    }
    if digits.is_empty() {
        return Ok(0.into());
    }
    format!("{sign}{digits}").parse::<i64>().map(TemplateObject::from).map_err(|_| EvaluationStop::Uncertain)
}

fn words(text: &str) -> Vec<Value> {
    text.split(BLANKS).filter(|word| !word.is_empty()).map(Value::from).collect()
}

/// Splits at a separator. Empty texts at the end are left out.
fn split(receiver: &str, separator: &TemplateObject) -> StopResult<Vec<Value>> {
    let mut parts: Vec<&str> = match separator {
        TemplateObject::Value(Value::String(separator)) if &**separator == " " => {
            return Ok(words(without_null(receiver)?));
        }
        TemplateObject::Value(Value::String(separator)) if !separator.is_empty() => {
            receiver.split(&**separator).collect()
        }
        TemplateObject::Regex(regex) => split_by_regex(receiver, regex)?,
        TemplateObject::Value(_)
        | TemplateObject::Symbol(_)
        | TemplateObject::Range(..)
        | TemplateObject::Unnamed => {
            return Err(EvaluationStop::Uncertain);
        }
    };
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    Ok(parts.into_iter().map(Value::from).collect())
}

fn split_by_regex<'t>(receiver: &'t str, regex: &Regex) -> StopResult<Vec<&'t str>> {
    // The groups are parts, too.
    if regex.source().contains('(') {
        return Err(EvaluationStop::Uncertain);
    }
    let mut parts = Vec::new();
    let mut start = 0;
    for range in matches(receiver, regex)? {
        parts.push(receiver.get(start..range.start).ok_or(EvaluationStop::Uncertain)?);
        start = range.end;
    }
    parts.push(receiver.get(start..).ok_or(EvaluationStop::Uncertain)?);
    Ok(parts)
}

/// Returns the places of all matches. Empty matches are left to Ruby.
fn matches(receiver: &str, regex: &Regex) -> StopResult<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(place) = first_match(receiver, regex, start)? {
        if place.is_empty() {
            return Err(EvaluationStop::Uncertain);
        }
        start = place.end;
        found.push(place);
    }
    Ok(found)
}

fn replace(
    renderer: &TemplateRenderer<'_>,
    receiver: &str,
    pattern: &TemplateObject,
    replacement: &str,
    replaces_all: bool,
) -> StopResult<TemplateObject> {
    if replacement.contains('\\') {
        return Err(EvaluationStop::Uncertain);
    }
    let mut places = match pattern {
        TemplateObject::Regex(regex) => matches(receiver, regex)?,
        pattern => {
            let pattern = pattern.as_str()?;
            if pattern.is_empty() {
                return Err(EvaluationStop::Uncertain);
            }
            receiver.match_indices(&**pattern).map(|(at, text)| at..at + text.len()).collect()
        }
    };
    if !replaces_all {
        places.truncate(1);
    }
    renderer.check_text(receiver.len().saturating_add(places.len().saturating_mul(replacement.len())))?;
    let mut result = String::with_capacity(receiver.len());
    let mut start = 0;
    for place in places {
        result.push_str(receiver.get(start..place.start).ok_or(EvaluationStop::Uncertain)?);
        result.push_str(replacement);
        start = place.end;
    }
    result.push_str(receiver.get(start..).ok_or(EvaluationStop::Uncertain)?);
    Ok(text(result))
}

fn pad(
    renderer: &TemplateRenderer<'_>,
    method: Method,
    receiver: &str,
    width: &TemplateObject,
    padding: &str,
) -> StopResult<TemplateObject> {
    let width = usize::try_from(width.as_integer()?).unwrap_or(0);
    let missing = width.saturating_sub(receiver.chars().count());
    renderer.check_text(receiver.len().saturating_add(missing.saturating_mul(4)))?;
    if padding.is_empty() {
        return Err(EvaluationStop::Uncertain);
    }
    let padding: String = padding.chars().cycle().take(missing).collect();
    Ok(text(match method {
        Method::PadLeft => format!("{padding}{receiver}"),
        _ => format!("{receiver}{padding}"),
    }))
}
