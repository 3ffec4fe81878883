//! Types that are defined by their features.

use std::cell::Cell;
use std::sync::Arc;

use super::super::Origin;
use super::super::rule::Rule;
use super::super::world::{Named, Types, World};
use super::Walk;
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::error::Error;
use puppetfn_runtime::entity::EntityText;
use puppetfn_syntax::ast::{ExprKind, Program};
use puppetfn_types::types::parse::{Definitions, TypeLookup};
use puppetfn_types::types::{ModelSource, Type};

impl<'s> Walk<'_, 's> {
    /// Finds what is wrong with the definitions of a text, which may use each other.
    pub(super) fn types_with_features(&mut self, program: &Program<'s>) {
        let definitions = Definitions::default();
        let mut source = None;
        let mut names = Vec::new();
        for statement in &program.statements {
            if let ExprKind::TypeDefinition(definition) = &statement.kind
                && definition.members().is_some()
            {
                let source = source
                    .get_or_insert_with(|| Arc::new(ModelSource { text: program.text.into(), file: None }));
                let text = EntityText { source: Arc::clone(source), at: statement.span.start };
                let name = definition.name.trim_start_matches("::");
                definitions.add_text(name, Arc::new(text));
                names.push(name);
            }
        }
        for name in names {
            let outer = Outer { world: self.world, origin: self.origin, is_unsure: Cell::new(false) };
            let found = definitions.find(name, &outer, self.limits());
            if let (Err(error), false) = (found, outer.is_unsure.get()) {
                let offset = Diagnostic::of_error(&error, self.text).offset;
                self.report(Rule::TypeDefinition, offset, error.message());
            }
        }
    }
}

/// What definitions see around them.
struct Outer<'w> {
    world: &'w World,
    origin: &'w Origin,
    /// Whether they use a type of which nothing certain is known.
    is_unsure: Cell<bool>,
}

impl TypeLookup for Outer<'_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        if let Named::Unsure = self.world.type_named(name, self.origin) {
            self.is_unsure.set(true);
        }
        Types(self.world).find(name)
    }
}
