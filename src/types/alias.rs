//! Named types.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock, Weak};

use super::Type;
use crate::error::Error;
use crate::limits::Limits;

/// A named type. It may contain itself.
pub struct AliasType {
    name: Arc<str>,
    target: OnceLock<Type>,
    recursive: OnceLock<bool>,
}

/// A use of a named type.
///
/// A use within the definition of the alias itself does not keep it alive, so that recursive
/// types can be freed.
#[derive(Clone)]
pub enum Alias {
    /// A use from outside.
    Use(Arc<AliasType>),
    /// A use from within the definition of the alias.
    Within(Weak<AliasType>, Arc<str>),
}

impl AliasType {
    /// Defines a named type. `resolve` gets the alias to stand for itself in its definition.
    ///
    /// # Errors
    /// Those of `resolve`.
    pub fn define(
        name: impl Into<Arc<str>>,
        resolve: impl FnOnce(Alias) -> Result<Type, Error>,
    ) -> Result<Alias, Error> {
        let name = name.into();
        let alias =
            Arc::new(Self { name: Arc::clone(&name), target: OnceLock::new(), recursive: OnceLock::new() });
        let target = resolve(Alias::Within(Arc::downgrade(&alias), name))?;
        // Whoever holds a weak reference now is a part of the definition.
        alias.recursive.get_or_init(|| Arc::weak_count(&alias) > 0);
        alias.target.get_or_init(|| target);
        Ok(Alias::Use(alias))
    }
}

impl Alias {
    /// The name, as it is written in Puppet code.
    pub fn name(&self) -> &Arc<str> {
        match self {
            Self::Use(alias) => &alias.name,
            Self::Within(_, name) => name,
        }
    }

    /// The type that the name stands for, maybe another alias; none while it is being defined or
    /// after the loader that defined it is gone.
    pub fn target(&self) -> Option<Type> {
        match self {
            Self::Use(alias) => alias.target.get().cloned(),
            Self::Within(alias, _) => alias.upgrade().and_then(|alias| alias.target.get().cloned()),
        }
    }

    /// The first type behind the name that is not an alias itself; none where there is none, as for
    /// aliases that only stand for each other.
    pub fn resolved(&self) -> Option<Type> {
        let mut target = self.target()?;
        for _ in 0..Limits::DEFAULT.nesting {
            let Type::Alias(alias) = &target else { return Some(target) };
            target = alias.target()?;
        }
        None
    }

    /// Calls `f` with the type that the name stands for, without cloning it.
    pub fn with_target<R>(&self, f: impl FnOnce(Option<&Type>) -> R) -> R {
        match self {
            Self::Use(alias) => f(alias.target.get()),
            Self::Within(alias, _) => f(alias.upgrade().as_ref().and_then(|alias| alias.target.get())),
        }
    }

    /// Tells if the definition uses the alias itself. Whoever follows such an alias has to notice
    /// when it comes around; every circle of aliases has at least one of them.
    pub fn is_recursive(&self) -> bool {
        match self {
            Self::Use(alias) => alias.recursive.get().copied().unwrap_or(true),
            Self::Within(..) => true,
        }
    }

    /// The definition's address: the same for all uses of one alias, also of recursive ones.
    pub fn identity(&self) -> usize {
        match self {
            Self::Use(alias) => Arc::as_ptr(alias).addr(),
            Self::Within(alias, _) => alias.as_ptr().addr(),
        }
    }
}

impl PartialEq for Alias {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Alias {}

impl Hash for Alias {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Alias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Alias({})", self.name())
    }
}
