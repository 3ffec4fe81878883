//! Limits of one operation, as set with `Puppetfn.limits`.

use std::cell::Cell;

use puppetfn::limits::Limits;

use super::raw::{self, Locked};

static CURRENT: Locked<Cell<Limits>> = Locked::new(Cell::new(Limits::DEFAULT));

/// Returns the limits that hold now.
pub fn current() -> Limits {
    CURRENT.get()
}

/// Replaces the current limits, and returns the previous ones.
pub fn replace(limits: Limits) -> Limits {
    CURRENT.replace(limits)
}

/// Stack reserved for code between two checks of the remaining stack: checks of values, and functions in Ruby.
const RESERVE: usize = 160 * 1024;

/// Returns the current limits, with the remaining stack of the thread or fiber.
pub fn here() -> Limits {
    Limits { stack: raw::stack_left().saturating_sub(RESERVE), ..current() }
}
