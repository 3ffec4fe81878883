//! Where a comparison of two types has been, for types that contain themselves.

/// Notices when the expected type ("this"), the given type ("that") or both come around.
///
/// When both have come around, everything up to there agreed, so they are taken to agree. The
/// rules for when a side counts as having come around, and for how long, are Puppet's: answers
/// about types that contain themselves depend on them.
#[derive(Default)]
pub(super) struct Recursion {
    this: Side,
    that: Side,
}

/// The aliases that one side has been through, by their identity.
#[derive(Default)]
struct Side {
    seen: Vec<usize>,
    around: bool,
}

impl Side {
    /// Notes an alias; false when it was there already, or is not looked at any more.
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
    /// Notes that an alias on this side is entered; true when it has to be left again.
    pub(super) fn enter_this(&mut self, alias: usize) -> bool {
        self.this.enter(alias)
    }

    /// Takes back what [`Self::enter_this`] noted.
    pub(super) fn leave_this(&mut self) {
        self.this.seen.pop();
        self.this.around = false;
    }

    /// Notes that an alias on that side is entered. It stays noted.
    pub(super) fn enter_that(&mut self, alias: usize) {
        self.that.enter(alias);
    }

    /// Tells if both sides have come around.
    pub(super) fn both(&self) -> bool {
        self.this.around && self.that.around
    }
}
