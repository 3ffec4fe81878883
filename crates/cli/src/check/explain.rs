//! `puppetfn check --explain`.

use std::io::{self, Write};

use super::super::CommandFailure;
use puppetfn_base::diagnostic::Severity;
use puppetfn_check::{Rule, RuleExplanation};
use puppetfn_project::unknown_rule;

/// Returns the rule of a name that was given.
pub(super) fn rule(name: &str) -> Result<Rule, CommandFailure> {
    Rule::named(name).ok_or_else(|| CommandFailure::Usage(unknown_rule(name)))
}

/// Prints the explanation of a rule, with its examples.
pub(super) fn write(rule: Rule, out: &mut dyn Write) -> io::Result<()> {
    let RuleExplanation { text, examples } = rule.explanation();
    writeln!(out, "{}: {}\n\n{text}", rule.name(), rule.summary())?;
    for (title, is_reported) in [("Reported", true), ("Not reported", false)] {
        for example in examples.iter().filter(|example| example.is_reported == is_reported) {
            let code: String = example.code.lines().map(|line| format!("    {line}\n")).collect();
            write!(out, "\n{title}:\n\n{code}")?;
        }
    }
    Ok(())
}

/// Prints all rules.
pub(super) fn list(out: &mut dyn Write) -> io::Result<()> {
    let width = Rule::ALL.into_iter().map(|rule| rule.name().len()).max().unwrap_or(0);
    for rule in Rule::ALL {
        let severity = if rule.severity() == Severity::Error { "error" } else { "warning" };
        writeln!(out, "{:width$}  {severity:7}  {}", rule.name(), rule.summary())?;
    }
    Ok(())
}
