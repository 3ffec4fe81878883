//! How much of the native stack is in use.

use std::hint::black_box;

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;

/// Watches the native stack, which nested code uses as it is compiled and run.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackGuard {
    start: usize,
    limit: usize,
}

impl StackGuard {
    /// Begins to watch: what is called from here may use as much as [`Limits::stack`] says.
    pub fn new(limits: &Limits) -> Self {
        Self { start: position(), limit: limits.stack }
    }

    /// Tells if there is enough left for some more calls.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when there is not.
    #[inline(always)]
    pub fn check(self) -> Result<(), Error> {
        // Wherever a stack grows, it grows away from its start.
        if self.start.abs_diff(position()) < self.limit { Ok(()) } else { Err(self.exceeded()) }
    }

    #[cold]
    fn exceeded(self) -> Error {
        Error::new(
            ErrorKind::Limit,
            format!(
                "nested too deep: more than {} bytes of stack are in use (limit 'stack'; raise it with Limits)",
                self.limit
            ),
        )
    }
}

/// About where the stack is now.
#[inline(always)]
fn position() -> usize {
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
    fn recursion_meets_the_limit_before_the_end_of_the_stack() {
        let mut levels = 0;
        let guard = StackGuard::new(&Limits { stack: 100_000, ..Limits::DEFAULT });
        assert_eq!(sink(guard, &mut levels).kind(), &ErrorKind::Limit);
        assert!(levels > 10, "{levels}");
    }
}
