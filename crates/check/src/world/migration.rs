//! Code that is to be moved to Puppet 8.

use std::path::{Component, Path};

use super::World;

impl World {
    /// Returns the world for the move of code to Puppet 8 and version 9 of stdlib: calls of functions which that version removed are
    /// reported even if an older one is installed. `hash_merge` is the merge of `hiera_hash`, in Puppet code, which a `hiera.yaml` of
    /// version 3 sets for all calls.
    #[must_use]
    pub fn migrating(self, hash_merge: &str) -> Self {
        Self { migration: Some(hash_merge.into()), ..self }
    }

    /// Returns the merge of `hiera_hash`, in Puppet code.
    pub(crate) fn hash_merge(&self) -> &str {
        self.migration.as_deref().unwrap_or("'hash'")
    }

    /// Returns true if code is to be moved to Puppet 8.
    pub(crate) fn is_migration(&self) -> bool {
        self.migration.is_some()
    }

    /// Returns true if code is to be moved away from a function of the installed stdlib.
    pub(crate) fn leaves_function(&self, name: &str) -> bool {
        let is_in_stdlib =
            |path: &Path| path.components().any(|part| part == Component::Normal("stdlib".as_ref()));
        let file = self.migration.as_ref().and_then(|_| self.loader.find_function(name).ok().flatten());
        file.is_some_and(|file| is_in_stdlib(&file.path))
    }
}
