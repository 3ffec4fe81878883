//! The variables that code can read but not set: what is known of the node, the server and the settings.

use std::sync::Arc;

use super::shared::Shared;
use puppetfn_types::value::{Hash, Value};

/// What code can know, by name.
pub(super) struct Surroundings {
    pub facts: Hash,
    pub trusted: Hash,
    pub server_facts: Hash,
    pub settings: Hash,
}

impl Shared {
    /// Sets the variables of the top scope that are there before all code.
    pub fn set_surroundings(&self, surroundings: Surroundings) {
        let Surroundings { facts, trusted, server_facts, settings } = surroundings;
        for (name, fact) in facts.iter() {
            if let Value::String(name) = name {
                self.variables.set(name, fact.clone(), None);
            }
        }
        let environment = Value::String(Arc::clone(&self.environment));
        self.variables.set("environment", environment.clone(), None);
        for (name, values) in [("facts", facts), ("trusted", trusted), ("server_facts", server_facts)] {
            self.variables.set(name, Value::Hash(Arc::new(values)), None);
        }
        let known = [
            ("environment", environment),
            ("strict", self.strict.name().into()),
            ("strict_variables", Value::Boolean(self.strict_variables)),
        ];
        let mut all: Hash = known.into_iter().map(|(name, value)| (name.into(), value)).collect();
        settings.iter().for_each(|(name, value)| _ = all.insert(name.clone(), value.clone()));
        for (name, value) in all.iter() {
            if let Value::String(name) = name {
                self.variables.set(&format!("settings::{name}"), value.clone(), None);
            }
        }
        self.variables.set("settings::all_local", Value::Hash(Arc::new(all)), None);
    }
}
