//! Answers to expressions that differ between versions of Puppet, or from all of them.

use std::cell::RefCell;
use std::sync::Arc;

use super::Machine;
use puppetfn_base::error::Error;
use puppetfn_types::function::{Deviation, implementation};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

impl Machine {
    /// Tells the host of comparisons of which Puppet makes errors of Ruby's: of a reference in a parameter and one in code, and of
    /// objects that lack attributes of each other.
    ///
    /// # Errors
    /// Error of the host if it refuses.
    #[cold]
    pub(super) fn refuse_comparison(&self, left: &Value, right: &Value) -> Result<(), Error> {
        let is_object = |value: &Value| matches!(value, Value::Object(_));
        let is_type = |value: &Value| matches!(value, Value::Type(_)) && !is_given(value);
        let case = if has(left, &is_object) && has(right, &is_object) && !are_alike([left, right]) {
            "a comparison of objects"
        } else if has(left, &is_given) && has(right, &is_type) || has(left, &is_type) && has(right, &is_given)
        {
            "a comparison with a reference in a parameter"
        } else {
            return Ok(());
        };
        self.shared.host.deviate(Deviation::from_all(case))
    }

    /// Tells the host of types of versions and times with parameters: for some Puppet fails with errors of Ruby's, or shows wrong bounds.
    ///
    /// # Errors
    /// Error of the host if it refuses.
    pub(super) fn refuse_bounds(&self, value: &Value) -> Result<(), Error> {
        let Value::Type(t) = value else { return Ok(()) };
        if t.is_of_bounds() {
            self.shared.host.deviate(Deviation::from_all("bounds of a version or time"))
        } else {
            Ok(())
        }
    }
}

/// Returns true if a value is a reference that a parameter was given.
fn is_given(value: &Value) -> bool {
    matches!(value, Value::Type(t) if matches!(&**t, Type::Resource(resource) if resource.is_given))
}

/// Returns true if all objects in some values are of one type, which has no implementation in the host's language.
fn are_alike(values: [&Value; 2]) -> bool {
    let names = RefCell::new(Vec::new());
    let note = |value: &Value| {
        let Value::Object(object) = value else { return false };
        names.borrow_mut().push(Arc::clone(object.object_type().name()));
        implementation(object).is_some()
    };
    let is_implemented = values.into_iter().any(|value| has(value, &note));
    let names = names.into_inner();
    !is_implemented && names.iter().all(|name| names.first() == Some(name))
}

/// Returns true if a condition holds for a value, or for one in its collections.
fn has(value: &Value, is_sought: &dyn Fn(&Value) -> bool) -> bool {
    if let Value::Array(items) = value {
        items.iter().any(|item| has(item, is_sought))
    } else if let Value::Hash(hash) = value {
        hash.iter().any(|(_, value)| has(value, is_sought))
    } else {
        is_sought(value)
    }
}
