//! How much one operation may use, as `Puppetfn.limits` says.

use std::cell::Cell;

use puppetfn::limits::Limits;

use super::raw::{self, Locked};

static CURRENT: Locked<Cell<Limits>> = Locked::new(Cell::new(Limits::DEFAULT));

/// Returns the limits that hold now.
pub fn current() -> Limits {
    CURRENT.get()
}

/// Makes other limits hold, and returns those from before.
pub fn replace(limits: Limits) -> Limits {
    CURRENT.replace(limits)
}

/// What is kept of the stack for what runs between two looks at how much is left: checks of values, and
/// functions in Ruby.
const RESERVE: usize = 160 * 1024;

/// Returns the limits that hold here: with what is left of the stack of the thread or fiber.
pub fn here() -> Limits {
    Limits { stack: raw::stack_left().saturating_sub(RESERVE), ..current() }
}
