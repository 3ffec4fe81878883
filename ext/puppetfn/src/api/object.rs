//! `Puppetfn::PuppetObject`: an object of an Object type.

use magnus::r_hash::ForEach;
use magnus::value::ReprValue;
use magnus::{Error, Module, Object as _, RClass, RHash, RModule, Ruby, Value, method};
use puppetfn::convert::json;
use puppetfn::entity::xmi;
use puppetfn::function::call_member;
use puppetfn::types::Type;
use puppetfn::value::{Hash, Object, Value as CoreValue};

use super::closure::given_block;
use super::native_function::{CalledFrom, RubyHost};
use super::rich;
use super::types;
use crate::api::limits;
use crate::ruby::convert::{to_cached_value, to_object, to_value};
use crate::ruby::error::{guarded, to_ruby};
use crate::ruby::raw::{TypedRef, set_object_example};
use crate::ruby::wrapped::{RubyRich, RubyType};

/// Returns the object, if it is one.
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
/// @return [Hash{String=>Object}] the attributes, except attributes with their default value
fn init_hash(ruby: &Ruby, this: &RubyRich) -> Result<Option<Value>, Error> {
    guarded(ruby, || {
        let hash = object(this).map(|object| CoreValue::Hash(object.init_hash().into()));
        hash.map(|hash| to_object(ruby, &hash)).transpose()
    })
}

/// @yard
/// @def attribute_values
/// @return [Hash{String=>Object}] the values of all attributes that are given when an object is made
fn attribute_values(ruby: &Ruby, this: &RubyRich) -> Result<Option<Value>, Error> {
    guarded(ruby, || {
        let hash = object(this).map(|object| CoreValue::Hash(object.attribute_values().into()));
        hash.map(|hash| to_object(ruby, &hash)).transpose()
    })
}

/// @yard
/// @return [Hash{String=>Object}, nil] the features by their names, with places in place of references; of other
///   objects, the attributes
/// @api private
fn to_h(ruby: &Ruby, this: &RubyRich) -> Result<Option<Value>, Error> {
    guarded(ruby, || {
        let data =
            object(this).map(|object| Ok(object.to_data()?.unwrap_or_else(|| object.attribute_values())));
        let data = data.transpose().map_err(|error| to_ruby(ruby, &error))?;
        data.map(|data| to_object(ruby, &CoreValue::Hash(data.into()))).transpose()
    })
}

/// @yard
/// @def to_json(*)
/// @return [String] the JSON text of the result of {#to_h}
fn to_json(ruby: &Ruby, this: &RubyRich, _: &[Value]) -> Result<String, Error> {
    guarded(ruby, || {
        let data = match object(this) {
            Some(object) => object.to_data().map(|data| data.unwrap_or_else(|| object.attribute_values())),
            None => Ok(Hash::default()),
        };
        let json = data.and_then(|data| json::to_json(&CoreValue::Hash(data.into()), &limits::current()));
        json.map(|json| json.to_string()).map_err(|error| to_ruby(ruby, &error))
    })
}

/// @yard
/// @return [String, nil] the XMI document of an object of a type that is defined by its features
fn to_xmi(ruby: &Ruby, this: &RubyRich) -> Result<Option<String>, Error> {
    guarded(ruby, || {
        let written = object(this).map(|object| xmi::write(object, &limits::current()));
        written.transpose().map_err(|error| to_ruby(ruby, &error))
    })
}

/// @yard
/// @def feature_set?(name)
/// @param name [String] of a feature
/// @return [Boolean] whether the object has a value of its own for it
/// @api private
fn is_set(ruby: &Ruby, this: &RubyRich, name: String) -> Result<bool, Error> {
    let set = object(this).and_then(|object| object.is_set(&name));
    set.ok_or_else(|| {
        let label = object(this).map_or_else(String::new, |object| object.definition().label().to_owned());
        Error::new(ruby.exception_arg_error(), format!("{label} has no feature '{name}'"))
    })
}

/// @yard
/// @def set_feature(name, value)
/// @param name [String] of a feature
/// @param value [Object]
/// @return [void]
/// @raise [ArgumentError] when the feature cannot have the value, or can no longer be set
/// @api private
fn set(ruby: &Ruby, this: &RubyRich, name: String, value: Value) -> Result<(), Error> {
    guarded(ruby, || {
        let value = to_value(ruby, value)?;
        object(this).map_or(Ok(()), |object| object.set(&name, value)).map_err(|error| to_ruby(ruby, &error))
    })
}

/// @yard
/// @def make(type, arguments)
/// @param type [Puppetfn::Type] an Object type
/// @param arguments [Array<Object>, Hash{String=>Object}] the values of the attributes, in order or by name;
///   they are not checked
/// @return [Puppetfn::PuppetObject] an object of this class
fn make(ruby: &Ruby, class: RClass, t: Value, arguments: Value) -> Result<Value, Error> {
    guarded(ruby, || {
        let Some(RubyType(Type::Object(t))) = RubyType::of(&t) else {
            return Err(Error::new(ruby.exception_type_error(), "expected an Object type"));
        };
        let unresolved = || Error::new(ruby.exception_type_error(), "the type is not resolved");
        let definition = t.get().ok_or_else(unresolved)?;
        let values = to_value(ruby, arguments)?;
        let object = if let CoreValue::Array(values) = &values {
            Object::new(definition, values)
        } else if let CoreValue::Hash(values) = &values {
            Object::from_hash(definition, values)
        } else {
            return Err(Error::new(ruby.exception_type_error(), "expected an Array or a Hash of values"));
        };
        Ok(ruby.obj_wrap_as(RubyRich(object.into()), class).as_value())
    })
}

/// @yard
/// @def implement(type, ruby_class)
/// Makes objects of a class be of an Object type.
/// @param type [Puppetfn::Type]
/// @param ruby_class [Class]
/// @return [void]
fn implement(ruby: &Ruby, _: RClass, t: Value, class: RClass) -> Result<(), Error> {
    guarded(ruby, || {
        let example = make(ruby, rich::class(ruby, "PuppetObject"), t, ruby.ary_new().as_value())?;
        set_object_example(class, example)
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
/// @return [Object] the value of the attribute, or the result of the function
fn call(ruby: &Ruby, this: &RubyRich, arguments: &[Value]) -> Result<Value, Error> {
    guarded(ruby, || {
        let ([name, arguments @ ..], Some(object)) = (arguments, object(this)) else {
            return Err(Error::new(ruby.exception_arg_error(), "the name of a member is missing"));
        };
        let name: String = magnus::TryConvert::try_convert(*name)?;
        let arguments: Result<Vec<_>, _> =
            arguments.iter().map(|argument| cached_argument(ruby, &name, *argument)).collect();
        let Some(member) = object.definition().member(&name) else {
            let message = format!("'{name}' is no member of a {}", object.definition().label());
            return Err(Error::new(ruby.exception_arg_error(), message));
        };
        let arguments = arguments?;
        let block = given_block(ruby)?.map(|block| to_value(ruby, block)).transpose()?;
        to_object(
            ruby,
            &RubyHost::run(ruby, CalledFrom::None, |host| {
                call_member(object, &member, &arguments, block.as_ref(), host)
            })?,
        )
    })
}

/// Returns an argument of a member. Values cached by a `Puppet::LookupContext` keep their identity.
fn cached_argument(ruby: &Ruby, member: &str, argument: Value) -> Result<CoreValue, Error> {
    match (member, RHash::from_value(argument)) {
        ("cache", _) => to_cached_value(ruby, argument),
        ("cache_all", Some(entries)) => {
            let mut values = Hash::default();
            entries.foreach(|key: Value, value: Value| {
                values.insert(to_value(ruby, key)?, to_cached_value(ruby, value)?);
                Ok(ForEach::Continue)
            })?;
            Ok(values.into())
        }
        _ => to_value(ruby, argument),
    }
}

/// Defines the class.
pub fn init(puppetfn: RModule, rich: RClass) -> Result<RClass, Error> {
    let class = puppetfn.define_class("PuppetObject", rich)?;
    class.define_method("_pcore_type", method!(pcore_type, 0))?;
    class.define_method("_pcore_init_hash", method!(init_hash, 0))?;
    class.define_singleton_method("make", method!(make, 2))?;
    class.define_singleton_method("implement", method!(implement, 2))?;
    class.define_method("to_h", method!(to_h, 0))?;
    class.define_method("to_json", method!(to_json, -1))?;
    class.define_method("to_xmi", method!(to_xmi, 0))?;
    class.define_method("feature_set?", method!(is_set, 1))?;
    class.define_method("set_feature", method!(set, 2))?;
    class.define_method("attribute_values", method!(attribute_values, 0))?;
    class.define_method("member?", method!(is_member, 1))?;
    class.define_method("call_member", method!(call, -1))?;
    Ok(class)
}
