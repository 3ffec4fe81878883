//! Ordered hashes.

use std::hash::{Hash as StdHash, Hasher};

use indexmap::{Equivalent, IndexMap};

use super::Value;

/// A hash that keeps its entries in the order of their insertion.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Hash(IndexMap<Key, Value>);

/// A value as a key: equal as Ruby's `eql?` says, so that 1 and 1.0 are two keys.
#[derive(Clone, Debug)]
struct Key(Value);

impl Hash {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Tells if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value at a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.0.get(&KeyRef(key))
    }

    /// The value at a string key.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.0.get(&StrKey(key))
    }

    /// Sets the value at a key; a new key comes last.
    pub fn insert(&mut self, key: Value, value: Value) -> Option<Value> {
        self.0.insert(Key(key), value)
    }

    /// The entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.0.iter().map(|(key, value)| (&key.0, value))
    }
}

impl FromIterator<(Value, Value)> for Hash {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Self {
        Self(entries.into_iter().map(|(key, value)| (Key(key), value)).collect())
    }
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
        (a, b) => a == b,
    }
}

fn hash_value<H: Hasher>(value: &Value, state: &mut H) {
    std::mem::discriminant(value).hash(state);
    match value {
        Value::Undef | Value::Default => {}
        Value::Boolean(truth) => truth.hash(state),
        Value::Integer(number) => number.hash(state),
        // Adding 0.0 folds negative zero, which equals zero.
        Value::Float(number) => (number + 0.0).to_bits().hash(state),
        Value::String(text) => text.hash(state),
        Value::Regexp(regex) => regex.hash(state),
        Value::Array(items) => items.iter().for_each(|item| hash_value(item, state)),
        Value::Hash(hash) => hash.len().hash(state),
        Value::Type(t) | Value::Unknown(t) => t.hash(state),
        Value::Sensitive(inner) => hash_value(inner, state),
        Value::Callable(callable) => callable.host.hash(state),
        Value::Object(object) => object.host.hash(state),
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        same(&self.0, &other.0)
    }
}

impl Eq for Key {}

impl StdHash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_value(&self.0, state);
    }
}

struct KeyRef<'a>(&'a Value);

impl StdHash for KeyRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_value(self.0, state);
    }
}

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        same(self.0, &key.0)
    }
}

struct StrKey<'a>(&'a str);

impl StdHash for StrKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&Value::String("".into())).hash(state);
        self.0.hash(state);
    }
}

impl Equivalent<Key> for StrKey<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        matches!(&key.0, Value::String(text) if &**text == self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_text_and_by_value() {
        let hash: Hash =
            [("a".into(), Value::Integer(1)), (Value::Integer(1), Value::Integer(2))].into_iter().collect();
        assert_eq!(hash.get_str("a"), Some(&Value::Integer(1)));
        assert_eq!(hash.get(&Value::Integer(1)), Some(&Value::Integer(2)));
        assert_eq!(hash.get(&Value::Float(1.0)), None);
        assert_eq!(hash.get_str("b"), None);
    }
}
