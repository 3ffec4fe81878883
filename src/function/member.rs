//! Calls of the members of objects: `$object.name(...)`.

use std::sync::Arc;

use super::{Host, Signature, find, mismatch_error};
use crate::error::Error;
use crate::types::{
    AttributeKind, CallableType, Definition, Feature, Member, ObjectType, Size, TupleType, Type,
};
use crate::value::{Object, Value};

/// What implements the members of an object that is written in Rust.
pub trait Implementation: Send + Sync {
    /// Calls a function of the object, or reads an attribute that is derived. The arguments match it.
    ///
    /// # Errors
    /// Whatever it fails with.
    fn call(
        &self,
        name: &str,
        arguments: &[Value],
        block: Option<&Value>,
        host: &dyn Host,
    ) -> Result<Value, Error>;
}

/// An object with members that are written in Rust. `values` are those of its attributes.
pub(crate) fn implemented(
    definition: Arc<Definition<ObjectType>>,
    values: &[Value],
    members: impl Implementation + 'static,
) -> Object {
    let members: Box<dyn Implementation> = Box::new(members);
    Object::new(definition, values).implemented(Arc::new(members))
}

/// What a member of an object returns: an attribute its value, a function what it does.
///
/// # Errors
/// [`crate::error::ErrorKind::ArgumentMismatch`] when the member does not take the arguments, an
/// attribute takes none; [`crate::error::ErrorKind::Evaluation`] when nothing implements it.
pub fn call_member(
    object: &Object,
    member: &Member,
    arguments: &[Value],
    block: Option<&Value>,
    host: &dyn Host,
) -> Result<Value, Error> {
    let signatures = signatures(member);
    let references: Vec<&Value> = arguments.iter().collect();
    if find(&signatures, &references, block, host.limits())?.is_none() {
        let (label, limits, messages) = (member.label(), host.limits(), host.messages());
        return Err(mismatch_error(label, &signatures.into(), &references, block, limits, messages));
    }
    let implementation =
        object.implementation().and_then(|members| members.downcast_ref::<Box<dyn Implementation>>());
    if let Some(members) = implementation
        && (member.feature == Feature::Function || member.kind == Some(AttributeKind::Derived))
    {
        return members.call(&member.name, arguments, block, host);
    }
    match member.feature {
        Feature::Function => object.call(member),
        Feature::Attribute | Feature::TypeParameter => object.attribute(&member.name),
    }
}

/// What a member can be called with.
fn signatures(member: &Member) -> Vec<Signature> {
    if member.feature != Feature::Function {
        let params = Some(TupleType { types: Arc::new([]), size: Some(Size::EMPTY) });
        return vec![Signature::new(CallableType { params, block: None, returns: None }, [], None)];
    }
    let alternatives =
        if let Type::Variant(types) = &member.t { &**types } else { std::slice::from_ref(&member.t) };
    let callable = |t: &Type| {
        let Type::Callable(callable) = t else { return None };
        let block_name = callable.block.as_ref().map(|_| "block".into());
        Some(Signature::new(CallableType::clone(callable), [], block_name))
    };
    alternatives.iter().filter_map(callable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::NoHost;
    use crate::limits::Limits;
    use crate::types::parse::{AliasDefinition, NoAliases};

    fn point() -> Object {
        let text = "type Point = Object[{
            attributes => { x => Integer, norm => { type => Integer, kind => derived } },
            constants => { unit => 'm' },
            functions => { scaled => Callable[[Integer], Point] },
        }]";
        let definition = AliasDefinition::parse(text, &Limits::DEFAULT).unwrap();
        let Type::Object(t) = definition.define(&NoAliases).unwrap() else { panic!("no Object type") };
        Object::new(t.get().unwrap(), &[3.into()])
    }

    fn called(name: &str, arguments: &[Value]) -> Result<Value, String> {
        let point = point();
        let member = point.definition().member(name).unwrap();
        call_member(&point, &member, arguments, None, &NoHost).map_err(|error| error.to_string())
    }

    #[test]
    fn attributes_are_read_without_arguments() {
        assert_eq!(called("x", &[]), Ok(3.into()));
        assert_eq!(called("unit", &[]), Ok("m".into()));
        assert_eq!(called("x", &[1.into()]), Err("'attribute Point[x]' expects no arguments, got 1".into()));
    }

    #[test]
    fn what_a_type_only_declares_cannot_be_called() {
        assert_eq!(
            called("scaled", &[2.into()]),
            Err("no method is implemented for function Point[scaled]".into())
        );
        assert_eq!(
            called("norm", &[]),
            Err("no method is implemented for derived attribute Point[norm]".into())
        );
        assert!(called("scaled", &[]).unwrap_err().contains("expects 1 argument, got none"));
    }
}
