//! What ends a piece of work from outside: the end of its thread, a `throw`, an exception that another thread raises here.
//!
//! It may come whenever Ruby runs, also where the core cannot be told, as its question has no error for an answer, or only
//! one of its own. There it waits until the core is left.

use std::cell::{Cell, RefCell};

use magnus::error::ErrorType;
use magnus::value::ReprValue;
use magnus::{Error, Ruby};
use puppetfn::host::HostRef;

use super::error::raised;
use super::host_table;

thread_local! {
    static IS_WAITING: Cell<bool> = const { Cell::new(false) };
    static WAITING: RefCell<Option<Waiting>> = const { RefCell::new(None) };
}

enum Waiting {
    /// What has no object, for a garbage collection to find.
    Jump(Error),
    Exception(HostRef),
}

/// Returns what Ruby has answered to a question; `None` if that has failed.
pub fn answer<T>(ruby: &Ruby, result: Result<T, Error>) -> Option<T> {
    result.inspect_err(|error| keep_foreign(ruby, error)).ok()
}

/// Keeps what is not an error of the question.
fn keep_foreign(ruby: &Ruby, error: &Error) {
    let waiting = match error.error_type() {
        ErrorType::Jump(_) => return keep(error),
        ErrorType::Exception(exception) if !exception.is_kind_of(ruby.exception_standard_error()) => {
            host_table::keep(ruby, exception.as_value()).map(Waiting::Exception)
        }
        ErrorType::Exception(_) | ErrorType::Error(..) => return,
    };
    // A table that cannot be had says so elsewhere.
    waiting.into_iter().for_each(wait);
}

/// Keeps a jump, which the core cannot carry.
pub fn keep(jump: &Error) {
    wait(Waiting::Jump(jump.clone()));
}

fn wait(waiting: Waiting) {
    WAITING.replace(Some(waiting));
    IS_WAITING.set(true);
}

/// Takes what has waited until the core is left.
#[inline]
pub fn take(ruby: &Ruby) -> Option<Error> {
    if IS_WAITING.get() { take_waiting(ruby) } else { None }
}

#[cold]
fn take_waiting(ruby: &Ruby) -> Option<Error> {
    IS_WAITING.set(false);
    Some(match WAITING.take()? {
        Waiting::Jump(error) => error,
        Waiting::Exception(exception) => host_table::fetch(ruby, &exception).map_or_else(|lost| lost, raised),
    })
}
