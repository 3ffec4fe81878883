//! Providers of resource types.

use super::super::TextOrigin;
use super::super::native_type::RubyResourceType;
use super::World;
use puppetfn_catalog::builtin_description;

impl World {
    /// Returns true if a type or a module on the path has a provider of a name.
    pub(in super::super) fn has_provider(&self, t: &RubyResourceType, name: &str) -> bool {
        let description = t.description();
        description.providers.iter().any(|provider| provider == name)
            || self
                .loader
                .providers(&description.name)
                .is_ok_and(|files| files.iter().any(|file| file.file_stem().is_some_and(|stem| stem == name)))
    }

    /// Returns true if all providers of a type are known to code from somewhere: other types may get theirs from any file.
    pub(in super::super) fn has_all_providers(&self, t: &RubyResourceType, origin: &TextOrigin) -> bool {
        builtin_description(t.name()).is_some() && self.is_complete_for(origin)
    }
}
