//! Usage of the native stack.

use std::cell::Cell;
use std::hint::black_box;

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;

thread_local! {
    /// The start of the outermost evaluation of the thread.
    static OUTERMOST: Cell<Option<StackGuard>> = const { Cell::new(None) };
}

/// Guards the native stack, which parsing, compiling and running nested code uses.
#[derive(Clone, Copy, Debug)]
pub struct StackGuard {
    start: usize,
    limit: usize,
}

impl StackGuard {
    /// Creates a guard that lets the calls from here use up to [`Limits::stack`] bytes.
    pub fn new(limits: &Limits) -> Self {
        Self { start: position(), limit: limits.stack }
    }

    /// Returns the number of bytes left.
    pub fn left(self) -> usize {
        self.limit.saturating_sub(self.start.abs_diff(position()))
    }

    /// Checks that enough of the stack is left for some more calls.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if it is not.
    #[inline(always)]
    pub fn check(self) -> Result<(), Error> {
        // In whichever direction a stack grows, it grows away from its start.
        if self.start.abs_diff(position()) < self.limit { Ok(()) } else { Err(Self::exceeded()) }
    }

    #[cold]
    fn exceeded() -> Error {
        let message = "nested too deep for the native stack (limit 'stack'; raise it with Limits, in a thread with \
                       a larger stack)";
        Error::new(ErrorKind::Limit, message)
    }
}

/// Lets all evaluations on a thread share one stack budget: an evaluation that a host function begins gets the rest of the
/// outermost one's budget.
pub struct StackBudget {
    outer: Option<StackGuard>,
}

impl StackBudget {
    /// Begins an evaluation, which lasts until this is dropped.
    pub fn begin(limits: &Limits) -> Self {
        let outer = OUTERMOST.get();
        OUTERMOST.set(outer.or_else(|| Some(StackGuard::new(limits))));
        Self { outer }
    }

    /// Checks that the outermost evaluation of the thread leaves enough for some more calls.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if it does not.
    pub fn check() -> Result<(), Error> {
        OUTERMOST.get().map_or(Ok(()), StackGuard::check)
    }

    /// Returns how many bytes are left for the current evaluations; `None` outside of an evaluation.
    pub fn left() -> Option<usize> {
        OUTERMOST.get().map(StackGuard::left)
    }
}

impl Drop for StackBudget {
    fn drop(&mut self) {
        OUTERMOST.set(self.outer);
    }
}

/// Returns roughly where the stack is now. Miri has none: there, variables are anywhere.
#[inline(always)]
fn position() -> usize {
    if cfg!(miri) {
        return 0;
    }
    let marker = 0u8;
    std::ptr::from_ref(black_box(&marker)).addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sink(guard: StackGuard, levels: &mut u32) -> Error {
        *levels += 1;
        match guard.check() {
            Ok(()) => black_box(sink(guard, levels)),
            Err(error) => error,
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no stack to measure")]
    fn recursion_meets_the_limit_before_the_end_of_the_stack() {
        let mut levels = 0;
        let guard = StackGuard::new(&Limits { stack: 100_000, ..Limits::DEFAULT });
        assert_eq!(sink(guard, &mut levels).kind(), &ErrorKind::Limit);
        assert!(levels > 10, "{levels}");
    }
}
