//! Types that are defined by their features.

use std::cell::Cell;
use std::sync::Arc;

use super::super::TextOrigin;
use super::super::rule::Rule;
use super::super::world::{ResolvedTypeName, VisibleTypes, World};
use super::Walk;
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::error::Error;
use puppetfn_runtime::entity::definition;
use puppetfn_syntax::Tree;
use puppetfn_syntax::ast::ExprKind;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::{Definitions, TypeLookup};

impl Walk<'_, '_> {
    /// Reports problems of the definitions in a text, which may use each other.
    pub fn types_with_features(&mut self, tree: &Arc<Tree>) {
        let definitions = Definitions::default();
        let mut names = Vec::new();
        for (index, statement) in tree.program().statements.iter().enumerate() {
            if let ExprKind::TypeDefinition(written) = &statement.kind
                && let Some(definition) = definition(tree, index)
            {
                let name = written.name.trim_start_matches("::");
                definitions.add(name, definition);
                names.push(name);
            }
        }
        for name in names {
            let outer =
                FeatureTypeLookup { world: self.world, origin: self.origin, is_unsure: Cell::new(false) };
            let found = definitions.find(name, &outer, self.limits());
            if let (Err(error), false) = (found, outer.is_unsure.get()) {
                let at = Diagnostic::of_error(&error, self.text).span;
                self.report(Rule::TypeDefinition, at, error.message());
            }
        }
    }
}

/// The types that the definitions can use.
struct FeatureTypeLookup<'w> {
    world: &'w World,
    origin: &'w TextOrigin,
    /// Whether they use a type that is not known for certain.
    is_unsure: Cell<bool>,
}

impl TypeLookup for FeatureTypeLookup<'_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        if let ResolvedTypeName::Unsure = self.world.type_named(name, self.origin) {
            self.is_unsure.set(true);
        }
        VisibleTypes::of(self.world).find(name)
    }
}
