//! The parts of collections.

use std::sync::Arc;

use super::{Hash, Value};

impl Value {
    /// Maps the parts of a collection by `change`: the elements of an array, or the keys and values of a hash. `None` if
    /// the value is not a collection.
    ///
    /// # Errors
    /// The same errors as `change`.
    pub fn try_map_parts<E>(
        &self,
        mut change: impl FnMut(&Self) -> Result<Self, E>,
    ) -> Result<Option<Self>, E> {
        if let Self::Array(items) = self {
            return Ok(Some(items.iter().map(change).collect::<Result<Vec<_>, E>>()?.into()));
        }
        let Self::Hash(hash) = self else { return Ok(None) };
        let entry = |(key, value)| Ok((change(key)?, change(value)?));
        Ok(Some(Self::Hash(hash.iter().map(entry).collect::<Result<Hash, E>>()?.into())))
    }

    /// Returns a copy with new arrays and hashes, which are other objects to Ruby. Frozen arrays and host objects stay the
    /// same.
    #[must_use]
    pub fn duplicated(&self) -> Self {
        if let Self::Array(items) = self
            && !items.is_frozen()
        {
            let are_single = items.extent().depth <= 1;
            return Self::Array(items.copy_with(if are_single { Self::clone } else { Self::duplicated }));
        }
        if let Self::Hash(hash) = self
            && hash.host().is_none()
        {
            let mut copy = Hash::clone(hash);
            if hash.extent().depth > 1 {
                copy.values_mut().for_each(|value| *value = value.duplicated());
            }
            return Self::Hash(copy.into());
        }
        self.clone()
    }

    /// Returns [`Self::duplicated`] if an array or hash of the value has other owners, otherwise a clone of the value.
    #[must_use]
    pub fn duplicated_if_shared(&self) -> Self {
        if self.is_shared() { self.duplicated() } else { self.clone() }
    }

    fn is_shared(&self) -> bool {
        if let Self::Array(items) = self {
            items.is_shared() || items.extent().depth > 1 && items.iter().any(Self::is_shared)
        } else if let Self::Hash(hash) = self {
            let is_shared_within = || hash.iter().any(|(_, value)| value.is_shared());
            Arc::strong_count(hash) > 1 || hash.extent().depth > 1 && is_shared_within()
        } else {
            false
        }
    }

    /// Returns the address of an array or hash, which its clones share and no equal one has.
    pub fn address(&self) -> Option<usize> {
        if let Self::Array(items) = self {
            Some(items.address())
        } else if let Self::Hash(hash) = self {
            Some(Arc::as_ptr(hash).addr())
        } else {
            None
        }
    }

    /// Maps the parts of a collection, as [`Self::try_map_parts`] does, by a function that cannot fail.
    pub fn map_parts(&self, mut change: impl FnMut(&Self) -> Self) -> Option<Self> {
        let mapped: Result<_, std::convert::Infallible> = self.try_map_parts(|part| Ok(change(part)));
        match mapped {
            Ok(mapped) => mapped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_elements_keys_and_values() {
        let one_more = |part: &Value| {
            if let Value::Integer(number) = part { Value::from(number + 1) } else { part.clone() }
        };
        let array = Value::from(vec![Value::from(1), "a".into()]);
        assert_eq!(array.map_parts(one_more), Some(vec![Value::from(2), "a".into()].into()));
        let hash: Value = [(Value::from(1), Value::from(2))].into_iter().collect();
        assert_eq!(hash.map_parts(one_more), Some([(Value::from(2), Value::from(3))].into_iter().collect()));
        assert_eq!(Value::from(1).map_parts(one_more), None);
        assert_eq!(array.try_map_parts(|_| Err::<Value, _>("no")), Err("no"));
    }
}
