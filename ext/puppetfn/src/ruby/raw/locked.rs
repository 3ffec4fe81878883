//! Values that Ruby's global lock guards.

use std::ops::Deref;

/// A value that is used with Ruby's global lock held, whichever thread has it.
pub struct Locked<T>(T);

// SAFETY: all that has one runs with the global lock: methods of Ruby objects, and what Ruby calls to
// mark and free them. One thread hands it to the next with all that it did visible.
unsafe impl<T> Send for Locked<T> {}
// SAFETY: as above: no two threads hold the lock at once.
unsafe impl<T> Sync for Locked<T> {}

impl<T> Locked<T> {
    /// Guards a value.
    pub const fn new(value: T) -> Self {
        Self(value)
    }
}

impl<T> Deref for Locked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
