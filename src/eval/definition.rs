//! The types that texts define.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::functions::{origin, redefined};
use crate::error::{Error, Place};
use crate::limits::Limits;
use crate::syntax::ast::{ExprKind, Program};
use crate::types::Type;
use crate::types::parse::{AliasDefinition, Definitions, NamedTypes, TypeLookup};

/// The named types that texts define, and those around them.
pub(super) struct Types {
    defined: RwLock<Defined>,
    outer: Arc<dyn TypeLookup + Send + Sync>,
}

#[derive(Default)]
struct Defined {
    types: NamedTypes,
    /// Where they were defined, as messages say it.
    origins: HashMap<String, String>,
}

impl Types {
    pub fn new(outer: Arc<dyn TypeLookup + Send + Sync>) -> Self {
        Self { defined: RwLock::default(), outer }
    }

    /// Defines the types that a text defines, which may use each other in any way.
    ///
    /// # Errors
    /// When a definition is not a type, and when a text or a file of the environment defines one already.
    pub fn define(&self, program: &Program<'_>, file: Option<&str>, limits: &Limits) -> Result<(), Error> {
        let mut origins = HashMap::new();
        let mut definitions = Vec::new();
        for statement in &program.statements {
            let ExprKind::TypeAlias(alias) = &statement.kind else { continue };
            let name = alias.name.to_lowercase();
            let place = Place { file: file.map(Arc::from), ..Place::of(program.text, alias.name_span.start) };
            let known = match origins.get(&name) {
                Some(known) => Some(String::clone(known)),
                None => self.origin(&name)?,
            };
            if let Some(known) = known {
                return Err(redefined("type", &name, &known));
            }
            origins.insert(name, origin(&place));
            definitions.push(AliasDefinition::new(program.text, alias));
        }
        if definitions.is_empty() {
            return Ok(());
        }
        let types = definitions.into_iter().collect::<Definitions<'_>>().resolve_all(self, limits)?;
        let mut defined = self.defined.write().unwrap_or_else(PoisonError::into_inner);
        defined.types.extend(types);
        defined.origins.extend(origins);
        Ok(())
    }

    fn origin(&self, name: &str) -> Result<Option<String>, Error> {
        let defined = self.defined.read().unwrap_or_else(PoisonError::into_inner).origins.get(name).cloned();
        defined.map_or_else(|| self.outer.environment_file(name), |origin| Ok(Some(origin)))
    }
}

impl TypeLookup for Types {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        self.find_local(name)?.map_or_else(|| self.outer.find(name), |t| Ok(Some(t)))
    }

    fn find_local(&self, name: &str) -> Result<Option<Type>, Error> {
        let defined = self.defined.read().unwrap_or_else(PoisonError::into_inner);
        Ok(defined.types.get(&name.to_lowercase()).cloned())
    }
}
