//! Types that a text defines, which may use each other in any way.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::error::Error;
use crate::syntax::ast::{ExprKind, Program, TypeAlias};
use crate::types::Type;
use crate::types::parse::{AliasDefinition, TypeLookup};

/// The types that a text defines, by name in lower case.
///
/// # Errors
/// When a definition is not a type.
pub(super) fn types_of(
    program: &Program<'_>,
    outer: &dyn TypeLookup,
) -> Result<HashMap<String, Type>, Error> {
    let aliases = program.statements.iter().filter_map(|statement| {
        let ExprKind::TypeAlias(alias) = &statement.kind else { return None };
        Some((alias.name.to_lowercase(), &**alias))
    });
    let resolution = Resolution {
        text: program.text,
        aliases: aliases.collect(),
        outer,
        open: RefCell::default(),
        done: RefCell::default(),
    };
    let names: Vec<String> = resolution.aliases.keys().cloned().collect();
    for name in names {
        resolution.find(&name)?;
    }
    Ok(resolution.done.into_inner())
}

struct Resolution<'p, 's> {
    text: &'s str,
    aliases: indexmap::IndexMap<String, &'p TypeAlias<'s>>,
    outer: &'p dyn TypeLookup,
    /// The types whose definitions are not complete.
    open: RefCell<HashMap<String, Type>>,
    done: RefCell<HashMap<String, Type>>,
}

impl TypeLookup for Resolution<'_, '_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        let name = name.to_lowercase();
        if let Some(open) = self.open.borrow().get(&name) {
            return Ok(Some(open.clone()));
        }
        if let Some(done) = self.done.borrow().get(&name) {
            return Ok(Some(done.clone()));
        }
        let Some(alias) = self.aliases.get(&name) else { return self.outer.find(&name) };
        let definition = AliasDefinition::new(self.text, alias);
        let enter = |me| _ = self.open.borrow_mut().insert(name.clone(), me);
        let defined = definition.define_within(self, &enter);
        self.open.borrow_mut().remove(&name);
        let t = defined?;
        self.done.borrow_mut().insert(name, t.clone());
        Ok(Some(t))
    }
}
