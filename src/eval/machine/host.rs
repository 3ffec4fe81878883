//! What functions that are not written in Puppet see of the machine.

use std::cell::RefCell;

use super::{Machine, Site};
use crate::error::{Error, ErrorKind, Place};
use crate::function::{Host, LogLevel};
use crate::host::HostRef;
use crate::limits::Limits;
use crate::types::ops::describe::Messages;
use crate::value::{CallTarget, Value};

/// The machine while it waits for a function, which may call it again.
pub(super) struct Reentry<'m> {
    machine: RefCell<&'m mut Machine>,
    site: Option<Site<'m>>,
    limits: Limits,
    messages: Messages,
}

impl<'m> Reentry<'m> {
    pub fn new(machine: &'m mut Machine, site: Option<Site<'m>>) -> Self {
        let (limits, messages) = (machine.limits, machine.host.messages());
        Self { machine: RefCell::new(machine), site, limits, messages }
    }

    /// Runs something in the machine, unless it is running already, as when a log destination calls
    /// a block.
    fn with<R>(&self, run: impl FnOnce(&mut Machine) -> Result<R, Error>) -> Result<R, Error> {
        match self.machine.try_borrow_mut() {
            Ok(mut machine) => run(&mut machine),
            Err(_) => Err(Error::new(ErrorKind::Internal, "the evaluator is called while it runs")),
        }
    }
}

impl Host for Reentry<'_> {
    fn call_function(
        &self,
        function: &HostRef,
        arguments: &[Value],
        block: Option<&Value>,
    ) -> Result<Value, Error> {
        self.with(|machine| machine.host.call_function(function, arguments, block))
    }

    fn call_block(&self, block: &Value, arguments: &[Value]) -> Result<Value, Error> {
        self.with(|machine| match block {
            Value::Callable(callable) => match &callable.target {
                CallTarget::Closure(closure) => machine.call_closure(closure, arguments),
                CallTarget::Host(_) => machine.host.call_block(block, arguments),
            },
            _ => Err(Error::new(ErrorKind::Internal, format!("not a block: {block:?}"))),
        })
    }

    fn call_named(&self, name: &str, arguments: &[Value], block: Option<&Value>) -> Result<Value, Error> {
        self.with(|machine| machine.call_named(name, arguments, block, self.site))
    }

    fn log(&self, level: LogLevel, message: &str) {
        if let Ok(machine) = self.machine.try_borrow() {
            machine.host.log(level, message);
        }
    }

    fn warn_once(&self, key: &str, message: &str) {
        if let Ok(machine) = self.machine.try_borrow() {
            machine.host.warn_once(key, message);
        }
    }

    fn variable(&self, name: &str) -> Result<Option<Value>, Error> {
        self.with(|machine| machine.variable_named(name, self.site))
    }

    fn call_place(&self) -> Option<Place> {
        self.site.map(|site| site.frame.unit.place(site.at))
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn messages(&self) -> Messages {
        self.messages
    }
}
