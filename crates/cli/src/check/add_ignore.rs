//! `puppetfn check --add-ignore`: adds a comment to each line with findings, which suppresses them.
#![allow(clippy::disallowed_methods, reason = "the user has these files changed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::super::CommandFailure;
use puppetfn_base::source::LineIndex;
use puppetfn_check::Rule;
use puppetfn_project::{CheckedText, is_data};
use puppetfn_syntax::lexemes;

/// The length of lines up to which a comment is put at their ends.
const LENGTH: usize = 140;

/// The names of the rules with findings in each line, counted from one.
type RulesByLine = BTreeMap<u32, BTreeSet<&'static str>>;

/// The number of suppressed findings, and of the changed files.
#[derive(Default)]
pub(super) struct AddedComments {
    pub findings: usize,
    pub files: usize,
}

/// Adds comments to the files with these findings. Errors of syntax, and findings in files without comments, stay.
pub(super) fn add(checked: &[CheckedText]) -> Result<AddedComments, CommandFailure> {
    let mut added = AddedComments::default();
    // Several checks may have findings in a file.
    let mut files: BTreeMap<&str, (&CheckedText, RulesByLine)> = BTreeMap::new();
    for text in checked.iter().filter(|text| has_comments(Path::new(&text.name))) {
        let rules = rules_by_line(text);
        if rules.is_empty() {
            continue;
        }
        added.findings += text.findings.iter().filter(|finding| can_be_ignored(finding.rule)).count();
        let (_, known) = files.entry(&text.name).or_insert_with(|| (text, RulesByLine::new()));
        for (line, names) in rules {
            known.entry(line).or_default().extend(names);
        }
    }
    for (name, (text, rules)) in files {
        added.files += 1;
        let changed = with_comments(text, &rules);
        let failed = |error| CommandFailure::Usage(format!("--add-ignore: {name}: {error}"));
        fs::write(name, changed).map_err(failed)?;
    }
    Ok(added)
}

/// Returns true if comments in a file suppress findings.
fn has_comments(path: &Path) -> bool {
    !path.extension().is_some_and(|end| end == "json" || end == "conf")
}

fn can_be_ignored(rule: Rule) -> bool {
    !matches!(rule, Rule::Syntax | Rule::DataSyntax | Rule::NeedlessIgnore)
}

/// Returns the names of the rules with findings in each line, counted from one.
fn rules_by_line(checked: &CheckedText) -> RulesByLine {
    let lines = LineIndex::new(&checked.text);
    let mut rules = RulesByLine::new();
    for finding in checked.findings.iter().filter(|finding| can_be_ignored(finding.rule)) {
        let (line, _) = lines.position(&checked.text, finding.span.start);
        rules.entry(line).or_default().insert(finding.rule.name());
    }
    rules
}

/// Returns a text with a comment for each of some lines: at the end of the line, or above it if the line is too long then or ends
/// within a string.
fn with_comments(checked: &CheckedText, rules: &RulesByLine) -> String {
    let is_template = checked.mode.template || checked.name.ends_with(".erb");
    let is_ruby = checked.name.ends_with(".rb") || checked.name.ends_with("Puppetfile");
    let inner = if is_template || is_ruby { BTreeSet::new() } else { lines_within_tokens(checked) };
    // The lines of strings can have no comments.
    let of_file: BTreeSet<&str> = rules
        .iter()
        .filter(|(line, _)| inner.contains(line))
        .flat_map(|(_, names)| names.iter().copied())
        .collect();
    let mut changed = String::with_capacity(checked.text.len());
    if !of_file.is_empty() {
        changed.push_str(&format!("# puppetfn:ignore-file {}\n", joined(&of_file)));
    }
    for (number, line) in (1u32..).zip(checked.text.split_inclusive('\n')) {
        let Some(names) = rules.get(&number).filter(|_| !inner.contains(&number)) else {
            changed.push_str(line);
            continue;
        };
        let content = line.trim_end_matches(['\n', '\r']);
        let end = line.get(content.len()..).unwrap_or_default();
        let comment = format!("puppetfn:ignore {}", joined(names));
        let is_long = names.iter().any(|name| name.starts_with("line-length"))
            || content.chars().count() + comment.len() + " # ".len() > LENGTH;
        let is_above = is_long
            || is_template
            || is_ruby
            || is_data(Path::new(&checked.name))
            || inner.contains(&(number + 1));
        let is_text = is_template && !ends_in_tag(&changed);
        let indentation: String = content.chars().take_while(|c| c.is_whitespace()).collect();
        let line_end = if end.is_empty() { "\n" } else { end };
        match (is_above, content.find("# puppetfn:ignore ")) {
            (true, _) if is_text => changed.push_str(&format!("<%# {comment} -%>{line_end}{line}")),
            (true, _) => changed.push_str(&format!("{indentation}# {comment}{line_end}{line}")),
            (false, Some(known)) => {
                let names_at = known + "# puppetfn:ignore ".len();
                let (before, after) = content.split_at_checked(names_at).unwrap_or((content, ""));
                changed.push_str(&format!("{before}{}, {after}{end}", joined(names)));
            }
            (false, None) => changed.push_str(&format!("{content} # {comment}{end}")),
        }
    }
    changed
}

/// Returns true if a template ends within a tag.
fn ends_in_tag(text: &str) -> bool {
    text.rfind("<%") > text.rfind("%>")
}

fn joined(names: &BTreeSet<&str>) -> String {
    names.iter().copied().collect::<Vec<_>>().join(", ")
}

/// Returns the lines that begin within a token, such as a string or a heredoc's text.
fn lines_within_tokens(checked: &CheckedText) -> BTreeSet<u32> {
    let lines = LineIndex::new(&checked.text);
    let mut within = BTreeSet::new();
    for lexeme in lexemes(&checked.text, checked.mode).map_while(Result::ok) {
        for span in std::iter::once(lexeme.span).chain(lexeme.below) {
            let (first, _) = lines.position(&checked.text, span.start);
            let (last, _) = lines.position(&checked.text, span.end);
            // The text of a heredoc begins with its first line and ends before the line behind it.
            if lexeme.below == Some(span) {
                within.extend(first..last);
            } else {
                within.extend(first + 1..=last);
            }
        }
    }
    within
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_base::source::Span;
    use puppetfn_check::Finding;
    use puppetfn_syntax::Mode;

    /// Returns a text with comments for a rule at each `^`.
    fn commented(name: &str, text: &str) -> String {
        let mut findings = Vec::new();
        let mut plain = String::new();
        for c in text.chars() {
            if c == '^' {
                findings.push(Finding::new(Rule::Arithmetic, "", Span::at(plain.len() as u32)));
            } else {
                plain.push(c);
            }
        }
        let mode = Mode { template: name.ends_with(".epp"), ..Mode::default() };
        let checked = CheckedText { name: name.to_owned(), text: plain, mode, findings, is_code: true };
        with_comments(&checked, &rules_by_line(&checked))
    }

    #[test]
    fn comments_are_where_they_work() {
        for (name, text, expected) in [
            ("a.pp", "^$a = 1\n$b = 2\n", "$a = 1 # puppetfn:ignore arithmetic\n$b = 2\n"),
            ("a.pp", "  ^$a = ^1", "  $a = 1 # puppetfn:ignore arithmetic"),
            ("a.pp", "^$a # why\r\n", "$a # why # puppetfn:ignore arithmetic\r\n"),
            (
                "a.pp",
                "^$a # puppetfn:ignore match -- why\n",
                "$a # puppetfn:ignore arithmetic, match -- why\n",
            ),
            ("a.pp", "  ^$a = 'b\nc'\n", "  # puppetfn:ignore arithmetic\n  $a = 'b\nc'\n"),
            ("a.pp", "$a = 'b\n^c'\n", "# puppetfn:ignore-file arithmetic\n$a = 'b\nc'\n"),
            (
                "a.pp",
                "^$a = @(E)\n^b\nE\n^$c\n",
                "# puppetfn:ignore-file arithmetic\n# puppetfn:ignore arithmetic\n$a = @(E)\nb\nE\n$c # puppetfn:ignore arithmetic\n",
            ),
            ("a.epp", "a\n<%= ^1 %>\n", "a\n<%# puppetfn:ignore arithmetic -%>\n<%= 1 %>\n"),
            ("a.epp", "a\n<%\n  ^1\n%>\n", "a\n<%\n  # puppetfn:ignore arithmetic\n  1\n%>\n"),
            ("a.erb", "a\n<%= ^1 %>\n", "a\n<%# puppetfn:ignore arithmetic -%>\n<%= 1 %>\n"),
            ("a.erb", "<% b\n  ^1 %>\n", "<% b\n  # puppetfn:ignore arithmetic\n  1 %>\n"),
            ("a.rb", "a 'b\n'\n^c\n", "a 'b\n'\n# puppetfn:ignore arithmetic\nc\n"),
            ("a.yaml", "a:\n  ^b: 1\n", "a:\n  # puppetfn:ignore arithmetic\n  b: 1\n"),
        ] {
            assert_eq!(commented(name, text), expected);
        }
    }
}
