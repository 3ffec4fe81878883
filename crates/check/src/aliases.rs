//! The aliases of types that a text defines.

use std::sync::Arc;

use super::abstraction::certain;
use puppetfn_base::limits::Limits;
use puppetfn_syntax::Tree;
use puppetfn_syntax::ast::ExprKind;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::{AliasDefinition, Definitions, TypeLookup};

/// The aliases of a text.
#[derive(Default, Debug)]
pub(super) struct TextAliases {
    /// In lower case.
    names: Vec<String>,
    definitions: Definitions,
}

impl TextAliases {
    /// Returns the aliases of a text.
    pub fn of(tree: &Arc<Tree>) -> Self {
        let mut aliases = Self::default();
        for (index, statement) in tree.program().statements.iter().enumerate() {
            if let ExprKind::TypeAlias(alias) = &statement.kind
                && let Some(definition) = AliasDefinition::of(tree, index)
            {
                aliases.names.push(alias.name.to_lowercase());
                aliases.definitions.add(alias.name, Arc::new(definition));
            }
        }
        aliases
    }

    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }

    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }

    /// Returns the type of a name in lower case, as far as that is certain.
    pub fn find(&self, name: &str, outer: &dyn TypeLookup, limits: &Limits) -> Type {
        self.definitions.find(name, outer, limits).ok().flatten().map_or(Type::Any, |t| certain(&t))
    }
}
