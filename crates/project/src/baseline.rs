//! Baselines: known findings that are not reported.
//!
//! A finding is identified by its file, its rule and the text of its line, so that other lines may be added before it.
#![allow(clippy::disallowed_methods, reason = "the user names the file")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::paths::absolute;
use super::{CheckedText, ProjectFailure};
use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::LineIndex;
use puppetfn_check::Finding;

/// The known findings in a baseline file.
#[derive(Debug)]
pub struct Baseline {
    file: PathBuf,
    entries: Vec<BaselineEntry>,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[serde(deny_unknown_fields)]
struct BaselineEntry {
    file: String,
    rule: String,
    /// The text of the line, trimmed.
    line: String,
    /// The message, for readers of the file.
    message: String,
}

impl BaselineEntry {
    fn key(&self) -> [String; 3] {
        [self.file.clone(), self.rule.clone(), self.line.clone()]
    }
}

impl Baseline {
    /// Creates a baseline of findings, to be written to a file.
    pub fn of(checked: &[CheckedText], file: &Path) -> Self {
        let mut entries = Vec::new();
        for checked in checked {
            let describe = FindingIdentities::new(checked, file);
            entries.extend(checked.findings.iter().map(|finding| describe.entry(finding)));
        }
        entries.sort();
        Self { file: file.to_owned(), entries }
    }

    /// Reads a baseline file.
    ///
    /// # Errors
    /// Fails if the file does not exist, or is not a baseline.
    pub fn read(file: &Path, limits: &Limits) -> Result<Self, ProjectFailure> {
        let wrong =
            |reason: String| ProjectFailure::Setting(format!("--baseline: {}: {reason}", file.display()));
        let text = StdFileSystem::new(limits)
            .read_named_text(file)
            .map_err(|error| wrong(format!("{error}; --write-baseline creates the file")))?;
        let entries = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { file: file.to_owned(), entries })
    }

    /// Returns the path of the file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Writes the file. Returns the number of findings.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write(&self) -> Result<usize, ProjectFailure> {
        let wrong = |reason: String| {
            ProjectFailure::Setting(format!("--baseline: {}: {reason}", self.file.display()))
        };
        let text = serde_json::to_string_pretty(&self.entries).map_err(|error| wrong(error.to_string()))?;
        fs::write(&self.file, text + "\n").map_err(|error| wrong(error.to_string()))?;
        Ok(self.entries.len())
    }

    /// Removes known findings, each as often as the baseline has it. Returns the number of known findings that the
    /// checked files no longer have.
    pub fn leave_out(&self, checked: &mut [CheckedText]) -> usize {
        let mut known: BTreeMap<_, usize> = BTreeMap::new();
        for entry in &self.entries {
            let count = known.entry(entry.key()).or_default();
            *count = count.saturating_add(1);
        }
        let mut files = Vec::new();
        for checked in checked {
            let describe = FindingIdentities::new(checked, &self.file);
            let mut is_new = |finding: &Finding| match known.get_mut(&describe.entry(finding).key()) {
                Some(count) if *count > 0 => {
                    *count = count.saturating_sub(1);
                    false
                }
                Some(_) | None => true,
            };
            let findings = checked.findings.iter().filter(|finding| is_new(finding)).cloned().collect();
            files.push(describe.file);
            checked.findings = findings;
        }
        let is_checked = |file: &str| files.iter().any(|checked| checked == file);
        known.iter().filter(|([file, ..], _)| is_checked(file)).map(|(_, count)| count).sum()
    }
}

/// The identities of one text's findings.
struct FindingIdentities<'c> {
    /// The path in the baseline, relative to the baseline's directory.
    file: String,
    lines: LineIndex,
    text: &'c str,
}

impl<'c> FindingIdentities<'c> {
    fn new(checked: &'c CheckedText, baseline: &Path) -> Self {
        let (path, baseline) = (absolute(Path::new(&checked.name)), absolute(baseline));
        let root = baseline.parent().unwrap_or(Path::new("/"));
        let path = path.strip_prefix(root).unwrap_or(&path);
        let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
        let file = if path.is_absolute() {
            path.to_string_lossy().into_owned()
        } else {
            parts.collect::<Vec<_>>().join("/")
        };
        Self { file, lines: LineIndex::new(&checked.text), text: &checked.text }
    }

    fn entry(&self, finding: &Finding) -> BaselineEntry {
        let (line, _) = self.lines.position(self.text, finding.span.start);
        let index = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
        BaselineEntry {
            file: self.file.clone(),
            rule: finding.rule.name().to_owned(),
            line: self.text.lines().nth(index).unwrap_or_default().trim().to_owned(),
            message: finding.message.clone(),
        }
    }
}
