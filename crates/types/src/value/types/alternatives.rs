//! Lists whose order does not matter.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// Alternatives in source order, which equality ignores.
pub struct Alternatives<T>(Arc<[T]>);

impl<T> Deref for Alternatives<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, L: Into<Arc<[T]>>> From<L> for Alternatives<T> {
    fn from(list: L) -> Self {
        Self(list.into())
    }
}

impl<T> FromIterator<T> for Alternatives<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<'a, T> IntoIterator for &'a Alternatives<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T> Clone for Alternatives<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Eq> PartialEq for Alternatives<T> {
    fn eq(&self, other: &Self) -> bool {
        let within = |these: &Self, those: &Self| these.iter().all(|item| those.contains(item));
        self.len() == other.len()
            && (Arc::ptr_eq(&self.0, &other.0) || within(self, other) && within(other, self))
    }
}

impl<T: Eq> Eq for Alternatives<T> {}

impl<T> Hash for Alternatives<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal lists may differ in order, so only their length is hashed.
        self.len().hash(state);
    }
}

impl<T: fmt::Debug> fmt::Debug for Alternatives<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&*self.0).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_does_not_count_but_members_do() {
        let list = |items: &[u8]| Alternatives::from(items);
        assert_eq!(list(&[1, 2]), list(&[2, 1]));
        assert_ne!(list(&[1, 2]), list(&[1, 3]));
        assert_ne!(list(&[1, 1]), list(&[1, 2]));
        assert_ne!(list(&[1, 2]), list(&[1, 2, 2]));
    }
}
