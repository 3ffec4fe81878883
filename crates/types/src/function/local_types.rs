//! Type aliases that only the signatures of one native function see.

use std::borrow::Cow;
use std::sync::Arc;

use crate::types::Type;
use crate::types::parse::{AliasDefinition, Definitions, NamedDefinition, NoAliases, TypeLookup, parse};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// The aliases of one function.
pub(super) struct SignatureTypes(Definitions);

impl SignatureTypes {
    /// Defines aliases, `Name = Type` each.
    pub(super) fn define(definitions: &[Cow<'static, str>]) -> Result<Self, Error> {
        let types = Definitions::default();
        for definition in definitions {
            let text = format!("type {definition}");
            let definition = AliasDefinition::parse(&text, &Limits::FURTHEST)?;
            let name = definition.name().to_owned();
            types.add(&name, Arc::new(definition));
        }
        Ok(Self(types))
    }

    /// Parses a type.
    pub(super) fn parse(&self, text: &str) -> Result<Type, Error> {
        parse(text, self, &Limits::FURTHEST)
    }
}

impl TypeLookup for SignatureTypes {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        self.0.find(name, &NoAliases, &Limits::FURTHEST)
    }
}
