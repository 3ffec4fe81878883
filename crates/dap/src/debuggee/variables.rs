//! Values and scopes as trees, whose branches the editor asks for by numbers.

use std::sync::Arc;

use puppetfn_base::limits::Limits;
use puppetfn_types::convert::format;
use puppetfn_types::value::Value as PuppetValue;
use serde_json::{Value, json};

/// The maximum length of a value's text, in bytes.
const LONGEST_TEXT: usize = 2_000;

/// The variables of one pause, by their numbers from 1.
#[derive(Default)]
pub(super) struct VariableTree {
    branches: Vec<Branch>,
}

/// A scope, or the elements of a value.
pub(super) struct Branch {
    /// The index of the frame in which its variables can be set; `None` for elements.
    pub frame: Option<usize>,
    pub variables: Vec<(String, PuppetValue)>,
}

impl VariableTree {
    /// Adds a branch, and returns its number.
    pub fn add(&mut self, branch: Branch) -> i64 {
        self.branches.push(branch);
        i64::try_from(self.branches.len()).unwrap_or(i64::MAX)
    }

    /// Adds the variables of a frame.
    pub fn add_scope(&mut self, frame: usize, variables: Vec<(Arc<str>, PuppetValue)>) -> i64 {
        let variables = variables.into_iter().map(|(name, value)| (format!("${name}"), value)).collect();
        self.add(Branch { frame: Some(frame), variables })
    }

    /// Returns the branch of a number.
    pub fn branch(&self, number: i64) -> Option<&Branch> {
        self.branches.get(usize::try_from(number.checked_sub(1)?).ok()?)
    }

    /// Replaces the value of a variable that is shown.
    pub fn replace(&mut self, number: i64, name: &str, value: &PuppetValue) {
        let Some(index) = number.checked_sub(1).and_then(|index| usize::try_from(index).ok()) else { return };
        let variables = self.branches.get_mut(index).map(|branch| &mut branch.variables);
        for (known, old) in variables.into_iter().flatten() {
            if known == name {
                *old = value.clone();
            }
        }
    }

    /// Returns the variables of a branch.
    pub fn shown(&mut self, number: i64, limits: &Limits) -> Option<Value> {
        let variables = self.branch(number)?.variables.clone();
        let shown = variables.into_iter().map(|(name, value)| {
            let mut variable = self.value(&value, limits);
            if let Value::Object(fields) = &mut variable {
                fields.insert("name".to_owned(), name.into());
            }
            variable
        });
        Some(json!({"variables": shown.collect::<Vec<_>>()}))
    }

    /// Returns a value with its text, its type, and the number of its elements' branch, 0 if it has none.
    pub fn value(&mut self, value: &PuppetValue, limits: &Limits) -> Value {
        let elements = elements(value);
        let number =
            if elements.is_empty() { 0 } else { self.add(Branch { frame: None, variables: elements }) };
        let t = value.inferred(limits).map(|t| t.generalize().to_string()).unwrap_or_default();
        json!({"value": text(value, limits), "type": shortened(t), "variablesReference": number})
    }
}

/// Returns a value as code, or as Puppet shows it in messages.
pub(super) fn text(value: &PuppetValue, limits: &Limits) -> String {
    let is_hidden = matches!(value, PuppetValue::Sensitive(_));
    let shown = if is_hidden { value.interpolated(limits) } else { format(value, &"%p".into(), limits) };
    shortened(shown.unwrap_or_else(|_| value.inspected()))
}

fn shortened(mut text: String) -> String {
    if text.len() > LONGEST_TEXT {
        let end = (0..=LONGEST_TEXT).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Returns the elements of a collection and the attributes of an object, by their names.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other values have no elements")]
fn elements(value: &PuppetValue) -> Vec<(String, PuppetValue)> {
    let entries = |hash: &puppetfn_types::value::Hash| {
        let name = |key: &PuppetValue| match key {
            PuppetValue::String(text) => text.to_string(),
            other => other.inspected(),
        };
        hash.iter().map(|(key, value)| (name(key), value.clone())).collect()
    };
    match value {
        PuppetValue::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item.clone())).collect()
        }
        PuppetValue::Hash(hash) => entries(hash),
        PuppetValue::Object(object) => entries(&object.attribute_values()),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        let text = shortened("é".repeat(1_500));
        assert_eq!((text.chars().count(), text.ends_with("é…")), (1_001, true));
    }

    #[test]
    fn sensitive_values_are_hidden() {
        let mut tree = VariableTree::default();
        let secret = PuppetValue::Sensitive(Arc::new("secret".into()));
        let hash = PuppetValue::from(vec![secret]);
        let shown = tree.value(&hash, &Limits::DEFAULT);
        let inner = tree.shown(shown["variablesReference"].as_i64().unwrap(), &Limits::DEFAULT).unwrap();
        assert_eq!(inner["variables"][0]["value"], "Sensitive [value redacted]");
        assert!(!format!("{shown}{inner}").contains("secret\""));
    }
}
