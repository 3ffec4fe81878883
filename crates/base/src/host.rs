//! The host program (Ruby): handles for its objects, and its answers about objects and classes.

use std::sync::{Arc, OnceLock};

use crate::error::Error;
pub use crate::handle::{HostId, HostRef, ReleasedSlots};

/// The ancestry of the host's classes, for types that name them.
///
/// An object knows its own classes. This trait is for comparing two types: whether `Runtime['ruby', 'B']` is assignable to
/// `Runtime['ruby', 'A']` depends on the host's classes A and B.
pub trait HostClasses: Send + Sync {
    /// Returns true if a class is another one or descends from it; false when the host lacks one of them.
    fn descends(&self, class: &str, ancestor: &str) -> bool;

    /// Returns a class and its ancestors, nearest first; empty if the host does not have the class.
    fn superclasses(&self, class: &str) -> Vec<Arc<str>>;
}

static CLASSES: OnceLock<Box<dyn HostClasses>> = OnceLock::new();

/// Tells the core about the host's classes, once per process. Without it, classes are compared by
/// name.
///
/// # Errors
/// Hands back `classes` when the process has some already.
pub fn set_classes(classes: Box<dyn HostClasses>) -> Result<(), Box<dyn HostClasses>> {
    CLASSES.set(classes)
}

/// Returns the ancestry of the host's classes, if the host has set it.
pub fn classes() -> Option<&'static dyn HostClasses> {
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
