//! Where code calls a function of the host, for what that function asks about its caller.

use std::cell::RefCell;
use std::sync::Arc;

use super::{Machine, Site};
use crate::error::Place;
use crate::eval::code::Unit;
use crate::eval::shared::Shared;
use crate::value::Value;

thread_local! {
    /// The call that the host is running in this thread, if code made it.
    static CALLER: RefCell<Option<Caller>> = const { RefCell::new(None) };
}

/// A place in code that waits for the host.
#[derive(Clone)]
pub(super) struct Caller {
    /// The machine that runs the code.
    machine: u32,
    base: usize,
    at: u32,
    unit: Arc<Unit>,
}

impl Caller {
    pub fn new(machine: u32, Site { frame, at }: Site<'_>) -> Self {
        Self { machine, base: frame.base, at, unit: Arc::clone(frame.context.unit) }
    }

    /// Makes this the caller, and gives the one before.
    pub fn replace(caller: Option<Self>) -> Option<Self> {
        CALLER.replace(caller)
    }
}

impl Machine {
    fn local(&self, name: &str, caller: &Caller) -> Option<Value> {
        let mut slots = caller.unit.slots_in_sight(name, caller.at);
        let found = slots.find_map(|slot| self.stack.get(caller.base.saturating_add(slot as usize))?.clone());
        found.or_else(|| self.scope_variable(name))
    }
}

/// Where code has called the function of the host that runs.
pub(in crate::eval) fn caller_place() -> Option<Place> {
    CALLER.with_borrow(|caller| caller.as_ref().map(|caller| caller.unit.place(caller.at)))
}

/// The variable that the code sees which has called the function of the host that runs: one of a
/// function, a lambda, or a class.
pub(in crate::eval) fn caller_variable(shared: &Shared, name: &str) -> Option<Value> {
    let caller = CALLER.with_borrow(Clone::clone)?;
    shared.with_waiting(caller.machine, |machine| machine.local(name, &caller))?
}
