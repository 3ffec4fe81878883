//! Variables from enclosing scopes of the catalog.
//!
//! A class sees its own variables, its ancestors' variables, and the variables of the node or of the top
//! scope. The last include locals of functions and lambdas and match variables there, while the class is evaluated, as in
//! Puppet, where such variables lie on a stack of the scope
//! (<https://www.puppet.com/docs/puppet/8/lang_scope.html>).

use std::sync::Arc;

use super::super::{Machine, MatchGroups};
use super::WaitingCaller;
use crate::eval::declaration::NODE;
use crate::eval::machine::machines::Machines;
use puppetfn_base::error::{Error, Signal};
use puppetfn_base::name::{is_qualified, split_qualified};
use puppetfn_catalog::{Compilation, ScopeId, SourceId};
use puppetfn_types::value::Value;

/// The locals and match variables of code in the scope of the node or in the top scope that has a class or resource evaluated.
#[derive(Clone, Debug)]
pub(in crate::eval) struct CallerLocals {
    caller: WaitingCaller,
    groups: Option<MatchGroups>,
}

impl Machine {
    /// Returns a variable that is neither of a function or lambda nor of the class itself.
    ///
    /// # Errors
    /// [`Signal::Unevaluated`](puppetfn_base::error::Signal::Unevaluated) when it is a parameter that has no value yet.
    pub(in crate::eval::machine) fn outer_variable(&self, name: &str) -> Result<Option<Value>, Error> {
        if self.shared.is_script || self.scope == ScopeId::TOP && !is_qualified(name) {
            return Ok(None);
        }
        self.shared.outside(Some(self), self.scope, name)
    }

    /// Passes the locals and match variables of the running code on to the class or resource of a scope.
    pub(super) fn pass_to(&self, scope: ScopeId) {
        let global = self.compilation().scopes.get(scope).global;
        let passing = if self.scope == global {
            let caller = self.declaring.clone().or_else(|| WaitingCaller::current(&self.shared));
            caller.map(|caller| CallerLocals { groups: self.groups_of(&caller), caller })
        } else {
            let is_same = self.compilation().scopes.get(self.scope).global == global;
            self.shared.passing(self.scope).filter(|_| is_same)
        };
        self.shared.set_passing(scope, passing);
    }

    /// Returns a group of the last match in an outer scope.
    #[cold]
    pub(in crate::eval::machine) fn outer_group(&self, number: u32) -> Option<Arc<str>> {
        self.shared.outer_groups(self.scope)?.get(number as usize)?.clone()
    }
}

/// Returns the error of a parameter that the default value of another uses, which comes after it or `is_before`, and
/// that has no value.
pub(super) fn unevaluated(subject: &str, name: &str, user: &str, is_before: bool) -> Error {
    let message = if is_before {
        format!("{subject}: expects a value for parameter ${name}")
    } else {
        format!(
            "{subject}: default expression for ${user} tries to illegally access not yet evaluated ${name}"
        )
    };
    Error::signal(Signal::Unevaluated, message)
}

/// Returns the names of the classes that a class builds on, the nearest first.
fn parents(compilation: &Compilation, source: SourceId) -> impl Iterator<Item = Arc<str>> {
    let parent = |source: &SourceId| compilation.scopes.source(*source).parent;
    std::iter::successors(parent(&source), parent)
        .map(|parent| Arc::clone(&compilation.scopes.source(parent).name))
}

/// Returns the prefix of the variables of a class or node.
fn own_name(compilation: &Compilation, scope: ScopeId) -> Arc<str> {
    if compilation.scopes.named(NODE) == Some(scope) {
        return NODE.into();
    }
    Arc::clone(&compilation.scopes.source(compilation.source(scope)).name)
}

/// Resolution of variables for machines. A machine that asks is not one of the machines that wait for the host.
impl Machines {
    /// Returns a variable as code in a scope sees it that is in no function or lambda.
    pub(in crate::eval::machine) fn variable_in(
        &self,
        asking: Option<&Machine>,
        scope: ScopeId,
        name: &str,
    ) -> Result<Option<Value>, Error> {
        if self.is_script {
            return Ok(None);
        }
        let own = if is_qualified(name) {
            self.variables.get(name).map(|own| own.value)
        } else {
            let class = own_name(&self.compilation(), scope);
            self.class_variable(&class, name)
        };
        match own {
            Some(own) => Ok(Some(own)),
            None => self.outside(asking, scope, name),
        }
    }

    fn outside(&self, asking: Option<&Machine>, scope: ScopeId, name: &str) -> Result<Option<Value>, Error> {
        if let Some((class, name)) = split_qualified(name) {
            let compilation = self.compilation();
            let class = class.strip_prefix("::").unwrap_or(class);
            let Some(scope) = compilation.scopes.named(class) else { return Ok(None) };
            self.refuse_unevaluated(&compilation, scope, name)?;
            return Ok(self.inherited_variable(&compilation, scope, name));
        }
        if scope == ScopeId::TOP {
            return Ok(None);
        }
        self.refuse_unevaluated(&self.compilation(), scope, name)?;
        let (found, global) = {
            let compilation = self.compilation();
            let found = compilation.scopes.variable(scope, name).cloned();
            let found = found.or_else(|| self.inherited_variable(&compilation, scope, name));
            (found, compilation.scopes.get(scope).global)
        };
        let found = found.or_else(|| self.passing(scope)?.caller.local(asking, self, name));
        Ok(found.or_else(|| if global == ScopeId::TOP { None } else { self.class_variable(NODE, name) }))
    }

    /// Returns the groups of the last match in an outer scope: in the code that has the class or resource evaluated, in
    /// parent classes, in the node or in the top scope.
    pub(in crate::eval::machine) fn outer_groups(&self, scope: ScopeId) -> Option<MatchGroups> {
        if self.is_script || scope == ScopeId::TOP {
            return None;
        }
        if let Some(groups) = self.passing(scope).and_then(|passing| passing.groups) {
            return Some(groups);
        }
        let around: Vec<ScopeId> = {
            let compilation = self.compilation();
            let parents = parents(&compilation, compilation.source(scope));
            let parents = parents.filter_map(|parent| compilation.scopes.named(&parent));
            let global = compilation.scopes.get(scope).global;
            parents.chain([global, ScopeId::TOP]).filter(|around| *around != scope).collect()
        };
        around.into_iter().find_map(|scope| self.groups(scope))
    }

    /// Fails when it is a parameter of the class or resource of a scope whose default values are being evaluated.
    fn refuse_unevaluated(&self, compilation: &Compilation, scope: ScopeId, name: &str) -> Result<(), Error> {
        let Some((definition, current)) = self.defaults_of(scope) else { return Ok(()) };
        let mut parameters = definition.parameters.iter();
        let (Some(awaited), Some(user)) =
            (parameters.position(|parameter| *parameter.name == *name), definition.parameters.get(current))
        else {
            return Ok(());
        };
        let subject = compilation.container(scope).map(|r| r.reference().to_string()).unwrap_or_default();
        Err(unevaluated(&subject, name, &user.name, awaited < current))
    }

    fn inherited_variable(&self, compilation: &Compilation, scope: ScopeId, name: &str) -> Option<Value> {
        parents(compilation, compilation.source(scope)).find_map(|parent| self.class_variable(&parent, name))
    }

    /// Returns all variables that code in a scope sees, without variables of the top scope. A variable that shadows another
    /// one comes after it.
    pub(in crate::eval::machine) fn variables_in(&self, scope: ScopeId) -> Vec<(Arc<str>, Value)> {
        if self.is_script || scope == ScopeId::TOP {
            return Vec::new();
        }
        let is_in_node = ![ScopeId::TOP, scope].contains(&self.compilation().scopes.get(scope).global);
        let mut variables = if is_in_node { self.class_variables(NODE) } else { Vec::new() };
        variables.extend(self.own_variables_in(scope));
        variables
    }

    /// Returns the variables of the class, node or resource of a scope, after the variables that it inherits.
    pub(in crate::eval::machine) fn own_variables_in(&self, scope: ScopeId) -> Vec<(Arc<str>, Value)> {
        let compilation = self.compilation();
        let mut classes: Vec<Arc<str>> = parents(&compilation, compilation.source(scope)).collect();
        classes.reverse();
        classes.push(own_name(&compilation, scope));
        let mut variables: Vec<_> = classes.iter().flat_map(|class| self.class_variables(class)).collect();
        variables.extend(compilation.scopes.variables(scope));
        variables
    }

    /// Returns a variable of a class or node.
    fn class_variable(&self, class: &str, name: &str) -> Option<Value> {
        self.variables.get(&[class, "::", name].concat()).map(|variable| variable.value)
    }

    /// Returns the variables of a class or node, by their names in it.
    fn class_variables(&self, class: &str) -> Vec<(Arc<str>, Value)> {
        self.variables.of_class(class)
    }

    /// Sets a variable of a scope, if it has no value there. Returns false if it has.
    pub(in crate::eval) fn set_in(&self, scope: ScopeId, name: &str, value: Value) -> bool {
        self.variables.note_name(name);
        let mut compilation = self.compilation();
        let class = match scope {
            ScopeId::TOP => None,
            scope if compilation.scopes.is_named(scope) => Some(own_name(&compilation, scope)),
            // Variables of a resource of a defined type are in a frame, except for names that its code does not have.
            scope => return compilation.scopes.set_variable(scope, name, value),
        };
        drop(compilation);
        let name = class.map_or_else(|| name.to_owned(), |class| format!("{class}::{name}"));
        let is_new = self.variables.assign(self.variables.id(&name), value);
        self.outdate();
        is_new
    }
}
