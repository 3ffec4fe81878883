//! What is found wrong, or questionable, with a text.

use crate::error::{Error, ErrorKind, Place};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// It will not be allowed in a later version.
    Deprecation,
    /// It is allowed but hardly meant.
    Warning,
    /// It is not allowed.
    Error,
}

/// One thing that is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Puppet's name for the kind of problem: `DUPLICATE_KEY`.
    pub code: &'static str,
    /// What is wrong, in Puppet's words.
    pub message: String,
    /// Where it is in the text, in bytes.
    pub offset: u32,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>, offset: u32) -> Self {
        Self { severity: Severity::Error, code, message: message.into(), offset }
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>, offset: u32) -> Self {
        Self { severity: Severity::Warning, code, message: message.into(), offset }
    }
}

/// Tells if a text can be used, for which this was found.
///
/// # Errors
/// [`ErrorKind::Syntax`] with the one error, or, as Puppet does, with the number of errors.
pub fn refuse_errors(found: &[Diagnostic], text: &str) -> Result<(), Error> {
    let mut errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let Some(first) = errors.next() else { return Ok(()) };
    let count = 1 + errors.count();
    if count == 1 {
        let place = Place::of(text, first.offset);
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
    fn one_error_is_told_and_many_are_counted() {
        let error = |offset| Diagnostic::error("X", "it is wrong", offset);
        let warning = Diagnostic::warning("Y", "it is odd", 0);
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
