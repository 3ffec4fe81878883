//! Findings as Code Climate's engines print them, which GitLab reads as a report of code quality.

use std::collections::HashMap;

use serde_json::{Value as Json, json};

use super::format::{LocatedFinding, located};
use puppetfn_base::diagnostic::Severity;
use puppetfn_base::snapshot::digest;
use puppetfn_project::CheckedText;

/// Returns all findings. The fingerprint of one stays the same while lines are added before it.
pub(super) fn code_climate(checked: &[CheckedText]) -> Json {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let lines: HashMap<&str, Vec<&str>> =
        checked.iter().map(|checked| (file(&checked.name), checked.text.lines().collect())).collect();
    let findings = located(checked).map(|LocatedFinding { finding, file, line, column }| {
        let index = usize::try_from(line).unwrap_or(0).saturating_sub(1);
        let text = lines.get(file).and_then(|lines| lines.get(index)).map_or("", |line| line.trim());
        let key = format!("{file}\n{}\n{text}", finding.rule.name());
        let count = seen.entry(key.clone()).or_default();
        *count = count.saturating_add(1);
        let severity = match finding.severity {
            Severity::Error => "critical",
            Severity::Warning if finding.rule.is_style() => "minor",
            Severity::Warning | Severity::Deprecation => "major",
        };
        let position = json!({"line": line, "column": column});
        json!({
            "type": "issue",
            "check_name": finding.rule.name(),
            "description": finding.message,
            "categories": [if finding.rule.is_style() { "Style" } else { "Bug Risk" }],
            "severity": severity,
            "fingerprint": digest(format!("{key}\n{count}").as_bytes()),
            "location": {"path": file, "lines": {"begin": line, "end": line}, "positions": {"begin": position, "end": position}},
        })
    });
    Json::Array(findings.collect())
}

/// Returns the name of a file as findings have it.
fn file(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}
