//! Type aliases that only the signatures of one native function see.

use crate::error::Error;
use crate::limits::Limits;
use crate::types::Type;
use crate::types::parse::{AliasDefinition, Definitions, NamedTypes, NoAliases, TypeLookup, parse};

/// The aliases of one function.
pub(super) struct LocalTypes(NamedTypes);

impl LocalTypes {
    /// Defines aliases, `Name = Type` each.
    pub(super) fn define(definitions: &[&str]) -> Result<Self, Error> {
        let texts: Vec<String> = definitions.iter().map(|definition| format!("type {definition}")).collect();
        let definitions = texts.iter().map(|text| AliasDefinition::parse(text, &Limits::DEFAULT));
        let definitions = definitions.collect::<Result<Definitions<'_>, Error>>()?;
        definitions.resolve_all(&NoAliases, &Limits::DEFAULT).map(Self)
    }

    /// The type that a text says.
    pub(super) fn parse(&self, text: &str) -> Result<Type, Error> {
        parse(text, self, &Limits::DEFAULT)
    }
}

impl TypeLookup for LocalTypes {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        Ok(self.0.get(&name.to_lowercase()).cloned())
    }
}
