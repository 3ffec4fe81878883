//! Checks data of Hiera: keys that name no parameter, and values that the parameter's type refuses.
//!
//! Whether a file is read depends on the node, so the final value of a key is unknown. A value in one file is an error if it is wrong
//! as it stands: found first, or merged with the values of other files.
#![allow(clippy::wildcard_enum_match_arm, reason = "other expressions and values are not checked")]

mod keys;
mod options;
mod refusal;
mod texts;

use std::collections::HashSet;

use self::options::MergeBehavior;
use self::refusal::refusal;
use super::abstraction::type_of;
use super::data::{DataLayer, DataText, LOOKUP_OPTIONS};
use super::finding::Finding;
use super::rule::Rule;
use super::wording::refused;
use super::world::World;
use puppetfn_base::error::SourceLocation;
use puppetfn_base::source::Span;
use puppetfn_hiera::check_merge;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::capitalize_segments;
use puppetfn_types::value::{Regex, Value};

impl World {
    /// Returns the data of a YAML text, which may be the text of a file.
    pub fn read_data(&self, text: &str, file: Option<&str>, layer: DataLayer) -> DataText {
        DataText::read(text, file, layer, self.limits())
    }

    /// Adds data, which other data may refer to and code may look up.
    pub fn add_data(&mut self, data: &DataText) {
        self.data_mut().add(data);
    }

    /// Notes that all data of an environment and its modules was added, except the data of these modules.
    pub fn complete_data(&mut self, except: HashSet<String>) {
        self.data_mut().complete(except);
    }

    /// Returns findings about added data, in the order of the text.
    pub fn check_data(&self, data: &DataText) -> Vec<Finding> {
        let mut found = Vec::new();
        match &data.content {
            Err((reason, span)) => found.push(Finding::new(Rule::DataSyntax, reason, *span)),
            Ok(hash) => {
                for (key, value) in hash.iter() {
                    match key {
                        Value::String(key) if **key == *LOOKUP_OPTIONS => {
                            self.lookup_options(value, data, &mut found);
                        }
                        Value::String(key) => {
                            found.extend(self.entry(key, value, data));
                            found.extend(texts::of_value(key, value, data, self.limits()));
                        }
                        _ => {}
                    }
                }
                found.extend(duplicate_keys(data));
            }
        }
        found.extend(self.legacy_facts_in_data(data.text()));
        let mut found = super::ignore::without_ignored(found, data.text(), None, self.selection());
        found.retain(|finding| self.selection().has(finding.rule));
        found.sort_by_key(|finding| finding.span.start);
        found
    }

    /// Checks a key with its value.
    fn entry(&self, key: &str, value: &Value, data: &DataText) -> Option<Finding> {
        if let DataLayer::Module(module) = &data.layer
            && !key.starts_with(&format!("{module}::"))
        {
            let message = format!(
                "Hiera ignores this key: keys in the data of module {module} begin with '{module}::'"
            );
            return Some(Finding::new(Rule::DataKey, message, data.key_span(&[key])));
        }
        match self.parameter_of_key(key) {
            keys::KeyTarget::Parameter(definition, index) => {
                let parameter = definition.parameters.get(index)?;
                let message =
                    self.refused_parameter(key, &definition.name, &parameter.name, &parameter.t, value)?;
                let finding = Finding::new(Rule::DataValue, message, data.value_span(&[key]));
                let declared = format!("'{}' is declared here", parameter.name);
                Some(finding.declared(declared, parameter.place.as_ref()))
            }
            named => {
                let mut finding = self.unknown_key(key, &named, data.text(), data.key_span(&[key]))?;
                // No key is there twice.
                finding.fix = finding.fix.filter(|fix| !data.has(&fix.text));
                Some(finding)
            }
        }
    }

    /// Returns a finding about the value of a class parameter that is certain to be refused.
    fn refused_parameter(
        &self,
        key: &str,
        class: &str,
        parameter: &str,
        t: &Type,
        value: &Value,
    ) -> Option<String> {
        if *t == Type::Any || matches!(value, Value::Undef) {
            return None;
        }
        let subject = format!("Class[{}]: parameter '{parameter}'", capitalize_segments(class));
        self.refused_value(key, &subject, t, value, None)
    }

    /// Returns a finding about the value of a key that a type is certain to refuse. `merge` is the merge strategy of the lookup.
    fn refused_value(
        &self,
        key: &str,
        subject: &str,
        t: &Type,
        value: &Value,
        merge: Option<&Value>,
    ) -> Option<String> {
        let options = self.data().options_of(key)?;
        let merging = MergeBehavior::of(merge.or_else(|| options.get_str("merge")))?;
        let value = self.data().known(value, self.limits());
        let value = match options.get_str("convert_to") {
            None | Some(Value::Undef) => value,
            Some(_) if merging != MergeBehavior::First => return None,
            Some(convert_to) => match options::converted(key, convert_to, &value, self.limits()) {
                Ok(value) => value?,
                Err(reason) => return Some(reason),
            },
        };
        let refusal = refusal(t, &value, &merging, self.limits())?;
        let subject = format!("{subject}{}", refusal.within);
        let actual = type_of(&refusal.value, self.limits());
        // Puppet accepts a value whose mismatch has no description, as of a plain `Optional`.
        Some(refused(&subject, &refusal.t, actual)).filter(|message| !message.is_empty())
    }

    /// Checks `lookup_options`.
    fn lookup_options(&self, options: &Value, data: &DataText, found: &mut Vec<Finding>) {
        let Value::Hash(options) = options else {
            let message = format!("value of {LOOKUP_OPTIONS} must be a hash");
            found.push(Finding::new(Rule::DataValue, message, data.value_span(&[LOOKUP_OPTIONS])));
            return;
        };
        for (key, value) in options.iter() {
            let Value::String(key) = key else { continue };
            let path = [LOOKUP_OPTIONS, key];
            let mut wrong = |message: String| {
                found.push(Finding::new(Rule::DataValue, message, data.value_span(&path)));
            };
            if let Some(Err(error)) = key.starts_with('^').then(|| Regex::new(key)) {
                wrong(error.message().to_owned());
            }
            match value {
                Value::Hash(value) => {
                    if let Some(Err(error)) =
                        value.get_str("merge").map(|merge| check_merge(merge, self.limits()))
                    {
                        wrong(error.message().to_owned());
                    }
                    let refused = value
                        .get_str("convert_to")
                        .and_then(|convert_to| options::refused_conversion(key, convert_to, self.limits()));
                    refused.into_iter().for_each(&mut wrong);
                }
                // Puppet looks for the options in a text, and finds none.
                Value::Undef | Value::String(_) => {}
                _ => wrong(format!("value of {LOOKUP_OPTIONS} for '{key}' must be a hash")),
            }
            let is_key = key.starts_with('^') || self.data().has(key);
            let named = self.parameter_of_key(key);
            if !is_key && !matches!(named, keys::KeyTarget::Parameter(..)) {
                found.extend(self.unknown_key(key, &named, data.text(), data.key_span(&path)));
            }
        }
    }

    /// Returns a finding about the data that `lookup` finds for a key, if a type refuses all of it, with the place of one value.
    pub(super) fn looked_up(
        &self,
        key: &str,
        t: &Type,
        merge: Option<&Value>,
    ) -> Option<(String, Option<SourceLocation>)> {
        let pool = self.data();
        if !pool.is_complete_for(key) || key.contains(['.', '\'', '"']) {
            return None;
        }
        let mut first = None;
        for (value, place) in pool.values_of(key)?.iter().filter(|(value, _)| *value != Value::Undef) {
            let message = self.refused_value(key, "Found value", t, value, merge)?;
            first.get_or_insert((message, place.clone()));
        }
        first
    }
}

/// Returns the keys that a mapping has more than once.
fn duplicate_keys(data: &DataText) -> Vec<Finding> {
    let duplicate = |(key, span, first): (String, Span, Option<SourceLocation>)| {
        let message = format!("The key '{key}' is there twice: only the last value counts");
        let finding = Finding::new(Rule::DataDuplicateKey, message, span);
        finding.declared(format!("'{key}' is here, too"), first.as_ref())
    };
    data.duplicate_keys().into_iter().map(duplicate).collect()
}
