//! The search in the data of a layer.
//!
//! See Puppet's `pops/lookup/data_provider.rb`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::config::{HieraConfig, HierarchyKind, Version};
use super::error::no_such_key;
use super::explain::ExplainNode;
use super::hiera_yaml;
use super::hierarchy::Hierarchies;
use super::invocation::Invocation;
use super::key::LookupKey;
use super::layer::HieraLayer;
use super::lock::locked;
use super::merge::MergeStrategy;
use puppetfn_base::error::Error;
use puppetfn_types::value::Value;

/// The data of a layer: its configuration and hierarchies, read on demand.
pub(super) struct DataProvider {
    layer: HieraLayer,
    path: Option<PathBuf>,
    hierarchies: Mutex<Option<Arc<Hierarchies>>>,
}

impl DataProvider {
    /// Returns the provider of a layer, and where its configuration is.
    pub fn new(layer: HieraLayer, path: Option<PathBuf>) -> Self {
        Self { layer, path, hierarchies: Mutex::default() }
    }

    /// Returns true if there may be a configuration.
    pub fn is_configured(&self) -> bool {
        self.path.is_some()
    }

    /// Returns the hierarchies of the configuration, which is read once.
    pub fn hierarchies(&self, invocation: &Invocation<'_>) -> Result<Arc<Hierarchies>, Error> {
        if let Some(known) = &*locked(&self.hierarchies) {
            return Ok(Arc::clone(known));
        }
        let config = hiera_yaml::read(self.path.as_deref(), &self.layer, invocation)?;
        let hierarchies = Arc::new(Hierarchies::of(config));
        Ok(Arc::clone(locked(&self.hierarchies).get_or_insert(hierarchies)))
    }

    /// Returns the value of a key.
    pub fn lookup(
        &self,
        key: &LookupKey,
        invocation: &Invocation<'_>,
        merge: &MergeStrategy,
    ) -> Result<Value, Error> {
        self.lookup_in(HierarchyKind::Regular, key, invocation, merge)
    }

    /// Returns the value that a key has in the default hierarchy.
    pub fn lookup_in_default(
        &self,
        key: &LookupKey,
        invocation: &Invocation<'_>,
        merge: &MergeStrategy,
    ) -> Result<Value, Error> {
        self.lookup_in(HierarchyKind::Default, key, invocation, merge)
    }

    fn lookup_in(
        &self,
        which: HierarchyKind,
        key: &LookupKey,
        invocation: &Invocation<'_>,
        merge: &MergeStrategy,
    ) -> Result<Value, Error> {
        invocation.check(&key.to_string(), |invocation| {
            let hierarchies = self.hierarchies(invocation)?;
            let config = &hierarchies.config;
            let invocation = &self.of_version(config, invocation);
            let merge = match &config.merge {
                Some(own) if invocation.settings.is_for_hiera && merge.is_hash() => own,
                _ => merge,
            };
            let node = || ExplainNode::data_provider(self.layer.name());
            invocation.with(node, || {
                invocation.explain(|explainer| {
                    let version = config.version as u8;
                    let name = format!("{} (hiera configuration version {version})", self.layer.name());
                    let path = config.path().map(|path| path.display().to_string());
                    explainer.name_provider(name, path, self.layer.module().map(ToString::to_string));
                });
                let sources = hierarchies.sources(which, &self.layer, invocation)?;
                if sources.is_empty() {
                    invocation.not_found(key.to_string());
                    return Err(no_such_key());
                }
                merge.lookup(&sources, invocation, |source| {
                    source.lookup(key, invocation, merge, &self.layer, config)
                })
            })
        })
    }

    /// Restricts the lookups of version 3 to the global layer, unless the environment has data, too.
    fn of_version<'a>(&self, config: &HieraConfig, invocation: &Invocation<'a>) -> Invocation<'a> {
        let is_global = config.version == Version::Three && !invocation.data.has_environment_data();
        if !is_global {
            return invocation.clone();
        }
        invocation.with_settings(|settings| settings.global_only = true)
    }
}
