//! The scopes of variables.

use std::collections::HashSet;
use std::sync::Arc;

use super::symbol::Symbol;

/// The owner of a scope's variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// The top scope, a class or a defined type, by its name; and the class that it inherits from.
    Named { name: Arc<str>, parent: Option<Arc<str>> },
    /// A function, a lambda or a template, by its start offset.
    Local(u32),
}

/// A scope.
#[derive(Debug)]
struct LexicalScope {
    owner: Owner,
    names: HashSet<String>,
    /// Whether a lookup continues in the outer scopes.
    sees_outer: bool,
}

/// The scopes at a place, the innermost last.
#[derive(Debug)]
pub(crate) struct LexicalScopes(Vec<LexicalScope>);

impl LexicalScopes {
    /// The top scope.
    pub fn new() -> Self {
        let owner = Owner::Named { name: "".into(), parent: None };
        Self(vec![LexicalScope { owner, names: HashSet::new(), sees_outer: false }])
    }

    /// Enters a scope with these variables.
    pub fn enter(&mut self, owner: Owner, names: HashSet<String>, sees_outer: bool) {
        self.0.push(LexicalScope { owner, names, sees_outer });
    }

    pub fn leave(&mut self) {
        self.0.pop();
    }

    /// Returns the module of the code, by the enclosing class or defined type.
    pub fn module(&self) -> Option<&str> {
        let named = self.0.iter().rev().find_map(|scope| match &scope.owner {
            Owner::Named { name, .. } => Some(name),
            Owner::Local(_) => None,
        });
        named.and_then(|name| name.split("::").next()).filter(|module| !module.is_empty())
    }

    /// Resolves a name that is used.
    pub fn used(&self, name: &str) -> Symbol {
        if let Some((owner, name)) = name.rsplit_once("::") {
            let owner = owner.trim_start_matches("::").to_lowercase();
            return Symbol::Variable { owner: owner.into(), name: name.into() };
        }
        let mut inherited = None;
        for scope in self.0.iter().rev() {
            if scope.names.contains(name) {
                return scope.owner.variable(name);
            }
            if let Owner::Named { parent: Some(parent), .. } = &scope.owner {
                inherited = inherited.or(Some(parent));
            }
            if !scope.sees_outer {
                break;
            }
        }
        let owner = inherited.map_or_else(|| "".into(), Arc::clone);
        Symbol::Variable { owner, name: name.into() }
    }

    /// Resolves a name that is set.
    pub fn set(&self, name: &str) -> Symbol {
        let innermost = self.0.last().map(|scope| scope.owner.variable(name));
        innermost.unwrap_or_else(|| Symbol::Variable { owner: "".into(), name: name.into() })
    }
}

impl Owner {
    fn variable(&self, name: &str) -> Symbol {
        let name = name.into();
        match self {
            Self::Named { name: owner, .. } => Symbol::Variable { owner: Arc::clone(owner), name },
            Self::Local(scope) => Symbol::Local { scope: *scope, name },
        }
    }
}
