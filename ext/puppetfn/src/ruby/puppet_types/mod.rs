//! Puppet's type objects as types of the core.
//!
//! A type object is compiled when it is first used, and caches the result: Puppet's types do not change, except for
//! unresolved aliases, which are not compiled.

mod compile;

use magnus::typed_data::Obj;
use magnus::value::ReprValue;
use magnus::{Error, RModule, Ruby, TypedData, Value};
use puppetfn::types::Type;

use super::decline::Reason;
use super::raw::{InstanceVariable, TypedClass, TypedRef, kind_of};
use crate::ruby::classes::define_class;

/// The cached compilation of one of Puppet's type objects.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::DropIn::Compiled", free_immediately, size)]
pub struct CompiledTypeObject(Result<Type, Reason>);

impl magnus::DataTypeFunctions for CompiledTypeObject {}

impl TypedRef for CompiledTypeObject {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<CompiledTypeObject> = TypedClass::new();
        &TYPED
    }
}

/// The instance variable that caches a type object's compilation.
static COMPILED: InstanceVariable = InstanceVariable::new(c"__puppetfn_compiled");

/// Returns the core's type for a type object of Puppet's. Runs no Ruby code.
pub fn core_type(object: Value) -> Result<Type, Reason> {
    match CompiledTypeObject::of(&COMPILED.get(object)) {
        Some(compiled) => compiled.0.clone(),
        None => compile::compile(object).map_err(|declined| declined.reason),
    }
}

/// Returns the same for a type object that is on the stack of the caller, which then keeps the result.
pub fn compiled(ruby: &Ruby, object: Value) -> Result<Type, Reason> {
    if kind_of(object).is_none() {
        return Err(Reason::KindOfType);
    }
    if let Some(known) = CompiledTypeObject::of(&COMPILED.get(object)) {
        return known.0.clone();
    }
    let compiled = match compile::compile(object) {
        Ok(t) if t.tangled_alias().is_some() => Err(Reason::Recursion),
        Ok(t) => Ok(t),
        Err(declined) if declined.for_good => Err(declined.reason),
        Err(declined) => return Err(declined.reason),
    };
    let kept: Obj<CompiledTypeObject> = ruby.obj_wrap(CompiledTypeObject(compiled.clone()));
    COMPILED.set(object, kept.as_value()).map_err(|_| Reason::Other)?;
    // A frozen object cannot keep it.
    if COMPILED.is_set(object) { compiled } else { Err(Reason::Other) }
}

/// Caches the core's type in a type object that was just created from it.
pub fn attach(ruby: &Ruby, object: Value, t: Type) -> Result<(), Error> {
    COMPILED.set(object, ruby.obj_wrap(CompiledTypeObject(Ok(t))).as_value())
}

/// Defines the class of cached compilations.
pub fn init(ruby: &Ruby, drop_in: RModule) -> Result<(), Error> {
    let _class = define_class::<CompiledTypeObject>(ruby, drop_in, "Compiled", ruby.class_object())?;
    CompiledTypeObject::typed().learn(ruby, CompiledTypeObject(Err(Reason::Other)));
    Ok(())
}
