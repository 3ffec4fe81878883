//! `puppetfn check --fix`: applies the fixes of findings that have a single one.
//!
//! A fix stays only if it causes no new finding, so that it never makes a file worse. The remaining findings have
//! no fix left: a second run changes nothing.
#![allow(clippy::disallowed_methods, reason = "the user has these files fixed")]

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use super::super::CommandFailure;
use puppetfn_check::{Finding, Fix};
use puppetfn_project::{CheckedText, is_data};

/// A change of a file: its path, its offset and its text.
type FileEdit = (String, u32, String);

/// The number of fixed findings, and the changed files.
#[derive(Default)]
pub(super) struct AppliedFixes {
    pub findings: usize,
    pub files: HashSet<String>,
}

/// Fixes the files with these findings. `check` returns their current findings; the last ones are returned.
pub(super) fn apply(
    mut before: Vec<CheckedText>,
    applied: &mut AppliedFixes,
    mut check: impl FnMut() -> Result<Vec<CheckedText>, CommandFailure>,
) -> Result<Vec<CheckedText>, CommandFailure> {
    let mut refused: HashSet<FileEdit> = HashSet::new();
    // The files whose changes are made one at a time, as all of them together were too many.
    let mut careful: HashSet<String> = HashSet::new();
    loop {
        let changes = changes(&before, &refused, &careful);
        if changes.is_empty() {
            return Ok(before);
        }
        for (file, (text, fixes)) in &changes {
            write(file, &changed(text, fixes))?;
        }
        let mut after = check()?;
        let mut is_undone = false;
        for (file, (text, fixes)) in &changes {
            if is_no_worse(file, &before, &after) {
                applied.findings = applied.findings.saturating_add(fixes.len());
                applied.files.insert(file.clone());
                continue;
            }
            write(file, text)?;
            is_undone = true;
            match fixes.as_slice() {
                [one] => _ = refused.insert(change(file, one)),
                _ => _ = careful.insert(file.clone()),
            }
        }
        if is_undone {
            after = check()?;
        }
        before = after;
    }
}

fn change(file: &str, fix: &Fix) -> FileEdit {
    (file.to_owned(), fix.span.start, fix.text.clone())
}

fn write(file: &str, text: &str) -> Result<(), CommandFailure> {
    fs::write(file, text).map_err(|error| CommandFailure::Usage(format!("--fix: {file}: {error}")))
}

/// Returns the texts that are to be changed, each with its changes, in order and apart from each other.
fn changes(
    checked: &[CheckedText],
    refused: &HashSet<FileEdit>,
    careful: &HashSet<String>,
) -> BTreeMap<String, (String, Vec<Fix>)> {
    let mut changes = BTreeMap::new();
    for CheckedText { name, text, findings, .. } in checked {
        let fixes = findings.iter().filter(|finding| !finding.rule.is_style());
        let fixes = fixes.filter_map(|finding| finding.fix.clone());
        let mut fixes: Vec<Fix> = fixes.filter(|fix| !refused.contains(&change(name, fix))).collect();
        fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
        let mut end = 0;
        fixes.retain(|fix| {
            let is_apart = fix.span.start >= end;
            end = end.max(fix.span.end);
            is_apart
        });
        // Two keys may have fixes that lead to the same key.
        if careful.contains(name) || is_data(Path::new(name)) {
            fixes.truncate(1);
        }
        if !fixes.is_empty() {
            changes.insert(name.clone(), (text.clone(), fixes));
        }
    }
    changes
}

/// Returns a text with changes.
pub(super) fn changed(text: &str, fixes: &[Fix]) -> String {
    let mut changed = text.to_owned();
    for Fix { span, text } in fixes.iter().rev() {
        let range = span.start as usize..span.end as usize;
        if changed.get(range.clone()).is_some() {
            changed.replace_range(range, text);
        }
    }
    changed
}

/// Returns true if less is found in a file than before, and nothing else.
fn is_no_worse(file: &str, before: &[CheckedText], after: &[CheckedText]) -> bool {
    let found = |checked: &[CheckedText]| {
        let mut found: BTreeMap<_, usize> = BTreeMap::new();
        let findings = checked.iter().filter(|checked| checked.name == file);
        let findings = findings.flat_map(|checked| checked.findings.clone());
        for Finding { rule, message, .. } in findings.filter(|finding| !finding.rule.is_style()) {
            let count = found.entry((rule, message)).or_default();
            *count = count.saturating_add(1);
        }
        found
    };
    let (before, after) = (found(before), found(after));
    let count = |found: &BTreeMap<_, usize>| found.values().sum::<usize>();
    count(&after) < count(&before)
        && after.iter().all(|(key, count)| before.get(key).is_some_and(|before| before >= count))
}
