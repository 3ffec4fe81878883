//! Types that only one loader sees, those of `local_types`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use puppetfn::error::{Error, ErrorKind, Place};
use puppetfn::loader::Loader as Core;
use puppetfn::types::Type;
use puppetfn::types::parse::{AliasDefinition, Definitions, NamedTypes, TypeLookup};

use super::limits;

/// Types by name, and where others are looked up.
#[derive(Default)]
pub struct LocalTypes {
    types: RwLock<Types>,
    /// Held while types are resolved, so that none is defined twice.
    resolving: Mutex<()>,
    outer: Option<Arc<LocalTypes>>,
}

/// Types that are defined, by name in lower case: each is resolved when it is first looked for.
#[derive(Default)]
struct Types {
    /// The texts of the definitions.
    texts: HashMap<String, Arc<str>>,
    resolved: NamedTypes,
}

impl LocalTypes {
    /// No types yet, within those of another loader.
    pub fn within(outer: &Arc<Self>) -> Self {
        Self { outer: Some(Arc::clone(outer)), ..Self::default() }
    }

    /// Takes the text of a definition, `type Name = ...`, and gives the name.
    pub fn define(&self, text: &str) -> Result<String, Error> {
        let definition = AliasDefinition::parse(text, &limits::current())?;
        let name = definition.name();
        let mut types = self.types.write().unwrap_or_else(PoisonError::into_inner);
        match types.texts.entry(name.to_lowercase()) {
            Entry::Occupied(first) => Err(redefined(name, first.get())),
            Entry::Vacant(entry) => {
                entry.insert(text.into());
                Ok(name.to_owned())
            }
        }
    }

    /// The type of this name, if it is known and resolved.
    pub fn resolved(&self, name: &str) -> Option<Type> {
        let found = self.read().resolved.get(&name.to_lowercase()).cloned();
        found.or_else(|| self.outer.as_ref()?.resolved(name))
    }

    /// The type of this name, which is resolved if it was not.
    pub fn find(&self, name: &str, loader: &Core) -> Result<Option<Type>, Error> {
        let scope = Scope { types: self, loader };
        if !self.read().is_resolved(&name.to_lowercase()) {
            self.resolve(name, &scope)?;
        }
        if let Some(found) = self.resolved(name) {
            return Ok(Some(found));
        }
        self.outer.as_ref().map_or(Ok(None), |outer| outer.find(name, loader))
    }

    fn resolve(&self, name: &str, scope: &Scope<'_>) -> Result<(), Error> {
        let _resolving = self.resolving.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = self.read().unresolved();
        let limits = &limits::current();
        let definitions = texts.iter().map(|text| AliasDefinition::parse(text, limits));
        let definitions = definitions.collect::<Result<Definitions<'_>, Error>>()?;
        let found = definitions.resolve(name, scope, limits)?;
        self.types.write().unwrap_or_else(PoisonError::into_inner).resolved.extend(found);
        Ok(())
    }

    fn read(&self) -> RwLockReadGuard<'_, Types> {
        self.types.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Types {
    /// Tells if nothing is left to be resolved for a name, in lower case.
    fn is_resolved(&self, name: &str) -> bool {
        self.resolved.contains_key(name) || !self.texts.contains_key(name)
    }

    fn unresolved(&self) -> Vec<Arc<str>> {
        let unresolved = self.texts.iter().filter(|(name, _)| !self.resolved.contains_key(*name));
        unresolved.map(|(_, text)| Arc::clone(text)).collect()
    }
}

/// What definitions see: the types that are resolved, and those around them.
struct Scope<'l> {
    types: &'l LocalTypes,
    loader: &'l Core,
}

impl TypeLookup for Scope<'_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        self.find_local(name)?.map_or_else(|| self.loader.find(name), |t| Ok(Some(t)))
    }

    fn find_local(&self, name: &str) -> Result<Option<Type>, Error> {
        if let Some(found) = self.types.read().resolved.get(&name.to_lowercase()) {
            return Ok(Some(found.clone()));
        }
        self.types.outer.as_ref().map_or(Ok(None), |outer| outer.find(name, self.loader))
    }
}

/// The error of a second definition, with the place of the first as Puppet shows it.
fn redefined(name: &str, first: &str) -> Error {
    let place = Place::of(first, KEYWORD.len() as u32);
    let (line, column) = (place.line.unwrap_or_default(), place.column.unwrap_or_default());
    let name = name.to_lowercase();
    let message = format!(
        "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/{name}'. \
         Originally set at string:?line={line}&pos={column}."
    );
    Error::new(ErrorKind::Load, message)
}

/// What precedes the text of a definition.
pub const KEYWORD: &str = "type ";
