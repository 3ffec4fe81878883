//! Answers that differ between versions of Puppet, or from all of them.

/// A case in which some or all versions of Puppet answer differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deviation {
    case: &'static str,
    since: Option<u32>,
    feature: Option<&'static str>,
}

impl Deviation {
    /// Returns a case in which every Puppet answers differently: it fails with an error of Ruby's, for example.
    pub const fn from_all(case: &'static str) -> Self {
        Self { case, since: None, feature: None }
    }

    /// Returns a case in which Puppet answers the same from a major version on.
    pub const fn before(major: u32, case: &'static str) -> Self {
        Self { case, since: Some(major), feature: None }
    }

    /// Returns a case in which Puppet answers the same with one of its features (`Puppet.features`).
    pub const fn without(feature: &'static str, case: &'static str) -> Self {
        Self { case, since: None, feature: Some(feature) }
    }

    /// Returns the name of the case, such as `regsubst of Sensitive`.
    pub fn case(&self) -> &'static str {
        self.case
    }

    /// Returns the feature that makes Puppet answer the same, if any.
    pub fn feature(&self) -> Option<&'static str> {
        self.feature
    }

    /// Returns the first major version of Puppet that answers the same, if any.
    pub fn since(&self) -> Option<u32> {
        self.since
    }
}
