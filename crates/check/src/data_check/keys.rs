//! The targets of keys.

use std::sync::Arc;

use crate::data::KeyUses;
use crate::declare::DefinitionInfo;
use crate::finding::Finding;
use crate::rule::Rule;
use crate::world::{ResolvedResourceType, World};
use puppetfn_base::source::Span;

/// The target of a key.
#[derive(Clone, Debug)]
pub(super) enum KeyTarget {
    /// A parameter of a class, by its index.
    Parameter(Arc<DefinitionInfo>, usize),
    /// A class without this parameter.
    Class(Arc<DefinitionInfo>),
    /// A class that its module, which exists, does not have.
    Missing,
    /// A name with `::` that no parameter of a class can have.
    Unnameable,
    /// Not a name of a parameter, as far as is known.
    Nothing,
}

impl World {
    /// Returns the target of a key.
    pub(super) fn parameter_of_key(&self, key: &str) -> KeyTarget {
        let Some((class, name)) = key.rsplit_once("::") else {
            return if self.repaired_key(key).is_some() { KeyTarget::Unnameable } else { KeyTarget::Nothing };
        };
        let is_name = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !is_name(name) || !class.split("::").all(is_name) {
            return KeyTarget::Unnameable;
        }
        match self.class(class) {
            Ok(definition) => {
                let index = definition.parameters.iter().position(|parameter| *parameter.name == *name);
                index.map_or_else(
                    || KeyTarget::Class(Arc::clone(&definition)),
                    |index| KeyTarget::Parameter(Arc::clone(&definition), index),
                )
            }
            Err(false) => KeyTarget::Missing,
            Err(true) => KeyTarget::Nothing,
        }
    }

    /// Returns the finding about a key that no parameter can have, unless something looks it up.
    fn unnameable_key(&self, key: &str, text: &str, at: Span) -> Option<Finding> {
        // Puppet looks up no name with `::` in front.
        let is_absolute = key.starts_with("::");
        if !is_absolute && self.data().uses.get_or_init(|| self.data_uses()).has(key) {
            return None;
        }
        let message = if is_absolute {
            "No lookup finds this key: names of parameters do not begin with '::'".to_owned()
        } else {
            format!("No parameter has the name '{key}', and nothing looks this key up")
        };
        let repaired = self.repaired_key(key);
        let finding = Finding::new(Rule::DataKey, message, at);
        Some(finding.meant(key, repaired.iter().map(String::as_str), (text, at.start)))
    }

    /// Returns the name of a parameter that differs from a key in its colons, hyphens and case only.
    fn repaired_key(&self, key: &str) -> Option<String> {
        let words = key.split(':').filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(|word| word.replace('-', "_").to_lowercase()).collect();
        let repaired = words.join("::");
        let (class, name) = repaired.rsplit_once("::").filter(|_| repaired != key)?;
        let definition = self.class(class).ok()?;
        definition.parameter(name).is_some().then_some(repaired)
    }

    /// Finds the keys that are looked up, among the keys that name no parameter.
    fn data_uses(&self) -> KeyUses {
        let data = self.data();
        let is_parameter = |key: &str| matches!(self.parameter_of_key(key), KeyTarget::Parameter(..));
        let keys = data.keys().filter(|key| !is_parameter(key)).collect();
        KeyUses::of(keys, &data.entries.referred, |visit| {
            // Directories that cannot be listed have no texts.
            let _unlisted = self.each_text(visit);
        })
    }

    /// Returns the finding about a key that names no parameter, unless something looks it up.
    pub(super) fn unknown_key(&self, key: &str, named: &KeyTarget, text: &str, at: Span) -> Option<Finding> {
        if let KeyTarget::Unnameable = named {
            return self.unnameable_key(key, text, at);
        }
        let (class, name) = key.rsplit_once("::")?;
        let is_used = || self.data().uses.get_or_init(|| self.data_uses()).has(key);
        match named {
            KeyTarget::Class(definition) if !is_used() => {
                let names =
                    definition.parameters.iter().map(|parameter| format!("{class}::{}", parameter.name));
                let names: Vec<String> = names.collect();
                let message =
                    format!("The class {class} has no parameter '{name}', and nothing looks this key up");
                let finding = Finding::new(Rule::DataKey, message, at)
                    .meant(key, names.iter().map(String::as_str), (text, at.start))
                    .declared(format!("{class} is declared here"), definition.place.as_ref());
                Some(finding)
            }
            KeyTarget::Missing => {
                if let ResolvedResourceType::Defined(definition) = self.resource(class)
                    && definition.parameter(name).is_some()
                    && !is_used()
                {
                    let message = format!(
                        "{class} is a defined type, whose parameters are not looked up, and nothing else looks this key up"
                    );
                    let finding = Finding::new(Rule::DataKey, message, at);
                    return Some(
                        finding.declared(format!("{class} is declared here"), definition.place.as_ref()),
                    );
                }
                // Code may look it up under any name: only a misspelt name of a class is certain.
                let names: Vec<String> = self
                    .definitions_near(class, true)
                    .into_iter()
                    .filter(|near| self.class(near).is_ok_and(|near| near.parameter(name).is_some()))
                    .map(|near| format!("{near}::{name}"))
                    .collect();
                if names.is_empty() || is_used() {
                    return None;
                }
                let message = format!("There is no class {class}, and nothing looks this key up");
                let finding = Finding::new(Rule::DataKey, message, at);
                Some(finding.meant(key, names.iter().map(String::as_str), (text, at.start)))
            }
            KeyTarget::Unnameable | KeyTarget::Class(_) | KeyTarget::Parameter(..) | KeyTarget::Nothing => {
                None
            }
        }
    }
}
