//! How two values differ: texts line by line, arrays element by element.

use std::collections::HashMap;
use std::hash::Hash;

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use crate::difference::{AttributeDifference, ChangeKind};
use crate::items::{ArrayDetail, compare_arrays};
use crate::value::DiffValue;

/// The maximum number of steps of a comparison, by line of texts or by item of arrays: far less than a second's work.
/// Beyond it, everything between the common prefix and the common suffix is shown as changed.
const STEPS: usize = 100_000_000;

/// The maximum length of the shorter sequence: the steps of a comparison of reordered items cannot be predicted.
const ITEMS: usize = 10_000;

/// The line of `diff` that follows a line without a newline.
const NO_END: &str = "\\ No newline at end of file";

/// How two values differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueDetail<'d> {
    /// Replacement of the whole value.
    Whole,
    /// Changed lines of texts with several lines.
    Text(Vec<Hunk<'d>>),
    /// Changed elements of arrays.
    Items(ArrayDetail),
}

/// Lines of a text that differ, with lines of context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hunk<'d> {
    /// The first line in the old text, from 1, and the number of lines.
    pub old: (usize, usize),
    /// The first line in the new text, from 1, and the number of lines.
    pub new: (usize, usize),
    /// The lines.
    pub lines: Vec<HunkLine<'d>>,
}

/// A line of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HunkLine<'d> {
    /// The change of the line; `None` if both texts have it.
    pub change: Option<ChangeKind>,
    /// The text, without the newline.
    pub text: &'d str,
    /// Whether the line ends with a newline; the last line of a text may not.
    pub has_end: bool,
}

impl AttributeDifference {
    /// Returns the differences between the values, with the given number of context lines for texts.
    pub fn detail(&self, context: usize) -> ValueDetail<'_> {
        let texts = (text_of(self.old.as_ref()), text_of(self.new.as_ref()));
        let has_lines = [&self.old, &self.new].into_iter().flatten().any(DiffValue::has_lines);
        match (&self.old, &self.new, texts) {
            (_, _, (Some(old), Some(new))) if has_lines => ValueDetail::Text(hunks(old, new, context)),
            (Some(DiffValue::Array(old)), Some(DiffValue::Array(new)), _) => {
                let detail = compare_arrays(old, new);
                // The difference may be between secrets.
                if detail == ArrayDetail::default() { ValueDetail::Whole } else { ValueDetail::Items(detail) }
            }
            _ => ValueDetail::Whole,
        }
    }
}

/// Returns the text of a string; a missing value has an empty one.
fn text_of(value: Option<&DiffValue>) -> Option<&str> {
    value.map_or(Some(""), DiffValue::as_str)
}

/// Returns the changed lines of a text, with context.
pub(crate) fn hunks<'d>(old: &'d str, new: &'d str, context: usize) -> Vec<Hunk<'d>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old), lines(new));
    let groups = group_diff_ops(operations(&old, &new), context);
    groups.iter().map(|group| hunk(group, &old, &new)).collect()
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn hunk<'d>(operations: &[DiffOp], old: &[&'d str], new: &[&'d str]) -> Hunk<'d> {
    let mut hunk = Hunk { old: (0, 0), new: (0, 0), lines: Vec::new() };
    for (index, operation) in operations.iter().enumerate() {
        let (_, old_range, new_range) = operation.as_tag_tuple();
        if index == 0 {
            (hunk.old.0, hunk.new.0) = (old_range.start, new_range.start);
        }
        hunk.old.1 = hunk.old.1.saturating_add(old_range.len());
        hunk.new.1 = hunk.new.1.saturating_add(new_range.len());
        let is_same = matches!(operation, DiffOp::Equal { .. });
        let removed = old.get(old_range).unwrap_or_default();
        let added = if is_same { &[] } else { new.get(new_range).unwrap_or_default() };
        let old_change = if is_same { None } else { Some(ChangeKind::Removed) };
        hunk.lines.extend(removed.iter().map(|text| line(old_change, text)));
        hunk.lines.extend(added.iter().map(|text| line(Some(ChangeKind::Added), text)));
    }
    // Lines count from 1, but nothing begins in a text without lines.
    hunk.old.0 = hunk.old.0.saturating_add(usize::from(hunk.old.1 > 0));
    hunk.new.0 = hunk.new.0.saturating_add(usize::from(hunk.new.1 > 0));
    hunk
}

fn line(change: Option<ChangeKind>, text: &str) -> HunkLine<'_> {
    match text.strip_suffix('\n') {
        Some(text) => HunkLine { change, text, has_end: true },
        None => HunkLine { change, text, has_end: false },
    }
}

impl Hunk<'_> {
    /// Returns the header line of the hunk in a unified diff.
    pub fn header(&self) -> String {
        let range = |(start, count): (usize, usize)| match count {
            1 => start.to_string(),
            count => format!("{start},{count}"),
        };
        format!("@@ -{} +{} @@", range(self.old), range(self.new))
    }
}

impl HunkLine<'_> {
    /// Returns the sign in front of the line.
    pub fn sign(&self) -> char {
        self.change.map_or(' ', ChangeKind::sign)
    }
}

/// Returns the lines that a rule is matched against: the removed and added ones, with their signs and without trailing
/// spaces. Items of arrays are lines of their own. A newline at the end of only one of two texts counts as another
/// line.
pub(crate) fn changed_lines(old: Option<&DiffValue>, new: Option<&DiffValue>) -> Vec<String> {
    let signed = |change: ChangeKind, text: &str| format!("{}{text}", change.sign()).trim().to_owned();
    let both = old.is_some() && new.is_some();
    if let (Some(old), Some(new)) = (text_of(old), text_of(new)) {
        let hunks = hunks(old, new, 0);
        let lines = hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.change.is_some());
        let ends = lines.clone().filter(|line| !line.has_end).count();
        let is_end_changed = both && ends == 1;
        let signed = lines.filter_map(|line| Some(signed(line.change?, line.text)));
        return signed.chain(is_end_changed.then(|| NO_END.to_owned())).collect();
    }
    let items = |value: Option<&DiffValue>| -> Vec<String> {
        let items = value.map(DiffValue::items).unwrap_or_default();
        items.iter().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned)).collect()
    };
    let (old, new) = (items(old), items(new));
    let mut found = Vec::new();
    for operation in operations(&old, &new) {
        if matches!(operation, DiffOp::Equal { .. }) {
            continue;
        }
        let (_, removed, added) = operation.as_tag_tuple();
        let removed =
            old.get(removed).unwrap_or_default().iter().map(|item| signed(ChangeKind::Removed, item));
        let added = new.get(added).unwrap_or_default().iter().map(|item| signed(ChangeKind::Added, item));
        found.extend(removed.chain(added));
    }
    found
}

/// Returns the edit operations from one sequence to another. Its time is bounded, and its result deterministic.
pub(crate) fn operations<T: Ord + Hash + Eq>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    let begin = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = |items: &'_ [T]| items.len().saturating_sub(begin);
    let both = rest(old).min(rest(new));
    let end = old.iter().rev().zip(new.iter().rev()).take(both).take_while(|(a, b)| a == b).count();
    let (old_len, new_len) = (rest(old).saturating_sub(end), rest(new).saturating_sub(end));
    let inner = |items: &[T]| -> std::ops::Range<usize> { begin..items.len().saturating_sub(end) };
    let middle = (old.get(inner(old)).unwrap_or_default(), new.get(inner(new)).unwrap_or_default());
    if is_quick(middle.0, middle.1) {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    let same = |old_index, new_index, len| DiffOp::Equal { old_index, new_index, len };
    let changed = DiffOp::Replace { old_index: begin, old_len, new_index: begin, new_len };
    let last = same(begin.saturating_add(old_len), begin.saturating_add(new_len), end);
    [same(0, 0, begin), changed, last].into_iter().filter(|operation| !is_nothing(operation)).collect()
}

fn is_nothing(operation: &DiffOp) -> bool {
    matches!(operation, DiffOp::Equal { len: 0, .. })
}

/// Returns true if Myers' algorithm compares two sequences in few steps: it takes the number of all items times the
/// number of items that only one sequence has. The shorter sequence must not be too long either.
fn is_quick<T: Hash + Eq>(old: &[T], new: &[T]) -> bool {
    let mut counts: HashMap<&T, isize> = HashMap::new();
    for item in old {
        let count = counts.entry(item).or_default();
        *count = count.saturating_add(1);
    }
    for item in new {
        let count = counts.entry(item).or_default();
        *count = count.saturating_sub(1);
    }
    let alone = counts.values().fold(0usize, |sum, count| sum.saturating_add(count.unsigned_abs()));
    let all = old.len().saturating_add(new.len());
    all.saturating_mul(alone) <= STEPS && old.len().min(new.len()) <= ITEMS
}
