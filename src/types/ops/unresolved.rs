//! Finding names that no type has.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::limits::Limits;
use crate::types::Type;

impl Type {
    /// The first name in this type that no loaded type has.
    pub fn unresolved(&self) -> Option<Arc<str>> {
        find(self, Limits::DEFAULT.nesting).break_value()
    }
}

fn find(t: &Type, depth: u32) -> ControlFlow<Arc<str>> {
    if let Type::Reference(name) = t {
        return ControlFlow::Break(Arc::clone(name));
    }
    match depth.checked_sub(1) {
        Some(depth) => t.visit_contained(|t| find(t, depth)),
        None => ControlFlow::Continue(()),
    }
}
