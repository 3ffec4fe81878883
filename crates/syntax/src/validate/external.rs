//! Texts that name their syntax, as in `@(END:json)`.
//!
//! See Puppet's `pops/evaluator/external_syntax_support.rb`.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

use super::{ValidationRules, validate};
use crate::{Mode, parse_with};
use puppetfn_base::diagnostic::refuse_errors;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// Error of a text that violates the syntax it claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotInSyntax {
    /// Puppet's name for the problem: `ILLEGAL_JSON`.
    pub code: &'static str,
    /// The message.
    pub message: String,
}

/// Checks that a text is in a syntax: `json`, `base64`, `pp` or `epp`, also after a `+` as in
/// `data+json`. Other syntaxes are not checked.
///
/// # Errors
/// Fails if the text violates the syntax.
pub fn check_syntax(text: &str, syntax: &str, tasks: bool, limits: &Limits) -> Result<(), NotInSyntax> {
    let (code, reason) = match syntax.trim_end_matches('+').rsplit('+').next() {
        Some("json") => ("ILLEGAL_JSON", json(text)),
        Some("base64") => ("ILLEGAL_BASE64", base64(text)),
        Some("pp") => ("ILLEGAL_PP", puppet(text, Mode { tasks, template: false }, limits)),
        Some("epp") => ("ILLEGAL_EPP", puppet(text, Mode { tasks, template: true }, limits)),
        _ => return Ok(()),
    };
    reason.map_err(|reason| NotInSyntax {
        code,
        message: format!("Invalid produced text having syntax: '{syntax}'. {reason}"),
    })
}

fn json(text: &str) -> Result<(), String> {
    super::json::check(text).map_err(|error| {
        let error: String = error.chars().take(100).collect();
        format!("JSON syntax checker: Cannot parse invalid JSON string. \"{}\"", on_one_line(&error))
    })
}

/// Returns a text with the escape `\n` for each end of a line.
fn on_one_line(text: &str) -> String {
    text.replace("\r\n", "\\n").replace('\n', "\\n")
}

fn base64(text: &str) -> Result<(), String> {
    let text: String = text.chars().filter(|&c| !matches!(c, '\r' | '\n' | '\t' | '?') && c != ' ').collect();
    if STANDARD.decode(&text).is_ok() {
        return Ok(());
    }
    let problem = if STANDARD_NO_PAD.decode(text.trim_end_matches('=')).is_ok() {
        "padding is not correct"
    } else {
        "contains letters outside strict base 64 range (or whitespace)"
    };
    Err(format!("Base64 syntax checker: Cannot parse invalid Base64 string - {problem}"))
}

/// Checks Puppet code, with the heredocs in it.
fn puppet(text: &str, mode: Mode, limits: &Limits) -> Result<(), String> {
    let check = || -> Result<(), Error> {
        let program = parse_with(text, mode, limits)?;
        let rules = ValidationRules { tasks: mode.tasks, ..ValidationRules::default() };
        refuse_errors(&validate(&program, rules, *limits), text)
    };
    check().map_err(|error| {
        let message: String = error.to_string().chars().take(500).collect();
        let name = if mode.template { "EPP" } else { "PP" };
        format!("{name} syntax checker: \"{}\"", on_one_line(&message))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str, syntax: &str) -> Option<String> {
        check_syntax(text, syntax, false, &Limits::DEFAULT).err().map(|problem| problem.message)
    }

    #[test]
    fn texts_are_what_they_say() {
        assert_eq!(problem("{\"a\": [1]}", "json"), None);
        assert_eq!(problem("aGk=\n", "base64"), None);
        assert_eq!(problem("notice('a')", "pp"), None);
        assert_eq!(problem("a <%= $x %>", "epp"), None);
        assert_eq!(problem("{", "toml"), None);
    }

    #[test]
    fn texts_that_are_not_are_described() {
        assert!(problem("{\"a\": ", "data+json").is_some_and(|text| {
            text.starts_with(
                "Invalid produced text having syntax: 'data+json'. JSON syntax checker: \
                 Cannot parse invalid JSON string. \"",
            )
        }));
        assert_eq!(
            problem("aGk", "base64").as_deref(),
            Some(
                "Invalid produced text having syntax: 'base64'. Base64 syntax checker: \
                 Cannot parse invalid Base64 string - padding is not correct"
            )
        );
        assert_eq!(
            problem("<%~> $x %>", "epp").as_deref(),
            Some(
                "Invalid produced text having syntax: 'epp'. EPP syntax checker: \
                 \"Syntax error at '~>' (line: 1, column: 3)\""
            )
        );
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes many minutes")]
    fn texts_in_texts_end_somewhere() {
        let text = (0..1_000).fold("1".to_owned(), |text, level| format!("@(E{level}:pp)\n{text}\nE{level}"));
        assert!(problem(&text, "pp").is_some());
    }
}
