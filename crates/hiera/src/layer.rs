//! The layers that data is in.

use std::sync::Arc;

use super::invocation::Invocation;
use super::key::LOOKUP_OPTIONS;
use puppetfn_types::value::{Hash, Value};

/// A layer.
#[derive(Clone, Debug)]
pub(super) enum HieraLayer {
    Global,
    Environment,
    Module(Arc<str>),
}

impl HieraLayer {
    /// Returns the name of the module, if this is a module's layer.
    pub fn module(&self) -> Option<&Arc<str>> {
        match self {
            Self::Global | Self::Environment => None,
            Self::Module(name) => Some(name),
        }
    }

    /// Returns the name of the layer in explanations.
    pub fn name(&self) -> String {
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
