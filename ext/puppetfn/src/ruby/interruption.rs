//! Interruptions from outside: the end of the thread, a `throw`, an exception that another thread raises here.
//!
//! An interruption can come whenever Ruby runs, also in queries of the core that cannot return an error, or only one of
//! their own. There it is stored until the core returns to Ruby.

use std::cell::{Cell, RefCell};

use magnus::error::ErrorType;
use magnus::value::ReprValue;
use magnus::{Error, Ruby};
use puppetfn::host::HostRef;

use super::error::raised;
use super::host_table;

thread_local! {
    static IS_WAITING: Cell<bool> = const { Cell::new(false) };
    static WAITING: RefCell<Option<PendingInterruption>> = const { RefCell::new(None) };
}

enum PendingInterruption {
    /// A jump, which has no object for a garbage collector to find.
    Jump(Error),
    Exception(HostRef),
}

/// Returns the result of a call of Ruby; `None` if it failed.
pub fn answer<T>(ruby: &Ruby, result: Result<T, Error>) -> Option<T> {
    result.inspect_err(|error| keep_foreign(ruby, error)).ok()
}

/// Stores an exception that is not an error of the call itself.
fn keep_foreign(ruby: &Ruby, error: &Error) {
    let waiting = match error.error_type() {
        ErrorType::Jump(_) => return keep(error),
        ErrorType::Exception(exception) if !exception.is_kind_of(ruby.exception_standard_error()) => {
            host_table::keep(ruby, exception.as_value()).map(PendingInterruption::Exception)
        }
        ErrorType::Exception(_) | ErrorType::Error(..) => return,
    };
    // A table that cannot be created reports that elsewhere.
    waiting.into_iter().for_each(wait);
}

/// Keeps a jump, which the core cannot carry.
pub fn keep(jump: &Error) {
    wait(PendingInterruption::Jump(jump.clone()));
}

fn wait(waiting: PendingInterruption) {
    WAITING.replace(Some(waiting));
    IS_WAITING.set(true);
}

/// Takes the stored interruption, when the core returns to Ruby.
#[inline]
pub fn take(ruby: &Ruby) -> Option<Error> {
    if IS_WAITING.get() { take_waiting(ruby) } else { None }
}

#[cold]
fn take_waiting(ruby: &Ruby) -> Option<Error> {
    IS_WAITING.set(false);
    Some(match WAITING.take()? {
        PendingInterruption::Jump(error) => error,
        PendingInterruption::Exception(exception) => {
            host_table::fetch(ruby, &exception).map_or_else(|lost| lost, raised)
        }
    })
}
