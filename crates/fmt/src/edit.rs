//! Changes of a text.

use std::ops::Range;

use super::write::FormattedText;

/// A part of a text that is replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RangeEdit {
    /// The replaced bytes.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// Returns the changes that make the formatted text of a text, each of as few lines as may be.
pub(super) fn between(text: &str, formatted: &FormattedText) -> Vec<RangeEdit> {
    let ends = formatted.anchors.iter().copied().skip_while(|&anchor| anchor == (0, 0));
    let ends = ends.chain([(text.len(), formatted.text.len())]);
    let mut start = (0, 0);
    let mut edits = Vec::new();
    for end in ends {
        let before = text.get(start.0..end.0).unwrap_or_default();
        let after = formatted.text.get(start.1..end.1).unwrap_or_default();
        edits.extend(edit(start.0, before, after));
        start = end;
    }
    edits
}

/// Returns the change of a part of a text that starts at an offset, without the lines at its start and end that stay.
fn edit(offset: usize, before: &str, after: &str) -> Option<RangeEdit> {
    if before == after {
        return None;
    }
    let common = |(before, after): &(&str, &str)| before == after;
    let lines = before.split_inclusive('\n').zip(after.split_inclusive('\n'));
    let start: usize = lines.take_while(common).map(|(line, _)| line.len()).sum();
    let (before, after) = (before.get(start..)?, after.get(start..)?);
    let lines = before.split_inclusive('\n').rev().zip(after.split_inclusive('\n').rev());
    let end: usize = lines.take_while(common).map(|(line, _)| line.len()).sum();
    let range = offset + start..offset + start + before.len() - end;
    Some(RangeEdit { range, text: after.get(..after.len() - end)?.to_owned() })
}

/// Returns a text with changes that are in order and apart from each other.
pub(super) fn applied(text: &str, edits: &[RangeEdit]) -> String {
    let mut applied = String::with_capacity(text.len());
    let mut end = 0;
    for edit in edits {
        applied.push_str(text.get(end..edit.range.start).unwrap_or_default());
        applied.push_str(&edit.text);
        end = edit.range.end;
    }
    applied.push_str(text.get(end..).unwrap_or_default());
    applied
}
