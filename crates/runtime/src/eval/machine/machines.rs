//! The machines of a runtime, as they see each other.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use super::catalog::CallerLocals;
use super::waiting::HostCall;
use super::{Machine, MatchGroups};
use crate::eval::shared::SharedRuntime;
use puppetfn_base::error::Error;
use puppetfn_catalog::{FastMap, ScopeId};
use puppetfn_types::value::Value;

/// The shared state of a runtime's machines, and the machines that wait.
pub(in crate::eval) struct Machines {
    shared: SharedRuntime,
    /// Machines that wait for the host, which may call their blocks, by their numbers.
    waiting: Mutex<HashMap<u32, Machine>>,
    /// The calls of the host for code and lookups, by the threads in which they run.
    host_calls: Mutex<HashMap<ThreadId, HostCall>>,
    /// The number of changes of `host_calls`.
    host_call_number: AtomicU64,
    /// The frames passed on to classes and resources by the code that has them evaluated, by their scopes.
    passing: Mutex<FastMap<ScopeId, CallerLocals>>,
    /// The groups of the last match that the code of a scope itself has made, outside of all blocks.
    groups: Mutex<FastMap<ScopeId, MatchGroups>>,
    /// Whether the host redefines the default parameters of a scope.
    redefines_defaults: AtomicBool,
    /// The number of templates that the host is rendering.
    templates: AtomicUsize,
}

impl Deref for Machines {
    type Target = SharedRuntime;

    fn deref(&self) -> &SharedRuntime {
        &self.shared
    }
}

impl DerefMut for Machines {
    fn deref_mut(&mut self) -> &mut SharedRuntime {
        &mut self.shared
    }
}

impl Machines {
    /// Creates the machines of a new runtime: none.
    pub fn new(shared: SharedRuntime) -> Self {
        Self {
            shared,
            waiting: Mutex::default(),
            host_calls: Mutex::default(),
            host_call_number: AtomicU64::new(0),
            passing: Mutex::default(),
            groups: Mutex::default(),
            redefines_defaults: AtomicBool::new(false),
            templates: AtomicUsize::new(0),
        }
    }

    /// Replaces the values of all variables: of the top scope, of classes and nodes, and of functions and resources that
    /// wait for the host. `update` returns a new value, or `None` to keep the old one.
    ///
    /// # Errors
    /// The first error of `update`.
    pub fn update_variables(
        &self,
        mut update: impl FnMut(&Value) -> Result<Option<Value>, Error>,
    ) -> Result<(), Error> {
        self.variables.update(&mut update)?;
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for machine in waiting.values_mut() {
            for slot in machine.slots_mut() {
                if let Some(value) = update(slot)? {
                    *slot = value;
                }
            }
        }
        drop(waiting);
        self.outdate();
        Ok(())
    }

    /// Lets the host render a template, whose code can change the values of variables in place until it ends.
    pub fn in_template<R>(&self, render: impl FnOnce() -> R) -> R {
        self.templates.fetch_add(1, Ordering::Relaxed);
        let result = render();
        self.templates.fetch_sub(1, Ordering::Relaxed);
        result
    }

    /// Returns true if templates see the variables as code does: the host renders none, and no variable has a name that code
    /// cannot have, which is an instance variable as another name is.
    pub fn shares_variables_with_templates(&self) -> bool {
        self.templates.load(Ordering::Relaxed) == 0 && !self.variables.has_odd_names()
    }

    /// Returns the host's call in this thread.
    pub fn host_call(&self) -> HostCall {
        let calls = self.host_calls.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.is_empty() { HostCall::default() } else { calls.get(&here()).cloned().unwrap_or_default() }
    }

    /// Sets the host's call in this thread, and returns the previous one.
    pub fn replace_host_call(&self, call: HostCall) -> HostCall {
        self.host_call_number.fetch_add(1, Ordering::Relaxed);
        let mut calls = self.host_calls.lock().unwrap_or_else(PoisonError::into_inner);
        let outer = if call.waiting.is_none() && call.lookup.is_none() {
            calls.remove(&here())
        } else {
            calls.insert(here(), call)
        };
        outer.unwrap_or_default()
    }

    /// Returns a number that changes whenever the host's call in any thread changes.
    pub fn host_call_number(&self) -> u64 {
        self.host_call_number.load(Ordering::Relaxed)
    }

    /// Returns the frame passed on to the code of a scope.
    pub fn passing(&self, scope: ScopeId) -> Option<CallerLocals> {
        self.passing.lock().unwrap_or_else(PoisonError::into_inner).get(&scope).cloned()
    }

    /// Sets the frame passed on to the code of a scope; `None` once that is evaluated.
    pub fn set_passing(&self, scope: ScopeId, passing: Option<CallerLocals>) {
        let mut known = self.passing.lock().unwrap_or_else(PoisonError::into_inner);
        match passing {
            Some(passing) => _ = known.insert(scope, passing),
            None => _ = known.remove(&scope),
        }
    }

    /// Returns the groups of the last match that the evaluated code of a scope has left.
    pub fn groups(&self, scope: ScopeId) -> Option<MatchGroups> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner).get(&scope).cloned()
    }

    /// Records the groups of a scope's last match for inner scopes that are evaluated later.
    pub fn set_groups(&self, scope: ScopeId, groups: Option<MatchGroups>) {
        let Some(groups) = groups else { return };
        self.groups.lock().unwrap_or_else(PoisonError::into_inner).insert(scope, groups);
    }

    /// Notes that the host redefines the default parameters of a scope.
    pub fn redefine_defaults(&self, scope: ScopeId) {
        self.redefines_defaults.store(true, Ordering::Relaxed);
        self.compilation().scopes.redefine(scope);
    }

    /// Returns true if the host redefines the default parameters of some scope.
    pub fn redefines_defaults(&self) -> bool {
        self.redefines_defaults.load(Ordering::Relaxed)
    }

    /// Puts a machine aside while the host runs.
    pub fn await_host(&self, machine: Machine) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(machine.id, machine);
    }

    /// Takes a machine that waits for the host.
    pub fn take_waiting(&self, id: u32) -> Option<Machine> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&id)
    }

    /// Looks at a machine that waits for the host.
    pub fn with_waiting<R>(&self, id: u32, look: impl FnOnce(&Machine) -> R) -> Option<R> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).get(&id).map(look)
    }

    /// Returns how many machines wait for the host.
    pub fn waiting(&self) -> usize {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Returns the thread that runs this.
fn here() -> ThreadId {
    thread::current().id()
}
