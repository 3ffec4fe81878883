//! Looks for the options of keys.
//!
//! See Puppet's `pops/lookup/lookup_adapter.rb`.

use std::sync::{Arc, Mutex};

use super::error::{failure, found, no_such_key};
use super::explain::ExplainNode;
use super::key::{LOOKUP_OPTIONS, LookupKey};
use super::lock::locked;
use super::merge::MergeStrategy;
use super::options::{FoundOptions, KeyOptions};
use super::search::Search;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::value::{Hash, Value};

impl Search<'_> {
    /// Returns the options of a key.
    pub fn options_of(&self, key: &LookupKey) -> Result<Option<Arc<Hash>>, Error> {
        let cache = &self.hiera.options;
        let module = key.module().cloned();
        let known = locked(&cache.by_module).get(&module).cloned();
        let options = match known {
            Some(known) => known,
            None => {
                let options = Arc::new(self.read_options(module.as_ref())?);
                locked(&cache.by_module).insert(module, Arc::clone(&options));
                options
            }
        };
        options.get(key)
    }

    fn read_options(&self, module: Option<&Arc<str>>) -> Result<KeyOptions, Error> {
        // This looks up another key, `lookup_options`, in the module of this one.
        let this = self.with_invocation(self.for_options());
        this.with(
            || ExplainNode::top(LOOKUP_OPTIONS),
            || {
                if this.settings.global_only {
                    return KeyOptions::of(this.global_options()?);
                }
                let mut options = this.environment_options()?;
                if let Some(module) = module {
                    // Keys without a module have the same options: cache them.
                    let known = locked(&this.hiera.options.by_module).contains_key(&None);
                    if !known {
                        let own = Arc::new(KeyOptions::of(options.clone())?);
                        locked(&this.hiera.options.by_module).entry(None).or_insert(own);
                    }
                    let find = || this.in_module(&LookupKey::lookup_options(), &MergeStrategy::hash());
                    let in_module =
                        found(find().and_then(|found| validated(found, Some(module), self.caller.limits())))?;
                    options = match (options, in_module) {
                        (None, in_module) => in_module,
                        (options, None) => options,
                        (Some(options), Some(in_module)) => Some(this.merged(module, options, in_module)?),
                    };
                }
                KeyOptions::of(options)
            },
        )
    }

    /// Merges the options of a module with the options of the other layers.
    fn merged(&self, module: &str, options: Arc<Hash>, in_module: Arc<Hash>) -> Result<Arc<Hash>, Error> {
        let layers =
            [("Global and Environment".to_owned(), options), (format!("Module {module}"), in_module)];
        let merged = MergeStrategy::hash().lookup(&layers, self, |(name, options)| {
            self.with(
                || ExplainNode::scope(name),
                || Ok(self.found(LOOKUP_OPTIONS, Value::Hash(Arc::clone(options)))),
            )
        })?;
        match merged {
            Value::Hash(merged) => Ok(merged),
            _ => Err(no_such_key()),
        }
    }

    fn global_options(&self) -> Result<FoundOptions, Error> {
        self.once(&self.hiera.options.global, || {
            let find = self.in_global(&LookupKey::lookup_options(), &MergeStrategy::hash());
            found(find.and_then(|found| validated(found, None, self.caller.limits())))
        })
    }

    fn environment_options(&self) -> Result<FoundOptions, Error> {
        self.once(&self.hiera.options.environment, || {
            let global = self.global_options()?;
            let find = self.in_environment(&LookupKey::lookup_options(), &MergeStrategy::hash());
            let environment = found(find.and_then(|found| validated(found, None, self.caller.limits())))?;
            match (global, environment) {
                (None, only) | (only, None) => Ok(only),
                (Some(global), Some(environment)) => {
                    match MergeStrategy::hash().merge(
                        Value::Hash(global),
                        Value::Hash(environment),
                        self.caller.limits(),
                    )? {
                        Value::Hash(merged) => Ok(Some(merged)),
                        _ => Ok(None),
                    }
                }
            }
        })
    }

    /// Returns a cached value, or reads it. No lock is held meanwhile: reading may look up data.
    fn once(
        &self,
        cache: &Mutex<Option<FoundOptions>>,
        read: impl FnOnce() -> Result<FoundOptions, Error>,
    ) -> Result<FoundOptions, Error> {
        if let Some(known) = &*locked(cache) {
            return Ok(known.clone());
        }
        let found = read()?;
        *locked(cache) = Some(found.clone());
        Ok(found)
    }

    /// Returns the value of a key in the default hierarchy of the module.
    pub fn default_in_module(&self, key: &LookupKey) -> Result<Value, Error> {
        let module = self.module().cloned().ok_or_else(no_such_key)?;
        let provider = self.hiera.module_provider(&module)?.ok_or_else(no_such_key)?;
        if !provider.hierarchies(self)?.config.has_default_hierarchy() {
            return Err(no_such_key());
        }
        let name = format!("Searching default_hierarchy of module \"{module}\"");
        self.with(
            || ExplainNode::scope(name),
            || {
                let cache = &self.hiera.options.default_by_module;
                let known = locked(cache).get(&module).cloned();
                let options = match known {
                    Some(known) => known,
                    None => {
                        let name = format!("Searching for \"{LOOKUP_OPTIONS}\"");
                        let found = self.with(
                            || ExplainNode::scope(name),
                            || {
                                let this = self.for_options();
                                let merge = MergeStrategy::hash();
                                let find =
                                    provider.lookup_in_default(&LookupKey::lookup_options(), &this, &merge);
                                found(
                                    find.and_then(|found| {
                                        validated(found, Some(&module), self.caller.limits())
                                    }),
                                )
                            },
                        )?;
                        let options = Arc::new(KeyOptions::of(found)?);
                        locked(cache).insert(Arc::clone(&module), Arc::clone(&options));
                        options
                    }
                };
                let options = options.get(key)?;
                let merge = MergeStrategy::of(
                    options.as_ref().and_then(|options| options.get_str("merge")),
                    self.caller.limits(),
                )?;
                let name = format!("Searching for \"{key}\"");
                self.with(|| ExplainNode::scope(name), || provider.lookup_in_default(key, self, &merge))
            },
        )
    }
}

/// Returns the options as a hash. Options of a module can only be about its own keys.
fn validated(found: Value, module: Option<&Arc<str>>, limits: &Limits) -> Result<Arc<Hash>, Error> {
    let Value::Hash(options) = found else {
        return Err(failure(format!("value of {LOOKUP_OPTIONS} must be a hash")));
    };
    if let Some(module) = module {
        let prefix = format!("{module}::");
        for (key, _) in options.iter() {
            let key = key.interpolated(limits)?;
            match key.strip_prefix('^') {
                Some(pattern) if !pattern.starts_with(&prefix) => {
                    return Err(failure(format!(
                        "all {LOOKUP_OPTIONS} patterns must match a key starting with module name '{module}'"
                    )));
                }
                None if !key.starts_with(&prefix) => {
                    return Err(failure(format!(
                        "all {LOOKUP_OPTIONS} keys must start with module name '{module}'"
                    )));
                }
                Some(_) | None => {}
            }
        }
    }
    Ok(options)
}
