//! Ordered hashes.

use std::fmt;
use std::hash::{BuildHasher, Hash as StdHash, Hasher};
use std::sync::OnceLock;

use foldhash::fast::{FixedState, RandomState};
use indexmap::{Equivalent, IndexMap, IndexSet};

use super::Value;
use super::extent::Extent;
use puppetfn_base::host::HostRef;

/// A map with values as keys, in the order of insertion. Keys are short: the standard hasher would take several times as
/// long.
pub type ValueMap<V> = IndexMap<Value, V, RandomState>;

/// A set of values, in the order of insertion.
pub type ValueSet = IndexSet<Value, RandomState>;

/// A hash that keeps its entries in the order of their insertion.
#[derive(Default)]
pub struct Hash {
    entries: ValueMap<Value>,
    /// The cached extent of the entries.
    extent: OnceLock<Extent>,
    /// The host's own object with the same entries.
    host: OnceLock<HostRef>,
}

impl Hash {
    /// Creates an empty hash with room for some entries.
    pub fn with_capacity(entries: usize) -> Self {
        let entries = ValueMap::with_capacity_and_hasher(entries, RandomState::default());
        Self { entries, ..Self::default() }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if the hash has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the value at a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries.get(key)
    }

    /// Returns the value at a string key.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.entries.get(&StrKey(key))
    }

    /// Sets the value at a key; a new key comes last.
    pub fn insert(&mut self, key: Value, value: Value) -> Option<Value> {
        self.entries_mut().insert(key, value)
    }

    /// Returns a mutable reference to the value at a key; a new key is appended, with the value of `default`.
    pub fn get_or_insert_with(&mut self, key: Value, default: impl FnOnce() -> Value) -> &mut Value {
        self.entries_mut().entry(key).or_insert_with(default)
    }

    /// Returns the entry at an index.
    pub(crate) fn entry_at(&self, index: usize) -> Option<(&Value, &Value)> {
        self.entries.get_index(index)
    }

    /// Returns the entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> + DoubleEndedIterator {
        self.entries.iter()
    }
}

impl Hash {
    /// Returns the host's own object with the same entries, which the host gets in place of a copy.
    #[inline]
    pub fn host(&self) -> Option<&HostRef> {
        self.host.get()
    }

    /// Sets the host's own object with the same entries, unless already set.
    pub fn set_host(&self, host: HostRef) {
        _ = self.host.set(host);
    }

    /// Returns the extent of the entries.
    pub(super) fn extent(&self) -> Extent {
        let parts = || self.entries.iter().flat_map(|(key, value)| [key, value]);
        *self.extent.get_or_init(|| Extent::of(self.entries.len(), parts()))
    }

    /// Returns mutable references to the values, which may only be replaced by values of the same extent.
    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.entries.values_mut()
    }

    fn entries_mut(&mut self) -> &mut ValueMap<Value> {
        self.extent.take();
        self.host.take();
        &mut self.entries
    }
}

/// A copy without the host's object.
impl Clone for Hash {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone(), extent: self.extent.clone(), host: OnceLock::new() }
    }
}

/// The order of the entries does not count.
impl PartialEq for Hash {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Eq for Hash {}

impl StdHash for Hash {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let of_entry = |entry| FixedState::default().hash_one(entry);
        self.entries.iter().map(of_entry).fold(0, u64::wrapping_add).hash(state);
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.fmt(f)
    }
}

impl FromIterator<(Value, Value)> for Hash {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Self {
        Self { entries: entries.into_iter().collect(), ..Self::default() }
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
