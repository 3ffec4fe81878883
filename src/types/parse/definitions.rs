//! Definitions of named types that use each other.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::{AliasDefinition, TypeLookup};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::types::Type;

/// Named types, by name in lower case.
pub type NamedTypes = HashMap<String, Type>;

/// Definitions that may use each other in any way, wherever they stand.
#[derive(Clone, Default, Debug)]
pub struct Definitions<'s>(HashMap<String, AliasDefinition<'s>>);

impl<'s> FromIterator<AliasDefinition<'s>> for Definitions<'s> {
    fn from_iter<I: IntoIterator<Item = AliasDefinition<'s>>>(definitions: I) -> Self {
        let named = |definition: AliasDefinition<'s>| (definition.name().to_lowercase(), definition);
        Self(definitions.into_iter().map(named).collect())
    }
}

impl Definitions<'_> {
    /// The type of this name and all those that its definition uses, which have to be kept as long as
    /// it is used: a type that is used within its own definition, even by way of others, is not owned
    /// there. Nothing where there is no such definition; `outer` finds other types.
    ///
    /// # Errors
    /// Those of [`AliasDefinition::define`], and [`ErrorKind::Limit`] when definitions use each other in
    /// too long a chain.
    pub fn resolve(&self, name: &str, outer: &dyn TypeLookup, limits: &Limits) -> Result<NamedTypes, Error> {
        let resolution = Resolution::new(self, outer, limits);
        if self.0.contains_key(&name.to_lowercase()) {
            resolution.find(name)?;
        }
        Ok(resolution.done.into_inner())
    }

    /// All the types.
    ///
    /// # Errors
    /// As [`Definitions::resolve`].
    pub fn resolve_all(&self, outer: &dyn TypeLookup, limits: &Limits) -> Result<NamedTypes, Error> {
        let resolution = Resolution::new(self, outer, limits);
        for name in self.0.keys() {
            resolution.find(name)?;
        }
        Ok(resolution.done.into_inner())
    }
}

struct Resolution<'d, 's> {
    definitions: &'d Definitions<'s>,
    outer: &'d dyn TypeLookup,
    limits: &'d Limits,
    /// The types whose definitions are not complete.
    open: RefCell<NamedTypes>,
    done: RefCell<NamedTypes>,
    /// How deep the definitions nest that are not complete, all in all.
    depth: Cell<u32>,
}

impl<'d, 's> Resolution<'d, 's> {
    fn new(definitions: &'d Definitions<'s>, outer: &'d dyn TypeLookup, limits: &'d Limits) -> Self {
        let (open, done) = (RefCell::default(), RefCell::default());
        Self { definitions, outer, limits, open, done, depth: Cell::new(0) }
    }

    fn define(&self, name: &str, definition: &AliasDefinition<'_>) -> Result<Type, Error> {
        let depth = self.depth.replace(definition.nesting().saturating_add(self.depth.get()));
        if self.depth.get() > self.limits.syntax {
            return Err(too_deep(definition.name(), self.limits));
        }
        let enter = |me| _ = self.open.borrow_mut().insert(name.to_owned(), me);
        let defined = definition.define_within(self, &enter);
        self.open.borrow_mut().remove(name);
        self.depth.set(depth);
        defined
    }
}

impl TypeLookup for Resolution<'_, '_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        let key = name.to_lowercase();
        if let Some(open) = self.open.borrow().get(&key) {
            return Ok(Some(open.clone()));
        }
        if let Some(done) = self.done.borrow().get(&key) {
            return Ok(Some(done.clone()));
        }
        let Some(definition) = self.definitions.0.get(&key) else { return self.outer.find(name) };
        let t = self.define(&key, definition)?;
        self.done.borrow_mut().insert(key, t.clone());
        Ok(Some(t))
    }

    fn find_local(&self, name: &str) -> Result<Option<Type>, Error> {
        match self.definitions.0.contains_key(&name.to_lowercase()) {
            true => self.find(name),
            false => self.outer.find_local(name),
        }
    }
}

/// The error of definitions that use each other in too long a chain.
#[cold]
pub(crate) fn too_deep(name: &str, limits: &Limits) -> Error {
    Error::new(
        ErrorKind::Limit,
        format!(
            "the type aliases that '{name}' uses nest more than {} levels deep (limit 'syntax'; raise it with Limits)",
            limits.syntax
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::parse::NoAliases;

    fn resolved(texts: &[&str], name: &str) -> Result<Vec<String>, Error> {
        let definitions: Definitions<'_> =
            texts.iter().map(|text| AliasDefinition::parse(text, &Limits::DEFAULT).unwrap()).collect();
        let types = definitions.resolve(name, &NoAliases, &Limits::DEFAULT)?;
        let mut shown: Vec<_> = types.values().map(Type::to_expanded_string).collect();
        shown.sort();
        Ok(shown)
    }

    #[test]
    fn the_order_does_not_matter_and_only_what_is_used_is_resolved() {
        let texts = ["type A = Array[B]", "type B = Integer", "type Unused = Integer['a']"];
        assert_eq!(resolved(&texts, "a"), Ok(vec!["A = Array[B = Integer]".into(), "B = Integer".into()]));
        assert_eq!(resolved(&texts, "C"), Ok(vec![]));
    }

    #[test]
    fn definitions_use_each_other() {
        let texts = ["type Node = Struct[{kids => Kids}]", "type Kids = Array[Node]"];
        assert_eq!(resolved(&texts, "Node").unwrap().len(), 2);
        let circle = resolved(&["type A = B", "type B = A"], "A").unwrap_err();
        assert!(circle.message().ends_with("cannot be resolved to a real type"), "{circle}");
    }

    #[test]
    fn they_hide_types_of_puppets_own() {
        let texts = ["type A = Array[Node]", "type Node = Integer"];
        assert_eq!(
            resolved(&texts, "A"),
            Ok(vec!["A = Array[Node = Integer]".into(), "Node = Integer".into()])
        );
    }

    #[test]
    fn a_long_chain_is_an_error() {
        let texts: Vec<String> =
            (0..50_000).map(|index| format!("type A{index} = Array[A{}]", index + 1)).collect();
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        assert_eq!(resolved(&texts, "A0").unwrap_err().kind(), &ErrorKind::Limit);
    }
}
