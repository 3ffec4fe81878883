//! Looks up a key.
//!
//! See Puppet's `pops/lookup/lookup_adapter.rb`.

use std::sync::{Arc, Mutex};

use super::error::{failure, found, is_of_data, no_such_key};
use super::explain::{ExplainNode, Explainer};
use super::hiera::Hiera;
use super::invocation::{FileCache, Invocation, LookupData};
use super::key::{LOOKUP_OPTIONS, LookupKey};
use super::lock::locked;
use super::merge::MergeStrategy;
use super::search::Search;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::function::{Caller, DataLookup, Fallback, LookupExplanation, LookupQuery, ModuleFiles};
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::assert_instance;
use puppetfn_types::value::{Hash, Value};

impl DataLookup for Hiera {
    fn lookup(self: Arc<Self>, query: &LookupQuery<'_>, caller: &dyn Caller) -> Result<Value, Error> {
        // Puppet makes collections anew where it looks for interpolations.
        self.answer(query, caller, None).map(|found| found.duplicated_if_shared())
    }

    fn find(self: Arc<Self>, key: &str, caller: &dyn Caller) -> Result<Option<Value>, Error> {
        if self.is_empty(key)? {
            return Ok(None);
        }
        let data: Arc<dyn LookupData> = Arc::clone(&self) as Arc<_>;
        let invocation = Invocation::new(&data, caller, None);
        found(Search { hiera: &self, invocation }.search(key, None))
    }

    fn explain(
        self: Arc<Self>,
        query: &LookupQuery<'_>,
        only_options: bool,
        caller: &dyn Caller,
    ) -> Result<LookupExplanation, Error> {
        let explainer = Arc::new(Mutex::new(Explainer::new(only_options)));
        match self.answer(query, caller, Some(Arc::clone(&explainer))) {
            Ok(_) => {}
            Err(error) if is_of_data(&error) => {
                locked(&explainer).text(error.to_string());
            }
            Err(error) => return Err(error),
        }
        let explainer = locked(&explainer);
        Ok(LookupExplanation { text: explainer.explain(caller.limits())?, data: explainer.data() })
    }
}

impl LookupData for Hiera {
    fn files(&self) -> &dyn ModuleFiles {
        &*self.files
    }

    fn environment_name(&self) -> &Arc<str> {
        &self.environment_name
    }

    fn has_environment_data(&self) -> bool {
        self.environment_provider().is_some()
    }

    fn file_cache(&self) -> &FileCache {
        &self.file_cache
    }

    fn search(&self, key: &str, invocation: &Invocation<'_>) -> Result<Value, Error> {
        Search { hiera: self, invocation: invocation.clone() }.search(key, None)
    }
}

impl Hiera {
    /// Returns true if there is no data at all in the layers that have a key.
    fn is_empty(&self, key: &str) -> Result<bool, Error> {
        if self.global.is_configured() || self.environment_provider().is_some() {
            return Ok(false);
        }
        match key.split_once("::") {
            Some((module, _)) => Ok(self.module_provider(&module.into())?.is_none()),
            None => Ok(true),
        }
    }

    fn answer(
        self: &Arc<Self>,
        query: &LookupQuery<'_>,
        caller: &dyn Caller,
        explainer: Option<Arc<Mutex<Explainer>>>,
    ) -> Result<Value, Error> {
        let is_global = query.is_for_hiera && self.environment_provider().is_none();
        let data: Arc<dyn LookupData> = Arc::clone(self) as Arc<_>;
        let invocation = Invocation::new(&data, caller, explainer).with_settings(|settings| {
            settings.overrides = query.overrides.cloned().unwrap_or_default();
            settings.default_values = query.default_values.cloned().unwrap_or_default();
            settings.global_only |= is_global;
            settings.is_for_hiera = query.is_for_hiera;
        });
        let names = match query.name {
            Value::Array(names) => names,
            name => std::slice::from_ref(name),
        };
        let names: Vec<&str> = names
            .iter()
            .filter_map(|name| if let Value::String(name) = name { Some(&**name) } else { None })
            .collect();
        if let Some(value) = (Search { hiera: self, invocation }).first(&names, query)? {
            return Ok(value);
        }
        let of_type = |subject: &str, value: Value| {
            of_type(|| subject.to_owned(), query.value_type, value, caller.limits())
        };
        match query.fallback {
            Fallback::Block(block) => {
                let value = caller.call_block(block, std::slice::from_ref(query.name))?;
                of_type("Value returned from default block", value)
            }
            Fallback::Value(value) => of_type("Default value", value.clone()),
            Fallback::None => Err(not_found(&names)),
        }
    }
}

fn of_type(
    subject: impl FnOnce() -> String,
    t: Option<&Type>,
    value: Value,
    limits: &Limits,
) -> Result<Value, Error> {
    if let Some(t) = t {
        assert_instance(subject, t, &value, limits)?;
    }
    Ok(value)
}

#[cold]
fn not_found(names: &[&str]) -> Error {
    if let [name] = names {
        return failure(format!("Function lookup() did not find a value for the name '{name}'"));
    }
    let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    failure(format!("Function lookup() did not find a value for any of the names [{}]", names.join(", ")))
}

/// Finds a key in a layer.
type LayerFinder<'a> = fn(&Search<'a>, &LookupKey, &MergeStrategy) -> Result<Value, Error>;

impl<'a> Search<'a> {
    /// Returns the value of the first of some keys that has one, or that a default value is given for.
    fn first(&self, names: &[&str], query: &LookupQuery<'_>) -> Result<Option<Value>, Error> {
        for name in names {
            let value = match self.settings.overrides.get_str(name) {
                Some(value) => {
                    let subject = || format!("Value found for key '{name}' in override hash");
                    of_type(subject, query.value_type, value.clone(), self.caller.limits())?
                }
                None => match found(self.search(name, query.merge))? {
                    Some(value) => value,
                    None => continue,
                },
            };
            return of_type(|| "Found value".to_owned(), query.value_type, value, self.caller.limits())
                .map(Some);
        }
        for name in names {
            if let Some(value) = self.settings.default_values.get_str(name) {
                let subject = || format!("Value found for key '{name}' in default values hash");
                return of_type(subject, query.value_type, value.clone(), self.caller.limits()).map(Some);
            }
        }
        Ok(None)
    }

    /// Returns the value of a key.
    ///
    /// # Errors
    /// [`Signal::NoSuchKey`](puppetfn_base::error::Signal::NoSuchKey) when there is none.
    pub fn search(&self, name: &str, merge: Option<&Value>) -> Result<Value, Error> {
        if name == LOOKUP_OPTIONS || name.starts_with("lookup_options.") {
            return self.with(|| ExplainNode::invalid_key(LOOKUP_OPTIONS), || Err(no_such_key()));
        }
        let key = LookupKey::new(name)?;
        let this = self.with_invocation(self.of_key(key.clone()));
        let only_options =
            this.settings.explainer.as_ref().is_some_and(|explainer| locked(explainer).only_options);
        if only_options {
            found(this.layers(&LookupKey::lookup_options(), &MergeStrategy::hash()))?;
            return Ok(Value::Undef);
        }
        let options = this.options_of(&key)?.unwrap_or_default();
        let this = if becomes_sensitive(&options) {
            this.with_invocation(this.with_settings(|settings| settings.is_secret = true))
        } else {
            this
        };
        let mut merge = merge.filter(|merge| !matches!(merge, Value::Undef));
        if merge.is_none() {
            merge = options.get_str("merge").filter(|merge| !matches!(merge, Value::Undef));
            if merge.is_some() {
                this.explain(|explainer| explainer.merge_source(LOOKUP_OPTIONS));
            }
        }
        let value = this.with(
            || ExplainNode::top(name),
            || {
                let strategy = MergeStrategy::of(merge, self.caller.limits())?;
                if let Some(value) = found(this.layers(&key, &strategy))? {
                    return Ok(value);
                }
                if this.settings.global_only {
                    return Err(no_such_key());
                }
                this.dig(&key, this.default_in_module(&key)?)
            },
        )?;
        this.converted(name, &options, value)
    }

    /// Returns the value of a key, merged over all layers.
    fn layers(&self, key: &LookupKey, merge: &MergeStrategy) -> Result<Value, Error> {
        let value = if self.settings.global_only {
            self.in_global(key, merge)
        } else {
            let layers: [LayerFinder<'a>; 3] = [Self::in_global, Self::in_environment, Self::in_module];
            merge.lookup(&layers, self, |layer| layer(self, key, merge))
        };
        self.dig(key, value?)
    }

    /// Converts a value as the `convert_to` option of its key demands.
    fn converted(&self, key: &str, options: &Hash, value: Value) -> Result<Value, Error> {
        let convert_to = match options.get_str("convert_to") {
            None | Some(Value::Undef) => return Ok(value),
            Some(Value::Array(items)) => items.to_vec(),
            Some(t) => vec![t.clone()],
        };
        let (mut t, arguments) = match convert_to.split_first() {
            Some((t, arguments)) => (t.clone(), arguments),
            None => (Value::Undef, &[][..]),
        };
        if let Value::String(text) = &t {
            let parsed = self.caller.parse_type(text).map_err(|error| {
                failure(format!(
                    "Invalid data type in lookup_options for key '{key}' could not parse '{text}', error: '{error}"
                ))
            })?;
            t = parsed.into();
        }
        let shown = std::iter::once(&t).chain(arguments).cloned().collect::<Vec<_>>();
        let all: Vec<Value> = [t, value].into_iter().chain(arguments.iter().cloned()).collect();
        let value = self.caller.call_named("new", &all, None).map_err(|error| {
            failure(format!("The convert_to lookup_option for key '{key}' raised error: {error}"))
        })?;
        let shown = Value::from(shown).interpolated(self.caller.limits())?;
        self.explain(|explainer| {
            explainer.text(format!("Applying convert_to lookup_option with arguments {shown}"));
        });
        Ok(value)
    }
}

/// Returns true if the options of a key make its value Sensitive.
fn becomes_sensitive(options: &Hash) -> bool {
    let convert_to = match options.get_str("convert_to") {
        Some(Value::Array(items)) => items.first(),
        other => other,
    };
    match convert_to {
        Some(Value::String(name)) => name.trim_start().starts_with("Sensitive"),
        Some(Value::Type(t)) => matches!(**t, Type::Sensitive(_)),
        _ => false,
    }
}
