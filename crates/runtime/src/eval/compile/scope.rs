//! Resolves variables to slots, and finds out whether they have a value where they are used.
//!
//! A function and the lambdas within it share a frame: a lambda runs only while the function does,
//! and its variables have slots of their own. Code runs in the order in which it is written, so a
//! use sees the assignments before it: the ones in a branch maybe, all others for sure.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::eval::code::Slot;

/// The variables of a function, or of a text, at one place in it.
#[derive(Debug)]
pub(super) struct CompileScope<'s> {
    /// The variables of the function, and of each lambda around the place. Empty for the top scope, whose
    /// variables are in no frame.
    layers: Vec<ScopeLayer<'s>>,
    /// The prefix of the top-scope variables that belong to a class or node.
    prefix: Option<Arc<str>>,
    next: Slot,
    size: u32,
}

#[derive(Debug)]
struct ScopeLayer<'s> {
    locals: Vec<Local<'s>>,
    first: Slot,
    /// While the default value of a parameter is compiled, the number of parameters before it.
    parameters_in_sight: Option<usize>,
}

#[derive(Debug)]
struct Local<'s> {
    name: &'s str,
    slot: Slot,
    is_certain: bool,
}

/// The resolution of a variable's name.
#[derive(PartialEq, Debug)]
pub(super) enum ResolvedVariable {
    /// The variable in this slot, which has a value.
    Certain(Slot),
    /// The first of these slots that has a value; otherwise a variable of the top scope.
    Maybe(Vec<Slot>),
    /// A parameter that has no value yet, though it will.
    NotYet,
}

/// The start of the variables that a branch assigns.
#[derive(Clone, Copy, Debug)]
pub(super) struct BranchStart(usize);

impl<'s> CompileScope<'s> {
    /// Returns the scope of the top level of a text.
    pub fn top() -> Self {
        Self { layers: Vec::new(), prefix: None, next: 0, size: 0 }
    }

    /// Returns the scope of the class of this name, or of a node. Its variables are of the top scope, too.
    pub fn of(prefix: Arc<str>) -> Self {
        Self { prefix: Some(prefix), ..Self::top() }
    }

    /// Returns the prefix of the variables of the class or node around.
    pub fn prefix(&self) -> Option<&Arc<str>> {
        self.prefix.as_ref()
    }

    /// Returns the name that a variable of the class or node, or of the top scope, has in all code.
    pub fn qualified<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match &self.prefix {
            Some(prefix) => format!("{prefix}::{name}").into(),
            None => name.into(),
        }
    }

    /// Returns true if assignments are to variables of the top scope.
    pub fn is_top(&self) -> bool {
        self.layers.is_empty()
    }

    /// Returns true if this is the top scope itself.
    pub fn is_main(&self) -> bool {
        self.is_top() && self.prefix.is_none()
    }

    /// Enters a function or a lambda.
    pub fn enter(&mut self) {
        self.layers.push(ScopeLayer { locals: Vec::new(), first: self.next, parameters_in_sight: None });
    }

    /// Leaves it, and returns the slots that it uses for itself, and the variables in them.
    pub fn leave(&mut self) -> (Range<Slot>, Vec<(Box<str>, Slot)>) {
        let Some(layer) = self.layers.pop() else { return (0..0, Vec::new()) };
        let last = layer.locals.iter().map(|local| local.slot.saturating_add(1)).max();
        self.next = layer.first;
        let names = layer.locals.iter().map(|local| (local.name.into(), local.slot)).collect();
        (layer.first..last.unwrap_or(layer.first), names)
    }

    /// Returns how large the frame has to be.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Adds a parameter.
    pub fn add_parameter(&mut self, name: &'s str) {
        self.add(name, true);
    }

    /// Adds a variable that may have a value before the code runs. A parameter of the same name hides it.
    pub fn add_optional(&mut self, name: &'s str) {
        self.add(name, false);
    }

    fn add(&mut self, name: &'s str, is_certain: bool) {
        let slot = self.allocate();
        if let Some(layer) = self.layers.last_mut() {
            layer.locals.push(Local { name, slot, is_certain });
        }
    }

    /// Begins to compile the default value of a parameter, where only the parameters before it have
    /// values; `None` ends that.
    pub fn see_parameters(&mut self, count: Option<usize>) {
        if let Some(layer) = self.layers.last_mut() {
            layer.parameters_in_sight = count;
        }
    }

    /// Returns true if assignments are not allowed here.
    pub fn is_read_only(&self) -> bool {
        self.layers.last().is_some_and(|layer| layer.parameters_in_sight.is_some())
    }

    /// Returns the slot of a variable that is assigned here.
    pub fn assign(&mut self, name: &'s str) -> Slot {
        let known =
            |layer: &ScopeLayer<'_>| layer.locals.iter().find(|local| local.name == name).map(|l| l.slot);
        if let Some(slot) = self.layers.last().and_then(known) {
            return slot;
        }
        let slot = self.allocate();
        if let Some(layer) = self.layers.last_mut() {
            layer.locals.push(Local { name, slot, is_certain: true });
        }
        slot
    }

    /// Resolves a variable's name here.
    pub fn find(&self, name: &str) -> ResolvedVariable {
        let mut slots = Vec::new();
        for layer in self.layers.iter().rev() {
            let Some(index) = layer.locals.iter().position(|local| local.name == name) else { continue };
            let Some(local) = layer.locals.get(index) else { continue };
            if layer.parameters_in_sight.is_some_and(|count| index >= count) {
                return ResolvedVariable::NotYet;
            }
            if local.is_certain && slots.is_empty() {
                return ResolvedVariable::Certain(local.slot);
            }
            slots.push(local.slot);
            if local.is_certain {
                break;
            }
        }
        ResolvedVariable::Maybe(slots)
    }

    /// Begins a branch: code that may be skipped.
    pub fn branch(&self) -> BranchStart {
        BranchStart(self.layers.last().map_or(0, |layer| layer.locals.len()))
    }

    /// Ends a branch, where control flow joins again.
    pub fn join(&mut self, BranchStart(start): BranchStart) {
        if let Some(layer) = self.layers.last_mut() {
            layer.locals.iter_mut().skip(start).for_each(|local| local.is_certain = false);
        }
    }

    fn allocate(&mut self) -> Slot {
        let slot = self.next;
        self.next = slot.saturating_add(1);
        self.size = self.size.max(self.next);
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lambdas_see_what_is_around_them() {
        let mut scope = CompileScope::top();
        scope.enter();
        scope.add_parameter("a");
        scope.enter();
        scope.add_parameter("b");
        assert_eq!(scope.find("a"), ResolvedVariable::Certain(0));
        assert_eq!(scope.find("b"), ResolvedVariable::Certain(1));
        assert_eq!(scope.assign("a"), 2);
        assert_eq!(scope.find("a"), ResolvedVariable::Certain(2));
        let named = |name: &str, slot| (Box::from(name), slot);
        assert_eq!(scope.leave(), (1..3, vec![named("b", 1), named("a", 2)]));
        assert_eq!(scope.find("a"), ResolvedVariable::Certain(0));
        assert_eq!(scope.find("b"), ResolvedVariable::Maybe(vec![]));
        assert_eq!((scope.leave(), scope.size()), ((0..1, vec![named("a", 0)]), 3));
    }

    #[test]
    fn what_a_branch_assigns_may_be_missing_behind_it() {
        let mut scope = CompileScope::top();
        scope.enter();
        scope.add_parameter("a");
        scope.enter();
        let branch = scope.branch();
        assert_eq!(scope.assign("a"), 1);
        assert_eq!(scope.find("a"), ResolvedVariable::Certain(1));
        scope.join(branch);
        assert_eq!(scope.find("a"), ResolvedVariable::Maybe(vec![1, 0]));
    }

    #[test]
    fn default_values_see_the_parameters_before_them() {
        let mut scope = CompileScope::top();
        scope.enter();
        ["a", "b", "c"].into_iter().for_each(|name| scope.add_parameter(name));
        scope.see_parameters(Some(1));
        assert_eq!(scope.find("a"), ResolvedVariable::Certain(0));
        assert_eq!(scope.find("b"), ResolvedVariable::NotYet);
        assert!(scope.is_read_only());
        scope.see_parameters(None);
        assert_eq!(scope.find("c"), ResolvedVariable::Certain(2));
    }
}
