//! The checker's rules. Each has a file in `rules/`, from which the build script generates the enum.

use puppetfn_base::diagnostic::Severity;

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The content of a rule's file.
struct Description {
    name: &'static str,
    summary: &'static str,
    severity: Severity,
    tag: Option<RuleTag>,
    /// The description, in Markdown.
    text: &'static str,
    examples: &'static [RuleExample],
}

/// The presentation of a finding's code in editors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleTag {
    /// As code that does nothing.
    Unnecessary,
    /// As code that should be replaced.
    Deprecated,
}

/// The documentation of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleExplanation {
    /// The severity and the description, in Markdown.
    pub text: String,
    /// Code or data that breaks it, and such that does not.
    pub examples: &'static [RuleExample],
}

/// An example of the documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleExample {
    /// The language: `puppet`, or `yaml` for data.
    pub language: &'static str,
    /// Whether the rule is broken.
    pub is_reported: bool,
    /// The code.
    pub code: &'static str,
}

impl Rule {
    /// Returns the rule of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Returns the name of the rule in findings.
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// Returns a summary of its findings.
    pub fn summary(self) -> &'static str {
        self.description().summary
    }

    /// Returns the severity: an error fails whenever it is reached.
    pub fn severity(self) -> Severity {
        self.description().severity
    }

    /// Returns how editors show the code.
    pub fn tag(self) -> Option<RuleTag> {
        self.description().tag
    }

    /// Returns the documentation of the rule.
    pub fn explanation(self) -> RuleExplanation {
        let Description { severity, text, examples, .. } = self.description();
        let word = if *severity == Severity::Error { "Error" } else { "Warning" };
        RuleExplanation { text: format!("{word}: {text}"), examples }
    }
}
