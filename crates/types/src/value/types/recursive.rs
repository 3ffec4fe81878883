//! Definitions that may contain themselves.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock, Weak};

use puppetfn_base::error::Error;

/// The definition of a name.
pub struct Definition<T> {
    name: Arc<str>,
    target: T,
    recursive: bool,
}

/// A use of a definition.
///
/// A use within the definition itself does not keep it alive, so that a recursive definition can be freed.
pub enum DefinitionUse<T> {
    /// A use from outside.
    Use(Arc<Definition<T>>),
    /// A use from within the definition.
    Within(Arc<RecursiveUse<T>>),
}

/// A use of a definition within itself.
pub struct RecursiveUse<T> {
    name: Arc<str>,
    definition: OnceLock<Weak<Definition<T>>>,
}

impl<T> Deref for Definition<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.target
    }
}

impl<T> DefinitionUse<T> {
    /// Defines a name. `resolve` gets the reference to it, for use in its own definition.
    ///
    /// # Errors
    /// The same errors as `resolve`.
    pub fn define(
        name: impl Into<Arc<str>>,
        resolve: impl FnOnce(Self) -> Result<T, Error>,
    ) -> Result<Self, Error> {
        let within = Arc::new(RecursiveUse { name: name.into(), definition: OnceLock::new() });
        let target = resolve(Self::Within(Arc::clone(&within)))?;
        // All other owners are parts of the definition.
        Ok(Self::of(&within, target, 1))
    }

    /// Defines a name. `enter` puts the reference to it where `resolve` finds it.
    ///
    /// # Errors
    /// The same errors as `resolve`.
    pub fn define_entered(
        name: impl Into<Arc<str>>,
        enter: impl FnOnce(Self),
        resolve: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Self, Error> {
        let within = Arc::new(RecursiveUse { name: name.into(), definition: OnceLock::new() });
        enter(Self::Within(Arc::clone(&within)));
        let holders = Arc::strong_count(&within);
        Ok(Self::of(&within, resolve()?, holders))
    }

    /// Completes a definition. It is recursive if its reference has more owners than `holders`.
    fn of(within: &Arc<RecursiveUse<T>>, target: T, holders: usize) -> Self {
        let recursive = Arc::strong_count(within) > holders;
        let definition = Arc::new(Definition { name: Arc::clone(&within.name), target, recursive });
        within.definition.get_or_init(|| Arc::downgrade(&definition));
        Self::Use(definition)
    }

    /// Creates a forward reference, whose definition is set later by its owner.
    pub fn forward(name: impl Into<Arc<str>>) -> Self {
        Self::Within(Arc::new(RecursiveUse { name: name.into(), definition: OnceLock::new() }))
    }

    /// Sets the definition of a forward reference. Only the first call has an effect.
    pub(crate) fn tell(&self, definition: &Arc<Definition<T>>) {
        if let Self::Within(within) = self {
            within.definition.get_or_init(|| Arc::downgrade(definition));
        }
    }

    /// Creates a definition that does not contain itself.
    pub fn new(name: impl Into<Arc<str>>, target: T) -> Self {
        Self::Use(Arc::new(Definition { name: name.into(), target, recursive: false }))
    }

    /// Returns the name as written in Puppet code.
    pub fn name(&self) -> &Arc<str> {
        match self {
            Self::Use(definition) => &definition.name,
            Self::Within(within) => &within.name,
        }
    }

    /// Returns the definition; `None` until it is complete, or after its owner is gone.
    pub fn get(&self) -> Option<Arc<Definition<T>>> {
        match self {
            Self::Use(definition) => Some(Arc::clone(definition)),
            Self::Within(within) => within.definition.get()?.upgrade(),
        }
    }

    /// Calls `f` with the target of the name, without cloning it.
    pub fn with_target<R>(&self, f: impl FnOnce(Option<&T>) -> R) -> R {
        match self {
            Self::Use(definition) => f(Some(definition)),
            Self::Within(_) => f(self.get().as_deref().map(Deref::deref)),
        }
    }

    /// Returns true if the definition is recursive. Code that follows such a name has to detect cycles; every cycle of
    /// definitions has at least one of them.
    #[inline]
    pub fn is_recursive(&self) -> bool {
        match self {
            Self::Use(definition) => definition.recursive,
            Self::Within(_) => true,
        }
    }

    /// Returns the definition's address, which is the same for all uses of one definition, including uses within it.
    pub fn identity(&self) -> usize {
        match self {
            Self::Use(definition) => Arc::as_ptr(definition).addr(),
            Self::Within(within) => match within.definition.get() {
                Some(definition) => definition.as_ptr().addr(),
                None => Arc::as_ptr(within).addr(),
            },
        }
    }
}

impl<T> Clone for DefinitionUse<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Use(definition) => Self::Use(Arc::clone(definition)),
            Self::Within(within) => Self::Within(Arc::clone(within)),
        }
    }
}

impl<T> fmt::Debug for Definition<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Definition({})", self.name)
    }
}

impl<T> fmt::Debug for RecursiveUse<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Within({})", self.name)
    }
}

impl<T> fmt::Debug for DefinitionUse<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Named({})", self.name())
    }
}
