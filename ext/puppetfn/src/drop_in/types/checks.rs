//! Checks of Puppet's types: `instance?`, `assignable?`, `callable_with?`.
//!
//! Each is a module that is prepended to the classes of types. Checks that it declines go to their own methods.

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RArray, RModule, Ruby, Value, function, method};
use puppetfn::error::Error as CoreError;
use puppetfn::subject::Verdict;
use puppetfn::types::Type;
use puppetfn::types::ops::{callable_with, instance};

use super::super::counts;
use super::super::piece::DropInPiece;
use crate::ruby::decline::Reason;
use crate::ruby::error::guarded;
use crate::ruby::limits;
use crate::ruby::puppet_types::compiled;
use crate::ruby::raw::{self, puppet_subject, puppet_subjects};

/// Result of a check; `None` if Puppet has to answer.
type CheckResult = Option<bool>;

fn counted(found: Result<bool, Reason>) -> CheckResult {
    match found {
        Ok(truth) => {
            counts::taken(DropInPiece::Types);
            Some(truth)
        }
        Err(reason) => {
            counts::declined(DropInPiece::Types, reason);
            None
        }
    }
}

fn verdict(found: Result<Verdict, CoreError>) -> Result<bool, Reason> {
    found.map(|verdict| verdict == Verdict::Yes).map_err(|error| Reason::of(&error))
}

/// Returns true if a value is an instance of a type.
pub fn is_instance(t: &Type, value: Value) -> Result<bool, Reason> {
    verdict(instance(t, puppet_subject(&value), &limits::current()))
}

fn instance_of(ruby: &Ruby, this: Value, value: Value) -> CheckResult {
    counted(compiled(ruby, this).and_then(|t| is_instance(&t, value)))
}

fn assignable_to(ruby: &Ruby, this: Value, from: Value) -> CheckResult {
    let answer = || {
        let (t, from) = (compiled(ruby, this)?, compiled(ruby, from)?);
        t.try_assignable(&from, &limits::current()).map_err(|error| Reason::of(&error))
    };
    counted(answer())
}

fn callable_with_args(ruby: &Ruby, this: Value, args: RArray, block: Value) -> CheckResult {
    let answer = || {
        let Type::Callable(callable) = compiled(ruby, this)? else { return Err(Reason::KindOfType) };
        let block = if block.is_nil() { None } else { Some(puppet_subject(&block)) };
        raw::with_elements(args, |args| {
            verdict(callable_with(&callable, puppet_subjects(args), block, &limits::current()))
        })
    };
    counted(answer())
}

/// Returns the result of a check, or calls Puppet's method if there is none.
fn or_super(ruby: &Ruby, found: Result<CheckResult, Error>, args: &[Value]) -> Result<Value, Error> {
    match found {
        Ok(Some(truth)) => Ok(if truth { ruby.qtrue().as_value() } else { ruby.qfalse().as_value() }),
        // An error here is a defect; Puppet's answer is right.
        Ok(None) | Err(_) => ruby.call_super(args),
    }
}

/// @yard
/// @def instance?(o, guard = nil)
/// @return [Boolean]
fn instance_method(ruby: &Ruby, this: Value, args: &[Value]) -> Result<Value, Error> {
    let found = match *args {
        [value] => guarded(ruby, || Ok(instance_of(ruby, this, value))),
        [value, guard] if guard.is_nil() => guarded(ruby, || Ok(instance_of(ruby, this, value))),
        _ => Ok(None),
    };
    or_super(ruby, found, args)
}

/// @yard
/// @def assignable?(o, guard = nil)
/// @return [Boolean]
fn assignable_method(ruby: &Ruby, this: Value, args: &[Value]) -> Result<Value, Error> {
    let found = match *args {
        [from] => guarded(ruby, || Ok(assignable_to(ruby, this, from))),
        [from, guard] if guard.is_nil() => guarded(ruby, || Ok(assignable_to(ruby, this, from))),
        _ => Ok(None),
    };
    or_super(ruby, found, args)
}

/// @yard
/// @def callable_with?(args, block = nil)
/// @return [Boolean]
fn callable_method(ruby: &Ruby, this: Value, args: &[Value]) -> Result<Value, Error> {
    let nil = ruby.qnil().as_value();
    let (list, block) = match *args {
        [list] => (list, nil),
        [list, block] => (list, block),
        _ => (nil, nil),
    };
    let found = match RArray::from_value(list) {
        Some(list) => guarded(ruby, || Ok(callable_with_args(ruby, this, list, block))),
        None => Ok(None),
    };
    or_super(ruby, found, args)
}

/// @yard
/// @def instance?(type, value)
/// @return [Boolean, nil] whether a value is an instance of a type; nil where Puppet has to say
fn shadow_instance(ruby: &Ruby, this: Value, value: Value) -> Result<CheckResult, Error> {
    guarded(ruby, || Ok(instance_of(ruby, this, value)))
}

/// @yard
/// @def assignable?(type, from)
/// @return [Boolean, nil] whether a type is assignable to another; nil where Puppet has to say
fn shadow_assignable(ruby: &Ruby, this: Value, from: Value) -> Result<CheckResult, Error> {
    guarded(ruby, || Ok(assignable_to(ruby, this, from)))
}

/// @yard
/// @def callable_with?(type, args, block)
/// @return [Boolean, nil] whether a callable can be called so; nil where Puppet has to say
fn shadow_callable(ruby: &Ruby, this: Value, args: RArray, block: Value) -> Result<CheckResult, Error> {
    guarded(ruby, || Ok(callable_with_args(ruby, this, args, block)))
}

/// Defines the modules, and the same as functions for the comparison with Puppet.
pub fn init(drop_in: RModule) -> Result<(), Error> {
    drop_in.define_module("InstanceCheck")?.define_method("instance?", method!(instance_method, -1))?;
    drop_in.define_module("AssignableCheck")?.define_method("assignable?", method!(assignable_method, -1))?;
    drop_in.define_module("CallableCheck")?.define_method("callable_with?", method!(callable_method, -1))?;
    drop_in.define_singleton_method("instance?", function!(shadow_instance, 2))?;
    drop_in.define_singleton_method("assignable?", function!(shadow_assignable, 2))?;
    drop_in.define_singleton_method("callable_with?", function!(shadow_callable, 3))
}
