//! Every built-in function treats undef, unknown, untyped and sensitive arguments as it declares.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::cell::RefCell;
use std::sync::Arc;

use puppetfn::builtin::registry;
use puppetfn::error::{Error, ErrorKind};
use puppetfn::eval::Runtime;
use puppetfn::function::{
    ArgumentPolicy, Caller, Function, FunctionBody, Host, LogLevel, UnknownHandling, find,
};
use puppetfn::host::HostRef;
use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::syntax;
use puppetfn::syntax::ast::{Expr, ExprKind};
use puppetfn::types::Type;
use puppetfn::types::ops::{infer, infer_set, instance};
use puppetfn::value::Value;

/// A host that only records log messages.
#[derive(Default)]
struct LogHost(RefCell<Vec<String>>);

impl Host for LogHost {
    fn call_function(&self, _: &HostRef, _: &[Value], _: Option<&Value>) -> Result<Value, Error> {
        panic!("there are no functions here")
    }

    fn call_block(&self, _: &Value, _: &[Value]) -> Result<Value, Error> {
        panic!("there are no blocks here")
    }

    fn log(&self, _: LogLevel, message: &str) {
        self.0.borrow_mut().push(message.to_owned());
    }
}

impl Caller for LogHost {
    fn host(&self) -> &dyn Host {
        self
    }
}

/// Returns the calls without a block in the examples, each with its arguments.
fn calls() -> impl Iterator<Item = (&'static Function, Vec<Value>)> {
    registry().names().flat_map(|name| {
        let function: &Function = registry().get(name).unwrap().unwrap();
        let FunctionBody::Native(native) = function.body() else { panic!("{name} is not native") };
        native.examples().iter().filter_map(move |example| Some((function, arguments(&example.code)?)))
    })
}

fn arguments(code: &str) -> Option<Vec<Value>> {
    let program = syntax::parse(code, &Limits::DEFAULT).unwrap();
    let [Expr { kind: ExprKind::Call(call), .. }] = program.statements.as_slice() else { return None };
    let value = |argument: &Expr<'_>| Runtime::new().evaluate(argument.span.text(code), None).unwrap();
    call.lambda.is_none().then(|| call.arguments.iter().map(value).collect())
}

fn replaced(arguments: &[Value], index: usize, with: Value) -> Vec<Value> {
    let mut arguments = arguments.to_vec();
    *arguments.get_mut(index).unwrap() = with;
    arguments
}

/// Calls a check with each argument of each example and its declared policy.
fn each_argument(mut check: impl FnMut(&Function, &[Value], usize, ArgumentPolicy)) {
    let mut count = 0;
    for (function, arguments) in calls() {
        for index in 0..arguments.len() {
            let policy = function.argument_policy(index);
            let policy = policy.unwrap_or_else(|| panic!("{} declares nothing", function.name()));
            check(function, &arguments, index, policy);
            count += 1;
        }
    }
    assert!(count > 250, "{count}");
}

fn check_acceptance(accepts: impl Fn(ArgumentPolicy) -> bool, make: impl Fn(&Value) -> Value) {
    each_argument(|function, arguments, index, policy| {
        let given = make(arguments.get(index).unwrap());
        let (name, given) = (function.name(), replaced(arguments, index, given));
        let references: Vec<&Value> = given.iter().collect();
        let is_matched = find(function.signatures(), &references, None, &Limits::DEFAULT).unwrap().is_some();
        if accepts(policy) {
            assert!(is_matched || function.signatures().len() > 1, "{name} refuses argument {index}");
        } else {
            let error = function.call(&LogHost::default(), &given, None).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::ArgumentMismatch, "{name} takes argument {index}: {error}");
        }
    });
}

#[test]
fn undef_is_accepted_where_that_is_declared() {
    check_acceptance(|policy| policy.accepts_undef, |_| Value::Undef);
}

#[test]
fn sensitive_values_are_accepted_where_that_is_declared() {
    check_acceptance(
        |policy| policy.accepts_sensitive,
        |value| {
            let is_sensitive = matches!(value, Value::Sensitive(_));
            if is_sensitive { value.clone() } else { Value::Sensitive(Arc::new(value.clone())) }
        },
    );
}

/// Checks that the result for an unknown argument holds for the argument's actual value in the example.
fn check_unknown(make: impl Fn(&Value) -> Type) {
    each_argument(|function, arguments, index, policy| {
        let unknown = Value::unknown(make(arguments.get(index).unwrap()));
        if !matches!(unknown, Value::Unknown(_)) {
            return;
        }
        let (name, host) = (function.name(), LogHost::default());
        let given = replaced(arguments, index, unknown);
        let answer = function.call(&host, &given, None);
        let answer = answer.unwrap_or_else(|error| panic!("{name} with {given:?}: {error}"));
        if policy.unknowns != UnknownHandling::Accept {
            assert_eq!(*host.0.borrow(), Vec::<String>::new(), "{name} was called");
            let expected = function.return_type_for(&given, None, &Limits::DEFAULT).unwrap();
            assert_eq!(answer, Value::unknown(expected), "{name} with {given:?}");
        }
        if let Ok(known) = function.call(&LogHost::default(), arguments, None) {
            let promised = if let Value::Unknown(t) = &answer {
                Type::clone(t)
            } else {
                infer_set(&answer, &Limits::DEFAULT).unwrap()
            };
            let verdict = instance(&promised, &known, &Limits::DEFAULT).unwrap();
            assert_eq!(verdict, Verdict::Yes, "{name} with {given:?} promises {promised}, gives {known:?}");
        }
    });
}

#[test]
fn unknown_values_are_answered_for_as_declared() {
    check_unknown(|value| infer(value, &Limits::DEFAULT).unwrap().generalize());
}

#[test]
fn untyped_values_are_answered_for_as_declared() {
    check_unknown(|_| Type::Any);
}
