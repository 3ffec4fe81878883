//! Answers that differ between versions of Puppet, or from all of them.

/// A case in which some or all versions of Puppet answer differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deviation {
    case: &'static str,
    since: Option<u32>,
}

impl Deviation {
    /// Returns a case in which no Puppet gives the same answer: it fails with an error of Ruby's, for example.
    pub const fn from_all(case: &'static str) -> Self {
        Self { case, since: None }
    }

    /// Returns a case in which Puppet gives the same answer from a major version on.
    pub const fn before(major: u32, case: &'static str) -> Self {
        Self { case, since: Some(major) }
    }

    /// Returns the name of the case, such as `regsubst of Sensitive`.
    pub fn case(&self) -> &'static str {
        self.case
    }

    /// Returns the first major version of Puppet that gives the same answer, if one does.
    pub fn since(&self) -> Option<u32> {
        self.since
    }
}
