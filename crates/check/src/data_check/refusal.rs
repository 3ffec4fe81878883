//! Values that a type is certain to refuse, also where they are merged with others.

use std::sync::Arc;

use super::options::MergeBehavior;
use crate::abstraction::{accepts, texts_of};
use crate::kinds::ValueKinds;
use puppetfn_base::limits::Limits;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::{Size, Type};
use puppetfn_types::value::Value;

/// A value, or a part of it, that is refused.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RefusedValue {
    /// Its place within the whole value, as messages have it.
    pub within: String,
    /// The type that refuses it.
    pub t: Type,
    pub value: Value,
}

/// Returns the part of a value that a type refuses, whatever values it is merged with.
pub(super) fn refusal(
    t: &Type,
    value: &Value,
    merging: &MergeBehavior,
    limits: &Limits,
) -> Option<RefusedValue> {
    let whole = || RefusedValue { within: String::new(), t: t.clone(), value: value.clone() };
    let parts = StablePartFinder { is_deep: matches!(merging, MergeBehavior::Deep(_)), limits };
    match merging {
        MergeBehavior::First => is_refused(t, value, limits).then(whole),
        // The merged value is an array that contains these elements.
        MergeBehavior::Unique => {
            let items = flat(value)?;
            let array = Type::array(Type::Any, Some(Size::new(u64::from(!items.is_empty()), None)));
            if is_refused(t, &Value::unknown(array), limits) {
                return Some(whole());
            }
            parts.elements(t, &items)
        }
        // A text with the knockout prefix may remove elements of other values.
        MergeBehavior::Deep(Some(knockout)) if has_text(value, knockout) => None,
        MergeBehavior::Hash | MergeBehavior::Deep(_) => parts.refused(t, value, true, limits.nesting),
    }
}

/// Returns the elements of an array and of arrays in it, or the one value; `None` if they are not known.
fn flat(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(items) => {
            Some(items.iter().map(flat).collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
        }
        Value::Unknown(_) if ValueKinds::of(value).meets(ValueKinds::ARRAY) => None,
        one => Some(vec![one.clone()]),
    }
}

/// Returns true if a type refuses a value, or each of the texts that it may be.
fn is_refused(t: &Type, value: &Value, limits: &Limits) -> bool {
    let texts = texts_of(value)
        .filter(|_| matches!(value, Value::Unknown(_)) && ValueKinds::of(value) == ValueKinds::STRING);
    let is_text_refused =
        |text: &Arc<str>| accepts(t, &Value::String(Arc::clone(text)), limits) == Verdict::No;
    accepts(t, value, limits) == Verdict::No
        || texts.is_some_and(|texts| !texts.is_empty() && texts.iter().all(is_text_refused))
}

/// Returns true if a text in a value begins with a prefix.
fn has_text(value: &Value, prefix: &str) -> bool {
    match value {
        Value::String(text) => text.starts_with(prefix),
        Value::Array(items) => items.iter().any(|item| has_text(item, prefix)),
        Value::Hash(hash) => hash.iter().any(|(key, value)| has_text(key, prefix) || has_text(value, prefix)),
        _ => false,
    }
}

/// Looks for parts that stay as they are.
#[derive(Clone, Copy)]
struct StablePartFinder<'l> {
    is_deep: bool,
    limits: &'l Limits,
}

impl StablePartFinder<'_> {
    fn is_refused(self, t: &Type, value: &Value) -> bool {
        is_refused(t, value, self.limits)
    }

    /// Returns a part of a value that is merged, or the value itself, that is refused whatever is merged with it.
    fn refused(self, t: &Type, value: &Value, is_merged: bool, depth: u32) -> Option<RefusedValue> {
        let whole = || RefusedValue { within: String::new(), t: t.clone(), value: value.clone() };
        let depth = depth.checked_sub(1)?;
        if !self.is_refused(t, value) {
            return None;
        }
        if !is_merged {
            return Some(whole());
        }
        match t {
            Type::Alias(alias) => return alias.with_target(|t| self.refused(t?, value, true, depth)),
            Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => {
                return self.refused(inner, value, true, depth);
            }
            Type::Variant(types) => {
                let all = types.iter().map(|t| self.refused(t, value, true, depth));
                return all.collect::<Option<Vec<_>>>().filter(|all| !all.is_empty()).map(|_| whole());
            }
            _ => {}
        }
        match value {
            Value::Hash(hash) => {
                let any_hash = Value::unknown(Type::hash(Type::Any, Type::Any, None));
                if self.is_refused(t, &any_hash) {
                    return Some(whole());
                }
                hash.iter().find_map(|(key, value)| self.member(t, key, value, depth))
            }
            Value::Array(items) if self.is_deep => {
                let any_array = Value::unknown(Type::array(Type::Any, None));
                if self.is_refused(t, &any_array) { Some(whole()) } else { self.elements(t, items) }
            }
            Value::Unknown(_) if ValueKinds::of(value).meets(ValueKinds::HASH.or(ValueKinds::ARRAY)) => None,
            // Any other value replaces the value that it is merged with.
            one => Some(RefusedValue { value: one.clone(), ..whole() }),
        }
    }

    /// Looks into an entry of a hash.
    fn member(self, t: &Type, key: &Value, value: &Value, depth: u32) -> Option<RefusedValue> {
        let name = if let Value::String(name) = key { name } else { return None };
        let within = |refusal: RefusedValue| RefusedValue {
            within: format!(" entry '{name}'{}", refusal.within),
            ..refusal
        };
        match t {
            Type::Struct(members) => match members.member(name) {
                Some(member) => {
                    let is_left_out = member.optional && matches!(value, Value::Undef);
                    let refused = self.refused(&member.value, value, self.is_deep, depth);
                    refused.filter(|_| !is_left_out).map(within)
                }
                None => Some(RefusedValue {
                    within: String::new(),
                    t: t.clone(),
                    value: [(key.clone(), value.clone())].into_iter().collect(),
                }),
            },
            Type::Hash(hash) => {
                if self.is_refused(&hash.key, key) {
                    let (t, value) = (hash.key.clone(), key.clone());
                    return Some(RefusedValue { within: format!(" key of entry '{name}'"), t, value });
                }
                self.refused(&hash.value, value, self.is_deep, depth).map(within)
            }
            _ => None,
        }
    }

    /// Looks into the elements of an array, which stay in it.
    fn elements(self, t: &Type, items: &[Value]) -> Option<RefusedValue> {
        match t {
            Type::Array(array) => (0..).zip(items).find_map(|(index, item): (usize, _)| {
                // A hash may be merged with another one.
                let is_certain =
                    !ValueKinds::of(item).meets(ValueKinds::HASH) && self.is_refused(&array.element, item);
                let within = format!(" index {index}");
                is_certain.then(|| RefusedValue { within, t: array.element.clone(), value: item.clone() })
            }),
            Type::Alias(alias) => alias.with_target(|t| self.elements(t?, items)),
            Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => self.elements(inner, items),
            Type::Variant(types) => {
                let array = Value::unknown(Type::array(Type::Any, None));
                let is_refused = |t: &Type| self.is_refused(t, &array) || self.elements(t, items).is_some();
                let value = Value::from(items.to_vec());
                types.iter().all(is_refused).then(|| RefusedValue {
                    within: String::new(),
                    t: t.clone(),
                    value,
                })
            }
            _ => None,
        }
    }
}
