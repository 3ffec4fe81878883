//! The size of values.

use super::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits};

/// The size of a value with all its parts. Collections cache it, so that it costs nothing to check; afterwards, code that
/// traverses a value need not guard against endless ones.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Extent {
    /// Number of elements at any depth. A shared collection counts each time.
    pub elements: u32,
    /// The nesting depth of collections.
    pub depth: u16,
    /// Whether an unknown value is contained.
    pub has_unknown: bool,
    /// Whether it is an array that Ruby code may not change.
    pub is_frozen: bool,
}

impl Extent {
    /// Returns the extent of a collection of this many elements with these parts.
    pub(super) fn of<'v>(count: usize, parts: impl IntoIterator<Item = &'v Value>) -> Self {
        let mut extent = Self { elements: u32::try_from(count).unwrap_or(u32::MAX), ..Self::default() };
        for part in parts {
            // Most parts have no parts themselves.
            if let Value::Integer(_) | Value::String(_) | Value::Boolean(_) | Value::Float(_) = part {
                continue;
            }
            let part = part.extent();
            extent.elements = extent.elements.saturating_add(part.elements);
            extent.depth = extent.depth.max(part.depth);
            extent.has_unknown |= part.has_unknown;
        }
        extent.depth = extent.depth.saturating_add(1);
        extent
    }
}

impl Extent {
    /// Checks the extent against the limits.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if it has more elements than [`Limits::elements`], or nests
    /// deeper than [`Limits::nesting`].
    #[inline]
    fn check(self, limits: &Limits) -> Result<(), Error> {
        if u32::from(self.depth) > limits.nesting {
            return Err(Depth::nesting_exceeded(limits));
        }
        limits.check_elements(self.elements as usize)
    }
}

impl Value {
    /// Checks the extent of a new value against the limits.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if the value, or a type in it, exceeds them, or if it is too
    /// long a text.
    #[inline]
    pub fn check_extent(&self, limits: &Limits) -> Result<(), Error> {
        if let Self::Type(t) = self {
            t.check_extent(limits)
        } else if let Self::String(text) = self {
            limits.check_text(text.len())
        } else {
            self.extent().check(limits)
        }
    }

    /// Returns the size of its text or its own elements in bytes, without their content.
    #[inline]
    pub fn own_bytes(&self) -> usize {
        if let Self::String(text) = self {
            text.len()
        } else if let Self::Array(items) = self {
            items.len().saturating_mul(size_of::<Self>())
        } else if let Self::Hash(hash) = self {
            hash.len().saturating_mul(2 * size_of::<Self>())
        } else {
            0
        }
    }

    /// Checks the total number of elements in several values.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if they have more elements than [`Limits::elements`].
    #[inline]
    pub fn check_extents(values: &[Self], limits: &Limits) -> Result<(), Error> {
        limits.check_elements(Extent::of(values.len(), values).elements as usize)
    }

    /// Returns the extent of the value.
    #[inline]
    pub fn extent(&self) -> Extent {
        match self {
            Self::Array(items) => items.extent(),
            Self::Hash(hash) => hash.extent(),
            Self::Object(object) => object.extent(),
            Self::Iterator(iteration) => iteration.extent(),
            Self::Sensitive(inner) => Extent::of(1, [&**inner]),
            Self::Unknown(_) => Extent { has_unknown: true, ..Extent::default() },
            Self::Undef
            | Self::Default
            | Self::Boolean(_)
            | Self::Integer(_)
            | Self::Float(_)
            | Self::String(_)
            | Self::Regexp(_)
            | Self::SemVer(_)
            | Self::SemVerRange(_)
            | Self::Binary(_)
            | Self::Uri(_)
            | Self::Timestamp(_)
            | Self::Timespan(_)
            | Self::Type(_)
            | Self::Callable(_)
            | Self::Runtime(_) => Extent::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::types::Type;

    #[test]
    fn parts_count_wherever_they_are() {
        let pair = Value::from(vec![1.into(), Value::Undef]);
        let hash: Value = [("a".into(), pair.clone()), ("b".into(), pair)].into_iter().collect();
        assert_eq!(hash.extent(), Extent { elements: 6, depth: 2, ..Extent::default() });
    }

    #[test]
    fn what_is_put_into_a_hash_counts() {
        let mut hash = super::super::Hash::default();
        hash.insert("a".into(), vec![1.into()].into());
        assert_eq!(hash.extent().elements, 2);
        hash.insert("b".into(), Value::unknown(Type::INTEGER));
        *hash.get_or_insert_with("a".into(), || Value::Undef) = Value::Undef;
        assert_eq!(hash.extent(), Extent { elements: 2, depth: 1, has_unknown: true, is_frozen: false });
        assert!(Value::Sensitive(Arc::new(Value::Hash(Arc::new(hash)))).extent().has_unknown);
    }

    #[test]
    fn what_is_shared_again_and_again_has_an_end() {
        let doubled = |value: Value, _| Value::from(vec![value.clone(), value]);
        assert_eq!((0..100).fold(Value::Undef, doubled).extent().elements, u32::MAX);
    }
}
