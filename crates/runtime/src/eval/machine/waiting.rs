//! The caller of a function of the host, as that function may query it.

use std::sync::Arc;

use super::machines::Machines;
use super::{CallSite, Machine, MatchGroups};
use crate::eval::code::CompilationUnit;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_catalog::ScopeId;
use puppetfn_types::function::OngoingLookup;
use puppetfn_types::value::Value;

/// A call of the host in a thread, for code or a lookup.
#[derive(Clone, Debug, Default)]
pub(in crate::eval) struct HostCall {
    /// The place in code that waits for it.
    pub waiting: Option<WaitingCaller>,
    /// The lookup that it is for.
    pub lookup: Option<OngoingLookup>,
}

/// A place in code that waits for a call to return.
#[derive(Clone, Debug)]
pub(in crate::eval) struct WaitingCaller {
    /// The machine that runs the code.
    pub(super) machine: u32,
    base: usize,
    /// The index of the call in the machine.
    index: usize,
    at: u32,
    unit: Arc<CompilationUnit>,
    /// The calls of the functions and lambdas around it, the innermost first.
    callers: Vec<CallPlace>,
    /// Whether its variables are out of sight, for functions that act in the top scope.
    is_hidden: bool,
    /// The numbers of running declarations and programs of the machine.
    pub(super) around: RunningCounts,
    /// The call that the host was running before in this thread.
    pub(super) outer: Option<Arc<Self>>,
}

/// The place of a call in code.
#[derive(Clone, Debug)]
pub(super) struct CallPlace {
    pub unit: Arc<CompilationUnit>,
    pub at: u32,
    /// The beginning of the slots of its frame.
    pub base: usize,
    /// The index of the call in the machine.
    pub index: usize,
}

impl CallPlace {
    pub fn of(CallSite { frame, at }: CallSite<'_>) -> Self {
        Self { unit: Arc::clone(frame.context.unit), at, base: frame.base, index: frame.context.index }
    }

    fn place(&self) -> SourceLocation {
        self.unit.call(self.at)
    }
}

/// Numbers of declarations and programs that a machine is evaluating.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::eval) struct RunningCounts {
    pub declarations: usize,
    pub programs: usize,
}

impl WaitingCaller {
    pub fn new(machine: u32, site: CallSite<'_>) -> Self {
        let CallSite { frame, at } = site;
        let callers = std::iter::successors(frame.context.caller, |call| call.frame.context.caller);
        Self {
            machine,
            base: frame.base,
            index: frame.context.index,
            at,
            unit: Arc::clone(frame.context.unit),
            callers: callers.copied().map(CallPlace::of).collect(),
            is_hidden: false,
            around: RunningCounts::default(),
            outer: None,
        }
    }

    /// Returns the same for a machine that is evaluating declarations and programs.
    pub fn within(self, around: RunningCounts) -> Self {
        Self { around, ..self }
    }

    /// Returns the same within the call that the host is running.
    pub fn nested(self, shared: &Machines) -> Self {
        Self { outer: Self::current(shared).map(Arc::new), ..self }
    }

    fn is_local(&self) -> bool {
        self.unit.is_local(self.at)
    }

    /// Returns the places of the call and of the calls around it in the same machine, the innermost first.
    fn places(&self) -> impl Iterator<Item = SourceLocation> {
        std::iter::once(self.unit.call(self.at)).chain(self.callers.iter().map(CallPlace::place))
    }

    /// Returns the call and the calls around it in the same machine, the innermost first.
    pub(super) fn call_places(&self) -> impl Iterator<Item = CallPlace> + '_ {
        let Self { base, index, at, unit, callers, .. } = self;
        let own = CallPlace { unit: Arc::clone(unit), at: *at, base: *base, index: *index };
        std::iter::once(own).chain(callers.iter().cloned())
    }

    /// Returns the variable of a function or lambda that the place sees. The machine that asks for it does not wait.
    pub fn local(&self, asking: Option<&Machine>, shared: &Machines, name: &str) -> Option<Value> {
        match asking.filter(|machine| machine.id == self.machine) {
            Some(machine) => machine.local(name, self),
            None => shared.with_waiting(self.machine, |machine| machine.local(name, self))?,
        }
    }

    /// Returns all variables of functions and lambdas that the place sees, in the order of their names.
    pub fn locals(&self, shared: &Machines) -> Vec<(Arc<str>, Value)> {
        let mut names: Vec<&str> = self.unit.names_in_sight(self.at).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().filter_map(|name| Some((name.into(), self.local(None, shared, name)?))).collect()
    }

    /// Returns a group of the last match that the place sees, as [`group_named`] does.
    fn group(&self, shared: &Machines, name: &str) -> Option<Value> {
        if self.is_hidden {
            return None;
        }
        let own = shared.with_waiting(self.machine, |machine| machine.groups.clone())?;
        let groups = own.or_else(|| shared.outer_groups(shared.scope()));
        groups.map(|groups| group_named(&groups, name))
    }

    /// Returns the call that the host is running in this thread, if code made it.
    pub fn current(shared: &Machines) -> Option<Self> {
        shared.host_call().waiting
    }
}

impl Machine {
    /// Returns the place that called the function of the host which has this machine call another function. Code that
    /// the machine itself runs is a place of its own.
    pub(super) fn host_caller(&self) -> Option<WaitingCaller> {
        if self.calls.is_empty() {
            WaitingCaller::current(&self.shared).filter(|caller| !caller.is_hidden)
        } else {
            None
        }
    }

    /// Returns the variable of a function or lambda that a place sees in code that this machine runs.
    fn local(&self, name: &str, caller: &WaitingCaller) -> Option<Value> {
        let mut slots = caller.unit.slots_in_sight(name, caller.at).filter(|_| !caller.is_hidden);
        slots.find_map(|slot| self.stack.get(caller.base.saturating_add(slot as usize))?.clone())
    }

    /// Returns the groups of the last match that a place sees, whatever machine runs the code.
    pub(super) fn groups_of(&self, caller: &WaitingCaller) -> Option<MatchGroups> {
        if caller.machine == self.id {
            return self.groups.clone();
        }
        self.shared.with_waiting(caller.machine, |machine| machine.groups.clone())?
    }
}

/// Returns true if a variable of this name is a group of the last match.
pub(super) fn is_match_variable(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns a group of a match by the name of its variable; undef if the match has no such group. See `MatchScope` in
/// Puppet's `parser/scope.rb`: all groups exist once anything has matched.
pub(super) fn group_named(groups: &MatchGroups, name: &str) -> Value {
    let group = name.parse().ok().and_then(|number: usize| groups.get(number).cloned().flatten());
    group.map_or(Value::Undef, Value::String)
}

/// Returns where code called the running function of the host.
pub(in crate::eval) fn caller_place(shared: &Machines) -> Option<SourceLocation> {
    WaitingCaller::current(shared).map(|waiting| waiting.unit.place(waiting.at))
}

/// Returns the variable that the caller of the running function of the host sees: one of a
/// function, a lambda, or a class, or a group of the last match.
///
/// # Errors
/// [`Signal::Unevaluated`](puppetfn_base::error::Signal::Unevaluated) when it is a parameter that has no value yet.
pub(in crate::eval) fn caller_variable(shared: &Machines, name: &str) -> Result<Option<Value>, Error> {
    let Some(caller) = WaitingCaller::current(shared) else { return Ok(None) };
    if is_match_variable(name) {
        return Ok(caller.group(shared, name));
    }
    match caller.local(None, shared, name) {
        Some(local) => Ok(Some(local)),
        None => shared.variable_in(None, shared.scope(), name),
    }
}

/// Returns the places of the calls in code that led to the running function of the host, the innermost first.
pub(in crate::eval) fn caller_places(shared: &Machines) -> Vec<SourceLocation> {
    let mut places = Vec::new();
    let mut caller = WaitingCaller::current(shared).map(Arc::new);
    while let Some(waiting) = caller {
        places.extend(waiting.places());
        // The surroundings of an outer call of the same machine come after that call.
        let outer = waiting.outer.as_ref().filter(|outer| outer.machine == waiting.machine);
        let known = outer.map(|outer| outer.around).unwrap_or_default();
        let around = shared
            .with_waiting(waiting.machine, |machine| machine.surroundings_between(known, waiting.around));
        places.extend(around.into_iter().flatten());
        caller = waiting.outer.clone();
    }
    places
}

impl Machine {
    /// Returns how many declarations and programs it is evaluating.
    pub(super) fn surroundings(&self) -> RunningCounts {
        RunningCounts { declarations: self.declared_by.len(), programs: self.programs.len() }
    }

    /// Returns the places of the declarations and programs that it began to evaluate between two calls, the innermost
    /// first.
    fn surroundings_between(&self, outer: RunningCounts, inner: RunningCounts) -> Vec<SourceLocation> {
        let declarations = self.declared_by.iter().take(inner.declarations).skip(outer.declarations);
        let declaring = declarations.rev().flat_map(WaitingCaller::places);
        let programs = self.programs.iter().take(inner.programs).skip(outer.programs).rev();
        declaring.chain(programs.map(|unit| SourceLocation { line: Some(0), ..unit.call(0) })).collect()
    }
}

/// Returns all variables that the caller of the running function of the host sees, without variables of the top
/// scope. The innermost of each name is the last.
pub(in crate::eval) fn caller_variables(shared: &Machines) -> Vec<(Arc<str>, Value)> {
    let Some(caller) = WaitingCaller::current(shared) else { return Vec::new() };
    let mut variables = shared.variables_in(shared.scope());
    variables.extend(caller.locals(shared));
    variables
}

/// Returns true if the code that called the running function of the host is of a function or lambda.
pub(in crate::eval) fn is_caller_local(shared: &Machines) -> bool {
    WaitingCaller::current(shared).is_some_and(|caller| !caller.is_hidden && caller.is_local())
}

/// Returns true if the code that called the running function of the host is of a function or lambda, which has or
/// sees a variable of functions and lambdas.
pub(in crate::eval) fn has_caller_local(shared: &Machines, name: &str) -> bool {
    WaitingCaller::current(shared).is_some_and(|caller| caller.local(None, shared, name).is_some())
}

/// Sets a variable in the scope of the code that called the running function of the host.
///
/// # Errors
/// Fails if it has a value there.
pub(in crate::eval) fn set_caller_variable(shared: &Machines, name: &str, value: Value) -> Result<(), Error> {
    let caller = WaitingCaller::current(shared);
    let is_local = caller.is_some_and(|caller| caller.local(None, shared, name).is_some());
    if is_local || !shared.set_in(shared.scope(), name, value) {
        return Err(Error::new(ErrorKind::Evaluation, format!("Cannot reassign variable '${name}'")));
    }
    Ok(())
}

/// Lets a function of the host act in a scope, whatever code has called it.
pub(in crate::eval) fn in_scope<R>(shared: &Machines, scope: ScopeId, run: impl FnOnce() -> R) -> R {
    let scope = shared.replace_scope(scope);
    let outer = shared.host_call();
    let hidden = outer.waiting.clone().map(|waiting| WaitingCaller { is_hidden: true, ..waiting });
    shared.replace_host_call(HostCall { waiting: hidden, lookup: outer.lookup.clone() });
    let result = run();
    shared.replace_host_call(outer);
    shared.replace_scope(scope);
    result
}
