//! Sources of data: functions that return it, each with the locations that it reads.
//!
//! See Puppet's `pops/lookup/function_provider.rb`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use super::config::{FunctionKind, HieraConfig};
use super::context::{FunctionContext, context};
use super::error::{found, no_such_key};
use super::explain::ExplainNode;
use super::interpolation::MethodPolicy;
use super::invocation::Invocation;
use super::key::LookupKey;
use super::layer::HieraLayer;
use super::location::DataLocation;
use super::lock::locked;
use super::merge::MergeStrategy;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::describe::assertion_error;
use puppetfn_types::types::ops::{assert_instance, infer, instance};
use puppetfn_types::types::{Type, builtin};
use puppetfn_types::value::{Hash, Value};

/// An entry of a hierarchy at work.
pub(super) struct DataSource {
    name: Arc<str>,
    kind: FunctionKind,
    function: Arc<str>,
    options: Arc<Hash>,
    /// Without any the function is called once, without a place.
    places: Vec<LocationResults>,
}

/// A location with the results of the function for it.
struct LocationResults {
    location: Option<DataLocation>,
    data: Mutex<Option<Arc<Hash>>>,
    values: Mutex<HashMap<String, Value>>,
    context: Arc<FunctionContext>,
}

impl DataSource {
    pub fn new(
        name: &Arc<str>,
        kind: FunctionKind,
        function: &Arc<str>,
        module: Option<Arc<str>>,
        options: Arc<Hash>,
        locations: Option<Vec<DataLocation>>,
    ) -> Self {
        let locations = match locations {
            Some(locations) => locations.into_iter().map(Some).collect(),
            None => vec![None],
        };
        let place = |location| LocationResults {
            location,
            data: Mutex::default(),
            values: Mutex::default(),
            context: Arc::new(FunctionContext::new(module.clone())),
        };
        let places = locations.into_iter().map(place).collect();
        Self { name: Arc::clone(name), kind, function: Arc::clone(function), options, places }
    }

    /// Returns the value of a key.
    pub fn lookup(
        &self,
        key: &LookupKey,
        invocation: &Invocation<'_>,
        merge: &MergeStrategy,
        layer: &HieraLayer,
        config: &HieraConfig,
    ) -> Result<Value, Error> {
        let node = || ExplainNode::data_provider(format!("Hierarchy entry \"{}\"", self.name));
        invocation.with(node, || {
            merge.lookup(&self.places, invocation, |place| {
                let give = || self.value(place, key, invocation, layer, config);
                match &place.location {
                    None => give(),
                    Some(location) => invocation.with(
                        || location.explained(),
                        || {
                            if location.exists {
                                return give();
                            }
                            invocation.explain(super::explain::Explainer::location_not_found);
                            Err(no_such_key())
                        },
                    ),
                }
            })
        })
    }

    fn value(
        &self,
        place: &LocationResults,
        key: &LookupKey,
        invocation: &Invocation<'_>,
        layer: &HieraLayer,
        config: &HieraConfig,
    ) -> Result<Value, Error> {
        let call = |arguments: Vec<Value>| self.call(place, arguments, invocation, config);
        match self.kind {
            FunctionKind::DataHash => {
                let hash = self.data_hash(place, invocation, layer, config)?;
                let Some(value) = hash.get_str(key.root()) else {
                    invocation.not_found(&**key.root());
                    return Err(no_such_key());
                };
                self.validate(
                    value,
                    || format!("Value for key '{}', in hash returned from", key.root()),
                    place,
                    invocation.caller.limits(),
                )?;
                let value = invocation.interpolated(value, MethodPolicy::Allowed)?;
                Ok(invocation.found(&**key.root(), value))
            }
            FunctionKind::LookupKey => {
                let value = self.given(place, key.root(), invocation, || {
                    call(vec![Value::String(Arc::clone(key.root()))])
                })?;
                Ok(invocation.found(&**key.root(), value))
            }
            FunctionKind::DataDig | FunctionKind::Hiera3Backend => {
                let name = key.to_string();
                let value = self.given(place, &name, invocation, || call(vec![key.parts().into()]))?;
                Ok(key.undig(invocation.found(name, value)))
            }
        }
    }

    /// Returns the hash of all keys. The function is called once.
    fn data_hash(
        &self,
        place: &LocationResults,
        invocation: &Invocation<'_>,
        layer: &HieraLayer,
        config: &HieraConfig,
    ) -> Result<Arc<Hash>, Error> {
        if let Some(known) = &*locked(&place.data) {
            return Ok(Arc::clone(known));
        }
        let origin = || self.origin("Value returned from", place);
        let value = self.call(place, Vec::new(), invocation, config)?;
        let Value::Hash(hash) = &value else {
            static HASH: LazyLock<Type> = LazyLock::new(|| Type::hash(Type::Any, Type::Any, None));
            assert_instance(origin, &HASH, &value, invocation.caller.limits())?;
            return Err(no_such_key());
        };
        let hash = layer.validated(Arc::clone(hash), invocation, origin);
        *locked(&place.data) = Some(Arc::clone(&hash));
        Ok(hash)
    }

    /// Returns the cached result of the function for a key, or calls it.
    fn given(
        &self,
        place: &LocationResults,
        key: &str,
        invocation: &Invocation<'_>,
        call: impl FnOnce() -> Result<Value, Error>,
    ) -> Result<Value, Error> {
        if let Some(known) = locked(&place.values).get(key) {
            return Ok(known.clone());
        }
        let Some(value) = found(call())? else {
            invocation.not_found(key);
            return Err(no_such_key());
        };
        self.validate(
            &value,
            || format!("Value for key '{key}', returned from"),
            place,
            invocation.caller.limits(),
        )?;
        locked(&place.values).insert(key.to_owned(), value.clone());
        Ok(value)
    }

    /// Calls the function with these arguments, followed by the options and the context.
    fn call(
        &self,
        place: &LocationResults,
        mut arguments: Vec<Value>,
        invocation: &Invocation<'_>,
        config: &HieraConfig,
    ) -> Result<Value, Error> {
        let mut options = Hash::clone(&self.options);
        if let Some(location) = &place.location {
            let (key, value) = location.option();
            options.insert(key, value);
        }
        arguments.push(options.into());
        arguments.push(context(&place.context, invocation)?);
        invocation.call(&self.function, &arguments).map_err(|error| {
            let is_missing = *error.kind() == ErrorKind::NotFound
                && error.place().is_none()
                && error.message().ends_with(&format!("'{}'", self.function));
            if !is_missing {
                return error;
            }
            let kind = self.kind.tag();
            config.error(format!("Unable to find '{kind}' function named '{}'", self.function), None)
        })
    }

    /// Checks that a value is one that data can have.
    fn validate(
        &self,
        value: &Value,
        what: impl FnOnce() -> String,
        place: &LocationResults,
        limits: &Limits,
    ) -> Result<(), Error> {
        let rich_data = builtin::rich_data();
        if instance(&rich_data, value, limits)? == Verdict::Yes {
            return Ok(());
        }
        let actual = infer(value, limits)?;
        let subject = self.origin(&what(), place);
        let message =
            format!("{subject} has wrong type, expects Puppet::LookupValue, got {}", actual.ruby_to_s());
        let error = assertion_error(&subject, &rich_data, actual);
        Err(error.restated(message))
    }

    /// Returns the origin of a value that the function returned, for messages.
    fn origin(&self, what: &str, place: &LocationResults) -> String {
        let function = format!("{what} {} function '{}'", self.kind.tag(), self.function);
        match &place.location {
            None => function,
            Some(location) => format!("{function}, when using location '{location}',"),
        }
    }
}
