//! The layers that data is in.
//!
//! See Puppet's `pops/lookup/data_provider.rb`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::config::{Config, Version, Which};
use super::error::no_such_key;
use super::explain::Node;
use super::invocation::Invocation;
use super::key::{LOOKUP_OPTIONS, LookupKey};
use super::lock::locked;
use super::merge::MergeStrategy;
use puppetfn_base::error::Error;
use puppetfn_types::value::{Hash, Value};

/// A layer.
#[derive(Clone, Debug)]
pub(super) enum Layer {
    Global,
    Environment,
    Module(Arc<str>),
}

impl Layer {
    /// Returns the module, if it is that of one.
    pub fn module(&self) -> Option<&Arc<str>> {
        match self {
            Self::Global | Self::Environment => None,
            Self::Module(name) => Some(name),
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Global => "Global Data Provider".to_owned(),
            Self::Environment => "Environment Data Provider".to_owned(),
            Self::Module(name) => format!("Module \"{name}\" Data Provider"),
        }
    }

    /// Returns a hash that a function returned, without keys that it cannot have here. `origin` says where it is from.
    pub fn validated(
        &self,
        hash: Arc<Hash>,
        invocation: &Invocation<'_>,
        origin: impl FnOnce() -> String,
    ) -> Arc<Hash> {
        let Self::Module(module) = self else { return hash };
        let prefix = format!("{module}::");
        let is_own = |key: &Value| matches!(key, Value::String(key) if **key == *LOOKUP_OPTIONS || key.starts_with(&prefix));
        if hash.iter().all(|(key, _)| is_own(key)) {
            return hash;
        }
        let origin = origin();
        for (key, _) in hash.iter().filter(|(key, _)| !is_own(key)) {
            invocation.warn(&format!(
                "Module '{module}': {origin} must use keys qualified with the name of the module; got {}",
                key.interpolated(invocation.caller.limits()).unwrap_or_default()
            ));
        }
        let own = hash.iter().filter(|(key, _)| is_own(key));
        Arc::new(own.map(|(key, value)| (key.clone(), value.clone())).collect())
    }
}

/// What finds the data of a layer.
pub(super) struct DataProvider {
    layer: Layer,
    path: Option<PathBuf>,
    config: Mutex<Option<Arc<Config>>>,
}

impl DataProvider {
    /// Returns the provider of a layer, and where its configuration is.
    pub fn new(layer: Layer, path: Option<PathBuf>) -> Self {
        Self { layer, path, config: Mutex::default() }
    }

    /// Returns true if there may be a configuration.
    pub fn is_configured(&self) -> bool {
        self.path.is_some()
    }

    /// Returns the configuration, which is read once.
    pub fn config(&self, invocation: &Invocation<'_>) -> Result<Arc<Config>, Error> {
        if let Some(known) = &*locked(&self.config) {
            return Ok(Arc::clone(known));
        }
        let config = Arc::new(Config::read(self.path.as_deref(), &self.layer, invocation)?);
        Ok(Arc::clone(locked(&self.config).get_or_insert(config)))
    }

    /// Returns the value of a key.
    pub fn lookup(
        &self,
        key: &LookupKey,
        invocation: &Invocation<'_>,
        merge: &MergeStrategy,
    ) -> Result<Value, Error> {
        self.lookup_in(Which::Regular, key, invocation, merge)
    }

    /// Returns the value that a key has in the default hierarchy.
    pub fn lookup_in_default(
        &self,
        key: &LookupKey,
        invocation: &Invocation<'_>,
        merge: &MergeStrategy,
    ) -> Result<Value, Error> {
        self.lookup_in(Which::Default, key, invocation, merge)
    }

    fn lookup_in(
        &self,
        which: Which,
        key: &LookupKey,
        invocation: &Invocation<'_>,
        merge: &MergeStrategy,
    ) -> Result<Value, Error> {
        invocation.check(&key.to_string(), |invocation| {
            let config = self.config(invocation)?;
            let invocation = &self.of_version(&config, invocation);
            let merge = match &config.merge {
                Some(own) if invocation.settings.is_for_hiera && merge.is_hash() => own,
                _ => merge,
            };
            let node = || Node::data_provider(self.layer.name(), None);
            invocation.with(node, || {
                invocation.explain(|explainer| {
                    let version = config.version as u8;
                    let name = format!("{} (hiera configuration version {version})", self.layer.name());
                    explainer.name_provider(name, config.path().map(|path| path.display().to_string()));
                });
                let sources = config.sources(which, &self.layer, invocation)?;
                if sources.is_empty() {
                    invocation.not_found(key.to_string());
                    return Err(no_such_key());
                }
                merge.lookup(&sources, invocation, |source| {
                    source.lookup(key, invocation, merge, &self.layer, &config)
                })
            })
        })
    }

    /// What data of version 3 refers to is in the global layer, unless the environment has data, too.
    fn of_version<'a>(&self, config: &Config, invocation: &Invocation<'a>) -> Invocation<'a> {
        let is_global = config.version == Version::Three && invocation.hiera.environment_provider().is_none();
        if !is_global {
            return invocation.clone();
        }
        invocation.with_settings(|settings| settings.global_only = true)
    }
}
