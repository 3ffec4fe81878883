//! Values that Ruby's global lock guards.

use std::ops::Deref;

/// A value that is used with Ruby's global lock held, whichever thread has it.
pub struct Locked<T>(T);

// SAFETY: all owners of one run with the global lock: methods of Ruby objects, and the functions that Ruby calls to
// mark and free them. A thread that passes the lock on makes all its writes visible to the next.
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
