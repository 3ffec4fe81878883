//! Blocks of calls.

use std::sync::Arc;

use super::super::abstraction::{accepts, any, join, type_of, unknown_of};
use super::super::declare::{lambda_type, stated};
use super::super::rule::Rule;
use super::Walk;
use super::call::CallArguments;
use puppetfn_base::limits::Limits;
use puppetfn_syntax::ast::Lambda;
use puppetfn_types::function::BlockUse;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::describe::Messages;
use puppetfn_types::types::{CallableType, Type};
use puppetfn_types::value::{CallTarget, Callable, Closure, FrameRef, Value};

/// The block of a call, which has been gone through.
pub(super) struct CheckedBlock {
    /// The block as a value.
    pub callable: Value,
    /// The same, where its type states its result.
    pub resulting: Value,
}

impl<'s> Walk<'_, 's> {
    /// Goes through the block of a call of a function that calls it so.
    pub(super) fn block(
        &mut self,
        block_use: BlockUse,
        lambda: &Lambda<'s>,
        arguments: &CallArguments,
    ) -> CheckedBlock {
        let mut signature = lambda_type(lambda, self.text, &self.types(), self.limits());
        let callable = callable(lambda, signature.clone());
        if arguments.is_exact && self.is_never_called(block_use, &arguments.values) {
            return CheckedBlock { resulting: callable.clone(), callable };
        }
        let given = if arguments.is_exact {
            self.block_arguments(block_use, &arguments.values, lambda.parameters.len())
        } else {
            Vec::new()
        };
        if arguments.is_exact {
            let count = lambda.parameters.len();
            let first = self.first_arguments(block_use, &arguments.values, count);
            self.check_block_arguments(lambda, &first);
        }
        let result = self.run_block(lambda, &given);
        signature.returns = result.map(|result| type_of(&result, self.limits()));
        CheckedBlock { callable, resulting: self::callable(lambda, signature) }
    }

    /// Checks the arguments that a block is certainly called with.
    fn check_block_arguments(&mut self, lambda: &Lambda<'s>, given: &[Value]) {
        for (parameter, value) in lambda.parameters.iter().zip(given) {
            let t = stated(parameter.type_expr.as_ref(), self.text, &self.types(), self.limits());
            if parameter.captures_rest || accepts(&t, value, self.limits()) != Verdict::No {
                continue;
            }
            let subject = format!("block parameter '{}'", parameter.name);
            let message = Messages::Puppet.describe(&subject, &t, &type_of(value, self.limits()));
            self.report(Rule::ArgumentMismatch, parameter.span, message.trim());
        }
    }

    /// Goes through a block that may be called with anything.
    pub(super) fn unknown_block(&mut self, lambda: Option<&Lambda<'s>>) {
        if let Some(lambda) = lambda {
            self.run_block(lambda, &[]);
        }
    }

    fn run_block(&mut self, lambda: &Lambda<'s>, given: &[Value]) -> Option<Value> {
        lambda.parameters.iter().filter_map(|one| one.type_expr.as_ref()).for_each(|t| self.stated_type(t));
        self.required_first(&lambda.parameters);
        self.variables.enter();
        self.nexts.push(None);
        for (index, parameter) in lambda.parameters.iter().enumerate() {
            let t = stated(parameter.type_expr.as_ref(), self.text, &self.types(), self.limits());
            if let Some(default) = &parameter.default {
                self.expr(default);
            }
            let value = match (parameter.captures_rest, &parameter.type_expr, given.get(index)) {
                (true, ..) => Value::unknown(Type::array(Type::Any, None)),
                (false, Some(_), _) => unknown_of(&t),
                (false, None, Some(value)) if parameter.default.is_none() => value.clone(),
                (false, None, _) => any(),
            };
            self.observe(parameter.span, &value);
            self.variables.set(parameter.name, value);
        }
        let last = self.block_of_its_own(|walk| walk.statements(&lambda.body.statements));
        let next = self.nexts.pop().flatten();
        self.variables.leave();
        either(last, next, self.limits())
    }

    /// Notes a value of `next`, in a block.
    pub(super) fn next(&mut self, value: Value) {
        let limits = self.limits();
        if let Some(nexts) = self.nexts.last_mut() {
            *nexts = either(nexts.take(), Some(value), limits);
        }
    }

    /// Notes a value of `return`, in a function.
    pub(super) fn returns(&mut self, value: Value) {
        self.returned = either(self.returned.take(), Some(value), self.limits());
    }
}

/// Returns the result of one path or the other, each of which may not end.
pub(super) fn either(a: Option<Value>, b: Option<Value>, limits: &Limits) -> Option<Value> {
    match (a, b) {
        (Some(a), Some(b)) => Some(join(a, b, limits)),
        (a, b) => a.or(b),
    }
}

/// Returns a block as a value of this type.
fn callable(lambda: &Lambda<'_>, signature: CallableType) -> Value {
    let target = CallTarget::Closure(Closure {
        code: Arc::new(()),
        frame: FrameRef { machine: 0, base: 0, index: 0, serial: 0 },
    });
    let parameter_names = lambda.parameters.iter().map(|parameter| parameter.name.into()).collect();
    let signature = Type::Callable(Arc::new(signature));
    Value::Callable(Arc::new(Callable { target, signature, parameter_names }))
}
