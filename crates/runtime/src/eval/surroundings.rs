//! Read-only variables: the node's facts, trusted facts, server facts and settings.

use std::sync::{Arc, Mutex, PoisonError};

use super::shared::SharedRuntime;
use super::variables::GlobalVariables;
use crate::settings;
use puppetfn_types::value::{Hash, Value};

/// The values of the read-only variables.
pub(super) struct NodeVariables {
    pub facts: Hash,
    pub trusted: Hash,
    pub server_facts: Hash,
    /// The settings that somebody has set.
    pub settings: Hash,
}

impl SharedRuntime {
    /// Sets the variables of the top scope that are there before all code.
    pub fn set_surroundings(&self, surroundings: NodeVariables) {
        let NodeVariables { facts, trusted, server_facts, settings: mut set } = surroundings;
        for (name, fact) in facts.iter() {
            if let Value::String(name) = name {
                self.variables.set(name, fact.clone(), None);
            }
        }
        self.variables.set("environment", Value::String(Arc::clone(&self.environment)), None);
        for (name, values) in [("facts", facts), ("trusted", trusted), ("server_facts", server_facts)] {
            self.variables.set(name, Value::Hash(Arc::new(values)), None);
        }
        set.insert("strict".into(), self.strict.name().into());
        set.insert("strict_variables".into(), Value::Boolean(self.strict_variables));
        self.variables.share(&settings_variables(set));
    }
}

/// Returns the variables of the class `settings` where these settings are set. Runtimes of one program have the same, so the
/// last ones are cached. See Puppet's `Scope#merge_settings`.
fn settings_variables(set: Hash) -> Arc<GlobalVariables> {
    static LAST: Mutex<Option<(Hash, Arc<GlobalVariables>)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, variables)) = last.as_ref()
        && *known == set
    {
        return Arc::clone(variables);
    }
    // Invalid values are reported where they are set; code sees them as they are.
    let all = settings::resolve(&set).unwrap_or_else(|_| set.clone());
    let variables = GlobalVariables::default();
    for (name, value) in all.iter() {
        if let Value::String(name) = name {
            variables.set(&format!("settings::{name}"), value.clone(), None);
        }
    }
    // As in all classes.
    for name in ["settings::name", "settings::title"] {
        variables.set(name, "settings".into(), None);
    }
    variables.set("settings::all_local", Value::Hash(Arc::new(all)), None);
    let variables = Arc::new(variables);
    *last = Some((set, Arc::clone(&variables)));
    variables
}
