//! The data of all layers, with its caches.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use super::invocation::FileCache;
use super::layer::HieraLayer;
use super::lock::locked;
use super::options::OptionsCache;
use super::provider::DataProvider;
use puppetfn_base::error::Error;
use puppetfn_types::function::ModuleFiles;

/// The name of the file that configures data.
const CONFIG_FILE: &str = "hiera.yaml";

/// The data of an environment, its modules and the global layer.
///
/// Contents of files and results of functions are cached, as Puppet does during a compilation.
pub struct Hiera {
    pub(super) files: Arc<dyn ModuleFiles>,
    pub(super) environment: Option<PathBuf>,
    pub(super) environment_name: Arc<str>,
    pub(super) global: Arc<DataProvider>,
    pub(super) environment_provider: OnceLock<Option<Arc<DataProvider>>>,
    /// The configurations of modules that are elsewhere; `None` if a module is to have no data.
    pub(super) module_configs: HashMap<String, Option<PathBuf>>,
    /// By module; `None` if a module has no data.
    pub(super) modules: Mutex<HashMap<Arc<str>, Option<Arc<DataProvider>>>>,
    pub(super) options: OptionsCache,
    pub(super) file_cache: FileCache,
}

impl Hiera {
    /// Creates the data of the modules that `files` knows, without an environment and a global layer.
    pub fn new(files: Arc<dyn ModuleFiles>) -> Self {
        Self {
            files,
            environment: None,
            environment_name: "production".into(),
            global: Arc::new(DataProvider::new(HieraLayer::Global, None)),
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
        Self { global: Arc::new(DataProvider::new(HieraLayer::Global, config)), ..self }
    }

    /// Sets the configurations of some modules, in place of their own `hiera.yaml`; `None` if a module is to have no
    /// data.
    #[must_use]
    pub fn module_configs(self, module_configs: HashMap<String, Option<PathBuf>>) -> Self {
        Self { module_configs, ..self }
    }

    /// Returns the provider of the environment, if there is a `hiera.yaml`.
    pub(super) fn environment_provider(&self) -> Option<&Arc<DataProvider>> {
        let make = || {
            let config = self.environment.as_ref()?.join(CONFIG_FILE);
            self.exists(&config).then(|| Arc::new(DataProvider::new(HieraLayer::Environment, Some(config))))
        };
        self.environment_provider.get_or_init(make).as_ref()
    }

    /// Returns the provider of a module, if it has a `hiera.yaml`.
    pub(super) fn module_provider(&self, name: &Arc<str>) -> Result<Option<Arc<DataProvider>>, Error> {
        if let Some(known) = locked(&self.modules).get(name) {
            return Ok(known.clone());
        }
        let config = match self.module_configs.get(&**name) {
            Some(config) => config.clone(),
            None => self.files.module_directory(name)?.map(|root| root.join(CONFIG_FILE)),
        };
        let provider = config
            .filter(|config| self.exists(config))
            .map(|config| Arc::new(DataProvider::new(HieraLayer::Module(Arc::clone(name)), Some(config))));
        Ok(locked(&self.modules).entry(Arc::clone(name)).or_insert(provider).clone())
    }

    pub(super) fn exists(&self, path: &Path) -> bool {
        self.files.file_system().exists(path)
    }
}

impl fmt::Debug for Hiera {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hiera").field("environment", &self.environment).finish_non_exhaustive()
    }
}
