//! The process in which the answers were recorded.

use std::sync::Arc;

use puppetfn::host::HostClasses;

/// The classes of Ruby that the cases name.
pub struct RecordedClasses;

impl RecordedClasses {
    fn parent(class: &str) -> Option<&'static str> {
        match class {
            "String" | "Symbol" | "Array" | "Puppet::Pops::Time::Timestamp" => Some("Object"),
            "Integer" => Some("Numeric"),
            "Numeric" => Some("Object"),
            _ => None,
        }
    }
}

impl HostClasses for RecordedClasses {
    fn descends(&self, class: &str, ancestor: &str) -> bool {
        self.superclasses(class).iter().any(|name| **name == *ancestor)
    }

    fn superclasses(&self, class: &str) -> Vec<Arc<str>> {
        std::iter::successors(Some(class), |class| Self::parent(class)).map(Arc::from).collect()
    }
}
