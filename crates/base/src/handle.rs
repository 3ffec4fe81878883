//! Handles for objects that belong to the host program (Ruby).
//!
//! The core never holds a host object. It holds a [`HostRef`], a counted name for one slot of a
//! table that the host keeps; the last clone to go hands the slot back to that table.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The index of a slot in the host's table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct HostId(u32);

impl HostId {
    /// Names the slot with this index.
    pub fn new(index: u32) -> Self {
        Self(index)
    }

    /// Returns the index of the slot.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The slots of a host table without any [`HostRef`].
///
/// A reference may be dropped on any thread and while the host must not be called, so the slot is only queued here; the
/// host reuses it when it next adds an object.
#[derive(Default, Debug)]
pub struct ReleasedSlots(Mutex<Vec<HostId>>);

impl ReleasedSlots {
    /// Takes all the slots that were released since the last call.
    pub fn take(&self) -> Vec<HostId> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, id: HostId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(id);
    }
}

/// A counted reference to an object in the host's table. Equal to its clones only.
#[derive(Clone)]
pub struct HostRef(Arc<HostSlot>);

struct HostSlot {
    id: HostId,
    released: Arc<ReleasedSlots>,
}

impl Drop for HostSlot {
    fn drop(&mut self) {
        self.released.add(self.id);
    }
}

impl HostRef {
    /// Creates the first reference to a slot, which is queued in `released` when the last one is dropped.
    pub fn new(id: HostId, released: Arc<ReleasedSlots>) -> Self {
        Self(Arc::new(HostSlot { id, released }))
    }

    /// Returns the slot that is named.
    pub fn id(&self) -> HostId {
        self.0.id
    }
}

impl PartialEq for HostRef {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for HostRef {}

impl std::hash::Hash for HostRef {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl fmt::Debug for HostRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostRef({})", self.0.id.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_reference_releases_the_slot() {
        let released = Arc::new(ReleasedSlots::default());
        let first = HostRef::new(HostId::new(7), Arc::clone(&released));
        let second = first.clone();
        drop(first);
        assert!(released.take().is_empty());
        drop(second);
        assert_eq!(released.take(), vec![HostId::new(7)]);
        assert!(released.take().is_empty());
    }
}
