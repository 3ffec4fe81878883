//! Calls from the machine into functions that are not written in Puppet.

use std::cell::RefCell;
use std::mem;
use std::sync::Arc;

use super::catalog::LentCompiler;
use super::machines::Machines;
use super::waiting::{HostCall, WaitingCaller, caller_place};
use super::{CallSite, Machine};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind, Signal, SourceLocation};
use puppetfn_base::host::HostRef;
use puppetfn_base::limits::{Limits, exceeded};
use puppetfn_base::stack::StackGuard;
use puppetfn_types::function::{
    Caller, CatalogCompiler, DataLookup, EppTemplate, Host, Library, LogLevel, LookupExplanation,
    LookupQuery, ModuleFiles, OngoingLookup, QuerySource,
};
use puppetfn_types::types::parse::parse;
use puppetfn_types::types::{Definition, ObjectType, Type};
use puppetfn_types::value::{CallTarget, Closure, Hash, Value};

/// The machine while it waits for a function, which may call it again.
pub(super) struct MachineReentry<'m> {
    machine: RefCell<&'m mut Machine>,
    shared: Arc<Machines>,
    pub(super) site: Option<CallSite<'m>>,
    limits: Limits,
}

impl<'m> MachineReentry<'m> {
    pub fn new(machine: &'m mut Machine, site: Option<CallSite<'m>>) -> Self {
        let (limits, shared) = (machine.limits, Arc::clone(&machine.shared));
        Self { machine: RefCell::new(machine), shared, site, limits }
    }

    /// Runs a function with the machine, unless that is running already, as when a log destination calls
    /// a block.
    pub(super) fn with<R>(&self, run: impl FnOnce(&mut Machine) -> Result<R, Error>) -> Result<R, Error> {
        match self.machine.try_borrow_mut() {
            Ok(mut machine) => run(&mut machine),
            Err(_) => Err(Error::new(ErrorKind::Internal, "the evaluator is called while it runs")),
        }
    }
}

impl Caller for MachineReentry<'_> {
    fn host(&self) -> &dyn Host {
        self.shared.log_type_warnings();
        &*self.shared.host
    }

    fn call_function(
        &self,
        function: &HostRef,
        arguments: &[Value],
        block: Option<&Value>,
    ) -> Result<Value, Error> {
        self.with(|machine| {
            let result =
                machine.away(self.site, |shared| shared.host.call_function(function, arguments, block));
            if let Err(error) = &result
                && matches!(error.as_signal(), Some(Signal::Next | Signal::Return))
            {
                machine.jump = machine.shared.host.landed();
            }
            result
        })
    }

    fn call_block(&self, block: &Value, arguments: &[Value]) -> Result<Value, Error> {
        self.with(|machine| machine.call_block(block, arguments, self.site.as_ref()))
    }

    fn fold(
        &self,
        block: &Value,
        memo: Value,
        elements: &mut dyn Iterator<Item = Value>,
    ) -> Result<Value, Error> {
        self.with(|machine| machine.fold(block, memo, elements, self.site.as_ref()))
    }

    fn call_named(&self, name: &str, arguments: &[Value], block: Option<&Value>) -> Result<Value, Error> {
        self.with(|machine| machine.call_named(name, arguments, block, self.site))
    }

    fn new_instance(
        &self,
        t: &Arc<Definition<ObjectType>>,
        arguments: &[Value],
        block: Option<&Value>,
    ) -> Result<Value, Error> {
        self.with(|machine| machine.new_instance(t, arguments, block, self.site.as_ref()))
    }

    fn parse_type(&self, text: &str) -> Result<Type, Error> {
        parse(text, &self.shared.types, self.limits())
    }

    fn log_here(&self, level: LogLevel, message: &str) {
        if self.shared.debugger.get().is_some()
            && let Some(CallSite { frame, at }) = self.site
            && let Ok(mut machine) = self.machine.try_borrow_mut()
        {
            machine.show_message(frame, at, level, message);
        }
        let source = self.machine.try_borrow().ok().and_then(|machine| machine.log_source());
        match source {
            Some(source) => self.host().log_from(&source, level, message),
            None => self.host().log(level, message),
        }
    }

    fn break_here(&self) -> Result<(), Error> {
        let Some(CallSite { frame, at }) = self.site else { return Ok(()) };
        self.with(|machine| machine.break_at(frame, at))
    }

    fn strict(&self) -> Strict {
        self.shared.strict
    }

    fn variable(&self, name: &str) -> Result<Option<Value>, Error> {
        self.shared.lookups.check()?;
        self.with(|machine| machine.variable_named(name, self.site))
    }

    fn shares_variables_with_templates(&self) -> bool {
        self.shared.shares_variables_with_templates()
    }

    fn render(&self, template: &EppTemplate<'_>, arguments: Option<&Hash>) -> Result<Value, Error> {
        self.with(|machine| machine.render(template, arguments, self.site))
    }

    fn compiler(&self) -> Option<Box<dyn CatalogCompiler + '_>> {
        Some(Box::new(LentCompiler(self)))
    }

    fn files(&self) -> Arc<dyn ModuleFiles> {
        Arc::clone(&self.shared.files)
    }

    fn data(&self) -> Option<Arc<dyn DataLookup>> {
        Some(Arc::clone(&self.shared.data))
    }

    fn query_source(&self) -> Option<Arc<dyn QuerySource>> {
        self.shared.query_source()
    }

    fn lookup(&self) -> Option<OngoingLookup> {
        self.machine.try_borrow().ok()?.lookup.clone()
    }

    fn call_for_lookup(
        &self,
        lookup: OngoingLookup,
        name: &str,
        arguments: &[Value],
    ) -> Result<Value, Error> {
        self.with(|machine| {
            let outer = machine.lookup.replace(lookup);
            let result = machine.call_named(name, arguments, None, self.site);
            machine.lookup = outer;
            result
        })
    }

    fn run_library(&self, task: Library<'_>) -> Result<Option<Value>, Error> {
        let is_template = matches!(task, Library::Erb { .. });
        self.with(|machine| {
            machine.away(self.site, |shared| {
                let run = || shared.host.run_library(task);
                if is_template { shared.in_template(run) } else { run() }
            })
        })
    }

    fn call_place(&self) -> Option<SourceLocation> {
        self.site.map(|site| site.frame.context.unit.place(site.at)).or_else(|| caller_place(&self.shared))
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }
}

impl Machine {
    /// Returns how the answer to a lookup is found.
    pub fn explain_lookup(
        &mut self,
        query: &LookupQuery<'_>,
        only_options: bool,
    ) -> Result<LookupExplanation, Error> {
        let data = Arc::clone(&self.shared.data);
        data.explain(query, only_options, &MachineReentry::new(self, None))
    }

    /// Returns the value of a key in data, as the running code sees it.
    pub(super) fn find_data(&mut self, key: &str) -> Result<Option<Value>, Error> {
        let data = Arc::clone(&self.shared.data);
        data.find(key, &MachineReentry::new(self, None))
    }

    /// Calls a lambda or a function that is a value.
    pub(super) fn call_block(
        &mut self,
        block: &Value,
        arguments: &[Value],
        caller: Option<&CallSite<'_>>,
    ) -> Result<Value, Error> {
        let Value::Callable(callable) = block else {
            return Err(Error::new(ErrorKind::Internal, format!("not a block: {block:?}")));
        };
        match &callable.target {
            CallTarget::Closure(closure) => self.call_closure(closure, arguments, caller),
            CallTarget::Host(_) => self.away(None, |shared| shared.host.call_block(block, arguments)),
        }
    }

    /// Lets the host run, for code at a place. Meanwhile, the machine is stored where calls of its blocks and
    /// functions that read its variables find it: the host knows nothing of machines.
    pub(super) fn away<R>(
        &mut self,
        site: Option<CallSite<'_>>,
        run: impl FnOnce(&Machines) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let shared = Arc::clone(&self.shared);
        shared.log_type_warnings();
        if shared.waiting() >= self.limits.calls as usize {
            return Err(too_many_calls(&self.limits));
        }
        let (scope, lookup, caller) = (self.scope, self.lookup.clone(), self.host_caller());
        let (id, height) = (self.id, (self.calls.len(), self.stack.len()));
        let around = self.surroundings();
        shared.await_host(mem::replace(self, Self::new(&shared)));
        let outer = shared.replace_scope(scope);
        let waiting = match site {
            Some(site) => Some(WaitingCaller::new(id, site).within(around).nested(&shared)),
            None => caller,
        };
        let outer_call = shared.replace_host_call(HostCall { waiting, lookup });
        let result = run(&shared);
        shared.replace_host_call(outer_call);
        shared.replace_scope(outer);
        let Some(machine) = shared.take_waiting(id) else { return Err(in_use()) };
        *self = machine;
        if (self.calls.len(), self.stack.len()) == height { result } else { Err(in_use()) }
    }
}

/// Calls a lambda of a machine that waits for the host.
pub(in crate::eval) fn call_waiting(
    shared: &Machines,
    closure: &Closure,
    arguments: &[Value],
) -> Result<Value, Error> {
    let Some(mut machine) = shared.take_waiting(closure.frame.machine) else { return Err(is_done()) };
    // The host may call it from another fiber than the one in which it waits.
    let guard = mem::replace(&mut machine.guard, StackGuard::new(&shared.limits_here()));
    let result = machine.call_closure(closure, arguments, None);
    machine.guard = guard;
    shared.await_host(machine);
    result
}

/// Returns the value of the `next` or `return` that has ended a lambda of a machine.
pub(in crate::eval) fn landed(shared: &Machines, closure: &Closure) -> Value {
    let Some(mut machine) = shared.take_waiting(closure.frame.machine) else { return Value::Undef };
    let value = mem::replace(&mut machine.jump, Value::Undef);
    shared.await_host(machine);
    value
}

#[cold]
fn in_use() -> Error {
    Error::new(ErrorKind::Evaluation, "a block is being called by another thread or fiber")
}

/// Returns the error of a lambda whose code has ended.
#[cold]
pub(super) fn is_done() -> Error {
    Error::new(ErrorKind::Evaluation, "a block cannot be called after the code around it is done")
}

#[cold]
fn too_many_calls(limits: &Limits) -> Error {
    exceeded(format_args!("calls are nested more than {} deep", limits.calls), "calls")
}
