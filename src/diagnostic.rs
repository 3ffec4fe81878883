//! What is found wrong, or questionable, with a text.

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
