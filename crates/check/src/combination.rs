//! Combinations of attributes that a resource type refuses.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::kinds::ValueKinds;
use puppetfn_catalog::{AttributeCondition, AttributeDescription, TypeDescription};
use puppetfn_types::subject::Verdict;
use puppetfn_types::value::Value;

/// The attributes of a resource, as far as they are known.
pub(super) struct KnownAttributes<'a> {
    pub description: &'a TypeDescription,
    /// Returns the value that an attribute is given.
    pub value: &'a dyn Fn(&str) -> Option<Value>,
    /// Whether the resource has no other attributes.
    pub is_complete: bool,
}

impl KnownAttributes<'_> {
    /// Returns the message of a combination that the resource certainly has.
    pub fn refusal(&self) -> Option<&str> {
        let combinations = &self.description.refused_combinations;
        let refused = combinations.iter().find(|one| self.holds(&one.condition) == Verdict::Yes)?;
        Some(&refused.message)
    }

    fn holds(&self, condition: &AttributeCondition) -> Verdict {
        match condition {
            AttributeCondition::Given(name) => self.is_given(name),
            AttributeCondition::Set(name) => self.is_set(name),
            AttributeCondition::Is(name, word) => self.is_word(name, word),
            AttributeCondition::Not(inner) => negated(self.holds(inner)),
            AttributeCondition::All(all) => {
                let any_fails = all.iter().map(|one| negated(self.holds(one)));
                negated(any(any_fails))
            }
            AttributeCondition::Any(one) => any(one.iter().map(|one| self.holds(one))),
        }
    }

    fn is_given(&self, name: &str) -> Verdict {
        let Some(attribute) = self.description.attribute(name) else { return Verdict::Maybe };
        match (self.value)(name) {
            None | Some(Value::Undef) => self.has_default(attribute),
            Some(value) if ValueKinds::of(&value).meets(ValueKinds::UNDEF.or(ValueKinds::FOREIGN)) => {
                Verdict::Maybe
            }
            Some(_) if attribute.features.is_empty() => Verdict::Yes,
            Some(_) => Verdict::Maybe,
        }
    }

    fn is_set(&self, name: &str) -> Verdict {
        let Some(attribute) = self.description.attribute(name) else { return Verdict::Maybe };
        let value = (self.value)(name).filter(|value| *value != Value::Undef);
        let Some(value) = value else { return self.has_default(attribute) };
        let may_be_nothing = ValueKinds::UNDEF.or(ValueKinds::BOOLEAN).or(ValueKinds::FOREIGN);
        let is_unsure = attribute.may_be_unset
            || !attribute.features.is_empty()
            || ValueKinds::of(&value).meets(may_be_nothing);
        if is_unsure { Verdict::Maybe } else { Verdict::Yes }
    }

    /// Returns whether an attribute has a value that is not given one.
    fn has_default(&self, attribute: &AttributeDescription) -> Verdict {
        let may_be_given = !self.is_complete || attribute.is_namevar || self.description.has_title_patterns;
        let may_have_default = attribute.default.is_some() || attribute.has_computed_default;
        if may_be_given || may_have_default || attribute.name == "provider" {
            Verdict::Maybe
        } else {
            Verdict::No
        }
    }

    fn is_word(&self, name: &str, word: &str) -> Verdict {
        let Some(attribute) = self.description.attribute(name) else { return Verdict::Maybe };
        // Listed values become symbols, unless code makes something else of them.
        let is_listed = attribute.values.iter().any(|value| value == word);
        if !is_listed || attribute.may_be_unset || !attribute.features.is_empty() {
            return Verdict::Maybe;
        }
        match (self.value)(name) {
            Some(Value::String(value)) if *value == *word => Verdict::Yes,
            Some(Value::String(value)) if attribute.aliases.iter().all(|(alias, _)| **alias != *value) => {
                Verdict::No
            }
            None if self.has_default(attribute) == Verdict::No => Verdict::No,
            _ => Verdict::Maybe,
        }
    }
}

fn negated(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Yes => Verdict::No,
        Verdict::No => Verdict::Yes,
        Verdict::Maybe => Verdict::Maybe,
    }
}

/// Returns whether one of several conditions holds.
fn any(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let mut result = Verdict::No;
    for verdict in verdicts {
        match verdict {
            Verdict::Yes => return Verdict::Yes,
            Verdict::Maybe => result = Verdict::Maybe,
            Verdict::No => {}
        }
    }
    result
}
