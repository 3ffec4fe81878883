//! `Puppetfn::Binary`: a string of bytes.

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RClass, RString, Ruby, Value, function, method};
use puppetfn::value::{Binary, Value as CoreValue};

use super::rich::{RichClasses, wrap};
use crate::ruby::raw::bytes_of;
use crate::ruby::wrapped::RubyRich;

/// @yard
/// @def new(bytes)
/// @param bytes [String] in any encoding; only its bytes count
/// @return [Puppetfn::Binary]
fn new(ruby: &Ruby, bytes: RString) -> Result<Value, Error> {
    wrap(ruby, CoreValue::Binary(Binary::new(bytes_of(bytes))))
}

/// @yard
/// @return [String] the bytes
fn binary_buffer(ruby: &Ruby, this: &RubyRich) -> RString {
    let bytes = if let CoreValue::Binary(binary) = &this.0 { binary.bytes() } else { &[] };
    let string = ruby.enc_str_new(bytes, ruby.ascii8bit_encoding());
    string.freeze();
    string
}

/// Defines the class.
pub fn init(classes: &mut RichClasses, rich: RClass) -> Result<(), Error> {
    let class = classes.define("Binary", rich)?;
    class.define_singleton_method("new", function!(new, 1))?;
    class.define_method("binary_buffer", method!(binary_buffer, 0))
}
