//! `new` of Object types.
//!
//! See Puppet's `pops/types/p_object_type.rb`.

use std::sync::Arc;

use crate::function::{Call, Declaration, Maker, Signature, maker, native};
use crate::types::{CallableType, Definition, ObjectRef, ObjectType, Size, TupleType, Type};
use crate::value::{Hash, Object, Value};
use puppetfn_base::error::{Error, ErrorKind};

/// Returns the constructor of an object type. It takes a hash with the values of the attributes, or the values in the order
/// of the attributes, required attributes first.
pub(super) fn object(t: &ObjectRef) -> Result<Declaration, Error> {
    match t.get() {
        Some(definition) if definition.name().is_some() => Ok(constructor(&definition)),
        Some(_) | None => Err(Error::new(
            ErrorKind::Conversion,
            format!("'{}' cannot be used to make objects, as it has no name", Type::Object(t.clone())),
        )),
    }
}

fn constructor(t: &Arc<Definition<ObjectType>>) -> Declaration {
    if let Some(maker) = maker(t) {
        return constructor_of_host(t, &maker);
    }
    let (of_hash, of_values) = (Arc::clone(t), Arc::clone(t));
    native(format!("new_{}", t.label()))
        .dispatch::<&Hash>(hash_signature(t), move |_, values| {
            Ok(Object::from_hash(Arc::clone(&of_hash), values).into())
        })
        .dispatch::<&[Value]>(values_signature(t), move |_, arguments| {
            check_given(&of_values, arguments.len())?;
            Ok(Object::new(Arc::clone(&of_values), arguments).into())
        })
}

/// Checks that values in the order of the attributes suffice. The signature allows attributes that accept undef to be
/// missing, but only a hash then sets them to undef.
fn check_given(t: &ObjectType, count: usize) -> Result<(), Error> {
    match t.layout().parameters.values().nth(count) {
        Some(missing) if missing.value.is_none() => Err(Error::new(
            ErrorKind::ArgumentMismatch,
            format!("{} has no value; give undef for it, or a hash of attributes", missing.label()),
        )),
        Some(_) | None => Ok(()),
    }
}

/// Returns the constructor of a type that is implemented outside of the core.
fn constructor_of_host(t: &Arc<Definition<ObjectType>>, maker: &Arc<dyn Maker>) -> Declaration {
    let body = |of_hash| {
        let (t, maker) = (Type::Object(ObjectRef::Use(Arc::clone(t))), Arc::clone(maker));
        move |call: &mut Call<'_>, arguments: &[Value]| maker.make(&t, arguments, of_hash, call.caller())
    };
    let mut declaration = native(format!("new_{}", t.label()));
    if maker.takes_hash() {
        declaration = declaration.dispatch::<&[Value]>(hash_signature(t), body(true));
    }
    declaration.dispatch::<&[Value]>(values_signature(t), body(false))
}

fn hash_signature(t: &ObjectType) -> Signature {
    let params = TupleType { types: [t.init_hash_type()].into(), size: Some(Size::exactly(1)) };
    signature(params, ["hash".into()])
}

fn values_signature(t: &ObjectType) -> Signature {
    let layout = t.layout();
    let types = layout.parameters.values().map(|parameter| parameter.t.clone()).collect();
    let size = Size::new(layout.required as u64, Some(layout.parameters.len() as u64));
    let names: Vec<_> = layout.parameters.keys().cloned().collect();
    signature(TupleType { types, size: Some(size) }, names)
}

fn signature(params: TupleType, names: impl IntoIterator<Item = Arc<str>>) -> Signature {
    Signature::new(CallableType { params: Some(params), block: None, returns: None }, names, None)
}
