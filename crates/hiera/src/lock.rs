//! Locks of what a lookup keeps.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Returns what a mutex guards, also where a thread has panicked with it.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
