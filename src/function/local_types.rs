//! Type aliases that only the signatures of one native function see.

use crate::error::Error;
use crate::limits::Limits;
use crate::types::Type;
use crate::types::parse::{AliasDefinition, TypeLookup, parse};

/// The aliases of one function.
pub(super) struct LocalTypes(Vec<Type>);

impl LocalTypes {
    /// Defines aliases, `Name = Type` each. One may use those before it.
    pub(super) fn define(definitions: &[&str]) -> Result<Self, Error> {
        let mut types = Self(Vec::with_capacity(definitions.len()));
        for definition in definitions {
            let definition = format!("type {definition}");
            let alias = AliasDefinition::parse(&definition, &Limits::DEFAULT)?.define(&types)?;
            types.0.push(alias);
        }
        Ok(types)
    }

    /// The type that a text says.
    pub(super) fn parse(&self, text: &str) -> Result<Type, Error> {
        parse(text, self, &Limits::DEFAULT)
    }
}

impl TypeLookup for LocalTypes {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        Ok(self.0.iter().find(|t| t.name().eq_ignore_ascii_case(name)).cloned())
    }
}
