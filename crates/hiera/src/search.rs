//! A lookup in the layers of data.
//!
//! See Puppet's `pops/lookup/lookup_adapter.rb`.

use std::ops::Deref;

use super::error::{LOOKUP, no_such_key};
use super::hiera::Hiera;
use super::invocation::Invocation;
use super::key::{LOOKUP_OPTIONS, LookupKey};
use super::merge::MergeStrategy;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::value::Value;

/// A lookup, with the data that it goes through.
#[derive(Clone)]
pub(super) struct Search<'a> {
    pub hiera: &'a Hiera,
    pub invocation: Invocation<'a>,
}

impl<'a> Deref for Search<'a> {
    type Target = Invocation<'a>;

    fn deref(&self) -> &Invocation<'a> {
        &self.invocation
    }
}

impl<'a> Search<'a> {
    /// Returns a search for another lookup in the same data.
    pub fn with_invocation(&self, invocation: Invocation<'a>) -> Self {
        Self { invocation, hiera: self.hiera }
    }

    /// Returns the value of a key in the global layer.
    pub fn in_global(&self, key: &LookupKey, merge: &MergeStrategy) -> Result<Value, Error> {
        self.hiera.global.lookup(key, self, merge).map_err(|error| match error.code() {
            Some(LOOKUP) => {
                // The options of a key are looked up on their own.
                let is_own = **key.root() == *LOOKUP_OPTIONS;
                let top = self.settings.key.as_ref().filter(|_| !is_own).unwrap_or(key);
                Error::new(ErrorKind::Evaluation, format!("Lookup of key '{top}' failed: {error}"))
            }
            _ => error,
        })
    }

    /// Returns the value of a key in the environment.
    pub fn in_environment(&self, key: &LookupKey, merge: &MergeStrategy) -> Result<Value, Error> {
        let provider = self.hiera.environment_provider().ok_or_else(no_such_key)?;
        provider.hierarchies(self)?;
        provider.lookup(key, self, merge)
    }

    /// Returns the value of a key in the module that it names.
    pub fn in_module(&self, key: &LookupKey, merge: &MergeStrategy) -> Result<Value, Error> {
        let module = self.module().ok_or_else(no_such_key)?;
        let Some(provider) = self.hiera.module_provider(module)? else {
            let exists = self.hiera.files.module_directory(module)?.is_some();
            self.explain(|explainer| match exists {
                true => explainer.no_module_provider(module),
                false => explainer.module_not_found(module),
            });
            return Err(no_such_key());
        };
        provider.hierarchies(self)?;
        provider.lookup(key, self, merge)
    }
}
