//! The encoding and coderange in the flags of a string.

use std::ffi::{c_char, c_long};

use magnus::rb_sys::{AsRawValue, FromRawValue};
use magnus::{RString, Ruby, Value};
use rb_sys::ruby_coderange_type as coderange;
use rb_sys::ruby_encoding_consts as consts;
use rb_sys::{RBasic, VALUE, rb_str_new};

/// The index of the encoding US-ASCII, UTF-8 and binary: fixed in every Ruby.
const BINARY: VALUE = 0;
const UTF_8: VALUE = 1;

/// Returns true if Ruby has found the bytes to be UTF-8. It looks when it first needs to know.
#[inline]
pub fn known_utf8(flags: VALUE) -> bool {
    let range = flags & coderange::RUBY_ENC_CODERANGE_MASK as VALUE;
    range == coderange::RUBY_ENC_CODERANGE_7BIT as VALUE
        || (range == coderange::RUBY_ENC_CODERANGE_VALID as VALUE && encoding_index(flags) == UTF_8)
}

/// Returns true if a string is of bytes that Ruby gives no meaning.
#[inline]
pub fn is_binary(flags: VALUE) -> bool {
    encoding_index(flags) == BINARY
}

#[inline]
fn encoding_index(flags: VALUE) -> VALUE {
    (flags & consts::RUBY_ENCODING_MASK as VALUE) >> (consts::RUBY_ENCODING_SHIFT as VALUE)
}

/// Returns a String with a text. Ruby's own function spends more time on looking up the encoding than on the bytes, and
/// does not record that they are UTF-8.
pub fn string(_: &Ruby, text: &str) -> Value {
    let range = match text.is_ascii() {
        true => coderange::RUBY_ENC_CODERANGE_7BIT,
        false => coderange::RUBY_ENC_CODERANGE_VALID,
    };
    let encoding = UTF_8 << (consts::RUBY_ENCODING_SHIFT as VALUE);
    // SAFETY: Ruby is running, which the argument shows. It copies the bytes, of which a text has at most `isize::MAX`.
    // The String is new and not shared, and in the encoding of index 0, so none of the bits set here is set already.
    unsafe {
        let string = rb_str_new(text.as_ptr().cast::<c_char>(), text.len() as c_long);
        (*(string as *mut RBasic)).flags |= encoding | range as VALUE;
        Value::from_raw(string)
    }
}

/// Returns a copy of the bytes of a string, whatever its encoding.
pub fn bytes_of(string: RString) -> Vec<u8> {
    // SAFETY: the bytes are copied before Ruby can run and change or free them.
    unsafe { string.as_slice() }.to_vec()
}

/// Returns true if the encoding of a string is UTF-8.
pub fn is_utf8(string: RString) -> bool {
    // SAFETY: a string is a heap object, which begins with its flags.
    encoding_index(unsafe { (*(string.as_raw() as *const rb_sys::RBasic)).flags }) == UTF_8
}
