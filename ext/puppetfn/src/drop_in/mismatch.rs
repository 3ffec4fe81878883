//! Errors about type mismatches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RArray, RModule, RString, Ruby, Symbol, Value, function, method};
use puppetfn::function::{Signature, describe_signatures};
use puppetfn::types::Type;
use puppetfn::types::ops::describe::Messages;
use puppetfn::types::ops::infer_set;

use super::counts;
use super::dispatch::{PlanEntry, type_closure};
use super::piece::DropInPiece;
use crate::ruby::decline::Reason;
use crate::ruby::error::guarded;
use crate::ruby::limits;
use crate::ruby::puppet_types::compiled;
use crate::ruby::raw::puppet_subject;

static ON: AtomicBool = AtomicBool::new(false);

/// Returns true if errors of calls are worded here.
pub fn is_on() -> bool {
    ON.load(Relaxed)
}

/// @yard
/// @def word_mismatches
/// Makes calls word their own errors.
/// @return [void]
fn switch_on() {
    ON.store(true, Relaxed);
}

/// Returns the error of a call that no signature accepts; `None` if Puppet has to raise it.
#[cold]
pub fn of_call(
    ruby: &Ruby,
    name: &str,
    entries: &[PlanEntry],
    args: &[Value],
    block: Option<Value>,
) -> Option<Error> {
    let describe = || {
        let limits = limits::current();
        let mut types = Vec::with_capacity(args.len() + 1);
        for argument in args.iter().chain(&block) {
            type_closure(*argument)?;
            types.push(infer_set(puppet_subject(argument), &limits).map_err(|error| Reason::of(&error))?);
        }
        let signatures: Vec<_> = entries.iter().map(|entry| entry.signature.clone()).collect();
        describe(name, &signatures, &types)
    };
    match describe() {
        Ok(message) => {
            counts::taken(DropInPiece::Mismatch);
            Some(Error::new(ruby.exception_arg_error(), message))
        }
        Err(reason) => {
            counts::declined(DropInPiece::Mismatch, reason);
            None
        }
    }
}

fn describe(name: &str, signatures: &[Signature], arguments: &[Type]) -> Result<String, Reason> {
    let mut told = signatures.iter().filter(|signature| !signature.handles_mismatch()).peekable();
    // Puppet trips over these.
    let odd = |signature: &Signature| {
        signature.callable().params.is_none()
            || arguments.is_empty() && signature.parameter_types().is_empty()
    };
    if told.peek().is_none() || told.any(odd) {
        return Err(Reason::Signature);
    }
    Ok(describe_signatures(name, signatures, arguments, Messages::Puppet))
}

/// Reads a signature of Puppet's: a dispatch, or a closure.
fn signature(ruby: &Ruby, object: Value) -> Result<Signature, Reason> {
    let ask = |name: &str| object.funcall::<_, _, Value>(name, ()).map_err(|_| Reason::Signature);
    let t = ask("type")?;
    let Type::Callable(callable) = compiled(ruby, t)? else { return Err(Reason::Signature) };
    let names = RArray::from_value(ask("parameter_names")?).ok_or(Reason::Signature)?;
    let names: Option<Vec<Arc<str>>> = names.into_iter().map(text).collect();
    let block_name = ask("block_name")?;
    let block_name =
        if block_name.is_nil() { None } else { Some(text(block_name).ok_or(Reason::Signature)?) };
    Ok(Signature::new(callable.as_ref().clone(), names.ok_or(Reason::Signature)?, block_name))
}

fn text(name: Value) -> Option<Arc<str>> {
    match Symbol::from_value(name) {
        Some(symbol) => symbol.name().ok().map(|name| name.as_ref().into()),
        None => RString::from_value(name)?.to_string().ok().map(Into::into),
    }
}

fn signatures_text(ruby: &Ruby, name: Value, signatures: Value, args: Value) -> Result<String, Reason> {
    let name = RString::from_value(name).and_then(|name| name.to_string().ok()).ok_or(Reason::Arguments)?;
    let signatures = RArray::from_value(signatures).ok_or(Reason::Arguments)?;
    let signatures: Vec<_> =
        signatures.into_iter().map(|each| signature(ruby, each)).collect::<Result<_, _>>()?;
    let Type::Tuple(args) = compiled(ruby, args)? else { return Err(Reason::Arguments) };
    if args.size.is_some() { Err(Reason::Arguments) } else { describe(&name, &signatures, &args.types) }
}

fn types_text(ruby: &Ruby, name: Value, expected: Value, actual: Value) -> Result<String, Reason> {
    let name = RString::from_value(name).and_then(|name| name.to_string().ok()).ok_or(Reason::Arguments)?;
    let (expected, actual) = (compiled(ruby, expected)?, compiled(ruby, actual)?);
    if shows_plain_callable(&actual) {
        return Err(Reason::Bounds);
    }
    Ok(Messages::Puppet.describe(&name, &expected, &actual))
}

/// Returns true if a type contains a `Callable` without parameters: Puppet trips over one where it expects some. A
/// string that looks like one does no harm.
fn shows_plain_callable(t: &Type) -> bool {
    t.to_string().split("Callable").skip(1).any(|rest| !rest.starts_with('['))
}

fn counted(text: Result<String, Reason>) -> Option<String> {
    match text {
        Ok(text) => {
            counts::taken(DropInPiece::Mismatch);
            Some(text)
        }
        Err(reason) => {
            counts::declined(DropInPiece::Mismatch, reason);
            None
        }
    }
}

fn or_super(ruby: &Ruby, text: Result<Option<String>, Error>, args: &[Value]) -> Result<Value, Error> {
    match text {
        Ok(Some(text)) => Ok(ruby.str_new(&text).as_value()),
        Ok(None) | Err(_) => ruby.call_super(args),
    }
}

/// @yard
/// @def describe_signatures(closure, signatures, args_tuple, tense = :ignored)
fn describe_signatures_method(ruby: &Ruby, _this: Value, args: &[Value]) -> Result<Value, Error> {
    let found = match *args {
        [name, signatures, tuple] => {
            guarded(ruby, || Ok(counted(signatures_text(ruby, name, signatures, tuple))))
        }
        _ => Ok(None),
    };
    or_super(ruby, found, args)
}

/// @yard
/// @def describe_mismatch(name, expected, actual, tense = :ignored)
fn describe_mismatch_method(ruby: &Ruby, _this: Value, args: &[Value]) -> Result<Value, Error> {
    let found = match *args {
        [name, expected, actual] => guarded(ruby, || Ok(counted(types_text(ruby, name, expected, actual)))),
        _ => Ok(None),
    };
    or_super(ruby, found, args)
}

/// @yard
/// @def describe_signatures(closure, signatures, args_tuple)
/// @return [String, nil] nil where Puppet has to say
fn shadow_signatures(
    ruby: &Ruby,
    name: Value,
    signatures: Value,
    args: Value,
) -> Result<Option<String>, Error> {
    guarded(ruby, || Ok(counted(signatures_text(ruby, name, signatures, args))))
}

/// @yard
/// @def describe_mismatch(name, expected, actual)
/// @return [String, nil] nil where Puppet has to say
fn shadow_mismatch(
    ruby: &Ruby,
    name: Value,
    expected: Value,
    actual: Value,
) -> Result<Option<String>, Error> {
    guarded(ruby, || Ok(counted(types_text(ruby, name, expected, actual))))
}

/// Defines the module.
pub fn init(drop_in: RModule) -> Result<(), Error> {
    let wording = drop_in.define_module("Wording")?;
    wording.define_method("describe_signatures", method!(describe_signatures_method, -1))?;
    wording.define_method("describe_mismatch", method!(describe_mismatch_method, -1))?;
    drop_in.define_singleton_method("word_mismatches", function!(switch_on, 0))?;
    drop_in.define_singleton_method("describe_signatures", function!(shadow_signatures, 3))?;
    drop_in.define_singleton_method("describe_mismatch", function!(shadow_mismatch, 3))
}
