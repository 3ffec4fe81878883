//! Arrays.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use triomphe::{Arc, HeaderWithLength, ThinArc};

use super::Value;
use super::extent::Extent;

/// The elements of an array, which do not change. Its clones share them.
#[derive(Clone)]
pub struct Array(ThinArc<Extent, Value>);

impl Array {
    /// Returns the extent of the elements.
    #[inline]
    pub(super) fn extent(&self) -> Extent {
        self.0.header.header
    }

    /// Creates an array that Ruby code may not change.
    pub fn frozen(items: Vec<Value>) -> Self {
        Self::with_extent(Extent { is_frozen: true, ..Extent::of(items.len(), &items) }, items)
    }

    fn with_extent(extent: Extent, items: Vec<Value>) -> Self {
        let header = HeaderWithLength::new(extent, items.len());
        // The elements are moved all at once.
        Self(Arc::into_thin(Arc::from_header_and_vec(header, items)))
    }

    /// Returns true if Ruby code may not change it.
    #[inline]
    pub fn is_frozen(&self) -> bool {
        self.extent().is_frozen
    }

    /// Returns true if it has other clones.
    pub fn is_shared(&self) -> bool {
        ThinArc::strong_count(&self.0) > 1
    }

    /// Returns an array of the same size, whose elements are replaced by ones of the same extent.
    pub(super) fn copy_with(&self, element: impl FnMut(&Value) -> Value) -> Self {
        Self(ThinArc::from_header_and_iter(self.extent(), self.iter().map(element)))
    }

    /// Returns the address, which distinguishes the array and its clones from all other existing arrays, even empty ones.
    pub fn address(&self) -> usize {
        self.0.heap_ptr().addr()
    }

    /// Returns true if both share the same elements, rather than equal ones.
    pub fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(&**self, &**other)
    }
}

impl Deref for Array {
    type Target = [Value];

    #[inline]
    fn deref(&self) -> &[Value] {
        &self.0.slice
    }
}

impl From<Vec<Value>> for Array {
    fn from(items: Vec<Value>) -> Self {
        Self::with_extent(Extent::of(items.len(), &items), items)
    }
}

impl<const N: usize> From<[Value; N]> for Array {
    fn from(items: [Value; N]) -> Self {
        let extent = Extent::of(N, &items);
        Self(ThinArc::from_header_and_iter(extent, items.into_iter()))
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        items.into_iter().collect::<Vec<_>>().into()
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || **self == **other
    }
}

impl Eq for Array {}

impl Hash for Array {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
