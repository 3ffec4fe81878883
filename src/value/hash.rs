//! Ordered hashes.

use std::hash::{Hash as StdHash, Hasher};

use indexmap::{Equivalent, IndexMap};

use super::Value;

/// A hash that keeps its entries in the order of their insertion.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Hash(IndexMap<Value, Value>);

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
        self.0.get(key)
    }

    /// The value at a string key.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.0.get(&StrKey(key))
    }

    /// Sets the value at a key; a new key comes last.
    pub fn insert(&mut self, key: Value, value: Value) -> Option<Value> {
        self.0.insert(key, value)
    }

    /// The value at a key, to be changed; a new key comes last, with the value that `default` gives.
    pub fn get_or_insert_with(&mut self, key: Value, default: impl FnOnce() -> Value) -> &mut Value {
        self.0.entry(key).or_insert_with(default)
    }

    /// The entry at an index.
    pub(crate) fn entry_at(&self, index: usize) -> Option<(&Value, &Value)> {
        self.0.get_index(index)
    }

    /// The entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> + DoubleEndedIterator {
        self.0.iter()
    }
}

impl FromIterator<(Value, Value)> for Hash {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

struct StrKey<'a>(&'a str);

impl StdHash for StrKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&Value::String("".into())).hash(state);
        self.0.hash(state);
    }
}

impl Equivalent<Value> for StrKey<'_> {
    fn equivalent(&self, key: &Value) -> bool {
        matches!(key, Value::String(text) if &**text == self.0)
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
