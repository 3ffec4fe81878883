//! Problems found in a text.

mod strict;

pub use strict::Strict;

use crate::error::{Error, ErrorKind, SourceLocation};
use crate::source::{LineIndex, Span};

/// How severe a problem is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The code will not be allowed in a later version.
    Deprecation,
    /// The code is allowed but probably a mistake.
    Warning,
    /// The code is not allowed.
    Error,
}

/// One problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How severe it is.
    pub severity: Severity,
    /// Puppet's name for the kind of problem: `DUPLICATE_KEY`.
    pub code: &'static str,
    /// Description of the problem, in Puppet's words.
    pub message: String,
    /// The part of the text that it is about. Puppet's position of it is the start.
    pub span: Span,
}

impl Diagnostic {
    /// Creates an error.
    pub fn error(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self { severity: Severity::Error, code, message: message.into(), span }
    }

    /// Returns the diagnostic for an error of reading a text, with the code `SYNTAX_ERROR`. An error without a place
    /// is about the end.
    pub fn of_error(error: &Error, text: &str) -> Self {
        let span = match (error.span(), error.place()) {
            (Some(span), _) => span,
            (None, Some(&SourceLocation { line: Some(line), column: Some(column), .. })) => {
                Span::at(LineIndex::new(text).offset(text, line, column))
            }
            (None, _) => Span::at(text.len() as u32),
        };
        Self::error("SYNTAX_ERROR", error.message(), span)
    }

    /// Creates a warning.
    pub fn warning(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self { severity: Severity::Warning, code, message: message.into(), span }
    }
}

/// Maximum number of findings of one severity to log, the default of Puppet's settings `max_errors`, `max_warnings` and
/// `max_deprecations`.
const LOGGED: usize = 10;

/// Returns the diagnostics that Puppet logs: the warnings and deprecations, and then the errors, except a single error,
/// which is raised instead.
pub fn logged(found: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    let errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    let others = found.iter().filter({
        let (mut warnings, mut deprecations) = (0, 0);
        move |diagnostic| {
            let count = match diagnostic.severity {
                Severity::Error => return false,
                Severity::Warning => &mut warnings,
                Severity::Deprecation => &mut deprecations,
            };
            *count += 1;
            *count <= LOGGED
        }
    });
    let errors = found
        .iter()
        .filter(move |diagnostic| diagnostic.severity == Severity::Error && errors > 1)
        .take(LOGGED);
    others.chain(errors)
}

/// Checks that a text has no errors.
///
/// # Errors
/// Fails with [`ErrorKind::Syntax`] and a single error, or, as Puppet does, the number of errors.
pub fn refuse_errors(found: &[Diagnostic], text: &str) -> Result<(), Error> {
    let mut errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let Some(first) = errors.next() else { return Ok(()) };
    let count = 1 + errors.count();
    if count == 1 {
        let place = SourceLocation::of(text, first.span.start);
        return Err(Error::new(ErrorKind::Syntax, &*first.message).at(place));
    }
    let warnings = match found.len() - count {
        0 => String::new(),
        warnings => format!(", and {warnings} warnings"),
    };
    Err(Error::new(
        ErrorKind::Syntax,
        format!("Language validation logged {count} errors{warnings}. Giving up"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_logged_if_there_are_several_and_not_all() {
        let error = Diagnostic::error("X", "it is wrong", Span::at(0));
        let warning = Diagnostic::warning("Y", "it is odd", Span::at(0));
        let logged = |found: &[Diagnostic]| logged(found).map(|found| found.code).collect::<String>();
        assert_eq!(logged(&[error.clone(), warning.clone()]), "Y");
        assert_eq!(logged(&[error.clone(), warning.clone(), error.clone()]), "YXX");
        assert_eq!(logged(&[vec![error; 12], vec![warning; 12]].concat()), "Y".repeat(10) + &"X".repeat(10));
    }

    #[test]
    fn one_error_is_told_and_many_are_counted() {
        let error = |offset| Diagnostic::error("X", "it is wrong", Span::at(offset));
        let warning = Diagnostic::warning("Y", "it is odd", Span::at(0));
        let told = |found: &[Diagnostic]| refuse_errors(found, "a\nb").map_err(|error| error.to_string());
        assert_eq!(told(std::slice::from_ref(&warning)), Ok(()));
        assert_eq!(told(&[warning.clone(), error(2)]), Err("it is wrong (line: 2, column: 1)".into()));
        assert_eq!(told(&[error(0), error(2)]), Err("Language validation logged 2 errors. Giving up".into()));
        assert_eq!(
            told(&[error(0), warning, error(2)]),
            Err("Language validation logged 2 errors, and 1 warnings. Giving up".into())
        );
    }
}
