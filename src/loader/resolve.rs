//! Type aliases from files, which may use each other in any way.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError, RwLock};

use super::typed_name::{Kind, TypedName};
use super::{Loader, Located};
use crate::error::Error;
use crate::types::Type;
use crate::types::parse::{AliasDefinition, TypeLookup, too_deep};

type Types = HashMap<String, Option<Type>>;

/// The types that have been looked for, by name in lower case; none for those that do not exist.
///
/// What is in here is complete: with an alias there are all those that it uses. It owns them, for
/// an alias that is used within its own definition, even by way of others, is not owned there.
#[derive(Default)]
pub(super) struct Resolved {
    types: RwLock<Types>,
    /// Held while files are read, so that an alias is not defined twice.
    resolving: Mutex<()>,
}

impl Resolved {
    /// The type of this name.
    ///
    /// # Errors
    /// [`crate::error::ErrorKind::Load`] when its file does not define it, [`crate::error::ErrorKind::Limit`] when aliases use
    /// each other in too long a chain, and those of parsing. Nothing is kept then.
    pub fn find(&self, loader: &Loader, name: &str) -> Result<Option<Type>, Error> {
        let Some(name) = TypedName::new(Kind::Type, name) else { return Ok(None) };
        if let Some(known) = self.known(&name) {
            return Ok(known);
        }
        let _resolving = self.resolving.lock().unwrap_or_else(PoisonError::into_inner);
        let resolution = Resolution {
            loader,
            known: self,
            open: RefCell::default(),
            done: RefCell::default(),
            depth: Cell::new(0),
        };
        let found = resolution.get(&name)?;
        self.types.write().unwrap_or_else(PoisonError::into_inner).extend(resolution.done.into_inner());
        Ok(found)
    }

    /// Tells if a type of this name has been found.
    pub fn is_known(&self, name: &str) -> bool {
        TypedName::new(Kind::Type, name).is_some_and(|name| matches!(self.known(&name), Some(Some(_))))
    }

    fn known(&self, name: &TypedName) -> Option<Option<Type>> {
        self.types.read().unwrap_or_else(PoisonError::into_inner).get(name.name()).cloned()
    }
}

/// The loading of one alias and of all that it uses.
struct Resolution<'l> {
    loader: &'l Loader,
    known: &'l Resolved,
    /// The aliases whose definitions are not complete.
    open: RefCell<HashMap<String, Type>>,
    done: RefCell<Types>,
    /// How deep the definitions nest that are not complete, all in all.
    depth: Cell<u32>,
}

impl Resolution<'_> {
    fn get(&self, name: &TypedName) -> Result<Option<Type>, Error> {
        if let Some(open) = self.open.borrow().get(name.name()) {
            return Ok(Some(open.clone()));
        }
        if let Some(done) = self.done.borrow().get(name.name()) {
            return Ok(done.clone());
        }
        if let Some(known) = self.known.known(name) {
            return Ok(known);
        }
        let found = self.load(name)?;
        self.done.borrow_mut().insert(name.name().to_owned(), found.clone());
        Ok(found)
    }

    fn load(&self, name: &TypedName) -> Result<Option<Type>, Error> {
        let Some(Located { path, .. }) = self.loader.locate(name)? else { return Ok(None) };
        let source = path.to_string_lossy();
        let text = self.loader.read(&path)?;
        let limits = &self.loader.limits;
        let definition = AliasDefinition::parse_file(&text, name.name(), &source, limits)?;

        let depth = self.depth.get();
        self.depth.set(depth.saturating_add(definition.nesting()));
        if self.depth.get() > limits.syntax {
            return Err(too_deep(definition.name(), limits));
        }
        let enter = |me| _ = self.open.borrow_mut().insert(name.name().to_owned(), me);
        let defined = definition.define_within(self, &enter);
        self.open.borrow_mut().remove(name.name());
        self.depth.set(depth);
        defined.map(Some)
    }
}

impl TypeLookup for Resolution<'_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        TypedName::new(Kind::Type, name).map_or(Ok(None), |name| self.get(&name))
    }
}
