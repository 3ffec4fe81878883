//! Calls of the members of objects: `$object.name(...)`.

use std::sync::Arc;

use super::{Host, Signature, find, mismatch_error};
use crate::error::Error;
use crate::types::{CallableType, Feature, Member, Size, TupleType, Type};
use crate::value::{Object, Value};

/// What a member of an object returns: an attribute its value, a function what it does.
///
/// # Errors
/// [`crate::error::ErrorKind::ArgumentMismatch`] when the member does not take the arguments, an
/// attribute takes none; [`crate::error::ErrorKind::Evaluation`] when nothing implements it.
pub fn call_member(
    object: &Object,
    member: &Member,
    arguments: &[Value],
    host: &dyn Host,
) -> Result<Value, Error> {
    let signatures = signatures(member);
    let references: Vec<&Value> = arguments.iter().collect();
    if find(&signatures, &references, None, host.limits())?.is_none() {
        let (label, limits, messages) = (member.label(), host.limits(), host.messages());
        return Err(mismatch_error(label, &signatures.into(), &references, None, limits, messages));
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
        call_member(&point, &member, arguments, &NoHost).map_err(|error| error.to_string())
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
