//! Resolves definitions of named types that use each other.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use super::{ForwardReference, ForwardReferences, NamedDefinition, TypeLookup};
use crate::types::Type;
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Limits, exceeded};
use puppetfn_base::name::lowercase;

/// Named types, by name in lower case.
type NamedTypes = HashMap<String, Type>;

/// Definitions that may use each other in any way, regardless of their location. As in Puppet, each is resolved on first
/// use, and the types of a set become available once the set is resolved.
///
/// It has to live as long as its types are used: a type that is used within its own definition, even indirectly, is not
/// owned there.
#[derive(Default, Debug)]
pub struct Definitions {
    known: RwLock<KnownDefinitions>,
    /// Held while types are resolved, so that none is defined twice.
    resolving: Mutex<()>,
}

#[derive(Default, Debug)]
struct KnownDefinitions {
    definitions: HashMap<String, Arc<dyn NamedDefinition>>,
    resolved: NamedTypes,
}

impl Definitions {
    /// Adds the definition of a type with this name. An earlier definition of the name stays and is returned.
    pub fn add(&self, name: &str, definition: Arc<dyn NamedDefinition>) -> Option<Arc<dyn NamedDefinition>> {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        match known.definitions.entry(name.to_lowercase()) {
            Entry::Occupied(first) => Some(Arc::clone(first.get())),
            Entry::Vacant(entry) => {
                entry.insert(definition);
                None
            }
        }
    }

    /// Takes the definition of a type back, as if it had not been added.
    pub fn remove(&self, name: &str) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let name = lowercase(name);
        known.definitions.remove(&*name);
        known.resolved.remove(&*name);
    }

    /// Returns the type of this name, if it is resolved.
    pub fn resolved(&self, name: &str) -> Option<Type> {
        self.read().resolved.get(&*lowercase(name)).cloned()
    }

    /// Returns the type with this name, resolving it if necessary; `None` if the name is not defined here. `outer` finds
    /// the other types that definitions use.
    ///
    /// # Errors
    /// Fails if the definition is wrong, and with [`ErrorKind::Limit`](puppetfn_base::error::ErrorKind::Limit) if
    /// definitions use each other in too long a chain. No type is resolved then.
    pub fn find(&self, name: &str, outer: &dyn TypeLookup, limits: &Limits) -> Result<Option<Type>, Error> {
        let key = lowercase(name);
        if self.read().is_resolved(&key) {
            return Ok(self.resolved(name));
        }
        let _resolving = self.resolving.lock().unwrap_or_else(PoisonError::into_inner);
        let resolution = DefinitionResolution {
            definitions: self,
            outer,
            limits,
            open: RefCell::default(),
            done: RefCell::default(),
            forwards: ForwardReferences::default(),
            depth: Cell::new(0),
        };
        let found = resolution.find(name)?;
        resolution.forwards.resolve(&resolution)?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        for (name, t) in resolution.done.into_inner() {
            known.add_members(&name, &t);
            known.resolved.insert(name, t);
        }
        Ok(found)
    }

    fn read(&self) -> RwLockReadGuard<'_, KnownDefinitions> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownDefinitions {
    /// Returns true if nothing is left to be resolved for a name in lower case.
    fn is_resolved(&self, key: &str) -> bool {
        self.resolved.contains_key(key) || !self.definitions.contains_key(key)
    }

    /// Adds the types of a set, by their full names.
    fn add_members(&mut self, name: &str, t: &Type) {
        let Type::TypeSet(set) = t else { return };
        let Some(set) = set.get() else { return };
        for (member, t) in set.types() {
            let Value::Type(t) = t else { continue };
            let name = format!("{name}::{}", member.to_lowercase());
            self.add_members(&name, t);
            self.resolved.entry(name).or_insert_with(|| (**t).clone());
        }
    }
}

struct DefinitionResolution<'d> {
    definitions: &'d Definitions,
    outer: &'d dyn TypeLookup,
    limits: &'d Limits,
    /// The types whose definitions are not complete.
    open: RefCell<NamedTypes>,
    done: RefCell<NamedTypes>,
    forwards: ForwardReferences,
    /// Total nesting depth of all open definitions.
    depth: Cell<u32>,
}

impl DefinitionResolution<'_> {
    /// Returns the type with a name in lower case, if it is defined here.
    fn own(&self, key: &str) -> Result<Option<Type>, Error> {
        let known = self.open.borrow().get(key).or(self.done.borrow().get(key)).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let definition = {
            let known = self.definitions.read();
            match known.resolved.get(key) {
                Some(resolved) => return Ok(Some(resolved.clone())),
                None => known.definitions.get(key).cloned(),
            }
        };
        let Some(definition) = definition else { return Ok(None) };
        let t = self.define(key, &*definition)?;
        self.done.borrow_mut().insert(key.to_owned(), t.clone());
        Ok(Some(t))
    }

    fn define(&self, key: &str, definition: &dyn NamedDefinition) -> Result<Type, Error> {
        let depth = self.depth.replace(definition.nesting().saturating_add(self.depth.get()));
        if self.depth.get() > self.limits.syntax {
            return Err(too_deep(definition.name(), self.limits));
        }
        let enter = |me| _ = self.open.borrow_mut().insert(key.to_owned(), me);
        let defined = definition.define_within(self, self.limits, &enter);
        self.open.borrow_mut().remove(key);
        self.depth.set(depth);
        defined
    }
}

impl TypeLookup for DefinitionResolution<'_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        self.own(&lowercase(name))?.map_or_else(|| self.outer.find(name), |t| Ok(Some(t)))
    }

    fn refer(&self, reference: ForwardReference) -> Option<ForwardReference> {
        self.forwards.add(reference);
        None
    }

    fn find_local(&self, name: &str) -> Result<Option<Type>, Error> {
        self.own(&lowercase(name))?.map_or_else(|| self.outer.find_local(name), |t| Ok(Some(t)))
    }
}

/// Returns the error of definitions that use each other in too long a chain.
#[cold]
pub fn too_deep(name: &str, limits: &Limits) -> Error {
    let levels = limits.syntax;
    exceeded(
        format_args!("the type aliases that '{name}' uses nest more than {levels} levels deep"),
        "syntax",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::parse::{AliasDefinition, NoAliases};
    use puppetfn_base::error::ErrorKind;

    fn definitions(texts: &[&str]) -> Definitions {
        let definitions = Definitions::default();
        for text in texts {
            let definition = AliasDefinition::parse(text, &Limits::DEFAULT).unwrap();
            let name = definition.name().to_owned();
            assert!(definitions.add(&name, Arc::new(definition)).is_none());
        }
        definitions
    }

    fn resolved(texts: &[&str], name: &str) -> Result<Vec<String>, Error> {
        let definitions = definitions(texts);
        definitions.find(name, &NoAliases, &Limits::DEFAULT)?;
        let mut shown: Vec<_> = definitions.read().resolved.values().map(Type::to_expanded_string).collect();
        shown.sort();
        Ok(shown)
    }

    #[test]
    fn only_definitions_that_contain_themselves_are_recursive() {
        let texts = [
            "type A = Integer",
            "type B = Array[A]",
            "type T = Array[T]",
            "type X = Array[Y]",
            "type Y = Array[X]",
        ];
        let definitions = definitions(&texts);
        for (name, expected) in [("A", false), ("B", false), ("T", true), ("X", true), ("Y", false)] {
            let found = definitions.find(name, &NoAliases, &Limits::DEFAULT).unwrap();
            let is_recursive = matches!(&found, Some(Type::Alias(alias)) if alias.is_recursive());
            assert_eq!(is_recursive, expected, "{name}");
        }
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

    #[test]
    fn the_types_of_a_set_are_known_once_the_set_is() {
        let texts =
            ["type Ts = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {A => Integer}}]"];
        let definitions = definitions(&texts);
        let find = |name| definitions.find(name, &NoAliases, &Limits::DEFAULT).unwrap();
        assert_eq!(find("Ts::A"), None);
        assert!(find("Ts").is_some());
        assert_eq!(find("Ts::A").map(|t| t.to_expanded_string()), Some("Ts::A = Integer".into()));
    }

    #[test]
    fn the_first_definition_stays() {
        let definitions = definitions(&["type A = Integer"]);
        let second = AliasDefinition::parse("type A = String", &Limits::DEFAULT).unwrap();
        assert!(definitions.add("a", Arc::new(second)).is_some());
        let found = definitions.find("A", &NoAliases, &Limits::DEFAULT).unwrap();
        assert_eq!(found.map(|t| t.to_expanded_string()), Some("A = Integer".into()));
    }
}
