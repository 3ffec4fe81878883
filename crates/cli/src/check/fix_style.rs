//! `puppetfn check --fix` for rules of style: a fix stays if it changes no catalog.
#![allow(clippy::disallowed_methods, reason = "the user has these files fixed")]

use std::collections::HashSet;
use std::fs;

use super::super::CommandFailure;
use super::fix::{AppliedFixes, changed};
use puppetfn_base::limits::Limits;
use puppetfn_check::{Finding, Fix, same_meaning};
use puppetfn_project::CheckedText;

/// Maximum rounds of fixes: one fix can lead to a finding with another fix, such as a line that became too long.
pub(super) const ROUNDS: usize = 20;

/// Applies the fixes of these findings, and checks again, until no fix is left. Returns the remaining findings.
pub(super) fn apply(
    mut found: Vec<CheckedText>,
    applied: &mut AppliedFixes,
    mut check: impl FnMut() -> Result<Vec<CheckedText>, CommandFailure>,
    limits: &Limits,
) -> Result<Vec<CheckedText>, CommandFailure> {
    let mut refused: HashSet<(String, Fix)> = HashSet::new();
    for _ in 0..ROUNDS {
        let mut has_changed = false;
        for checked in found.iter().filter(|checked| checked.is_code) {
            let (text, count) = fixed_text(checked, &mut refused, limits);
            if count > 0 && text != checked.text {
                let name = &checked.name;
                fs::write(name, text)
                    .map_err(|error| CommandFailure::Usage(format!("--fix: {name}: {error}")))?;
                applied.findings = applied.findings.saturating_add(count);
                applied.files.insert(name.clone());
                has_changed = true;
            }
        }
        if !has_changed {
            break;
        }
        found = check()?;
    }
    Ok(found)
}

/// Returns a text with the fixes that keep its meaning, and their number.
fn fixed_text(
    checked: &CheckedText,
    refused: &mut HashSet<(String, Fix)>,
    limits: &Limits,
) -> (String, usize) {
    let fixes = fixes(&checked.findings);
    let mut fixes: Vec<Fix> =
        fixes.into_iter().filter(|fix| !refused.contains(&(checked.name.clone(), fix.clone()))).collect();
    if fixes.is_empty() {
        return (checked.text.clone(), 0);
    }
    let is_same = |text: &str| same_meaning(&checked.text, text, checked.mode, limits);
    let all = changed(&checked.text, &fixes);
    if is_same(&all) {
        return (all, fixes.len());
    }
    fixes.retain(|fix| {
        let is_kept = is_same(&changed(&checked.text, std::slice::from_ref(fix)));
        if !is_kept {
            refused.insert((checked.name.clone(), fix.clone()));
        }
        is_kept
    });
    let kept = changed(&checked.text, &fixes);
    if is_same(&kept) { (kept, fixes.len()) } else { (checked.text.clone(), 0) }
}

/// Returns the fixes of rules of style, sorted and without overlaps.
fn fixes(findings: &[Finding]) -> Vec<Fix> {
    let of_style = findings.iter().filter(|finding| finding.rule.is_style());
    let mut fixes: Vec<Fix> = of_style.filter_map(|finding| finding.fix.clone()).collect();
    fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
    let mut end = 0;
    let mut last = None;
    fixes.retain(|fix| {
        // Two changes at one place may depend on each other.
        let is_apart =
            fix.span.start > end || last.is_none() || fix.span.start == end && fix.span.length() > 0;
        if is_apart {
            end = end.max(fix.span.end);
            last = Some(fix.span);
        }
        is_apart
    });
    fixes
}
