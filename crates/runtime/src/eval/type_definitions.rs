//! The types that texts define.

use std::collections::HashMap;
use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

use super::functions::{UNKNOWN_ORIGIN, origin, origin_in, redefined};
use crate::entity::definition;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_syntax::Tree;
use puppetfn_syntax::ast::ExprKind;
use puppetfn_types::types::parse::{AliasDefinition, Definitions, NamedDefinition, TypeLookup, is_basic};
use puppetfn_types::types::{Type, builtin};

/// The type that Puppet defines where tasks can be run.
const TASK: &str = r"type Task = Object[{
    attributes => {
        name => Pattern[/\A[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z/],
        files => Array[Struct[name => String, path => String]],
        metadata => Hash[String, Any],
        parameters => { type => Optional[Hash[Pattern[/\A[a-z][a-z0-9_]*\z/], Type]], value => undef }
    }
}]";

/// The definition of it, which is parsed once.
static TASK_DEFINITION: LazyLock<Option<Arc<dyn NamedDefinition>>> = LazyLock::new(|| {
    let definition = AliasDefinition::parse(TASK, &Limits::FURTHEST).ok()?;
    Some(Arc::new(definition))
});

/// The named types that texts define, and the ones from outside.
pub(super) struct TextTypes {
    defined: Definitions,
    /// The origins of the types, in the words of messages.
    origins: RwLock<HashMap<String, String>>,
    outer: Arc<dyn TypeLookup + Send + Sync>,
    limits: Limits,
    /// Whether [`Self::unsteady`] is recorded.
    is_watching: AtomicBool,
    /// The first of the types for [`Self::unsteady_type`].
    unsteady: OnceLock<Arc<str>>,
}

impl TextTypes {
    /// Creates a table without types but, in scripts, `Task`.
    pub fn new(outer: Arc<dyn TypeLookup + Send + Sync>, limits: Limits, is_script: bool) -> Self {
        let (defined, mut origins) = (Definitions::default(), HashMap::new());
        if let Some(task) = TASK_DEFINITION.as_ref().filter(|_| is_script) {
            defined.add("Task", Arc::clone(task));
            origins.insert("task".to_owned(), UNKNOWN_ORIGIN.to_owned());
        }
        Self {
            defined,
            origins: RwLock::new(origins),
            outer,
            limits,
            is_watching: AtomicBool::new(false),
            unsteady: OnceLock::new(),
        }
    }

    /// Begins to watch the types that code uses, for [`Self::unsteady_type`].
    pub fn watch(&self) {
        self.is_watching.store(true, Ordering::Relaxed);
    }

    /// Returns true if the runtime stands in for an installed Puppet.
    pub fn is_watching(&self) -> bool {
        self.is_watching.load(Ordering::Relaxed)
    }

    /// Returns the name of a used type about which Puppet's answers depend on earlier checks: a type set, or an alias
    /// that [`Type::tangled_alias`] finds.
    pub fn unsteady_type(&self) -> Option<Arc<str>> {
        self.unsteady.get().cloned()
    }

    fn watched(&self, name: &str, found: Option<Type>) -> Option<Type> {
        if self.is_watching()
            && let Some(t) = &found
            && let Some(unsteady) = self.unsteady(name, t)
        {
            self.unsteady.get_or_init(|| unsteady);
        }
        found
    }

    fn unsteady(&self, name: &str, t: &Type) -> Option<Arc<str>> {
        if let Type::TypeSet(_) = t {
            return Some(name.into());
        }
        let namespaces = iter::successors(Some(name), |name| name.rsplit_once("::").map(|(outer, _)| outer));
        let set = namespaces.skip(1).find(|name| matches!(self.outer.find(name), Ok(Some(Type::TypeSet(_)))));
        set.map(Arc::from).or_else(|| t.tangled_alias()).or_else(|| t.has_bounds().then(|| name.into()))
    }

    /// Takes the types that a text defines, which may use each other in any way. Types that are
    /// defined by their features are resolved at once, so that errors in them are found.
    ///
    /// # Errors
    /// Fails if a text, a file of the environment or Puppet itself defines one already, or if a definition by
    /// features is wrong: then the text defines none of the types with features.
    pub fn define(&self, tree: &Arc<Tree>) -> Result<(), Error> {
        let mut with_features = Vec::new();
        for (index, statement) in tree.program().statements.iter().enumerate() {
            let Some(definition) = definition(tree, index) else { continue };
            let name = definition.name().to_lowercase();
            let mut own = builtin::find(&name);
            if let ExprKind::TypeDefinition(_) = &statement.kind {
                // The name may be a resource type's, such as `User` in the document that describes these definitions.
                own = own.filter(|t| !matches!(t, Type::Resource(_)));
                with_features.push(name.clone());
            }
            let known = self.origin(&name)?.or_else(|| own.map(|_| UNKNOWN_ORIGIN.to_owned()));
            if let Some(known) = known {
                return Err(redefined("type", &name, &known));
            }
            let origin = origin(&definition.place());
            self.defined.add(&name, definition);
            self.origins.write().unwrap_or_else(PoisonError::into_inner).insert(name, origin);
        }
        let resolved = with_features.iter().try_for_each(|name| self.find_local(name).map(|_| ()));
        if resolved.is_err() {
            with_features.iter().for_each(|name| self.remove(name));
        }
        resolved
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

impl TypeLookup for TextTypes {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        self.find_local(name)?
            .map_or_else(|| self.outer.find(name).map(|found| self.watched(name, found)), |t| Ok(Some(t)))
    }

    fn find_local(&self, name: &str) -> Result<Option<Type>, Error> {
        self.defined.find(name, &*self.outer, &self.limits).map(|found| self.watched(name, found))
    }
}
