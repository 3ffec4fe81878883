//! The state that all machines of a runtime share: names, variables of the top scope, functions and types. It knows no machine.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::code::{FunctionId, Routine};
use super::declaration::DefinitionCode;
use super::entity::Logics;
use super::function_lookup::{FileWarning, FunctionLookup};
use super::inference::{InferResult, NoInference};
use super::interner::{FunctionName, Interner};
use super::lookups::Lookups;
use super::machine::Debugger;
use super::manifest_definitions::{ManifestDefinitions, ManifestLookup, NoManifests};
use super::templates::Templates;
use super::type_definitions::TextTypes;
use super::variables::GlobalVariables;
use crate::coverage::{Counters, Recorder};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Signal, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_base::stack::StackBudget;
use puppetfn_catalog::{Compilation, FastMap, ScopeId};
use puppetfn_hiera::Hiera;
use puppetfn_syntax::validate::{ModuleFile, ValidationRules};
use puppetfn_types::function::{
    Control, DataLookup, Function, Host, LogLevel, ModuleFiles, NoModules, QuerySource,
};
use puppetfn_types::types::parse::TypeLookup;

/// The target that a function's name resolves to.
#[derive(Clone, Debug)]
pub(super) enum FunctionTarget {
    Routine(Arc<Routine>),
    Function(Arc<Function>),
    /// `next`, `return` or `break`.
    Jump(Arc<Function>, Signal),
}

impl FunctionTarget {
    /// Returns the file that defines the function, if it is in the Puppet language.
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::Routine(routine) => routine.unit.file(),
            Self::Function(_) | Self::Jump(..) => None,
        }
    }
}

impl From<Arc<Function>> for FunctionTarget {
    fn from(function: Arc<Function>) -> Self {
        match function.control() {
            Some(Control::Next) => Self::Jump(function, Signal::Next),
            Some(Control::Return) => Self::Jump(function, Signal::Return),
            Some(Control::Break) => Self::Jump(function, Signal::Break),
            Some(Control::Fail) | None => Self::Function(function),
        }
    }
}

/// The state that all machines of a runtime share.
///
/// Machines cache values from here; `generation` tells when their caches are stale.
pub(super) struct SharedRuntime {
    interner: RwLock<Interner>,
    /// The variables of the top scope.
    pub variables: Arc<GlobalVariables>,
    /// The functions that were called or defined, by their index.
    pub(super) functions: RwLock<Vec<Option<FunctionTarget>>>,
    /// The origins, in the words of messages, of functions that texts have defined; `None` for functions that the embedding
    /// program has defined.
    pub(super) defined: RwLock<FastMap<FunctionId, Option<String>>>,
    /// Whether the names of functions in manifests have to be as their specification says.
    pub strict_names: bool,
    /// The severity of mistakes such as using a text as a number.
    pub strict: Strict,
    /// Whether the use of a variable without a value is an error even where `strict` would let it pass.
    pub strict_variables: bool,
    generation: AtomicU64,
    pub types: TextTypes,
    /// The code of types that are defined by their features.
    pub logics: Logics,
    pub lookup: Box<dyn FunctionLookup>,
    pub host: Box<dyn Host + Send + Sync>,
    pub limits: Limits,
    /// Whether texts are scripts, in which `plan` and `apply` are keywords.
    pub is_script: bool,
    pub definitions: ManifestDefinitions,
    pub templates: Templates,
    pub manifests: Box<dyn ManifestLookup>,
    pub files: Arc<dyn ModuleFiles>,
    pub data: Arc<dyn DataLookup>,
    /// Infers results of functions for unknown arguments.
    pub inference: Box<dyn InferResult>,
    /// The recorder of evaluations, if coverage is measured.
    pub coverage: Option<Arc<Recorder>>,
    /// The debugger that observes the evaluation, if any.
    pub debugger: OnceLock<Arc<dyn Debugger>>,
    /// The source that answers queries to PuppetDB.
    queries: RwLock<Option<Arc<dyn QuerySource>>>,
    /// The catalog that is made, unless texts are scripts.
    pub compilation: Mutex<Compilation>,
    pub environment: Arc<str>,
    /// The scope in the catalog of a function of the host that code has called.
    scope: Mutex<ScopeId>,
    /// Whether code has variables, and whether a scope redefines their lookup.
    pub lookups: Lookups,
    /// The scopes in which a default value of a parameter is being evaluated, and the index of that.
    defaults: Mutex<FastMap<ScopeId, (Arc<DefinitionCode>, usize)>>,
}

impl SharedRuntime {
    /// Returns the source that answers queries to PuppetDB.
    pub fn query_source(&self) -> Option<Arc<dyn QuerySource>> {
        self.queries.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the rules for code, of the file of a module if it is one.
    pub fn validation_rules<'f>(&self, module_file: Option<&'f ModuleFile>) -> ValidationRules<'f> {
        let (tasks, strict, target) = (self.is_script, self.strict, self.files.target());
        ValidationRules { tasks, module_file, strict, target }
    }

    /// Returns true if a debugger observes the statements of code that is compiled now.
    pub fn is_debugged(&self) -> bool {
        self.debugger.get().is_some_and(|debugger| debugger.observes_statements())
    }

    /// Sets the source that answers queries to PuppetDB.
    pub fn set_query_source(&self, source: Arc<dyn QuerySource>) {
        *self.queries.write().unwrap_or_else(PoisonError::into_inner) = Some(source);
    }

    pub fn new(
        lookup: Box<dyn FunctionLookup>,
        types: Arc<dyn TypeLookup + Send + Sync>,
        host: Box<dyn Host + Send + Sync>,
        limits: Limits,
        is_script: bool,
        variables: Arc<GlobalVariables>,
    ) -> Self {
        Self {
            interner: RwLock::new(Interner::new(Arc::clone(&variables))),
            variables,
            functions: RwLock::default(),
            defined: RwLock::default(),
            strict_names: false,
            strict: Strict::default(),
            strict_variables: true,
            generation: AtomicU64::new(0),
            types: TextTypes::new(types, limits, is_script),
            logics: Logics::default(),
            lookup,
            host,
            limits,
            is_script,
            definitions: ManifestDefinitions::default(),
            templates: Templates::default(),
            manifests: Box::new(NoManifests),
            files: Arc::new(NoModules),
            data: Arc::new(Hiera::new(Arc::new(NoModules))),
            inference: Box::new(NoInference),
            coverage: None,
            debugger: OnceLock::new(),
            queries: RwLock::default(),
            compilation: Mutex::new(Compilation::new("localhost", limits)),
            environment: "production".into(),
            scope: Mutex::new(ScopeId::TOP),
            lookups: Lookups::default(),
            defaults: Mutex::default(),
        }
    }

    /// Returns the counters of a text, if the evaluation of its file is counted.
    pub fn counters(&self, file: &str, text: &str) -> Option<&Arc<Counters>> {
        self.coverage.as_ref()?.counters(file, text)
    }

    pub fn interner(&self) -> RwLockReadGuard<'_, Interner> {
        self.interner.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn interner_mut(&self) -> RwLockWriteGuard<'_, Interner> {
        self.interner.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn function_name(&self, id: FunctionId) -> FunctionName {
        self.interner().function_name(id)
    }

    /// Returns a number that changes when a function or variable that may have been read has changed.
    pub fn generation(&self) -> u64 {
        // Neither decreases, so the sum changes with each.
        self.generation.load(Ordering::Acquire).wrapping_add(self.variables.changes())
    }

    pub(super) fn outdate(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns where in the catalog machines begin.
    pub fn scope(&self) -> ScopeId {
        *self.scope.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the scope in which machines begin, and returns the previous one.
    pub fn replace_scope(&self, scope: ScopeId) -> ScopeId {
        std::mem::replace(&mut *self.scope.lock().unwrap_or_else(PoisonError::into_inner), scope)
    }

    /// Returns the catalog that is made. It is locked as long as the guard lives, so nothing may be evaluated
    /// meanwhile.
    pub fn compilation(&self) -> MutexGuard<'_, Compilation> {
        self.compilation.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the definition whose parameter gets its default value in this scope, and the index of the parameter.
    pub fn defaults_of(&self, scope: ScopeId) -> Option<(Arc<DefinitionCode>, usize)> {
        self.defaults.lock().unwrap_or_else(PoisonError::into_inner).get(&scope).cloned()
    }

    /// Sets this; `None` if there is no such parameter any more.
    pub fn set_defaults(&self, scope: ScopeId, current: Option<(Arc<DefinitionCode>, usize)>) {
        let mut known = self.defaults.lock().unwrap_or_else(PoisonError::into_inner);
        match current {
            Some(current) => _ = known.insert(scope, current),
            None => _ = known.remove(&scope),
        }
    }

    /// Returns the limits of an evaluation that begins here: it may use as much of the stack as is left.
    pub fn limits_here(&self) -> Limits {
        let left = self.host.stack_left().or_else(StackBudget::left);
        Limits { stack: left.unwrap_or(usize::MAX).min(self.limits.stack), ..self.limits }
    }

    pub fn log(&self, level: LogLevel, message: &str) {
        self.log_type_warnings();
        self.host.log(level, message);
    }

    /// Logs the complaints about modules, the first time.
    pub fn log_complaints(&self) {
        for (level, message) in self.lookup.complaints() {
            self.log(level, &message);
        }
    }

    /// Logs the warnings about files of types that were read since the last call. It is called before code logs a message or
    /// calls the host, so that messages are in the order in which Puppet logs them.
    pub fn log_type_warnings(&self) {
        for FileWarning { code, message, place } in self.lookup.type_warnings() {
            self.host.log_issue(LogLevel::Warning, code, &message, &place);
        }
    }

    pub fn log_issue(&self, level: LogLevel, issue: &str, message: &str, place: &SourceLocation) {
        self.log_type_warnings();
        self.host.log_issue(level, issue, message, place);
    }

    /// Returns true if an issue is to be an error; otherwise logs or ignores it, as `strict` demands. `issue` is Puppet's name
    /// for it.
    #[cold]
    pub fn refuses(&self, issue: &str, message: &str, place: impl FnOnce() -> SourceLocation) -> bool {
        match self.strict {
            Strict::Off => false,
            Strict::Warning => {
                self.log_issue(LogLevel::Warning, issue, message, &place());
                false
            }
            Strict::Error => true,
        }
    }
}

/// Returns an element of a table that grows as needed.
pub(super) fn slot<T>(table: &mut Vec<Option<T>>, index: u32) -> &mut Option<T> {
    let index = index as usize;
    if table.len() <= index {
        table.resize_with(index.saturating_add(1), || None);
    }
    // The table has just been extended; a dropped element does no harm.
    match table.get_mut(index) {
        Some(slot) => slot,
        None => Box::leak(Box::new(None)),
    }
}
