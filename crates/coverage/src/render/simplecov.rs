//! SimpleCov's `.resultset.json`, in which `SimpleCov.collate` joins the results of several commands.

use puppetfn_runtime::coverage::DecisionKind;
use serde_json::{Map, Value, json};

use crate::report::{CoverageReport, CoveredBranch, CoveredCondition, CoveredFile, SourceRange};

/// The name of the command that the results belong to.
const COMMAND: &str = "puppetfn test";

/// Returns the JSON. Paths are absolute, as SimpleCov needs them.
pub fn simplecov(report: &CoverageReport, timestamp: u64) -> String {
    let coverage: Map<String, Value> =
        report.files.iter().map(|file| (file.path.to_string_lossy().into_owned(), of_file(file))).collect();
    let results = json!({ COMMAND: { "coverage": coverage, "timestamp": timestamp / 1_000 } });
    format!("{results:#}\n")
}

fn of_file(file: &CoveredFile) -> Value {
    let numbers = (1u32..).take(file.text.lines().count());
    let lines: Vec<Option<u64>> = numbers.map(|number| file.lines.get(&number).copied()).collect();
    // Ruby numbers conditions and branches of a file.
    let mut ids = 0u32..;
    let mut key = |kind: &str, SourceRange { start, end }: SourceRange| {
        let id = ids.next().unwrap_or_default();
        format!("[:{kind}, {id}, {}, {}, {}, {}]", start.0, start.1, end.0, end.1)
    };
    let mut branches = Map::new();
    for condition in &file.conditions {
        let outer = key(condition_kind(condition), condition.range);
        let of_condition: Map<String, Value> = condition
            .branches
            .iter()
            .map(|branch| (key(branch_kind(condition, branch), branch.body), branch.count.into()))
            .collect();
        branches.insert(outer, of_condition.into());
    }
    json!({ "lines": lines, "branches": branches })
}

fn condition_kind(condition: &CoveredCondition) -> &'static str {
    match condition.kind {
        DecisionKind::If => "if",
        DecisionKind::Unless => "unless",
        DecisionKind::Case | DecisionKind::Selector => "case",
    }
}

fn branch_kind(condition: &CoveredCondition, branch: &CoveredBranch) -> &'static str {
    match (condition.kind, branch.label.as_str()) {
        (_, "else") | (DecisionKind::Case | DecisionKind::Selector, "default") => "else",
        (DecisionKind::If | DecisionKind::Unless, _) => "then",
        (DecisionKind::Case | DecisionKind::Selector, _) => "when",
    }
}
