//! The variables that code has set where it has come to.

use std::collections::HashMap;
use std::sync::Arc;

use super::abstraction::{any, join};
use crate::limits::Limits;
use crate::value::Value;

/// A variable that was set, maybe.
#[derive(Clone, PartialEq, Debug)]
struct Variable {
    value: Value,
    /// Whether it was set on all ways that lead here.
    is_certain: bool,
}

/// The variables of one scope. A copy costs nothing until it is changed.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Scope<'s>(Arc<HashMap<&'s str, Variable>>);

/// What a variable is found to be.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Found {
    /// It has this value.
    Certain(Value),
    /// It was set on some of the ways that lead here.
    Maybe,
    /// It is a parameter that comes later.
    NotYet,
}

/// The scopes that code sees, the innermost last.
#[derive(Default, Debug)]
pub(super) struct Variables<'s> {
    scopes: Vec<Scope<'s>>,
    /// Parameters that have no value yet.
    pending: Vec<&'s str>,
}

impl<'s> Variables<'s> {
    pub fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    /// The innermost scope as it is.
    pub fn innermost(&self) -> Scope<'s> {
        self.scopes.last().cloned().unwrap_or_default()
    }

    /// Puts the innermost scope back to what it was.
    pub fn restore(&mut self, scope: Scope<'s>) {
        if let Some(innermost) = self.scopes.last_mut() {
            *innermost = scope;
        }
    }

    pub fn get(&self, name: &str) -> Option<Found> {
        if self.pending.contains(&name) {
            return Some(Found::NotYet);
        }
        let mut found = self.scopes.iter().rev().filter_map(|scope| scope.0.get(name));
        found.next().map(|variable| match variable.is_certain {
            true => Found::Certain(variable.value.clone()),
            false => Found::Maybe,
        })
    }

    /// Sets a variable of the innermost scope, and tells if it certainly had a value there before.
    pub fn set(&mut self, name: &'s str, value: Value) -> bool {
        let Some(innermost) = self.scopes.last_mut() else { return false };
        let before = Arc::make_mut(&mut innermost.0).insert(name, Variable { value, is_certain: true });
        before.is_some_and(|before| before.is_certain)
    }

    /// Says which parameters have no value yet.
    pub fn set_pending(&mut self, names: Vec<&'s str>) {
        self.pending = names;
    }
}

impl Scope<'_> {
    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// What is known where two ways meet.
    pub fn join(self, other: Self, limits: &Limits) -> Self {
        if Arc::ptr_eq(&self.0, &other.0) {
            return self;
        }
        let mut joined = Arc::unwrap_or_clone(self.0);
        for (name, variable) in &mut joined {
            match other.0.get(name) {
                Some(theirs) => {
                    let value = std::mem::replace(&mut variable.value, Value::Undef);
                    variable.value = join(value, theirs.value.clone(), limits);
                    variable.is_certain &= theirs.is_certain;
                }
                None => *variable = Variable { value: any(), is_certain: false },
            }
        }
        for name in other.0.keys() {
            joined.entry(name).or_insert_with(|| Variable { value: any(), is_certain: false });
        }
        Self(Arc::new(joined))
    }
}
