//! Findings as text for people and for programs.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use super::super::args::CheckFormat;
use super::super::report::problems;
use super::Checked;
use puppetfn_base::diagnostic::{Diagnostic, Severity};
use puppetfn_base::source::LineIndex;
use puppetfn_check::{Finding, Rule};

/// Where the rules are described.
const DOCUMENTATION: &str = "https://github.com/puppetfn/puppetfn/blob/main/docs/check.md";

pub(super) fn write(
    checked: &[Checked],
    format: CheckFormat,
    is_styled: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        CheckFormat::Human => human(checked, is_styled, out),
        CheckFormat::Json => writeln!(out, "{:#}", Json::Array(located(checked).map(as_json).collect())),
        CheckFormat::Sarif => writeln!(out, "{:#}", sarif(checked)),
        CheckFormat::Junit => junit(checked, out),
        CheckFormat::Github => located(checked).try_for_each(|found| github(&found, out)),
    }
}

/// A finding and where it is.
struct Located<'c> {
    finding: &'c Finding,
    file: &'c str,
    line: u32,
    column: u32,
}

fn located(checked: &[Checked]) -> impl Iterator<Item = Located<'_>> {
    checked.iter().flat_map(|checked| {
        let lines = LineIndex::new(&checked.text);
        checked.findings.iter().map(move |finding| {
            let (line, column) = lines.position(&checked.text, finding.offset);
            Located { finding, file: &checked.name, line, column }
        })
    })
}

/// Returns how bad a finding is, in a word that all formats share.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning | Severity::Deprecation => "warning",
    }
}

fn human(checked: &[Checked], is_styled: bool, out: &mut dyn Write) -> io::Result<()> {
    let (mut errors, mut warnings) = (0usize, 0usize);
    for Checked { name, text, mode, findings } in
        checked.iter().filter(|checked| !checked.findings.is_empty())
    {
        let diagnostics: Vec<Diagnostic> = findings.iter().map(diagnostic).collect();
        writeln!(out, "{}\n", problems(&diagnostics, text, name, *mode, is_styled).text)?;
        let count = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        errors = errors.saturating_add(count);
        warnings = warnings.saturating_add(findings.len().saturating_sub(count));
    }
    let plural = |count: usize, word| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    match (errors, warnings) {
        (0, 0) => Ok(()),
        _ => writeln!(out, "{}, {}", plural(errors, "error"), plural(warnings, "warning")),
    }
}

fn diagnostic(finding: &Finding) -> Diagnostic {
    let Finding { rule, severity, message, offset } = finding;
    let code = if *rule == Rule::Syntax { "SYNTAX_ERROR" } else { rule.name() };
    let message = format!("{message} [{}]", rule.name());
    Diagnostic { severity: *severity, code, message, offset: *offset }
}

fn as_json(found: Located<'_>) -> Json {
    json!({
        "rule": found.finding.rule.name(),
        "severity": level(found.finding.severity),
        "message": found.finding.message,
        "file": found.file,
        "line": found.line,
        "column": found.column,
    })
}

fn sarif(checked: &[Checked]) -> Json {
    let rule = |rule: &Rule| {
        json!({
            "id": rule.name(),
            "shortDescription": {"text": rule.summary()},
            "helpUri": format!("{DOCUMENTATION}#{}", rule.name()),
            "defaultConfiguration": {"level": level(rule.severity())},
        })
    };
    let result = |found: Located<'_>| {
        json!({
            "ruleId": found.finding.rule.name(),
            "level": level(found.finding.severity),
            "message": {"text": found.finding.message},
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": {"uri": uri(found.file)},
                    "region": {"startLine": found.line, "startColumn": found.column},
                },
            }],
        })
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "puppetfn",
                    "version": env!("CARGO_PKG_VERSION"),
                    "informationUri": "https://github.com/puppetfn/puppetfn",
                    "rules": Rule::ALL.iter().map(rule).collect::<Vec<_>>(),
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": located(checked).map(result).collect::<Vec<_>>(),
        }],
    })
}

/// Returns a path as a URI, which is relative as the path is.
fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encoded = path.bytes().map(|byte| match byte {
        byte if is_plain(byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    let path: String = encoded.collect();
    if path.starts_with('/') { format!("file://{path}") } else { path }
}

fn junit(checked: &[Checked], out: &mut dyn Write) -> io::Result<()> {
    let failed = checked.iter().filter(|checked| !checked.findings.is_empty()).count();
    let tests = checked.len();
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<testsuites name="puppetfn check" tests="{tests}" failures="{failed}">"#)?;
    writeln!(out, r#"  <testsuite name="puppetfn check" tests="{tests}" failures="{failed}" errors="0">"#)?;
    for checked in checked {
        let name = xml(&checked.name);
        if checked.findings.is_empty() {
            writeln!(out, r#"    <testcase classname="puppetfn.check" name="{name}"/>"#)?;
            continue;
        }
        writeln!(out, r#"    <testcase classname="puppetfn.check" name="{name}">"#)?;
        let worst = if checked.findings.iter().any(|finding| finding.severity == Severity::Error) {
            "error"
        } else {
            "warning"
        };
        let found: Vec<_> = located(std::slice::from_ref(checked)).collect();
        let summary = found.first().map(|first| xml(&first.finding.message)).unwrap_or_default();
        writeln!(out, r#"      <failure type="{worst}" message="{summary}">"#)?;
        for Located { finding, file, line, column } in found {
            let (level, rule) = (level(finding.severity), finding.rule.name());
            let message = &finding.message;
            writeln!(out, "{}", xml(&format!("{file}:{line}:{column}: {level}: {message} [{rule}]")))?;
        }
        writeln!(out, "      </failure>\n    </testcase>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

/// Returns a text within XML. What no XML can have is left out.
fn xml(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .map(|c| match c {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '"' => "&quot;".to_owned(),
            '\n' => "&#10;".to_owned(),
            c => c.to_string(),
        })
        .collect()
}

fn github(found: &Located<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Located { finding, file, line, column } = found;
    let (level, rule) = (level(finding.severity), finding.rule.name());
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let (file, message) = (property(file), data(&finding.message));
    writeln!(out, "::{level} file={file},line={line},col={column},title={rule}::{message}")
}
