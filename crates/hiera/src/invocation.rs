//! A lookup: its purpose and its progress.
//!
//! See Puppet's `pops/lookup/invocation.rb`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::error::failure;
use super::explain::{ExplainNode, Explainer};
use super::key::LookupKey;
use super::lock::locked;
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::function::{Caller, LogLevel, ModuleFiles, OngoingLookup};
use puppetfn_types::value::{Hash, Value};

/// The data that a lookup goes through.
pub(super) trait LookupData: Send + Sync {
    /// Returns the files of the environment and its modules.
    fn files(&self) -> &dyn ModuleFiles;

    /// Returns the name of the environment.
    fn environment_name(&self) -> &Arc<str>;

    /// Returns true if the environment has data.
    fn has_environment_data(&self) -> bool;

    /// Returns the cache of files.
    fn file_cache(&self) -> &FileCache;

    /// Returns the value of another key, which data refers to.
    ///
    /// # Errors
    /// [`Signal::NoSuchKey`](puppetfn_base::error::Signal::NoSuchKey) when there is none.
    fn search(&self, key: &str, invocation: &Invocation<'_>) -> Result<Value, Error>;
}

/// Values made from files by path, each with the content that it is valid for.
#[derive(Default)]
pub(super) struct FileCache(pub Mutex<HashMap<Arc<str>, (String, Value)>>);

/// A lookup on its way.
#[derive(Clone)]
pub(super) struct Invocation<'a> {
    pub caller: &'a dyn Caller,
    pub data: &'a Arc<dyn LookupData>,
    pub settings: Arc<LookupSettings>,
}

/// The settings of a lookup, all but its caller.
#[derive(Clone, Default)]
pub(super) struct LookupSettings {
    pub overrides: Arc<Hash>,
    pub default_values: Arc<Hash>,
    pub explainer: Option<Arc<Mutex<Explainer>>>,
    /// Whether only the global layer is looked into.
    pub global_only: bool,
    /// Whether one of the `hiera` functions asks.
    pub is_for_hiera: bool,
    /// The key of the whole lookup, and the module that it names.
    pub key: Option<LookupKey>,
    /// The keys that are being looked up, each for the one before.
    names: Option<Arc<NameChain>>,
    /// The variables that an interpolation reads, recorded if its result is cached.
    pub memory: Option<Arc<Mutex<Vec<InterpolatedVariable>>>>,
    /// A variable that is seen before all others.
    pub local: Option<(Arc<str>, Value)>,
    /// Whether variables without a value are only warned of.
    pub is_lenient: bool,
    /// Whether found values become Sensitive, so that nothing shows them.
    pub is_secret: bool,
}

struct NameChain {
    name: Arc<str>,
    outer: Option<Arc<NameChain>>,
}

/// A variable that was interpolated, with its value.
#[derive(Clone, Debug)]
pub(super) struct InterpolatedVariable {
    pub key: Arc<str>,
    pub root: Arc<str>,
    pub segments: Vec<Value>,
    /// The value of the whole variable, of which the segments name a part.
    pub outer: Option<Value>,
    pub value: Option<Value>,
}

impl<'a> Invocation<'a> {
    /// Creates a lookup that someone asks for: maybe a function that returns data for another.
    pub fn new(
        data: &'a Arc<dyn LookupData>,
        caller: &'a dyn Caller,
        explainer: Option<Arc<Mutex<Explainer>>>,
    ) -> Self {
        let mut settings = LookupSettings { explainer, ..LookupSettings::default() };
        let outer = caller.lookup();
        if let Some(outer) = outer.as_ref().and_then(|outer| outer.0.downcast_ref::<LookupSettings>()) {
            settings.explainer = settings.explainer.or_else(|| outer.explainer.clone());
            settings.global_only = outer.global_only;
            settings.names = outer.names.clone();
        }
        Self { caller, data, settings: Arc::new(settings) }
    }

    /// Returns the same with other settings.
    pub fn with_settings(&self, change: impl FnOnce(&mut LookupSettings)) -> Self {
        let mut settings = LookupSettings::clone(&self.settings);
        change(&mut settings);
        Self { settings: Arc::new(settings), ..self.clone() }
    }

    /// Returns the lookup of another key, or of the options of one, without overrides.
    pub fn for_options(&self) -> Self {
        self.with_settings(|settings| {
            settings.overrides = Arc::default();
            settings.default_values = Arc::default();
            settings.is_secret = false;
        })
    }

    /// Returns the same for a key.
    pub fn of_key(&self, key: LookupKey) -> Self {
        self.with_settings(|settings| settings.key = Some(key))
    }

    /// Returns the module that the key names.
    pub fn module(&self) -> Option<&Arc<str>> {
        self.settings.key.as_ref()?.module()
    }

    /// Calls a data function; its own lookups are part of this one.
    pub fn call(&self, function: &str, arguments: &[Value]) -> Result<Value, Error> {
        let ongoing = OngoingLookup(Arc::clone(&self.settings) as Arc<_>);
        self.caller.call_for_lookup(ongoing, function, arguments)
    }

    /// Runs a nested lookup or interpolation, unless it is already going on further out. An error in it is an error of
    /// the data.
    pub fn check<R>(&self, name: &str, run: impl FnOnce(&Self) -> Result<R, Error>) -> Result<R, Error> {
        let outer = || std::iter::successors(self.settings.names.as_deref(), |names| names.outer.as_deref());
        if outer().any(|names| &*names.name == name) {
            let mut names: Vec<&str> = outer().map(|names| &*names.name).collect();
            names.reverse();
            return Err(failure(format!("Recursive lookup detected in [{}]", names.join(", "))));
        }
        let names = NameChain { name: name.into(), outer: self.settings.names.clone() };
        let inner = self.with_settings(|settings| settings.names = Some(Arc::new(names)));
        run(&inner).map_err(|error| match self.puppets(&error) {
            Some(message) => failure(message),
            None => error,
        })
    }

    /// Returns the message of an error that Puppet has a class of its own for, or the host; it is worded as an error of
    /// the data.
    fn puppets(&self, error: &Error) -> Option<String> {
        match error.kind() {
            ErrorKind::HostFailure(_) if error.place().is_some() => Some(error.to_string()),
            ErrorKind::Host(exception) | ErrorKind::HostFailure(exception) => {
                self.caller.host().message_of(exception)
            }
            _ => is_puppets(error).then(|| error.to_string()),
        }
    }

    /// Runs a step, and reports it to the explainer.
    pub fn with<R>(&self, node: impl FnOnce() -> ExplainNode, run: impl FnOnce() -> R) -> R {
        let Some(explainer) = &self.settings.explainer else { return run() };
        locked(explainer).push(node());
        let result = run();
        locked(explainer).pop();
        result
    }

    /// Reports a step to the explainer, if there is one.
    pub fn explain(&self, tell: impl FnOnce(&mut Explainer)) {
        if let Some(explainer) = &self.settings.explainer {
            tell(&mut locked(explainer));
        }
    }

    /// Reports that a key was found.
    pub fn found(&self, key: impl Into<String>, value: Value) -> Value {
        self.explain(|explainer| explainer.found(key.into(), self.shown(&value), ""));
        value
    }

    /// Returns a value as it may be shown.
    pub fn shown(&self, value: &Value) -> Value {
        if self.settings.is_secret { Value::Sensitive(Arc::new(value.clone())) } else { value.clone() }
    }

    /// Reports that a key was not found.
    pub fn not_found(&self, key: impl Into<String>) {
        self.explain(|explainer| explainer.not_found(key.into()));
    }

    /// Logs a deprecation of a `hiera.yaml`. As in Puppet, one warning stands for all of them.
    pub fn warn_of_deprecated(&self, message: &str) {
        if self.caller.strict() != Strict::Off {
            self.caller.host().warn_once("hiera.yaml", message);
        }
    }

    /// Logs a warning.
    pub fn warn(&self, message: &str) {
        self.caller.host().log(LogLevel::Warning, message);
    }

    /// Returns the content of a file, as text.
    pub fn read(&self, path: &Path) -> Result<String, Error> {
        self.data.files().read_text(path)
    }
}

/// Returns true if Puppet has a class of its own for an error of the core.
fn is_puppets(error: &Error) -> bool {
    match error.kind() {
        _ if error.as_signal().is_some() => false,
        ErrorKind::Syntax
        | ErrorKind::TypeParameters
        | ErrorKind::TypeAssertion
        | ErrorKind::Conversion
        | ErrorKind::Load
        | ErrorKind::Evaluation
        | ErrorKind::Duplicate => true,
        ErrorKind::ArgumentMismatch | ErrorKind::NotFound => error.place().is_some(),
        _ => false,
    }
}
