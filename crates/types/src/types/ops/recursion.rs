//! Keeps track of a comparison of two types, for types that contain themselves.
//!
//! See Puppet's `pops/types/recursion_guard.rb`.

use crate::types::Type;

/// Detects when the expected type ("this"), the given type ("that") or both recur.
///
/// When both have recurred, everything up to there agreed, so they are assumed to agree. The rules for when a side counts
/// as recurring, and for how long, are Puppet's: answers about recursive types depend on them.
#[derive(Default)]
pub(super) struct Recursion {
    this: RecursionSide,
    that: RecursionSide,
    /// The questions that are open: an expected alias and the given type, by their identity.
    open: Vec<(usize, usize)>,
}

/// The aliases that one side has been through, by their identity.
#[derive(Default)]
struct RecursionSide {
    seen: Vec<usize>,
    around: bool,
}

impl RecursionSide {
    /// Records an alias. Returns false if it is recorded already, or is no longer tracked.
    fn enter(&mut self, alias: usize) -> bool {
        if self.around {
            return false;
        }
        self.around = self.seen.contains(&alias);
        if !self.around {
            self.seen.push(alias);
        }
        !self.around
    }
}

impl Recursion {
    /// Notes that an alias on this side is entered. Returns true if it has to be left again.
    pub(super) fn enter_this(&mut self, alias: usize) -> bool {
        self.this.enter(alias)
    }

    /// Undoes [`Self::enter_this`].
    pub(super) fn leave_this(&mut self) {
        self.this.seen.pop();
        self.this.around = false;
    }

    /// Records that an alias on that side is entered. The record stays.
    pub(super) fn enter_that(&mut self, alias: usize) {
        self.that.enter(alias);
    }

    /// Opens a comparison. Returns false if it is open already: then a cycle of aliases without any other type leads to it,
    /// and it has no answer.
    pub(super) fn open(&mut self, alias: usize, given: &Type) -> bool {
        let question = (alias, std::ptr::from_ref(given).addr());
        let new = matches!(given, Type::Alias(_)) || !self.open.contains(&question);
        if new {
            self.open.push(question);
        }
        new
    }

    /// Closes the question that was opened last.
    pub(super) fn close(&mut self) {
        self.open.pop();
    }

    /// Returns true if both sides have recurred.
    pub(super) fn both(&self) -> bool {
        self.this.around && self.that.around
    }
}
