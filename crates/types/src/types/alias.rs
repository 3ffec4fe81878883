//! Named types.

use std::hash::{Hash, Hasher};

use super::{Named, Type};
use puppetfn_base::limits::Limits;

/// A named type. It may contain itself.
pub type Alias = Named<Type>;

impl Alias {
    /// Returns the type that the name stands for, maybe another alias; `None` while it is being defined or
    /// after the loader that defined it is gone.
    pub fn target(&self) -> Option<Type> {
        self.with_target(|target| target.cloned())
    }

    /// Returns the first type behind the name that is not an alias itself; `None` if there is none, as for
    /// aliases that only stand for each other.
    pub fn resolved(&self) -> Option<Type> {
        let mut target = self.target()?;
        for _ in 0..Limits::DEEPEST {
            let Type::Alias(alias) = &target else { return Some(target) };
            target = alias.target()?;
        }
        None
    }
}

/// One name stands for one type.
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
