//! The options of keys, which data has under `lookup_options`.
//!
//! See Puppet's `pops/lookup/lookup_adapter.rb`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::error::failure;
use super::key::{LOOKUP_OPTIONS, LookupKey};
use puppetfn_base::error::Error;
use puppetfn_types::value::{Hash, Regex, Value};

/// The options in data, cached.
#[derive(Default)]
pub(super) struct OptionsCache {
    /// The options of the global layer, and the same with the environment's.
    pub global: Mutex<Option<FoundOptions>>,
    pub environment: Mutex<Option<FoundOptions>>,
    /// The options for keys of a module, or for keys without one.
    pub by_module: Mutex<HashMap<Option<Arc<str>>, Arc<KeyOptions>>>,
    /// The options of default hierarchies.
    pub default_by_module: Mutex<HashMap<Arc<str>, Arc<KeyOptions>>>,
}

/// The options of a layer, if it has any.
pub(super) type FoundOptions = Option<Arc<Hash>>;

/// The options of keys and of patterns of keys.
#[derive(Default)]
pub(super) struct KeyOptions {
    keys: Hash,
    patterns: Vec<(Regex, Value)>,
}

impl KeyOptions {
    /// Returns the options of a hash.
    pub fn of(found: FoundOptions) -> Result<Self, Error> {
        let mut options = Self::default();
        for (key, value) in found.iter().flat_map(|hash| hash.iter()) {
            match key {
                Value::String(pattern) if pattern.starts_with('^') => {
                    options.patterns.push((Regex::new(pattern)?, value.clone()));
                }
                key => {
                    options.keys.insert(key.clone(), value.clone());
                }
            }
        }
        Ok(options)
    }

    /// Returns the options of a key.
    pub fn get(&self, key: &LookupKey) -> Result<Option<Arc<Hash>>, Error> {
        let hash = |value: &Value| match value {
            Value::Hash(hash) => Ok(Some(Arc::clone(hash))),
            Value::Undef => Ok(None),
            // Puppet looks for the options in a text, as in a Hash.
            Value::String(text) if !["merge", "convert_to"].iter().any(|name| text.contains(name)) => {
                Ok(None)
            }
            _ => Err(failure(format!("value of {LOOKUP_OPTIONS} for '{key}' must be a hash"))),
        };
        if let Some(options) = self.keys.get_str(key.root()).filter(|value| !matches!(value, Value::Undef)) {
            return hash(options);
        }
        for (pattern, options) in &self.patterns {
            if pattern.is_match(key.root())? {
                return hash(options);
            }
        }
        Ok(None)
    }
}
