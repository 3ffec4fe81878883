//! What the checker finds.

use super::rule::Rule;
use puppetfn_base::diagnostic::{Diagnostic, Severity};
use puppetfn_base::error::Place;
use puppetfn_base::source::Span;

/// A problem in code or data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: Rule,
    /// The severity: errors fail whenever they are reached.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The span of the code. It starts at the line and column of the finding.
    pub span: Span,
    /// Where what it is about is declared.
    pub related: Vec<Related>,
    /// What mends it, where only one thing does.
    pub fix: Option<Fix>,
}

/// A place that a finding refers to, in any file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// What is there.
    pub message: String,
    /// Where it is, with its file, line and column.
    pub place: Place,
}

/// A change of a text that mends what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What is replaced.
    pub span: Span,
    /// What it is replaced by.
    pub text: String,
}

impl Finding {
    /// Creates a finding of the severity that its rule has.
    pub fn new(rule: Rule, message: impl Into<String>, span: Span) -> Self {
        let severity = rule.severity();
        Self { rule, severity, message: message.into(), span, related: Vec::new(), fix: None }
    }

    /// Adds where something is declared, if that is known.
    #[must_use]
    pub fn declared(mut self, message: impl Into<String>, place: Option<&Place>) -> Self {
        self.related.extend(place.map(|place| Related { message: message.into(), place: place.clone() }));
        self
    }

    /// Returns what Puppet finds in a text before it is evaluated.
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
