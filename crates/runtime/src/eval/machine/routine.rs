//! Running functions and lambdas: parameters, default values, types.
//!
//! See Puppet's `pops/evaluator/closure.rb`.

use std::borrow::Cow;
use std::sync::Arc;

use super::assign::reserved;
use super::links::FunctionLinks;
use super::{CallSite, EvalResult, Frame, FrameContext, Machine, failure};
use crate::eval::code::{Node, ParameterCode, Routine};
use puppetfn_base::error::{Error, ErrorKind, Signal};
use puppetfn_catalog::ScopeId;
use puppetfn_types::function::{Signature, mismatch_error};
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::{infer_set, instance};
use puppetfn_types::types::{CallableType, Size, TupleType, Type};
use puppetfn_types::value::{Closure, Value};

impl Machine {
    /// Calls a function whose arguments are on the stack, from `base`. They are removed from there in any case.
    #[inline(always)]
    pub(super) fn call_routine(
        &mut self,
        routine: &Routine,
        links: &FunctionLinks,
        base: usize,
        block: Option<&Value>,
        caller: Option<&CallSite<'_>>,
    ) -> EvalResult {
        if let Err(error) = self.enter(&routine.name) {
            self.stack.truncate(base);
            return Err(error);
        }
        // As in Puppet, functions see nothing of the node.
        let scope = std::mem::replace(&mut self.scope, ScopeId::TOP);
        let groups = self.groups.take();
        let count = self.stack.len().saturating_sub(base);
        let index = self.open_frame(base, routine.frame_size);
        let context = FrameContext { index, unit: &routine.unit, links, caller };
        let frame = Frame { base, context: &context };
        let mut result = self.run_function(routine, frame, count, block);
        if result.is_err() {
            result = self.returned(result, index);
        }
        self.calls.truncate(index);
        self.scope = scope;
        self.groups = groups;
        self.depth = self.depth.saturating_sub(1);
        self.pop_to(base);
        result
    }

    /// A block that was given to a function returns from the one that it is in.
    #[cold]
    fn returned(&mut self, result: EvalResult, index: usize) -> EvalResult {
        match result {
            Err(error) if error.as_signal() == Some(&Signal::Return) && self.return_to == index => {
                Ok(std::mem::replace(&mut self.jump, Value::Undef))
            }
            result => result,
        }
    }

    /// Pops the stack down to `base`.
    #[inline(always)]
    fn pop_to(&mut self, base: usize) {
        match self.stack.get(base..) {
            Some([]) | None => {}
            // Mostly it is one number, which needs no drop.
            Some([Some(Value::Integer(_))]) => std::mem::forget(self.stack.pop()),
            Some(_) => self.stack.truncate(base),
        }
    }

    #[inline(always)]
    fn run_function(
        &mut self,
        routine: &Routine,
        frame: Frame<'_>,
        count: usize,
        block: Option<&Value>,
    ) -> EvalResult {
        if routine.is_unchecked && count == routine.parameters.len() && block.is_none() {
            return self.value_of(&routine.body, frame);
        }
        self.run_checked(routine, frame, count, block)
    }

    #[inline(never)]
    fn run_checked(
        &mut self,
        routine: &Routine,
        frame: Frame<'_>,
        count: usize,
        block: Option<&Value>,
    ) -> EvalResult {
        let signature = &*self.signature(routine, frame)?;
        let takes_block = match (&signature.callable().block, block) {
            (None, block) => block.is_none(),
            (Some(expected), block) => {
                instance(expected, block.unwrap_or(&Value::Undef), &self.limits)? != Verdict::No
            }
        };
        if !takes_block || !self.accepts(signature, frame, count)? {
            return Err(self.mismatch(routine, signature, frame, count, block));
        }
        if !routine.is_plain {
            self.bind_arguments(routine, signature, frame, count, block)?;
        }
        self.body(routine, signature, frame)
    }

    /// Binds the parameters to the arguments on the stack, unless they already are in their slots.
    #[inline(never)]
    fn bind_arguments(
        &mut self,
        routine: &Routine,
        signature: &Signature,
        frame: Frame<'_>,
        count: usize,
        block: Option<&Value>,
    ) -> Result<(), Error> {
        if count != routine.parameters.len()
            || routine.parameters.last().is_some_and(|last| last.captures_rest)
        {
            self.bind_from_stack(routine, frame, count)?;
        }
        if routine.block.is_some() {
            self.set_parameter(
                routine,
                frame,
                routine.parameters.len(),
                block.cloned().unwrap_or(Value::Undef),
            );
        }
        refuse_reserved(routine.parameters.iter().chain(&routine.block))?;
        self.bind_defaults(routine, signature, frame, count)
    }

    /// Calls a lambda, in the frame of the function around it.
    pub(super) fn call_closure(
        &mut self,
        closure: &Closure,
        arguments: &[Value],
        caller: Option<&CallSite<'_>>,
    ) -> EvalResult {
        let Some(routine) = closure.code.downcast_ref::<Routine>() else {
            return Err(Error::new(ErrorKind::Internal, "a block of another evaluator"));
        };
        self.in_closure(closure, routine, caller, |machine, frame| {
            machine.enter(&routine.name)?;
            let result = machine.run_lambda(routine, frame, arguments);
            machine.depth = machine.depth.saturating_sub(1);
            result
        })
    }

    /// Runs a function in the frame of a lambda, as it was when the lambda was created.
    #[inline(always)]
    pub(super) fn in_closure(
        &mut self,
        closure: &Closure,
        routine: &Routine,
        caller: Option<&CallSite<'_>>,
        run: impl FnOnce(&mut Self, Frame<'_>) -> EvalResult,
    ) -> EvalResult {
        let call = self
            .calls
            .get(closure.frame.index)
            .copied()
            .filter(|call| closure.frame.machine == self.id && call.serial == closure.frame.serial);
        let Some(call) = call else { return Err(super::host::is_done()) };
        let height = self.stack.len();
        let links = self.links();
        let context = FrameContext { index: closure.frame.index, unit: &routine.unit, links: &links, caller };
        let frame = Frame { base: closure.frame.base, context: &context };
        let scope = std::mem::replace(&mut self.scope, call.scope);
        let groups = self.groups.clone();
        let outer = self.vacate(routine, frame);
        let result = run(self, frame);
        self.restore(routine, frame, outer);
        self.scope = scope;
        self.groups = groups;
        self.stack.truncate(height);
        result
    }

    fn run_lambda(&mut self, routine: &Routine, frame: Frame<'_>, arguments: &[Value]) -> EvalResult {
        let signature = &*self.signature(routine, frame)?;
        if routine.is_plain && routine.is_untyped && arguments.len() == routine.parameters.len() {
            for (slot, argument) in self.slots_of(routine, frame).iter_mut().zip(arguments) {
                *slot = Some(argument.clone());
            }
        } else {
            self.bind_lambda_arguments(routine, signature, frame, arguments)?;
        }
        self.body(routine, signature, frame)
    }

    /// Binds the parameters of a lambda to arguments of any kind, and checks them.
    #[inline(never)]
    fn bind_lambda_arguments(
        &mut self,
        routine: &Routine,
        signature: &Signature,
        frame: Frame<'_>,
        arguments: &[Value],
    ) -> Result<(), Error> {
        for (index, parameter) in routine.parameters.iter().enumerate() {
            if let Some(value) = lambda_argument(routine, parameter, index, arguments) {
                let value = self.bounded(value)?;
                self.set_parameter(routine, frame, index, value);
            }
        }
        self.bind_defaults(routine, signature, frame, arguments.len())?;
        if self.has_fitting_parameters(routine, signature, frame)? {
            return refuse_reserved(&routine.parameters);
        }
        let values = self.final_arguments(routine, frame);
        Err(self.mismatch_of(routine, signature, &values, None))
    }

    /// Evaluates the body, and checks the result.
    #[inline(always)]
    fn body(&mut self, routine: &Routine, signature: &Signature, frame: Frame<'_>) -> EvalResult {
        let value = self.value_of(&routine.body, frame)?;
        let Some(expected) = signature.return_type() else { return Ok(value) };
        if instance(expected, &value, &self.limits)? != Verdict::No {
            return Ok(value);
        }
        let subject = format!("value returned from {}", routine.name);
        let actual = infer_set(&value, &self.limits)?;
        Err(self.shared.host.messages().assertion_error(&subject, expected, actual))
    }

    /// Evaluates a body, which `next` can leave.
    #[inline(always)]
    pub(super) fn value_of(&mut self, body: &Node, frame: Frame<'_>) -> EvalResult {
        let mut result = self.eval_hot(body, frame);
        if result.is_err() {
            result = self.left(result);
        }
        result
    }

    /// `next` leaves the function or lambda that it is in.
    #[cold]
    fn left(&mut self, result: EvalResult) -> EvalResult {
        match result {
            Err(error) if error.as_signal() == Some(&Signal::Next) => {
                Ok(std::mem::replace(&mut self.jump, Value::Undef))
            }
            result => result,
        }
    }

    /// Returns true if arguments on the stack fit the parameters.
    fn accepts(&self, signature: &Signature, frame: Frame<'_>, count: usize) -> Result<bool, Error> {
        let callable = signature.callable();
        if !callable.size().contains(count) {
            return Ok(false);
        }
        let types = callable.params.as_ref().map_or(&[][..], |params| &params.types);
        let arguments = self.stack.get(frame.base..frame.base.saturating_add(count)).unwrap_or_default();
        for (index, argument) in arguments.iter().enumerate() {
            let Some(expected) = types.get(index).or_else(|| types.last()) else { break };
            if let Some(argument) = argument
                && instance(expected, argument, &self.limits)? == Verdict::No
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Moves arguments on the stack to the slots of their parameters.
    fn bind_from_stack(&mut self, routine: &Routine, frame: Frame<'_>, count: usize) -> Result<(), Error> {
        let parameters = routine.parameters.len();
        let last = parameters.saturating_sub(1);
        let first = frame.base.saturating_add(last);
        let rest = self.stack.get_mut(first..frame.base.saturating_add(count)).unwrap_or_default();
        let rest: Vec<Value> = rest.iter_mut().filter_map(Option::take).collect();
        let captures = |parameter: &ParameterCode| parameter.captures_rest;
        if routine.parameters.iter().any(captures) {
            let is_undef = matches!(rest.as_slice(), [Value::Undef]);
            let rest = self.bounded(rest.into())?;
            let given = routine.parameters.iter().enumerate().take(count.min(parameters));
            for (index, parameter) in given.filter(|(_, parameter)| captures(parameter)) {
                let is_default = parameter.default.is_some() && is_undef;
                if let Some(slot) = self.stack.get_mut(frame.base.saturating_add(index)) {
                    *slot = (!is_default).then(|| rest.clone());
                }
            }
        } else if let (Some(slot), Some(value)) = (self.stack.get_mut(first), rest.into_iter().next()) {
            *slot = Some(value);
        }
        // Arguments that were captured leave their slots to variables.
        let size = frame.base.saturating_add((routine.frame_size as usize).max(parameters));
        self.stack.truncate(size);
        Ok(())
    }

    /// Binds the parameters without arguments to their default values.
    fn bind_defaults(
        &mut self,
        routine: &Routine,
        signature: &Signature,
        frame: Frame<'_>,
        count: usize,
    ) -> Result<(), Error> {
        let is_missing = |machine: &Self, index| machine.parameter(routine, frame, index).is_none();
        let mut is_used = false;
        for (index, parameter) in routine.parameters.iter().enumerate() {
            if index < count && !parameter.captures_rest || !is_missing(self, index) {
                continue;
            }
            let value = match &parameter.default {
                Some(default) => {
                    is_used = true;
                    let groups = self.groups.clone();
                    let value = self.eval(default, frame);
                    self.groups = groups;
                    value?
                }
                None if parameter.captures_rest => Value::from(Vec::new()),
                None => return Err(missing(parameter, frame)),
            };
            let value = match value {
                value @ Value::Array(_) => value,
                value if parameter.captures_rest => vec![value].into(),
                value => value,
            };
            self.set_parameter(routine, frame, index, value);
        }
        if is_used && &*routine.name != "lambda" && !self.has_fitting_parameters(routine, signature, frame)? {
            let values = self.final_arguments(routine, frame);
            return Err(self.mismatch_of(routine, signature, &values, None));
        }
        Ok(())
    }

    /// Returns true if the values of the parameters are of their types.
    fn has_fitting_parameters(
        &self,
        routine: &Routine,
        signature: &Signature,
        frame: Frame<'_>,
    ) -> Result<bool, Error> {
        let Some(params) = &signature.callable().params else { return Ok(true) };
        let mut count = 0usize;
        for (index, parameter) in routine.parameters.iter().enumerate() {
            let Some(value) = self.parameter(routine, frame, index) else { continue };
            let values = match value {
                Value::Array(items) if parameter.captures_rest => items,
                value => std::slice::from_ref(value),
            };
            count = count.saturating_add(values.len());
            let Some(expected) = params.types.get(index) else { continue };
            for value in values {
                if instance(expected, value, &self.limits)? == Verdict::No {
                    return Ok(false);
                }
            }
        }
        Ok(params.size().contains(count))
    }

    /// Returns the values of the parameters, as arguments that would bind them to the same.
    fn final_arguments(&self, routine: &Routine, frame: Frame<'_>) -> Vec<Value> {
        let mut values = Vec::with_capacity(routine.parameters.len());
        for (index, parameter) in routine.parameters.iter().enumerate() {
            match self.parameter(routine, frame, index) {
                Some(Value::Array(items)) if parameter.captures_rest => values.extend(items.iter().cloned()),
                Some(value) => values.push(value.clone()),
                None => {}
            }
        }
        values
    }

    #[cold]
    fn mismatch(
        &self,
        routine: &Routine,
        signature: &Signature,
        frame: Frame<'_>,
        count: usize,
        block: Option<&Value>,
    ) -> Error {
        let arguments = self.stack.get(frame.base..frame.base.saturating_add(count)).unwrap_or_default();
        let values: Vec<Value> = arguments.iter().flatten().cloned().collect();
        self.mismatch_of(routine, signature, &values, block)
    }

    #[cold]
    fn mismatch_of(
        &self,
        routine: &Routine,
        signature: &Signature,
        values: &[Value],
        block: Option<&Value>,
    ) -> Error {
        let references: Vec<&Value> = values.iter().collect();
        let signatures = [signature.clone()].into();
        let (limits, messages) = (&self.limits, self.shared.host.messages());
        mismatch_error(&*routine.name, &signatures, &references, block, limits, messages)
    }

    fn position(routine: &Routine, frame: Frame<'_>, index: usize) -> usize {
        frame.base.saturating_add(routine.slots.start as usize).saturating_add(index)
    }

    fn parameter(&self, routine: &Routine, frame: Frame<'_>, index: usize) -> Option<&Value> {
        self.stack.get(Self::position(routine, frame, index))?.as_ref()
    }

    pub(super) fn set_parameter(&mut self, routine: &Routine, frame: Frame<'_>, index: usize, value: Value) {
        if let Some(slot) = self.stack.get_mut(Self::position(routine, frame, index)) {
            *slot = Some(value);
        }
    }

    /// Frees the slots of a lambda, which have values only when it is called recursively, and returns their values.
    fn vacate(&mut self, routine: &Routine, frame: Frame<'_>) -> Vec<Option<Value>> {
        let slots = self.slots_of(routine, frame);
        if slots.iter().all(Option::is_none) {
            return Vec::new();
        }
        slots.iter_mut().map(Option::take).collect()
    }

    fn restore(&mut self, routine: &Routine, frame: Frame<'_>, outer: Vec<Option<Value>>) {
        let mut outer = outer.into_iter();
        for slot in self.slots_of(routine, frame) {
            *slot = outer.next().flatten();
        }
    }

    fn slots_of(&mut self, routine: &Routine, frame: Frame<'_>) -> &mut [Option<Value>] {
        let start = frame.base.saturating_add(routine.slots.start as usize);
        let end = frame.base.saturating_add(routine.slots.end as usize);
        self.stack.get_mut(start..end).unwrap_or_default()
    }

    /// Returns the signature of a function or lambda.
    #[inline]
    pub(super) fn signature<'r>(
        &mut self,
        routine: &'r Routine,
        frame: Frame<'_>,
    ) -> Result<Cow<'r, Signature>, Error> {
        match routine.signature.get() {
            Some(signature) => Ok(Cow::Borrowed(signature)),
            None => self.new_signature(routine, frame),
        }
    }

    #[inline(never)]
    fn new_signature<'r>(
        &mut self,
        routine: &'r Routine,
        frame: Frame<'_>,
    ) -> Result<Cow<'r, Signature>, Error> {
        let context = FrameContext { unit: &routine.unit, ..*frame.context };
        let frame = Frame { context: &context, ..frame };
        let signature = self.make_signature(routine, frame)?;
        if routine.has_fixed_types {
            return Ok(Cow::Borrowed(routine.signature.get_or_init(|| signature)));
        }
        Ok(Cow::Owned(signature))
    }

    fn make_signature(&mut self, routine: &Routine, frame: Frame<'_>) -> Result<Signature, Error> {
        let mut types = Vec::with_capacity(routine.parameters.len());
        let (mut min, mut max) = (0u64, Some(0u64));
        let mut seen_optional = false;
        for parameter in &routine.parameters {
            let t = match &parameter.type_code {
                None => Type::Any,
                Some(code) => match self.eval(code, frame)? {
                    Value::Type(t) => Arc::unwrap_or_clone(t),
                    other => return Err(not_a_type(parameter, &other, frame)),
                },
            };
            let (t, size) = match t {
                Type::Array(array) if parameter.captures_rest => {
                    (array.element.clone(), array.size.unwrap_or(Size::ANY))
                }
                t if parameter.captures_rest => (t, Size::ANY),
                t if parameter.default.is_some() => (t, Size::new(0, Some(1))),
                t => (t, Size::exactly(1)),
            };
            // An array that takes the rest may have to have elements.
            if seen_optional && size.min > 0 {
                return Err(required_after_optional(parameter, frame));
            }
            seen_optional |= size.min == 0;
            types.push(t);
            min = min.saturating_add(size.min);
            max = max.zip(size.max).map(|(a, b)| a.saturating_add(b));
        }
        let returns = match &routine.returns {
            None => None,
            Some(code) => match self.eval(code, frame)? {
                Value::Type(t) => Some(Arc::unwrap_or_clone(t)).filter(|t| *t != Type::Any),
                other => return Err(failure(code, frame, format_args!("{other:?} is not a type"))),
            },
        };
        let (block, block_name) = match &routine.block {
            None => (None, None),
            Some(block) => (Some(self.block_type(block, frame)?), Some(Arc::clone(&block.name))),
        };
        let params = TupleType { types: types.into(), size: Some(Size::new(min, max)) };
        let callable = CallableType { params: Some(params), block, returns };
        Ok(Signature::new(callable, routine.parameters.iter().map(|p| Arc::clone(&p.name)), block_name))
    }

    /// Returns the type of the parameter that is the block.
    fn block_type(&mut self, block: &ParameterCode, frame: Frame<'_>) -> Result<Type, Error> {
        let Some(code) = &block.type_code else { return Ok(Type::Callable(Arc::default())) };
        let value = self.eval(code, frame)?;
        match &value {
            Value::Type(t) if t.is_callable_kind(true) => Ok(Type::clone(t)),
            _ => {
                let message = format!(
                    "The type of the block parameter ${} must be a Callable, or an Optional of one, got {}",
                    block.name,
                    value.interpolated(&self.limits)?
                );
                Err(failure(code, frame, message))
            }
        }
    }
}

/// Refuses parameters with the names of variables that only the runtime may set.
pub(super) fn refuse_reserved<'p>(
    parameters: impl IntoIterator<Item = &'p ParameterCode>,
) -> Result<(), Error> {
    match parameters.into_iter().find(|parameter| parameter.is_reserved) {
        Some(parameter) => Err(reserved(&parameter.name)),
        None => Ok(()),
    }
}

fn required_after_optional(parameter: &ParameterCode, frame: Frame<'_>) -> Error {
    let message = format!("Parameter ${} is required but appears after optional parameters", parameter.name);
    Error::of_evaluation(ErrorKind::Evaluation, message).at(frame.context.unit.place(parameter.at))
}

/// The argument for a parameter of a lambda.
fn lambda_argument(
    routine: &Routine,
    parameter: &ParameterCode,
    index: usize,
    arguments: &[Value],
) -> Option<Value> {
    let argument = arguments.get(index)?;
    if !parameter.captures_rest {
        return Some(argument.clone());
    }
    // It captures the arguments from the last parameter's on, even if that is another one.
    match arguments.get(routine.parameters.len().saturating_sub(1)..) {
        None => Some(Vec::new().into()),
        Some([Value::Undef]) if parameter.default.is_some() => None,
        Some(rest) => Some(rest.to_vec().into()),
    }
}

#[cold]
fn missing(parameter: &ParameterCode, frame: Frame<'_>) -> Error {
    let message = format!("Parameter ${} is required but no value was given", parameter.name);
    Error::of_evaluation(ErrorKind::ArgumentMismatch, message).at(frame.context.unit.place(parameter.at))
}

#[cold]
fn not_a_type(parameter: &ParameterCode, value: &Value, frame: Frame<'_>) -> Error {
    let message = format!(
        "The type of parameter ${} must be a Type, got {}",
        parameter.name,
        puppetfn_types::value::label(value)
    );
    Error::of_evaluation(ErrorKind::Evaluation, message).at(frame.context.unit.place(parameter.at))
}
