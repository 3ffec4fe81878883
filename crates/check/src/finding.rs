//! The findings of the checker.

use super::rule::Rule;
use puppetfn_base::diagnostic::{Diagnostic, Severity};
use puppetfn_base::error::SourceLocation;
use puppetfn_base::source::Span;

/// A problem in code or data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: Rule,
    /// The severity: errors fail whenever they are reached.
    pub severity: Severity,
    /// The description of the problem.
    pub message: String,
    /// The span of the code. It starts at the line and column of the finding.
    pub span: Span,
    /// The related declarations.
    pub related: Vec<RelatedLocation>,
    /// The fix, if there is exactly one.
    pub fix: Option<Fix>,
}

/// A place that a finding refers to, in any file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelatedLocation {
    /// The text of the note.
    pub message: String,
    /// Where it is, with its file, line and column.
    pub place: SourceLocation,
}

/// A change of a text that fixes a finding.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix {
    /// The span to replace.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

impl Finding {
    /// Creates a finding of the severity that its rule has.
    pub fn new(rule: Rule, message: impl Into<String>, span: Span) -> Self {
        let severity = rule.severity();
        Self { rule, severity, message: message.into(), span, related: Vec::new(), fix: None }
    }

    /// Adds the place of a declaration, if it is known.
    #[must_use]
    pub fn declared(mut self, message: impl Into<String>, place: Option<&SourceLocation>) -> Self {
        self.related
            .extend(place.map(|place| RelatedLocation { message: message.into(), place: place.clone() }));
        self
    }

    /// Returns the finding for a diagnostic of Puppet's parser or validation.
    pub(super) fn of(diagnostic: Diagnostic) -> Self {
        let rule = match (diagnostic.code, diagnostic.severity) {
            ("SYNTAX_ERROR", _) => Rule::Syntax,
            (_, Severity::Error) => Rule::NotAllowed,
            (_, Severity::Warning | Severity::Deprecation) => Rule::Questionable,
        };
        let Diagnostic { severity, message, span, .. } = diagnostic;
        Self { severity, ..Self::new(rule, message, span) }
    }
}
