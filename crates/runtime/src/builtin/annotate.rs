//! `annotate`.
//!
//! See Puppet's `functions/annotate.rb`.

use std::sync::Arc;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::convert::create::create;
use puppetfn_types::function::{Call, Declaration, Deviation, native};
use puppetfn_types::types::{Definition, ObjectType, Type};
use puppetfn_types::value::{Hash, Value};

pub(super) fn annotate() -> Declaration {
    native("annotate")
        .doc(
            "The annotation of a type on a value: the one that an Object type declares for itself, or one that is \
             made of the hash that is given or that a block gives. Only types keep annotations, those that they \
             declare.",
        )
        .example(
            "type Note = Object[{parent => Annotation, attributes => {text => String}}] \
             type Noted = Object[{annotations => {Note => {text => 'a'}}}] \
             annotate(Note, Noted).text",
            "'a'",
        )
        .example(
            "type Note = Object[{parent => Annotation, attributes => {text => String}}] \
             annotate(Note, 5) || { {'text' => 'b'} }.text",
            "'b'",
        )
        .dispatch::<(&Type, &Value)>(
            "(Type[Annotation] type, Any value, Callable[0, 0] block?)",
            |call, (annotation, value)| {
                call.deviate(Deviation::from_all("annotate, which keeps annotations in Puppet"))?;
                if let Some(declared) = declared(annotation, value) {
                    return create(annotation, &[declared], call.caller());
                }
                if !call.has_block() {
                    return Ok(Value::Undef);
                }
                match call.call_block(&[])? {
                    Value::Undef => Ok(Value::Undef),
                    init => create(annotation, &[init], call.caller()),
                }
            },
        )
        .dispatch::<(&Type, &Value, &Value)>(
            "(Type[Annotation] type, Any value, Variant[Enum['clear'], Hash[Pcore::MemberName, Any]] annotation_hash)",
            |call, (annotation, value, init)| renewed(call, annotation, value, init),
        )
        .dispatch::<(&Type, &Value, &Hash)>(
            "(Type[Pcore] type, Any value, Hash[Type[Annotation], Hash[Pcore::MemberName, Any]] annotations)",
            |call, (_, value, annotations)| {
                for (annotation, init) in annotations.iter() {
                    create(call.value_as::<&Type>(annotation)?, std::slice::from_ref(init), call.caller())?;
                }
                Ok(value.clone())
            },
        )
        .returns(|_| Type::Any)
}

/// Returns a new annotation, or `undef` to clear it. Annotations that a type declares cannot be replaced.
fn renewed(call: &Call<'_>, annotation: &Type, value: &Value, init: &Value) -> Result<Value, Error> {
    let clears = matches!(init, Value::String(_));
    if declared(annotation, value).is_some() {
        let action = if clears { "clear" } else { "redefine" };
        let label = object_type(value).map_or_else(String::new, |t| t.label().to_owned());
        let message = format!("attempt to {action} {annotation} annotation declared on {label}");
        return Err(Error::new(ErrorKind::ArgumentMismatch, message));
    }
    if clears { Ok(Value::Undef) } else { create(annotation, std::slice::from_ref(init), call.caller()) }
}

fn object_type(value: &Value) -> Option<Arc<Definition<ObjectType>>> {
    if let Value::Type(t) = value
        && let Type::Object(object) = &**t
    {
        return object.get();
    }
    None
}

/// Returns the argument of an annotation that the value's Object type declares.
fn declared(annotation: &Type, value: &Value) -> Option<Value> {
    let t = object_type(value)?;
    let annotations: &Hash = t.annotations()?;
    annotations.get(&annotation.clone().into()).cloned()
}
