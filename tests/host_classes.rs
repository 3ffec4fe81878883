//! Types of host classes, for a host that knows which class descends from which.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Arc;

use puppetfn::host::{HostClasses, set_classes};
use puppetfn::types::Type;

struct Animals;

impl Animals {
    fn parent(class: &str) -> Option<&'static str> {
        match class {
            "Cat" | "Dog" => Some("Animal"),
            "Animal" | "Stone" => Some("Object"),
            _ => None,
        }
    }
}

impl HostClasses for Animals {
    fn descends(&self, class: &str, ancestor: &str) -> bool {
        self.superclasses(class).iter().any(|name| **name == *ancestor)
    }

    fn superclasses(&self, class: &str) -> Vec<Arc<str>> {
        std::iter::successors(Some(class), |class| Self::parent(class)).map(Arc::from).collect()
    }
}

#[test]
fn classes_compare_as_in_the_host() {
    assert!(!Type::ruby("Animal").assignable(&Type::ruby("Cat")), "without a host, only names count");
    assert!(set_classes(Box::new(Animals)).is_ok());
    assert!(set_classes(Box::new(Animals)).is_err(), "a process has one host");

    assert!(Type::ruby("Animal").assignable(&Type::ruby("Cat")));
    assert!(!Type::ruby("Cat").assignable(&Type::ruby("Animal")));
    assert!(Type::Runtime(Arc::default()).assignable(&Type::ruby("Stone")));
    assert_eq!(Type::ruby("Cat").common(&Type::ruby("Dog")), Type::ruby("Animal"));
    assert_eq!(Type::ruby("Cat").common(&Type::ruby("Stone")), Type::ruby("Object"));
}
