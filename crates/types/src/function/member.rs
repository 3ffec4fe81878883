//! Calls of the members of objects: `$object.name(...)`.

use std::any::Any;
use std::sync::Arc;

use super::{Caller, Match, Signature, find, mismatch_error, return_error};
use crate::subject::Verdict;
use crate::types::ops::{infer_set, instance};
use crate::types::{
    self, CallableType, Member, MemberKind, ObjectAttributeKind, ObjectType, Size, TupleType, Type,
};
use crate::value::{Object, ObjectMembers, Value};
use puppetfn_base::error::Error;
use puppetfn_base::host::HostRef;

/// The implementation of an object's members outside of the core.
pub trait Implementation: Send + Sync {
    /// Calls a function of the object, or reads a derived attribute. The arguments match it.
    ///
    /// # Errors
    /// Fails with the errors of the function or attribute.
    fn call(
        &self,
        name: &str,
        arguments: &[Value],
        block: Option<&Value>,
        caller: &dyn Caller,
    ) -> Result<Value, Error>;

    /// Returns the object of the host that this is, if it is one: all its members are methods of that.
    fn host(&self) -> Option<&HostRef> {
        None
    }
}

impl ObjectMembers for Box<dyn Implementation> {
    fn host(&self) -> Option<&HostRef> {
        (**self).host()
    }
}

/// Returns the object with an implementation of its members.
pub fn implemented(object: Object, members: impl Implementation + 'static) -> Object {
    let members: Box<dyn Implementation> = Box::new(members);
    object.implemented(Arc::new(members))
}

/// Returns the implementation of an object's members, if it is outside of the core.
pub fn implementation(object: &Object) -> Option<&dyn Implementation> {
    let members: &dyn Any = object.implementation()?;
    members.downcast_ref::<Box<dyn Implementation>>().map(|members| &**members)
}

/// The constructor of a type that is implemented outside of the core.
pub trait Maker: Send + Sync {
    /// Returns true if objects can be created from a hash with the values of their attributes.
    fn takes_hash(&self) -> bool;

    /// Creates an object of a type, which may be a subtype of the implemented one. The arguments match its attributes; with
    /// `of_hash`, they are one hash with their values.
    ///
    /// # Errors
    /// Fails if the object cannot be created.
    fn make(&self, t: &Type, arguments: &[Value], of_hash: bool, caller: &dyn Caller)
    -> Result<Value, Error>;
}

/// Sets the constructor of a type, in place of the core's. Only the first call has an effect.
pub fn made_by(t: &ObjectType, maker: &Arc<dyn Maker>) {
    t.made_by(types::ObjectMaker(Arc::new(Arc::clone(maker))));
}

/// Returns the constructor of a type, if it is outside of the core.
pub fn maker(t: &ObjectType) -> Option<Arc<dyn Maker>> {
    t.maker()?.0.downcast_ref::<Arc<dyn Maker>>().map(Arc::clone)
}

/// Calls a function of an object, or reads an attribute.
///
/// # Errors
/// Fails with [`puppetfn_base::error::ErrorKind::ArgumentMismatch`] if the member does not take the arguments, as an
/// attribute takes none, and with [`puppetfn_base::error::ErrorKind::Evaluation`] if the member has no implementation.
pub fn call_member(
    object: &Object,
    member: &Member,
    arguments: &[Value],
    block: Option<&Value>,
    caller: &dyn Caller,
) -> Result<Value, Error> {
    let signatures = signatures(member);
    let references: Vec<&Value> = arguments.iter().collect();
    let Some(found) = find(&signatures, &references, block, caller.limits())? else {
        let (label, limits, messages) = (member.label(), caller.limits(), caller.host().messages());
        return Err(mismatch_error(label, &signatures.into(), &references, block, limits, messages));
    };
    let is_stored =
        member.feature != MemberKind::Function && member.kind != Some(ObjectAttributeKind::Derived);
    if let Some(members) = implementation(object).filter(|members| !is_stored || members.host().is_some()) {
        let result = members.call(&member.name, arguments, block, caller)?;
        let (Match::Found(index) | Match::Undecided(index)) = found;
        return match signatures.get(index).and_then(Signature::return_type) {
            Some(t) => returned(&member.name, t, result, caller),
            None => Ok(result),
        };
    }
    match member.feature {
        MemberKind::Function => object.call(member),
        MemberKind::Attribute | MemberKind::TypeParameter => object.attribute(&member.name),
    }
}

/// Returns a result if it is of the member's return type.
fn returned(name: &str, t: &Type, result: Value, caller: &dyn Caller) -> Result<Value, Error> {
    match instance(t, &result, caller.limits())? {
        Verdict::Yes | Verdict::Maybe => Ok(result),
        Verdict::No => {
            Err(return_error(name, t, infer_set(&result, caller.limits())?, caller.host().messages()))
        }
    }
}

/// Returns the signatures of a member.
fn signatures(member: &Member) -> Vec<Signature> {
    if member.feature != MemberKind::Function {
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
    use crate::types::parse::{AliasDefinition, NoAliases};
    use puppetfn_base::limits::Limits;

    fn point() -> Object {
        let text = "type Point = Object[{
            attributes => { x => Integer, norm => { type => Integer, kind => derived } },
            constants => { unit => 'm' },
            functions => { scaled => Callable[[Integer], Point] },
        }]";
        let definition = AliasDefinition::parse(text, &Limits::DEFAULT).unwrap();
        let Type::Object(t) = definition.define(&NoAliases, &Limits::DEFAULT).unwrap() else {
            panic!("no Object type")
        };
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
