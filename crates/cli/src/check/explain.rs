//! `puppetfn check --explain`.

use std::io::{self, Write};

use super::super::CommandFailure;
use puppetfn_base::diagnostic::Severity;
use puppetfn_check::{Rule, RuleExplanation, RuleGroup};
use puppetfn_project::unknown_rule;

/// Returns the rule of a name that was given.
pub(super) fn rule(name: &str) -> Result<Rule, CommandFailure> {
    Rule::known_as(name).ok_or_else(|| CommandFailure::Usage(unknown_rule(name)))
}

/// Prints the explanation of a rule, with its examples.
pub(super) fn write(rule: Rule, out: &mut dyn Write) -> io::Result<()> {
    let RuleExplanation { text, examples } = rule.explanation();
    writeln!(out, "{}: {}\n\n{text}", rule.name(), rule.summary())?;
    if !rule.puppet_lint_names().is_empty() {
        writeln!(out, "\nIn puppet-lint: {}", rule.puppet_lint_names().join(", "))?;
    }
    for (title, is_reported) in [("Reported", true), ("Not reported", false)] {
        for example in examples.iter().filter(|example| example.is_reported == is_reported) {
            let code: String = example.code.lines().map(|line| format!("    {line}\n")).collect();
            write!(out, "\n{title}:\n\n{code}")?;
            if let Some(fixed) = example.fixed {
                let code: String = fixed.lines().map(|line| format!("    {line}\n")).collect();
                write!(out, "\nFixed:\n\n{code}")?;
            }
        }
    }
    Ok(())
}

/// Prints all rules.
pub(super) fn list(out: &mut dyn Write) -> io::Result<()> {
    let width = Rule::ALL.into_iter().map(|rule| rule.name().len()).max().unwrap_or(0);
    for rule in Rule::ALL {
        let severity = if rule.severity() == Severity::Error { "error" } else { "warning" };
        let group = match rule.group() {
            RuleGroup::Default => "default",
            RuleGroup::Style => "style",
            RuleGroup::Pedantic => "pedantic",
        };
        let fix = if rule.has_fix() { "fix" } else { "" };
        let names = rule.puppet_lint_names().join(", ");
        let names = if names.is_empty() { names } else { format!(" ({names})") };
        writeln!(out, "{:width$}  {severity:7}  {group:8}  {fix:3}  {}{names}", rule.name(), rule.summary())?;
    }
    Ok(())
}
