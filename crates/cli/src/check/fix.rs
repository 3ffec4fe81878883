//! `puppetfn check --fix`: applies the fixes of findings that have a single one.
//!
//! A fix of an error or a warning stays if it causes no new finding, a fix of style if it changes no catalog. So no fix makes a file
//! worse. The remaining findings have no fix left: a second run changes nothing.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::super::CommandFailure;
use puppetfn_base::limits::Limits;
use puppetfn_check::{Finding, Fix, apart, by_meaning, fixed, same_meaning};
use puppetfn_project::{CheckedText, EditedFiles, is_data};

/// Maximum rounds of fixes of style: one fix can lead to a finding with another fix, such as a line that became too long.
const ROUNDS: usize = 20;

/// The number of fixed findings, and the changed files.
#[derive(Default)]
pub(in super::super) struct AppliedFixes {
    pub findings: usize,
    pub files: HashSet<String>,
}

/// The changes of a file in one round: fixes of style, or of other rules, never of both.
struct FileFixes {
    before: String,
    after: String,
    fixes: Vec<Fix>,
    is_style: bool,
}

/// Fixes that did not stay.
#[derive(Default)]
struct RefusedFixes {
    /// The fixes, by their files.
    fixes: HashSet<(String, Fix)>,
    /// The files whose changes are made one at a time, as all of them together were too many.
    careful: HashSet<String>,
}

/// Applies fixes until none is left. `check` returns the current findings in the edited files; the last ones are returned.
pub(in super::super) fn apply(
    check: &mut impl FnMut() -> Result<Vec<CheckedText>, CommandFailure>,
    files: &EditedFiles,
    limits: &Limits,
) -> Result<(Vec<CheckedText>, AppliedFixes), CommandFailure> {
    let (mut applied, mut refused) = (AppliedFixes::default(), RefusedFixes::default());
    let (mut before, mut rounds) = (check()?, 0);
    while rounds < ROUNDS {
        let changes: BTreeMap<&str, FileFixes> = before
            .iter()
            .filter_map(|checked| Some((&*checked.name, refused.next_fixes(checked, limits)?)))
            .collect();
        if changes.is_empty() {
            break;
        }
        rounds += usize::from(changes.values().all(|change| change.is_style));
        for (file, change) in &changes {
            files.set(file, &change.before, &change.after);
        }
        let mut after = check()?;
        let mut is_undone = false;
        for (file, FileFixes { before: text, after: refused_text, fixes, is_style }) in &changes {
            if *is_style || is_no_worse(file, &before, &after) {
                applied.findings = applied.findings.saturating_add(fixes.len());
                applied.files.insert((*file).to_owned());
                continue;
            }
            files.set(file, refused_text, text);
            is_undone = true;
            match fixes.as_slice() {
                [one] => _ = refused.fixes.insert(((*file).to_owned(), one.clone())),
                _ => _ = refused.careful.insert((*file).to_owned()),
            }
        }
        drop(changes);
        if is_undone {
            after = check()?;
        }
        before = after;
    }
    refused.withdraw(&mut before);
    Ok((before, applied))
}

impl RefusedFixes {
    /// Returns the next changes of a text: fixes of style come last.
    fn next_fixes(&mut self, checked: &CheckedText, limits: &Limits) -> Option<FileFixes> {
        let change =
            |after, fixes, is_style| Some(FileFixes { before: checked.text.clone(), after, fixes, is_style });
        let mut fixes = self.left(checked, false);
        // Two keys of data may have fixes that lead to the same key.
        if self.careful.contains(&checked.name) || is_data(Path::new(&checked.name)) {
            fixes.truncate(1);
        }
        if !fixes.is_empty() {
            return change(fixed(&checked.text, &fixes), fixes, false);
        }
        if !checked.is_code {
            return None;
        }
        let (fixes, others) = by_meaning(&checked.text, self.left(checked, true), checked.mode, limits);
        self.fixes.extend(others.into_iter().map(|fix| (checked.name.clone(), fix)));
        let after = fixed(&checked.text, &fixes);
        let is_same = !fixes.is_empty()
            && after != checked.text
            && same_meaning(&checked.text, &after, checked.mode, limits);
        if is_same { change(after, fixes, true) } else { None }
    }

    /// Removes the refused fixes from findings, which keep no fix then.
    fn withdraw(&self, checked: &mut [CheckedText]) {
        for CheckedText { name, findings, .. } in checked {
            for finding in findings {
                finding.fix.take_if(|fix| self.fixes.contains(&(name.clone(), fix.clone())));
            }
        }
    }

    /// Returns the fixes that were not refused, in order and apart from each other.
    fn left(&self, checked: &CheckedText, is_style: bool) -> Vec<Fix> {
        let findings = checked.findings.iter().filter(|finding| finding.rule.is_style() == is_style);
        let fixes = findings.filter_map(|finding| finding.fix.clone());
        let is_left = |fix: &Fix| !self.fixes.contains(&(checked.name.clone(), fix.clone()));
        apart(fixes.filter(is_left).collect())
    }
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
