//! Values that threads store separately in an object they share.

use std::cell::RefCell;
use std::thread::{self, ThreadId};

use super::raw::Locked;

/// A value for each thread that has stored one. Ruby may run other threads whenever it runs Ruby code, so other threads
/// can store values between the time that a thread stores its own and the time that it takes it.
pub struct ByThread<T>(Locked<RefCell<Vec<(ThreadId, T)>>>);

impl<T> Default for ByThread<T> {
    fn default() -> Self {
        Self(Locked::new(RefCell::default()))
    }
}

impl<T> ByThread<T> {
    /// Puts a value aside for this thread, in place of the one before.
    pub fn set(&self, value: T) {
        let _ = self.take();
        self.0.borrow_mut().push((thread::current().id(), value));
    }

    /// Takes the value of this thread.
    #[inline]
    pub fn take(&self) -> Option<T> {
        if self.0.borrow().is_empty() { None } else { self.take_own() }
    }

    #[cold]
    fn take_own(&self) -> Option<T> {
        let own = thread::current().id();
        let mut values = self.0.borrow_mut();
        let index = values.iter().position(|(thread, _)| *thread == own)?;
        Some(values.swap_remove(index).1)
    }
}
