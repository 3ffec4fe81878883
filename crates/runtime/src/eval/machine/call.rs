//! Calls of functions by name.

use std::sync::Arc;

use smallvec::SmallVec;

use super::entity::answers;
use super::host::MachineReentry;
use super::links::FunctionLinks;
use super::{CallSite, EvalResult, Frame, Machine, during};
use crate::eval::code::{CallCode, Node, Routine};
use crate::eval::interner::FunctionName;
use crate::eval::profile::{self, ProfiledCode};
use crate::eval::shared::FunctionTarget;
use puppetfn_base::error::{Error, ErrorKind, Signal};
use puppetfn_base::limits::{Limits, exceeded};
use puppetfn_types::function::{Function, call_member};
use puppetfn_types::value::{CallTarget, Callable, Closure, Value};

/// Number of calls of functions and blocks between two polls of the host.
const CALLS_BETWEEN_POLLS: u64 = 64;

/// Arguments of a function that is not written in Puppet.
type ArgumentVec = SmallVec<[Value; 3]>;

impl Machine {
    #[inline(never)]
    pub(super) fn call(&mut self, call: &CallCode, node: &Node, frame: Frame<'_>) -> EvalResult {
        if call.is_plain
            && let Some(FunctionTarget::Routine(routine)) = self.linked(frame.context.links, call.function)
        {
            let mut result = self.call_with_arguments(routine, call, CallSite { frame, at: node.at });
            if let Err(error) = result {
                result = Err(during(error, "a Function Call", node.at, frame));
            }
            return result;
        }
        self.named(call, None, node, frame, "a Function Call")
    }

    #[inline(never)]
    pub(super) fn method(&mut self, call: &CallCode, node: &Node, frame: Frame<'_>) -> EvalResult {
        const LABEL: &str = "a Method call";
        let receiver = match call.arguments.split_first() {
            Some((receiver, _)) if !receiver.splat => Some(self.eval(&receiver.code, frame)?),
            Some(_) | None => None,
        };
        if let Some(Value::Object(object)) = &receiver {
            let name = &self.shared.function_name(call.function).name;
            let site = CallSite { frame, at: node.at };
            if answers(object, name) {
                let arguments = self.arguments(call, receiver.clone(), frame)?;
                let arguments = arguments.get(1..).unwrap_or_default();
                return self
                    .object_call(object, name, arguments)
                    .map_err(|error| during(error, LABEL, node.at, frame));
            }
            if let Some(member) = object.definition().member(name) {
                let arguments = self.arguments(call, receiver.clone(), frame)?;
                let arguments = arguments.get(1..).unwrap_or_default();
                let block = self.block(call, frame)?;
                return call_member(
                    object,
                    &member,
                    arguments,
                    block.as_ref(),
                    &MachineReentry::new(self, Some(site)),
                )
                .map_err(|error| during(error, LABEL, node.at, frame));
            }
        }
        if let Some(Value::Uri(uri)) = &receiver
            && let Some(part) = uri.attribute(&self.shared.function_name(call.function).name)
        {
            self.arguments(call, receiver, frame)?;
            return Ok(part);
        }
        self.named(call, receiver, node, frame, LABEL)
    }

    /// Handles most calls of functions in Puppet: no splats, no lambda. Not looking for these saves
    /// a seventh of the time of a small function.
    #[inline(always)]
    fn call_with_arguments(&mut self, routine: &Routine, call: &CallCode, site: CallSite<'_>) -> EvalResult {
        let frame = site.frame;
        let base = self.stack.len();
        for item in &call.arguments {
            match self.eval_hot(&item.code, frame) {
                Ok(value) => self.stack.push(Some(value)),
                Err(error) => {
                    self.stack.truncate(base);
                    return Err(error);
                }
            }
        }
        self.call_routine(routine, frame.context.links, base, None, Some(&site))
    }

    /// Calls a function. The first argument may be evaluated already.
    fn named(
        &mut self,
        call: &CallCode,
        receiver: Option<Value>,
        node: &Node,
        frame: Frame<'_>,
        label: &str,
    ) -> EvalResult {
        // The stack is only checked here and in `enter`: between two calls there is no more code than a text
        // can nest.
        self.guard.check().map_err(|error| during(error, label, node.at, frame))?;
        let site = CallSite { frame, at: node.at };
        if let Some(target) = self.linked(frame.context.links, call.function) {
            return self.call_target(target, frame.context.links, call, receiver, site, label);
        }
        match self.target(call.function) {
            Ok(Some(target)) => {
                let links = self.links();
                self.call_target(&target, &links, call, receiver, site, label)
            }
            Ok(None) => Err(self.unknown(call, receiver, node, frame)),
            // Puppet evaluates the arguments before it loads the function.
            Err(error) => {
                self.arguments(call, receiver, frame)?;
                Err(during(error, label, node.at, frame))
            }
        }
    }

    fn call_target(
        &mut self,
        target: &FunctionTarget,
        links: &FunctionLinks,
        call: &CallCode,
        receiver: Option<Value>,
        site: CallSite<'_>,
        label: &str,
    ) -> EvalResult {
        let CallSite { frame, at } = site;
        match target {
            FunctionTarget::Routine(routine) => {
                let base = self.stack.len();
                let result = self.arguments_on_stack(call, receiver, frame).and_then(|()| {
                    let block = self.block(call, frame)?;
                    self.call_routine(routine, links, base, block.as_ref(), Some(&site))
                });
                result.map_err(|error| {
                    self.stack.truncate(base);
                    during(error, label, at, frame)
                })
            }
            FunctionTarget::Function(function) => {
                let arguments = self.arguments(call, receiver, frame)?;
                let block = self.block(call, frame)?;
                self.call_function(function, &arguments, block.as_ref(), Some(site))
                    .map_err(|error| during(error, label, at, frame))
            }
            FunctionTarget::Jump(function, signal) => {
                let arguments = self.arguments(call, receiver, frame)?;
                let block = self.block(call, frame)?;
                let error = self.jump(function, signal, &arguments, block.as_ref(), Some(site));
                Err(during(error, label, at, frame))
            }
        }
    }

    /// Evaluates the arguments of a call to a missing function, and returns the error.
    #[cold]
    fn unknown(&mut self, call: &CallCode, receiver: Option<Value>, node: &Node, frame: Frame<'_>) -> Error {
        if let Err(error) = self.arguments(call, receiver, frame) {
            return error;
        }
        let FunctionName { name, module } = self.shared.function_name(call.function);
        let error = Error::of_evaluation(ErrorKind::NotFound, format_args!("Unknown function: '{name}'."));
        self.hinted(error, &name, module.as_deref()).at(frame.context.unit.place(node.at))
    }

    fn arguments_on_stack(
        &mut self,
        call: &CallCode,
        receiver: Option<Value>,
        frame: Frame<'_>,
    ) -> Result<(), Error> {
        let evaluated = usize::from(receiver.is_some());
        if let Some(receiver) = receiver {
            self.stack.push(Some(receiver));
        }
        for item in call.arguments.iter().skip(evaluated) {
            let value = self.eval(&item.code, frame)?;
            match value {
                Value::Array(elements) if item.splat => {
                    self.limits.check_elements(self.stack.len().saturating_add(elements.len()))?;
                    self.stack.extend(elements.iter().cloned().map(Some));
                }
                value => self.stack.push(Some(value)),
            }
        }
        Ok(())
    }

    fn arguments(
        &mut self,
        call: &CallCode,
        receiver: Option<Value>,
        frame: Frame<'_>,
    ) -> Result<ArgumentVec, Error> {
        let evaluated = usize::from(receiver.is_some());
        let mut arguments: ArgumentVec = receiver.into_iter().collect();
        for item in call.arguments.iter().skip(evaluated) {
            let value = self.eval(&item.code, frame)?;
            match value {
                Value::Array(elements) if item.splat => {
                    self.limits.check_elements(arguments.len().saturating_add(elements.len()))?;
                    arguments.extend(elements.iter().cloned());
                }
                value => arguments.push(value),
            }
        }
        Ok(arguments)
    }

    /// Returns the lambda of a call, with the variables that it sees.
    #[inline]
    fn block(&mut self, call: &CallCode, frame: Frame<'_>) -> Result<Option<Value>, Error> {
        match &call.lambda {
            None => Ok(None),
            Some(lambda) => self.block_of(lambda, frame).map(Some),
        }
    }

    #[inline(never)]
    fn block_of(&mut self, lambda: &Arc<Routine>, frame: Frame<'_>) -> EvalResult {
        let signature = self.signature(lambda, frame)?.callable_type();
        let code = Arc::clone(lambda) as Arc<dyn std::any::Any + Send + Sync>;
        let closure = Closure { code, frame: self.reference(frame) };
        let parameter_names = Arc::clone(&lambda.parameter_names);
        let target = CallTarget::Closure(closure);
        Ok(Value::Callable(Arc::new(Callable { target, signature, parameter_names })))
    }

    /// Calls a function that is not written in Puppet.
    pub(super) fn call_function(
        &mut self,
        function: &Function,
        arguments: &[Value],
        block: Option<&Value>,
        site: Option<CallSite<'_>>,
    ) -> EvalResult {
        if let [called @ Value::Callable(_), arguments @ ..] = arguments
            && function.name() == "call"
        {
            return match block {
                None => self.call_block(called, arguments, site.as_ref()),
                Some(_) => Err(Error::new(ErrorKind::ArgumentMismatch, "block does not expect a block")),
            };
        }
        self.poll()?;
        // Its arguments are checked, and so is its result.
        Value::check_extents(arguments, &self.limits)?;
        let timed = profile::begin(ProfiledCode::Function, function.name());
        let result = function.call(&MachineReentry::new(self, site), arguments, block);
        drop(timed);
        let value = self.landed_return(result)?;
        self.bounded(value)
    }

    /// `return` in a template leaves the function that evaluates it, whose result is not checked then:
    /// the frame that it is on its way to is the last one that was in use.
    pub fn landed_return(&mut self, result: EvalResult) -> EvalResult {
        match result {
            Err(error)
                if error.as_signal() == Some(&Signal::Return) && self.return_to >= self.calls.len() =>
            {
                Ok(std::mem::replace(&mut self.jump, Value::Undef))
            }
            result => result,
        }
    }

    /// Returns the error that carries `next`, `return` or `break` to the block or function that it leaves.
    pub(super) fn jump(
        &mut self,
        function: &Function,
        signal: &Signal,
        arguments: &[Value],
        block: Option<&Value>,
        site: Option<CallSite<'_>>,
    ) -> Error {
        if let Err(error) = self.call_function(function, arguments, block, site) {
            return error;
        }
        self.return_to = site.map_or(self.calls.len().saturating_sub(1), |site| site.frame.context.index);
        self.jump = arguments.first().cloned().unwrap_or(Value::Undef);
        let message = match signal {
            Signal::Next => "next() from context where this is illegal",
            Signal::Return => "return() from context where this is illegal",
            _ => "break() from context where this is illegal",
        };
        Error::signal(signal.clone(), message)
    }

    /// Counts one more call in another.
    #[inline]
    pub(super) fn enter(&mut self, name: &str) -> Result<(), Error> {
        if self.depth >= self.limits.calls {
            return Err(too_deep(&self.limits, name));
        }
        self.guard.check()?;
        self.count = self.count.wrapping_add(1);
        if self.count >= self.pause_at {
            self.pause()?;
        }
        self.depth = self.depth.saturating_add(1);
        Ok(())
    }

    /// Asks the host whether to go on, every few calls, and fails when there were too many of them.
    #[inline(never)]
    fn pause(&mut self) -> Result<(), Error> {
        self.poll()?;
        self.pause_at = self.count.saturating_add(CALLS_BETWEEN_POLLS);
        self.limits.check_fuel(self.count)?;
        let Some(fuel) = self.limits.fuel else { return Ok(()) };
        self.pause_at = self.pause_at.min(fuel.saturating_add(1));
        Ok(())
    }

    /// Checks the memory in use, and asks the host whether to go on: before long operations, and every few calls.
    pub(super) fn poll(&self) -> Result<(), Error> {
        self.memory.check(&self.limits)?;
        self.shared.host.poll()
    }
}

#[cold]
fn too_deep(limits: &Limits, name: &str) -> Error {
    exceeded(format_args!("calls are nested more than {} deep, in '{name}'", limits.calls), "calls")
}
