//! Types of values, and common types.

use magnus::{Error, Module, Object, RArray, RHash, RModule, Ruby, Value, function, method};
use puppetfn::types::Type;
use puppetfn::types::ops::{infer, infer_set};

use super::build::build;
use super::counts;
use super::piece::DropInPiece;
use crate::ruby::decline::Reason;
use crate::ruby::error::guarded;
use crate::ruby::limits;
use crate::ruby::puppet_types::{attach, compiled};
use crate::ruby::raw::puppet_subject;

type InferenceResult = Result<Value, Reason>;

/// Makes a type object, which keeps the core's type.
fn object_of(ruby: &Ruby, t: Type) -> InferenceResult {
    let object = build(ruby, &t)?;
    attach(ruby, object, t).map_err(|_| Reason::Other)?;
    Ok(object)
}

/// Returns true if a value is an array or a hash. Puppet infers the types of other values as fast.
fn is_collection(value: Value) -> bool {
    RArray::from_value(value).is_some() || RHash::from_value(value).is_some()
}

fn inferred(ruby: &Ruby, value: Value, set: bool) -> InferenceResult {
    let (subject, limits) = (puppet_subject(&value), limits::current());
    let t = if set { infer_set(subject, &limits) } else { infer(subject, &limits) };
    object_of(ruby, t.map_err(|error| Reason::of(&error))?)
}

fn generalized(ruby: &Ruby, object: Value) -> InferenceResult {
    let t = compiled(ruby, object)?;
    let general = t.generalize();
    if general == t { Ok(object) } else { object_of(ruby, general) }
}

fn common(ruby: &Ruby, one: Value, other: Value) -> InferenceResult {
    let (first, second) = (compiled(ruby, one)?, compiled(ruby, other)?);
    let accepts = |t: &Type, from: &Type| {
        t.try_assignable(from, &limits::current()).map_err(|error| Reason::of(&error))
    };
    if matches!(first, Type::Undef | Type::Unit) {
        Ok(other)
    } else if matches!(second, Type::Undef | Type::Unit) || accepts(&first, &second)? {
        Ok(one)
    } else if accepts(&second, &first)? {
        Ok(other)
    } else {
        object_of(ruby, first.common(&second))
    }
}

fn counted(answer: InferenceResult) -> Option<Value> {
    match answer {
        Ok(object) => {
            counts::taken(DropInPiece::Inference);
            Some(object)
        }
        Err(reason) => {
            counts::declined(DropInPiece::Inference, reason);
            None
        }
    }
}

/// Returns the answer, or calls Puppet's method if there is none.
fn or_super(ruby: &Ruby, args: &[Value], answer: impl FnOnce() -> InferenceResult) -> Result<Value, Error> {
    match guarded(ruby, || Ok(counted(answer()))) {
        Ok(Some(object)) => Ok(object),
        Ok(None) | Err(_) => ruby.call_super(args),
    }
}

/// @yard
/// @def infer(o)
fn infer_method(ruby: &Ruby, _this: Value, value: Value) -> Result<Value, Error> {
    if !is_collection(value) {
        return ruby.call_super((value,));
    }
    or_super(ruby, &[value], || inferred(ruby, value, false))
}

/// @yard
/// @def infer_set(o)
fn infer_set_method(ruby: &Ruby, _this: Value, value: Value) -> Result<Value, Error> {
    if !is_collection(value) {
        return ruby.call_super((value,));
    }
    or_super(ruby, &[value], || inferred(ruby, value, true))
}

/// @yard
/// @def generalize(o)
fn generalize_method(ruby: &Ruby, _this: Value, object: Value) -> Result<Value, Error> {
    or_super(ruby, &[object], || generalized(ruby, object))
}

/// @yard
/// @def common_type(t1, t2)
fn common_method(ruby: &Ruby, _this: Value, one: Value, other: Value) -> Result<Value, Error> {
    or_super(ruby, &[one, other], || common(ruby, one, other))
}

/// @yard
/// @def infer(o)
/// @return [Puppet::Pops::Types::PAnyType, nil] nil where Puppet has to say
fn shadow_infer(ruby: &Ruby, value: Value) -> Result<Option<Value>, Error> {
    guarded(ruby, || Ok(counted(inferred(ruby, value, false))))
}

/// @yard
/// @def infer_set(o)
/// @return [Puppet::Pops::Types::PAnyType, nil] nil where Puppet has to say
fn shadow_infer_set(ruby: &Ruby, value: Value) -> Result<Option<Value>, Error> {
    guarded(ruby, || Ok(counted(inferred(ruby, value, true))))
}

/// @yard
/// @def generalize(t)
/// @return [Puppet::Pops::Types::PAnyType, nil] nil where Puppet has to say
fn shadow_generalize(ruby: &Ruby, object: Value) -> Result<Option<Value>, Error> {
    guarded(ruby, || Ok(counted(generalized(ruby, object))))
}

/// @yard
/// @def common_type(t1, t2)
/// @return [Puppet::Pops::Types::PAnyType, nil] nil where Puppet has to say
fn shadow_common(ruby: &Ruby, one: Value, other: Value) -> Result<Option<Value>, Error> {
    guarded(ruby, || Ok(counted(common(ruby, one, other))))
}

/// Defines the module.
pub fn init(drop_in: RModule) -> Result<(), Error> {
    let inference = drop_in.define_module("Inference")?;
    inference.define_method("infer", method!(infer_method, 1))?;
    inference.define_method("infer_set", method!(infer_set_method, 1))?;
    inference.define_method("generalize", method!(generalize_method, 1))?;
    inference.define_method("common_type", method!(common_method, 2))?;
    drop_in.define_singleton_method("infer", function!(shadow_infer, 1))?;
    drop_in.define_singleton_method("infer_set", function!(shadow_infer_set, 1))?;
    drop_in.define_singleton_method("generalize", function!(shadow_generalize, 1))?;
    drop_in.define_singleton_method("common_type", function!(shadow_common, 2))
}
