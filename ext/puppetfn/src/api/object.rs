//! `Puppetfn::PuppetObject`: an object of an Object type.

use magnus::{Error, Module, RClass, RModule, Ruby, Value, method};
use puppetfn::function::call_member;
use puppetfn::types::Type;
use puppetfn::value::{Object, Value as CoreValue};

use super::closure::given_block;
use super::native_function::RubyHost;
use super::rich::RubyRich;
use super::types;
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::guarded;

/// The object, if it is one.
fn object(this: &RubyRich) -> Option<&Object> {
    if let CoreValue::Object(object) = &this.0 { Some(object) } else { None }
}

/// @yard
/// @def _pcore_type
/// @return [Puppetfn::Type] the Object type that it was made as
fn pcore_type(ruby: &Ruby, this: &RubyRich) -> Option<Value> {
    object(this).map(|object| types::wrap(ruby, Type::Object(object.object_type())))
}

/// @yard
/// @def _pcore_init_hash
/// @return [Hash{String=>Object}] the attributes, without those that have their default value
fn init_hash(ruby: &Ruby, this: &RubyRich) -> Result<Option<Value>, Error> {
    guarded(ruby, || {
        let hash = object(this).map(|object| CoreValue::Hash(object.init_hash().into()));
        hash.map(|hash| to_object(ruby, &hash)).transpose()
    })
}

/// @yard
/// @def member?(name)
/// @param name [String]
/// @return [Boolean] whether the object has an attribute or function of this name
fn is_member(this: &RubyRich, name: String) -> bool {
    object(this).is_some_and(|object| object.definition().member(&name).is_some())
}

/// @yard
/// @def call_member(name, *arguments, &block)
/// @param name [String] the name of an attribute, which takes no arguments, or of a function
/// @return [Object] the value of the attribute, or what the function returns
fn call(ruby: &Ruby, this: &RubyRich, arguments: &[Value]) -> Result<Value, Error> {
    guarded(ruby, || {
        let ([name, arguments @ ..], Some(object)) = (arguments, object(this)) else {
            return Err(Error::new(ruby.exception_arg_error(), "the name of a member is missing"));
        };
        let name: String = magnus::TryConvert::try_convert(*name)?;
        let arguments: Result<Vec<_>, _> =
            arguments.iter().map(|argument| to_value(ruby, *argument)).collect();
        let Some(member) = object.definition().member(&name) else {
            let message = format!("'{name}' is no member of a {}", object.definition().label());
            return Err(Error::new(ruby.exception_arg_error(), message));
        };
        let arguments = arguments?;
        let block = given_block(ruby)?.map(|block| to_value(ruby, block)).transpose()?;
        to_object(
            ruby,
            &RubyHost::run(ruby, None, |host| {
                call_member(object, &member, &arguments, block.as_ref(), host)
            })?,
        )
    })
}

/// Defines the class.
pub fn init(puppetfn: RModule, rich: RClass) -> Result<RClass, Error> {
    let class = puppetfn.define_class("PuppetObject", rich)?;
    class.define_method("_pcore_type", method!(pcore_type, 0))?;
    class.define_method("_pcore_init_hash", method!(init_hash, 0))?;
    class.define_method("member?", method!(is_member, 1))?;
    class.define_method("call_member", method!(call, -1))?;
    Ok(class)
}
