//! The types that code sees, by their names.

use super::super::aliases::TextAliases;
use super::World;
use puppetfn_base::error::Error;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::TypeLookup;

/// The types that code sees. One that cannot be read may be anything.
#[derive(Clone, Copy)]
pub(in super::super) struct VisibleTypes<'w> {
    pub(super) world: &'w World,
    /// The aliases of a text that the world does not know yet.
    pub(super) own: Option<&'w TextAliases>,
}

impl<'w> VisibleTypes<'w> {
    pub fn of(world: &'w World) -> Self {
        Self { world, own: None }
    }
}

impl TypeLookup for VisibleTypes<'_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        let Self { world, own } = self;
        match world.loader.find(name) {
            Ok(None) => {}
            Ok(found) => return Ok(found),
            Err(_) => return Ok(Some(Type::Any)),
        }
        let key = name.to_lowercase();
        let aliases = own.filter(|own| own.has(&key)).or_else(|| world.aliases.get(&key)?.as_deref());
        match aliases {
            Some(aliases) => Ok(Some(aliases.find(&key, &AliasTypeLookup(world), &world.limits))),
            None => Ok(world.declared.types.contains(&key).then_some(Type::Any)),
        }
    }
}

/// The outer types that aliases of a text can use. Aliases of other texts are not resolved.
struct AliasTypeLookup<'w>(&'w World);

impl TypeLookup for AliasTypeLookup<'_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        match self.0.loader.find(name) {
            Ok(None) if self.0.declared.types.contains(&name.to_lowercase()) => Ok(Some(Type::Any)),
            Ok(found) => Ok(found),
            Err(_) => Ok(Some(Type::Any)),
        }
    }
}
