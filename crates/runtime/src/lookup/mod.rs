//! Hiera: looks up data by key. Version 5, and what that supports of version 3.
//!
//! [`Hiera`] looks into three layers: a global one, that of the environment, and that of the module that a
//! key names. What a `hiera.yaml` says of a layer is a [`config::Config`]; it becomes a hierarchy of
//! [`source::Source`]s, each a function that gives data and the places that it reads. A lookup goes
//! through them with an [`invocation::Invocation`], which knows what the lookup is for, and tells an
//! [`explain::Explainer`] what it finds.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "data is asked for a few kinds of values, and treats all others alike"
)]

mod config;
mod context;
mod deep_merge;
mod explain;
mod glob;
mod hierarchy;
mod interpolation;
mod invocation;
mod key;
mod location;
mod merge;
mod options;
mod path;
mod provider;
mod query;
mod scope;
mod source;
mod version3;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub use self::glob::braces;

use self::context::FileCache;
use self::options::OptionsCache;
use self::provider::{DataProvider, Layer};
use puppetfn_base::error::{Error, ErrorKind, Signal};
use puppetfn_types::function::ModuleFiles;

/// What a file is called that says where data is.
const CONFIG_FILE: &str = "hiera.yaml";

/// The data of an environment, its modules and the global layer.
///
/// What files and functions give is kept, as Puppet does while it makes one catalog.
pub struct Hiera {
    files: Arc<dyn ModuleFiles>,
    environment: Option<PathBuf>,
    environment_name: Arc<str>,
    global: Arc<DataProvider>,
    environment_provider: OnceLock<Option<Arc<DataProvider>>>,
    /// The configurations of modules that are elsewhere; `None` if a module is to have no data.
    module_configs: HashMap<String, Option<PathBuf>>,
    /// By module; `None` if a module has no data.
    modules: Mutex<HashMap<Arc<str>, Option<Arc<DataProvider>>>>,
    options: OptionsCache,
    file_cache: FileCache,
}

impl Hiera {
    /// Data of the modules that `files` knows, without an environment and a global layer.
    pub fn new(files: Arc<dyn ModuleFiles>) -> Self {
        Self {
            files,
            environment: None,
            environment_name: "production".into(),
            global: Arc::new(DataProvider::new(Layer::Global, None)),
            environment_provider: OnceLock::new(),
            module_configs: HashMap::new(),
            modules: Mutex::default(),
            options: OptionsCache::default(),
            file_cache: FileCache::default(),
        }
    }

    /// Adds the data of an environment.
    #[must_use]
    pub fn environment(self, name: impl Into<Arc<str>>, directory: Option<PathBuf>) -> Self {
        Self { environment_name: name.into(), environment: directory, ..self }
    }

    /// Adds the data of a global layer, from its `hiera.yaml`.
    #[must_use]
    pub fn global(self, config: Option<PathBuf>) -> Self {
        Self { global: Arc::new(DataProvider::new(Layer::Global, config)), ..self }
    }

    /// Says where the configurations of some modules are, in place of their own `hiera.yaml`; `None` if a
    /// module is to have no data.
    #[must_use]
    pub fn module_configs(self, module_configs: HashMap<String, Option<PathBuf>>) -> Self {
        Self { module_configs, ..self }
    }

    /// The provider of the environment, if there is a `hiera.yaml`.
    fn environment_provider(&self) -> Option<&Arc<DataProvider>> {
        let make = || {
            let config = self.environment.as_ref()?.join(CONFIG_FILE);
            self.exists(&config).then(|| Arc::new(DataProvider::new(Layer::Environment, Some(config))))
        };
        self.environment_provider.get_or_init(make).as_ref()
    }

    /// The provider of a module, if it has a `hiera.yaml`.
    fn module_provider(&self, name: &Arc<str>) -> Result<Option<Arc<DataProvider>>, Error> {
        if let Some(known) = locked(&self.modules).get(name) {
            return Ok(known.clone());
        }
        let config = match self.module_configs.get(&**name) {
            Some(config) => config.clone(),
            None => self.files.module_directory(name)?.map(|root| root.join(CONFIG_FILE)),
        };
        let provider = config
            .filter(|config| self.exists(config))
            .map(|config| Arc::new(DataProvider::new(Layer::Module(Arc::clone(name)), Some(config))));
        Ok(locked(&self.modules).entry(Arc::clone(name)).or_insert(provider).clone())
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.file_system().exists(path)
    }
}

impl fmt::Debug for Hiera {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hiera").field("environment", &self.environment).finish_non_exhaustive()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The error of a key without a value, which whoever looks further catches.
fn no_such_key() -> Error {
    Error::signal(Signal::NoSuchKey, "uncaught throw :no_such_key")
}

/// What was looked up, or none where there is no such key.
fn found<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.as_signal() == Some(&Signal::NoSuchKey) => Ok(None),
        Err(error) => Err(error),
    }
}

/// An error of data.
#[cold]
fn failure(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Lookup, message)
}

/// An error of what configures data, or of an interpolation.
#[cold]
fn misconfigured(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::LookupConfiguration, message)
}
