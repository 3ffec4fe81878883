//! Finds names that no type has.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::types::Type;
use puppetfn_base::limits::Limits;

impl Type {
    /// Returns the first name in this type, or in the targets of its aliases, that no loaded type has.
    pub fn unresolved(&self) -> Option<Arc<str>> {
        find(self, Limits::DEEPEST, Some(&mut Vec::new())).break_value()
    }

    /// Returns the first name that is written in this type, and that no loaded type has.
    pub fn unknown_name(&self) -> Option<Arc<str>> {
        find(self, Limits::DEEPEST, None).break_value()
    }
}

/// `seen` holds the definitions that were visited already, if definitions are followed.
fn find(t: &Type, depth: u32, mut seen: Option<&mut Vec<usize>>) -> ControlFlow<Arc<str>> {
    let Some(depth) = depth.checked_sub(1) else { return ControlFlow::Continue(()) };
    if let Type::Reference(name) = t {
        return ControlFlow::Break(Arc::clone(name));
    }
    if let Type::Alias(alias) = t {
        let Some(seen) = seen else { return ControlFlow::Continue(()) };
        if seen.contains(&alias.identity()) {
            return ControlFlow::Continue(());
        }
        seen.push(alias.identity());
        return alias
            .with_target(|target| target.map_or(ControlFlow::Continue(()), |t| find(t, depth, Some(seen))));
    }
    t.visit_contained(|t| find(t, depth, seen.as_deref_mut()))
}
