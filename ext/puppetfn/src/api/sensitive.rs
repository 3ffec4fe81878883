//! `Puppetfn::Sensitive`: a value that must not be shown.

use magnus::value::ReprValue;
use magnus::{Class, Error, Module, RClass, Ruby, Value, method};

use super::rich;
use crate::ruby::raw::{hidden_value, set_hidden_value};

/// @yard
/// @def initialize(value)
/// @param value [Object] the value to hide
fn initialize(this: Value, value: Value) -> Result<(), Error> {
    set_hidden_value(this, value)
}

/// @yard
/// @example
///   secret = Puppet::Pops::Types::PSensitiveType::Sensitive.new("s3cret")
///   secret.to_s    # => "Sensitive [value redacted]"
///   secret.unwrap  # => "s3cret"
/// @return [Object] the hidden value
fn unwrap(this: Value) -> Value {
    hidden_value(this)
}

fn to_s(_this: Value) -> &'static str {
    "Sensitive [value redacted]"
}

/// @yard
/// @return [String] a text without the value
fn inspect(_this: Value) -> &'static str {
    "#<Sensitive [value redacted]>"
}

fn equals(ruby: &Ruby, this: Value, other: Value) -> Result<bool, Error> {
    if !other.is_kind_of(rich::class(ruby, "Sensitive")) {
        return Ok(false);
    }
    hidden_value(this).eql(hidden_value(other))
}

fn hash(this: Value) -> Result<Value, Error> {
    hidden_value(this).funcall("hash", ())
}

/// Defines the class.
pub fn init(ruby: &Ruby) -> Result<RClass, Error> {
    let sensitive = RClass::new(ruby.class_object())?;
    sensitive.define_method("initialize", method!(initialize, 1))?;
    sensitive.define_method("unwrap", method!(unwrap, 0))?;
    sensitive.define_method("to_s", method!(to_s, 0))?;
    sensitive.define_method("inspect", method!(inspect, 0))?;
    sensitive.define_method("==", method!(equals, 1))?;
    sensitive.define_method("eql?", method!(equals, 1))?;
    sensitive.define_method("hash", method!(hash, 0))?;
    Ok(sensitive)
}
