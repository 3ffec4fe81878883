//! `puppetfn check --explain`.

use std::io::{self, Write};

use super::super::Failure;
use puppetfn_check::{Explanation, Rule};
use puppetfn_types::types::ops::describe::most_similar;

/// Returns the rule of a name that was given.
pub(super) fn rule(name: &str) -> Result<Rule, Failure> {
    Rule::named(name).ok_or_else(|| Failure::Usage(unknown(name)))
}

/// Says that there is no rule of a name, and which one was probably meant.
pub(super) fn unknown(name: &str) -> String {
    let near = most_similar(name, Rule::ALL.map(Rule::name));
    let meant = near.first().map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    format!("there is no rule `{name}`{meant}")
}

/// Prints what a rule finds.
pub(super) fn write(rule: Rule, out: &mut dyn Write) -> io::Result<()> {
    let Explanation { text, examples } = rule.explanation();
    writeln!(out, "{}: {}\n\n{text}", rule.name(), rule.summary())?;
    for (title, is_reported) in [("Reported", true), ("Not reported", false)] {
        for example in examples.iter().filter(|example| example.is_reported == is_reported) {
            let code: String = example.code.lines().map(|line| format!("    {line}\n")).collect();
            write!(out, "\n{title}:\n\n{code}")?;
        }
    }
    Ok(())
}
