//! The types that texts define.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::functions::{UNKNOWN_ORIGIN, origin, origin_in, redefined};
use crate::entity::EntityText;
use puppetfn_base::error::{Error, Place};
use puppetfn_base::limits::Limits;
use puppetfn_syntax::ast::{ExprKind, Program};
use puppetfn_types::types::parse::{DefinitionText, Definitions, TypeLookup, is_basic};
use puppetfn_types::types::{ModelSource, Type, builtin};

/// What Puppet defines where tasks can be run.
const TASK: &str = r"type Task = Object[{
    attributes => {
        name => Pattern[/\A[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z/],
        files => Array[Struct[name => String, path => String]],
        metadata => Hash[String, Any],
        parameters => { type => Optional[Hash[Pattern[/\A[a-z][a-z0-9_]*\z/], Type]], value => undef }
    }
}]";

/// The named types that texts define, and those around them.
pub(super) struct Types {
    defined: Definitions,
    /// Where they were defined, as messages say it.
    origins: RwLock<HashMap<String, String>>,
    outer: Arc<dyn TypeLookup + Send + Sync>,
    limits: Limits,
}

impl Types {
    /// Creates a table without types but, in scripts, `Task`.
    pub fn new(outer: Arc<dyn TypeLookup + Send + Sync>, limits: Limits, is_script: bool) -> Self {
        let (defined, mut origins) = (Definitions::default(), HashMap::new());
        if is_script {
            defined.add("Task", TASK);
            origins.insert("task".to_owned(), UNKNOWN_ORIGIN.to_owned());
        }
        Self { defined, origins: RwLock::new(origins), outer, limits }
    }

    /// Takes the types that a text defines, which may use each other in any way. Those that are defined by
    /// their features are resolved at once, so that what is wrong with them is found.
    ///
    /// # Errors
    /// When a text, a file of the environment or Puppet itself defines one already, and those of the
    /// definitions of types by features: then the text defines none of these.
    pub fn define(&self, program: &Program<'_>, file: Option<&str>) -> Result<(), Error> {
        let mut statements = program.statements.iter().peekable();
        let mut source = None;
        let mut with_features = Vec::new();
        while let Some(statement) = statements.next() {
            let at = statement.span.start;
            if let ExprKind::TypeAlias(alias) = &statement.kind {
                let end = statements.peek().map(|next| next.span.start as usize);
                let text: Arc<str> = definition(program.text, at as usize, end).into();
                let place = Place::of(program.text, alias.name_span.start);
                let own = builtin::find(alias.name).is_some().then(|| UNKNOWN_ORIGIN.to_owned());
                self.add(alias.name, place, own, file, Arc::new(text))?;
            } else if let ExprKind::TypeDefinition(definition) = &statement.kind
                && definition.members().is_some()
            {
                let name = definition.name.trim_start_matches("::");
                let source = source.get_or_insert_with(|| {
                    Arc::new(ModelSource { text: program.text.into(), file: file.map(Arc::from) })
                });
                let text = EntityText { source: Arc::clone(source), at };
                // It may have the name of a resource type, as the `User` of the document that describes these.
                let own = builtin::find(name).filter(|t| !matches!(t, Type::Resource(_)));
                let own = own.map(|_| UNKNOWN_ORIGIN.to_owned());
                self.add(name, Place::of(program.text, at), own, file, Arc::new(text))?;
                with_features.push(name);
            }
        }
        let resolved = with_features.iter().try_for_each(|name| self.find_local(name).map(|_| ()));
        if resolved.is_err() {
            with_features.iter().for_each(|name| self.remove(name));
        }
        resolved
    }

    /// Adds a definition, unless there is one already, or Puppet's `own`.
    fn add(
        &self,
        name: &str,
        place: Place,
        own: Option<String>,
        file: Option<&str>,
        text: Arc<dyn DefinitionText>,
    ) -> Result<(), Error> {
        let name = name.to_lowercase();
        if let Some(known) = self.origin(&name)?.or(own) {
            return Err(redefined("type", &name, &known));
        }
        self.defined.add_text(&name, text);
        let place = Place { file: file.map(Arc::from), ..place };
        self.origins.write().unwrap_or_else(PoisonError::into_inner).insert(name, origin(&place));
        Ok(())
    }

    fn remove(&self, name: &str) {
        self.defined.remove(name);
        self.origins.write().unwrap_or_else(PoisonError::into_inner).remove(&name.to_lowercase());
    }

    /// Returns where the type of this name was defined, if it was.
    fn origin(&self, name: &str) -> Result<Option<String>, Error> {
        let known = self.origins.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        Ok(match known {
            Some(known) => Some(known),
            None if is_basic(name) => Some("Originally set by Puppet-Type-System/Static-Loader.".into()),
            None => self.outer.environment_file(name)?.as_deref().map(origin_in),
        })
    }
}

/// Returns the text that begins with a definition, and ends before the next statement. A heredoc in it may go
/// on after that.
fn definition(text: &str, start: usize, end: Option<usize>) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    let own = end.and_then(|end| text.get(start..end)).unwrap_or(rest);
    if own.contains("@(") { rest } else { own }
}

impl TypeLookup for Types {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        self.find_local(name)?.map_or_else(|| self.outer.find(name), |t| Ok(Some(t)))
    }

    fn find_local(&self, name: &str) -> Result<Option<Type>, Error> {
        self.defined.find(name, &*self.outer, &self.limits)
    }
}
