//! Which parts of a text are which segments of a format.

use super::super::is_space;
use super::format::{FormatSegment, PadKind, TimespanDirective};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

/// Returns the part of the text for each segment; `None` if the segments do not match the whole text. As with a regular
/// expression, a part is as long as the following ones allow.
///
/// # Errors
/// Fails with [`ErrorKind::Limit`] if the match backtracks too much.
pub(super) fn parts<'t>(
    text: &'t str,
    segments: &[FormatSegment<'_>],
) -> Result<Option<Vec<&'t str>>, Error> {
    let mut parts: Vec<SegmentBounds> = Vec::new();
    let mut at = 0;
    for _ in 0..Limits::BACKTRACKING {
        let next = match segments.get(parts.len()) {
            Some(segment) => SegmentBounds::longest(segment, text, at),
            None if at == text.len() => {
                return Ok(parts.iter().map(|part| text.get(part.start..part.end)).collect());
            }
            None => None,
        };
        match next.or_else(|| shorten_last(&mut parts)) {
            Some(part) => {
                at = part.end;
                parts.push(part);
            }
            None => return Ok(None),
        }
    }
    let text: String = text.chars().take(40).collect();
    Err(Error::new(
        ErrorKind::Limit,
        format!("there are too many ways to read '{text}' in its format (limit 'backtracking')"),
    ))
}

/// Removes parts from the end up to the last one that can be shorter, and returns that one shortened.
fn shorten_last(parts: &mut Vec<SegmentBounds>) -> Option<SegmentBounds> {
    while let Some(part) = parts.pop() {
        if part.end > part.shortest {
            return Some(SegmentBounds { end: part.end - 1, ..part });
        }
    }
    None
}

/// The extent of a part, and the minimum of its end.
struct SegmentBounds {
    start: usize,
    end: usize,
    shortest: usize,
}

impl SegmentBounds {
    /// Returns the longest part for a segment from an index on.
    fn longest(segment: &FormatSegment<'_>, text: &str, at: usize) -> Option<Self> {
        let rest = text.as_bytes().get(at..)?;
        match segment {
            FormatSegment::Literal(literal) => rest.starts_with(literal.as_bytes()).then(|| {
                let end = at + literal.len();
                Self { start: at, end, shortest: end }
            }),
            FormatSegment::Value(value) => {
                let (least, most) = lengths(value);
                let padded = value.pad == Some(PadKind::Blank);
                // Blanks before a total are no part of its width.
                let total = most == usize::MAX;
                let skipped = if padded && total { count(rest, most, is_space) } else { 0 };
                let is_one = |byte: u8| byte.is_ascii_digit() || (padded && !total && is_space(byte));
                let found = count(rest.get(skipped..)?, most, is_one);
                let start = at + skipped;
                (found >= least).then(|| Self { start, end: start + found, shortest: start + least })
            }
        }
    }
}

/// Returns the minimum and maximum number of characters that a directive matches.
fn lengths(value: &TimespanDirective) -> (usize, usize) {
    let width = value.width_or_default() as usize;
    match (value.width, value.pad) {
        (None, _) if value.total => (1, usize::MAX),
        (None, _) | (Some(_), None) => (1, width),
        (Some(_), Some(_)) => (width, width),
    }
}

fn count(text: &[u8], most: usize, is_one: impl Fn(u8) -> bool) -> usize {
    text.iter().take(most).take_while(|byte| is_one(**byte)).count()
}
