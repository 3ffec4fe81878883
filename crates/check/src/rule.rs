//! The checker's rules. Each has a file in `rules/`, from which the build script generates the enum.

use puppetfn_base::diagnostic::Severity;

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The content of a rule's file.
struct Description {
    name: &'static str,
    summary: &'static str,
    severity: Severity,
    tag: Option<RuleTag>,
    group: RuleGroup,
    puppet_lint: &'static [&'static str],
    /// The description, in Markdown.
    text: &'static str,
    examples: &'static [RuleExample],
}

/// A set of rules that is selected by a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleGroup {
    /// Rules that `puppetfn check` always has.
    Default,
    /// Rules of style that `puppetfn lint` adds.
    Style,
    /// Rules of style that have to be selected.
    Pedantic,
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
    /// The code after `--fix`, if the rule has a fix for it.
    pub fixed: Option<&'static str>,
}

impl Rule {
    /// Returns the rule of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Returns the rule that has a name, here or in puppet-lint and its plugins.
    pub fn known_as(name: &str) -> Option<Self> {
        let called = |rule: &Self| rule.puppet_lint_names().contains(&name);
        Self::named(name).or_else(|| Self::ALL.into_iter().find(called))
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

    /// Returns the group that the rule belongs to.
    pub fn group(self) -> RuleGroup {
        self.description().group
    }

    /// Returns true for a rule of style, which is only applied if it is selected.
    pub fn is_style(self) -> bool {
        self.group() != RuleGroup::Default
    }

    /// Returns the names of the checks of puppet-lint and its plugins that report the same.
    pub fn puppet_lint_names(self) -> &'static [&'static str] {
        self.description().puppet_lint
    }

    /// Returns true if findings of the rule can have a fix.
    pub fn has_fix(self) -> bool {
        self.description().examples.iter().any(|example| example.fixed.is_some())
    }

    /// Returns the document that describes the rule, a file of the directory `docs`.
    pub fn document(self) -> &'static str {
        if self.is_style() { "style-rules.md" } else { "check.md" }
    }

    /// Returns the documentation of the rule.
    pub fn explanation(self) -> RuleExplanation {
        let Description { severity, text, examples, .. } = self.description();
        let word = if *severity == Severity::Error { "Error" } else { "Warning" };
        RuleExplanation { text: format!("{word}: {text}"), examples }
    }
}
