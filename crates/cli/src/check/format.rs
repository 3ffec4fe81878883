//! Findings as text for people and for programs.

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::super::args::CheckFormat;
use super::super::report::{Note, problems_with_notes};
use super::code_climate::code_climate;
use super::counted;
use puppetfn_base::diagnostic::{Diagnostic, Severity};
use puppetfn_base::error::SourceLocation;
use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::source::LineIndex;
use puppetfn_check::{Finding, RelatedLocation, Rule, UncheckedNames};
use puppetfn_project::CheckedText;

/// The documentation of the rules.
const DOCUMENTATION: &str = "https://github.com/puppetfn/puppetfn/blob/main/docs";

pub(super) fn write(
    checked: &[CheckedText],
    format: CheckFormat,
    is_styled: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        CheckFormat::Human => human(checked, is_styled, out),
        CheckFormat::Json => writeln!(out, "{:#}", Json::Array(located(checked).map(as_json).collect())),
        CheckFormat::Sarif => writeln!(out, "{:#}", sarif(checked)),
        CheckFormat::Junit => junit(checked, out),
        CheckFormat::Codeclimate => writeln!(out, "{:#}", code_climate(checked)),
        CheckFormat::Github => located(checked).try_for_each(|found| github(&found, out)),
    }
}

/// The number of unchecked names that are shown.
const SHOWN: usize = 8;

/// Reports the names that were not checked because their modules are missing, and the command that installs these.
pub(super) fn unchecked(
    unchecked: &UncheckedNames,
    missing: &[String],
    installer: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    if unchecked.is_empty() {
        return Ok(());
    }
    let modules: BTreeSet<&str> = unchecked.keys().flatten().chain(missing).map(String::as_str).collect();
    let quoted: Vec<String> = modules.iter().map(|module| format!("'{module}'")).collect();
    let has_others = missing.is_empty() && unchecked.keys().any(Vec::is_empty);
    let of = match quoted.as_slice() {
        [] => "other modules are".to_owned(),
        modules if has_others => format!("the modules {} and others are", modules.join(", ")),
        [module] => format!("the module {module} is"),
        modules => format!("the modules {} are", modules.join(", ")),
    };
    let names: BTreeSet<&str> = unchecked.values().flatten().map(String::as_str).collect();
    let shown: Vec<&str> = names.iter().copied().take(SHOWN).collect();
    let rest = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let install = installer.map(|command| format!("; install with `{command}`")).unwrap_or_default();
    writeln!(out, "note: skipped, as {of} not installed: `{}`{rest}{install}", shown.join("`, `"))
}

/// A finding and where it is.
pub(super) struct LocatedFinding<'c> {
    pub finding: &'c Finding,
    pub file: &'c str,
    pub line: u32,
    pub column: u32,
}

pub(super) fn located(checked: &[CheckedText]) -> impl Iterator<Item = LocatedFinding<'_>> {
    checked.iter().flat_map(|checked| {
        let lines = LineIndex::new(&checked.text);
        checked.findings.iter().map(move |finding| {
            let (line, column) = lines.position(&checked.text, finding.span.start);
            // Programs have paths without it.
            let file = checked.name.strip_prefix("./").unwrap_or(&checked.name);
            LocatedFinding { finding, file, line, column }
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

fn human(checked: &[CheckedText], is_styled: bool, out: &mut dyn Write) -> io::Result<()> {
    let (mut errors, mut warnings) = (0usize, 0usize);
    let mut lines = SourceLines::default();
    for CheckedText { name, text, mode, findings, is_code } in
        checked.iter().filter(|checked| !checked.findings.is_empty())
    {
        let found: Vec<_> = findings
            .iter()
            .map(|finding| (diagnostic(finding, *is_code), notes(finding, &mut lines)))
            .collect();
        writeln!(out, "{}\n", problems_with_notes(&found, text, name, *mode, is_styled).text)?;
        let count = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        errors = errors.saturating_add(count);
        warnings = warnings.saturating_add(findings.len().saturating_sub(count));
    }
    match (errors, warnings) {
        (0, 0) => Ok(()),
        _ => writeln!(out, "{}, {}", counted(errors, "error"), counted(warnings, "warning")),
    }
}

/// Returns a finding as a diagnostic. By the code of syntax errors, the renderer suggests the word that was probably meant.
fn diagnostic(finding: &Finding, is_code: bool) -> Diagnostic {
    let Finding { rule, severity, message, span, .. } = finding;
    let code = if is_code && *rule == Rule::Syntax { "SYNTAX_ERROR" } else { rule.name() };
    let message = format!("{message} [{}]", rule.name());
    Diagnostic { severity: *severity, code, message, span: *span }
}

/// The lines of files that findings refer to.
#[derive(Default)]
struct SourceLines(HashMap<Arc<str>, Vec<String>>);

impl SourceLines {
    /// Returns a line of a file, if it can be read.
    fn line(&mut self, file: &Arc<str>, number: u32) -> Option<String> {
        let lines = self.0.entry(Arc::clone(file)).or_insert_with(|| {
            let text = StdFileSystem::DEFAULT.read_text(Path::new(&**file)).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        });
        lines.get(usize::try_from(number).ok()?.checked_sub(1)?).cloned()
    }
}

fn notes(finding: &Finding, lines: &mut SourceLines) -> Vec<Note> {
    let note = |RelatedLine { message, file, line, column }: RelatedLine<'_>| Note {
        text: lines.line(file, line),
        message: message.to_owned(),
        file: file.to_string(),
        line,
        column,
    };
    declared(finding).map(note).collect()
}

/// The place in a file that a finding refers to.
struct RelatedLine<'f> {
    message: &'f str,
    file: &'f Arc<str>,
    line: u32,
    column: u32,
}

fn declared(finding: &Finding) -> impl Iterator<Item = RelatedLine<'_>> {
    finding.related.iter().filter_map(|RelatedLocation { message, place }| {
        let SourceLocation { file, line, column } = place;
        Some(RelatedLine { message, file: file.as_ref()?, line: (*line)?, column: (*column)? })
    })
}

/// Returns the same in a line of text.
fn declared_text(finding: &Finding) -> String {
    let shown = |RelatedLine { message, file, line, column }| format!("\n{message}: {file}:{line}:{column}");
    declared(finding).map(shown).collect()
}

fn as_json(found: LocatedFinding<'_>) -> Json {
    let mut object = json!({
        "rule": found.finding.rule.name(),
        "severity": level(found.finding.severity),
        "message": found.finding.message,
        "file": found.file,
        "line": found.line,
        "column": found.column,
    });
    let related: Vec<Json> = declared(found.finding)
        .map(|RelatedLine { message, file, line, column }| {
            json!({"message": message, "file": &**file, "line": line, "column": column})
        })
        .collect();
    if let (Some(object), false) = (object.as_object_mut(), related.is_empty()) {
        object.insert("related".to_owned(), related.into());
    }
    object
}

fn sarif(checked: &[CheckedText]) -> Json {
    let rule = |rule: &Rule| {
        json!({
            "id": rule.name(),
            "shortDescription": {"text": rule.summary()},
            "helpUri": format!("{DOCUMENTATION}/{}#{}", rule.document(), rule.name()),
            "defaultConfiguration": {"level": level(rule.severity())},
        })
    };
    let location = |file: &str, line: u32, column: u32| {
        json!({
            "artifactLocation": {"uri": uri(file)},
            "region": {"startLine": line, "startColumn": column},
        })
    };
    let result = |found: LocatedFinding<'_>| {
        let mut result = json!({
            "ruleId": found.finding.rule.name(),
            "level": level(found.finding.severity),
            "message": {"text": found.finding.message},
            "locations": [{"physicalLocation": location(found.file, found.line, found.column)}],
        });
        let related: Vec<Json> = (1..)
            .zip(declared(found.finding))
            .map(|(id, RelatedLine { message, file, line, column }): (u32, _)| {
                let place = location(file, line, column);
                json!({"id": id, "message": {"text": message}, "physicalLocation": place})
            })
            .collect();
        if let (Some(object), false) = (result.as_object_mut(), related.is_empty()) {
            object.insert("relatedLocations".to_owned(), related.into());
        }
        result
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

fn junit(checked: &[CheckedText], out: &mut dyn Write) -> io::Result<()> {
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
        for LocatedFinding { finding, file, line, column } in found {
            let (level, rule) = (level(finding.severity), finding.rule.name());
            let message = &finding.message;
            let declared = declared_text(finding);
            let text = format!("{file}:{line}:{column}: {level}: {message} [{rule}]{declared}");
            writeln!(out, "{}", xml(&text))?;
        }
        writeln!(out, "      </failure>\n    </testcase>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

/// Returns a text within XML. Characters that XML cannot have are left out.
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

fn github(found: &LocatedFinding<'_>, out: &mut dyn Write) -> io::Result<()> {
    let LocatedFinding { finding, file, line, column } = found;
    let (level, rule) = (level(finding.severity), finding.rule.name());
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let message = format!("{}{}", finding.message, declared_text(finding));
    let (file, message) = (property(file), data(&message));
    writeln!(out, "::{level} file={file},line={line},col={column},title={rule}::{message}")
}
