//! The types that texts define.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::functions::{UNKNOWN_ORIGIN, origin, origin_in, redefined};
use crate::error::{Error, Place};
use crate::limits::Limits;
use crate::syntax::ast::{ExprKind, Program};
use crate::types::parse::{Definitions, TypeLookup, is_basic};
use crate::types::{Type, builtin};

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
    /// No types yet but, in scripts, `Task`.
    pub fn new(outer: Arc<dyn TypeLookup + Send + Sync>, limits: Limits, is_script: bool) -> Self {
        let (defined, mut origins) = (Definitions::default(), HashMap::new());
        if is_script {
            defined.add("Task", TASK);
            origins.insert("task".to_owned(), UNKNOWN_ORIGIN.to_owned());
        }
        Self { defined, origins: RwLock::new(origins), outer, limits }
    }

    /// Takes the types that a text defines, which may use each other in any way.
    ///
    /// # Errors
    /// When a text, a file of the environment or Puppet itself defines one already.
    pub fn define(&self, program: &Program<'_>, file: Option<&str>) -> Result<(), Error> {
        let mut statements = program.statements.iter().peekable();
        while let Some(statement) = statements.next() {
            let ExprKind::TypeAlias(alias) = &statement.kind else { continue };
            let name = alias.name.to_lowercase();
            if let Some(known) = self.origin(&name)? {
                return Err(redefined("type", &name, &known));
            }
            let end = statements.peek().map(|next| next.span.start as usize);
            self.defined.add(&name, definition(program.text, statement.span.start as usize, end));
            let place = Place { file: file.map(Arc::from), ..Place::of(program.text, alias.name_span.start) };
            self.origins.write().unwrap_or_else(PoisonError::into_inner).insert(name, origin(&place));
        }
        Ok(())
    }

    /// Where the type of this name was defined, if it was.
    fn origin(&self, name: &str) -> Result<Option<String>, Error> {
        let known = self.origins.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        Ok(match known {
            Some(known) => Some(known),
            None if is_basic(name) => Some("Originally set by Puppet-Type-System/Static-Loader.".into()),
            None if builtin::find(name).is_some() => Some(UNKNOWN_ORIGIN.into()),
            None => self.outer.environment_file(name)?.as_deref().map(origin_in),
        })
    }
}

/// The text that begins with a definition, and ends before the next statement. A heredoc in it may go
/// on behind that.
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
