//! The variables that code has set so far.

use std::sync::Arc;

use super::abstraction::{any, join, type_of};
use puppetfn_base::limits::Limits;
use puppetfn_catalog::FastMap;
use puppetfn_types::value::Value;

/// A variable that was set, maybe.
#[derive(Clone, PartialEq, Debug)]
struct AssignedVariable {
    value: Value,
    /// Whether it was set on all paths that lead here.
    is_certain: bool,
    /// Whether it belongs to the scope itself; otherwise it is a narrowed variable of an outer scope.
    is_own: bool,
}

/// The variables of one scope. A copy costs nothing until it is changed.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct VariableScope<'s>(Arc<FastMap<&'s str, AssignedVariable>>);

/// The state of a variable.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum VariableState {
    /// It has this value.
    Certain(Value),
    /// It was set on some of the paths that lead here.
    Maybe,
    /// It is a parameter that comes later.
    NotYet,
}

/// The scopes that code sees, the innermost last.
#[derive(Default, Debug)]
pub(super) struct ScopeStack<'s> {
    scopes: Vec<VariableScope<'s>>,
    /// Parameters that have no value yet.
    unassigned: Vec<&'s str>,
}

impl<'s> ScopeStack<'s> {
    pub fn enter(&mut self) {
        self.scopes.push(VariableScope::default());
    }

    /// Returns the names of all that are visible.
    pub fn names(&self) -> Vec<&'s str> {
        self.scopes.iter().flat_map(|scope| scope.0.keys().copied()).collect()
    }

    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Returns the innermost scope as it is.
    pub fn innermost(&self) -> VariableScope<'s> {
        self.scopes.last().cloned().unwrap_or_default()
    }

    /// Restores a previous state of the innermost scope.
    pub fn restore(&mut self, scope: VariableScope<'s>) {
        if let Some(innermost) = self.scopes.last_mut() {
            *innermost = scope;
        }
    }

    pub fn get(&self, name: &str) -> Option<VariableState> {
        if self.unassigned.contains(&name) {
            return Some(VariableState::NotYet);
        }
        let mut found = self.scopes.iter().rev().filter_map(|scope| scope.0.get(name));
        found.next().map(|variable| match variable.is_certain {
            true => VariableState::Certain(variable.value.clone()),
            false => VariableState::Maybe,
        })
    }

    /// Sets a variable of the innermost scope. Returns true if it certainly had a value there before.
    pub fn set(&mut self, name: &'s str, value: Value) -> bool {
        let Some(innermost) = self.scopes.last_mut() else { return false };
        let before = Arc::make_mut(&mut innermost.0)
            .insert(name, AssignedVariable { value, is_certain: true, is_own: true });
        before.is_some_and(|before| before.is_certain && before.is_own)
    }

    /// Narrows a variable that certainly has a value, until the innermost scope is restored.
    pub fn narrow(&mut self, name: &'s str, value: Value) {
        let Some(innermost) = self.scopes.last_mut() else { return };
        let variables = Arc::make_mut(&mut innermost.0);
        let is_own = variables.get(name).is_some_and(|variable| variable.is_own);
        variables.insert(name, AssignedVariable { value, is_certain: true, is_own });
    }

    /// Notes which parameters have no value yet.
    pub fn set_unassigned(&mut self, names: Vec<&'s str>) {
        self.unassigned = names;
    }
}

impl VariableScope<'_> {
    /// Returns the number of variables.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Joins the scopes of two branches.
    pub fn join(self, other: Self, limits: &Limits) -> Self {
        if Arc::ptr_eq(&self.0, &other.0) {
            return self;
        }
        let uncertain = || AssignedVariable { value: any(), is_certain: false, is_own: true };
        let mut joined = Arc::unwrap_or_clone(self.0);
        joined.retain(|name, variable| match other.0.get(name) {
            Some(theirs) if theirs.is_own == variable.is_own => {
                let value = std::mem::replace(&mut variable.value, Value::Undef);
                variable.value = join(value, theirs.value.clone(), limits);
                variable.is_certain &= theirs.is_certain;
                true
            }
            // Then it belongs to an outer scope.
            None if !variable.is_own => false,
            Some(_) | None => {
                *variable = uncertain();
                true
            }
        });
        for (name, _) in other.0.iter().filter(|(_, theirs)| theirs.is_own) {
            joined.entry(name).or_insert_with(uncertain);
        }
        Self(Arc::new(joined))
    }

    /// Undoes narrowing since the branches split, where the joined type covers the previous one.
    pub fn settled(mut self, before: &Self, limits: &Limits) -> Self {
        let is_same = |variable: &AssignedVariable, before: &AssignedVariable| {
            variable.is_own
                && variable.value != before.value
                && type_of(&variable.value, limits).assignable(&type_of(&before.value, limits))
        };
        let same = self.0.iter().filter_map(|(name, variable)| {
            let before = before.0.get(name)?;
            is_same(variable, before).then(|| (*name, before.value.clone()))
        });
        for (name, value) in same.collect::<Vec<_>>() {
            if let Some(variable) = Arc::make_mut(&mut self.0).get_mut(name) {
                variable.value = value;
            }
        }
        self
    }
}
