//! The counts of files, by line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::ratio::{CoverageKind, Ratio};
use puppetfn_base::source::{LineIndex, Span};
use puppetfn_runtime::coverage::{Counters, DecisionKind, Recorder};

/// The counts of the evaluated lines and branches of files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoverageReport {
    /// The directory that names of files are relative to.
    pub root: PathBuf,
    /// The files, by name.
    pub files: Vec<CoveredFile>,
}

/// The counts of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoveredFile {
    /// The path from the root, with slashes.
    pub name: String,
    /// The whole path.
    pub path: PathBuf,
    /// The text.
    pub text: String,
    /// Counts of executions of lines with code, by number.
    pub lines: BTreeMap<u32, u64>,
    /// The conditions, in the order of the text.
    pub conditions: Vec<CoveredCondition>,
    /// The classes, defined types, nodes and functions.
    pub definitions: Vec<CoveredDefinition>,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoveredCondition {
    /// The kind.
    pub kind: DecisionKind,
    /// The text of the condition.
    pub range: SourceRange,
    /// The branches.
    pub branches: Vec<CoveredBranch>,
}

/// A way that a condition can go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoveredBranch {
    /// `then`, `else`, or the values of the option as they are written.
    pub label: String,
    /// The line that the branch begins in; the condition's line if the branch is not written.
    pub line: u32,
    /// The statements of the branch, or its value.
    pub body: SourceRange,
    /// The count of its evaluations.
    pub count: u64,
}

/// A part of a text, as lines from 1 and columns from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceRange {
    /// The line and column of the start.
    pub start: (u32, u32),
    /// The line and column behind the end.
    pub end: (u32, u32),
}

/// A class, defined type, node or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoveredDefinition {
    /// The name.
    pub name: String,
    /// The line that it begins in.
    pub line: u32,
    /// The count of its evaluations.
    pub count: u64,
}

impl CoverageReport {
    /// Returns the report on the files of a recorder, whose names are relative to a directory.
    pub fn new(recorder: &Recorder, root: &Path) -> Self {
        let mut files: Vec<_> = recorder.files().iter().map(|file| CoveredFile::new(file, root)).collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Self { root: root.to_owned(), files }
    }

    /// Returns how much is covered in all files.
    pub fn ratio(&self, kind: CoverageKind) -> Ratio {
        self.files.iter().map(|file| file.ratio(kind)).sum()
    }
}

impl CoveredFile {
    fn new(counters: &Counters, root: &Path) -> Self {
        let (text, points) = (counters.text(), counters.points());
        let places = SourcePositions { text, lines: LineIndex::new(text) };
        let condition = |decision: &puppetfn_runtime::coverage::Decision| CoveredCondition {
            kind: decision.kind,
            range: places.range(decision.span),
            branches: decision.arms.iter().map(|arm| places.branch(arm, counters)).collect(),
        };
        let definition = |definition: &puppetfn_runtime::coverage::CountedDefinition| CoveredDefinition {
            name: definition.name.clone(),
            line: definition.line,
            count: counters.count(definition.counter),
        };
        let mut conditions: Vec<_> = points.decisions.iter().map(condition).collect();
        conditions.sort_by_key(|condition| condition.range.start);
        let mut lines = BTreeMap::new();
        let mut execute = |line: u32, count: u64| {
            // A line is executed as often as the code in it that is executed most often.
            lines.entry(line).and_modify(|known: &mut u64| *known = count.max(*known)).or_insert(count);
        };
        for statement in &points.statements {
            statement.lines.iter().for_each(|line| execute(*line, counters.count(statement.counter)));
        }
        for condition in &conditions {
            execute(condition.range.start.0, condition.branches.iter().map(|branch| branch.count).sum());
        }
        let name = counters.path().strip_prefix(root).unwrap_or(counters.path());
        let parts: Vec<_> = name.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        Self {
            name: parts.join("/"),
            path: counters.path().to_owned(),
            text: text.to_owned(),
            lines,
            conditions,
            definitions: points.definitions.iter().map(definition).collect(),
        }
    }

    /// Returns how much is covered.
    pub fn ratio(&self, kind: CoverageKind) -> Ratio {
        match kind {
            CoverageKind::Lines => Ratio::of(self.lines.values().map(|count| *count > 0)),
            CoverageKind::Branches => Ratio::of(self.branches().map(|branch| branch.count > 0)),
            CoverageKind::Definitions => {
                Ratio::of(self.definitions.iter().map(|definition| definition.count > 0))
            }
        }
    }

    /// Returns the branches of all conditions.
    pub fn branches(&self) -> impl Iterator<Item = &CoveredBranch> {
        self.conditions.iter().flat_map(|condition| &condition.branches)
    }

    /// Returns the branches that were not taken, in the order of their lines.
    pub fn missed_branches(&self) -> Vec<&CoveredBranch> {
        let mut missed: Vec<_> = self.branches().filter(|branch| branch.count == 0).collect();
        missed.sort_by_key(|branch| branch.line);
        missed
    }

    /// Returns the lines that were not executed, as first and last of each range. Lines without code between them do not
    /// divide a range.
    pub fn missed_lines(&self) -> Vec<(u32, u32)> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        let mut is_open = false;
        for (line, count) in &self.lines {
            match ranges.last_mut().filter(|_| is_open) {
                Some((_, last)) if *count == 0 => *last = *line,
                _ if *count == 0 => ranges.push((*line, *line)),
                _ => {}
            }
            is_open = *count == 0;
        }
        ranges
    }
}

struct SourcePositions<'a> {
    text: &'a str,
    lines: LineIndex,
}

impl SourcePositions<'_> {
    fn range(&self, span: Span) -> SourceRange {
        let place = |offset| {
            let (line, column) = self.lines.position(self.text, offset);
            (line, column.saturating_sub(1))
        };
        SourceRange { start: place(span.start), end: place(span.end) }
    }

    fn branch(&self, arm: &puppetfn_runtime::coverage::Arm, counters: &Counters) -> CoveredBranch {
        CoveredBranch {
            label: arm.label.clone(),
            line: self.range(arm.span).start.0,
            body: self.range(arm.body),
            count: counters.count(arm.counter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missed_lines_are_ranges_over_lines_without_code() {
        let lines = [(1, 1), (2, 0), (4, 0), (5, 2), (6, 0), (7, 1), (9, 0)].into();
        let (name, path, text) = (String::new(), PathBuf::new(), String::new());
        let file = CoveredFile { name, path, text, lines, conditions: vec![], definitions: vec![] };
        assert_eq!(file.missed_lines(), [(2, 4), (6, 6), (9, 9)]);
        assert_eq!(file.ratio(CoverageKind::Lines), Ratio { covered: 3, total: 7 });
    }
}
