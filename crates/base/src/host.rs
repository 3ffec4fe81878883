//! Handles for objects that belong to the host program (Ruby).
//!
//! The core never holds a host object. It holds a [`HostRef`], a counted name for one slot of a
//! table that the host keeps; the last clone to go hands the slot back to that table.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::error::Error;

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

/// The slots of a host table that no [`HostRef`] names any longer.
///
/// Dropping a reference may happen on any thread and at a time when the host must not be called,
/// so the slot is only noted here; the host reuses it when it next adds an object.
#[derive(Default, Debug)]
pub struct Released(Mutex<Vec<HostId>>);

impl Released {
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
pub struct HostRef(Arc<Slot>);

struct Slot {
    id: HostId,
    released: Arc<Released>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.released.add(self.id);
    }
}

impl HostRef {
    /// Makes the first reference to a slot; `released` is told when the last one is dropped.
    pub fn new(id: HostId, released: Arc<Released>) -> Self {
        Self(Arc::new(Slot { id, released }))
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

/// What the host knows of its classes, for types that name them.
///
/// An object tells its own classes. This is for comparing two types: whether `Runtime['ruby', 'B']`
/// is assignable to `Runtime['ruby', 'A']` depends on what A and B are in the host.
pub trait Classes: Send + Sync {
    /// Returns true if a class is another one or descends from it; false when the host lacks one of them.
    fn descends(&self, class: &str, ancestor: &str) -> bool;

    /// Returns a class and the classes that it descends from, nearest first; empty when the host has no
    /// such class.
    fn superclasses(&self, class: &str) -> Vec<Arc<str>>;
}

static CLASSES: OnceLock<Box<dyn Classes>> = OnceLock::new();

/// Tells the core about the host's classes, once per process. Without it, classes are compared by
/// name.
///
/// # Errors
/// Hands back `classes` when the process has some already.
pub fn set_classes(classes: Box<dyn Classes>) -> Result<(), Box<dyn Classes>> {
    CLASSES.set(classes)
}

/// Returns what the host knows of its classes.
pub fn classes() -> Option<&'static dyn Classes> {
    CLASSES.get().map(|classes| &**classes)
}

/// Methods of the host's objects that the core calls: their texts and whether two are equal.
pub trait Objects: Send + Sync {
    /// Returns the text of an object, as `to_s` returns it.
    ///
    /// # Errors
    /// An exception that the method raises.
    fn to_s(&self, object: &HostRef) -> Result<String, Error>;

    /// Returns the text of an object for programmers, as `inspect` returns it.
    ///
    /// # Errors
    /// An exception that the method raises.
    fn inspect(&self, object: &HostRef) -> Result<String, Error>;

    /// Returns true if an object is equal to another, by its own `==`; false if that raises.
    fn equals(&self, object: &HostRef, other: &HostRef) -> bool;

    /// Returns true if an object is the same key of a hash as another, by its own `eql?`; false if that raises.
    fn is_same_key(&self, object: &HostRef, other: &HostRef) -> bool;

    /// Returns the name of the class of an object that implements an Object type, if Puppet has no data for the object: it
    /// converts objects that report their type.
    fn class_without_data(&self, object: &HostRef) -> Option<String>;
}

static OBJECTS: OnceLock<Box<dyn Objects>> = OnceLock::new();

/// Tells the core how to call the host's objects, once per process. Without it, their text is the name of their class, and
/// each is equal to itself alone.
///
/// # Errors
/// Hands back `objects` when the process has some already.
pub fn set_objects(objects: Box<dyn Objects>) -> Result<(), Box<dyn Objects>> {
    OBJECTS.set(objects)
}

/// Returns the calls of the host's objects.
pub fn objects() -> Option<&'static dyn Objects> {
    OBJECTS.get().map(|objects| &**objects)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_reference_releases_the_slot() {
        let released = Arc::new(Released::default());
        let first = HostRef::new(HostId::new(7), Arc::clone(&released));
        let second = first.clone();
        drop(first);
        assert!(released.take().is_empty());
        drop(second);
        assert_eq!(released.take(), vec![HostId::new(7)]);
        assert!(released.take().is_empty());
    }
}
