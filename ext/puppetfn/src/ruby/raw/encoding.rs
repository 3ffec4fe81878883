//! What Ruby notes in the flags of a string about its bytes.

use magnus::RString;
use magnus::rb_sys::AsRawValue;
use rb_sys::VALUE;
use rb_sys::ruby_coderange_type as coderange;
use rb_sys::ruby_encoding_consts as consts;

/// The index of the encoding US-ASCII, UTF-8 and binary: fixed in every Ruby.
const BINARY: VALUE = 0;
const UTF_8: VALUE = 1;

/// Tells if Ruby has found the bytes to be UTF-8. It looks when it first needs to know.
#[inline]
pub fn known_utf8(flags: VALUE) -> bool {
    let range = flags & coderange::RUBY_ENC_CODERANGE_MASK as VALUE;
    range == coderange::RUBY_ENC_CODERANGE_7BIT as VALUE
        || (range == coderange::RUBY_ENC_CODERANGE_VALID as VALUE && encoding_index(flags) == UTF_8)
}

/// Tells if a string is of bytes that Ruby gives no meaning.
pub fn is_binary(flags: VALUE) -> bool {
    encoding_index(flags) == BINARY
}

fn encoding_index(flags: VALUE) -> VALUE {
    (flags & consts::RUBY_ENCODING_MASK as VALUE) >> (consts::RUBY_ENCODING_SHIFT as VALUE)
}

/// A copy of the bytes of a string, whatever its encoding.
pub fn bytes_of(string: RString) -> Vec<u8> {
    // SAFETY: the bytes are copied before Ruby can run and change or free them.
    unsafe { string.as_slice() }.to_vec()
}

/// Whether the encoding of a string is UTF-8.
pub fn is_utf8(string: RString) -> bool {
    // SAFETY: a string is a heap object, which begins with its flags.
    encoding_index(unsafe { (*(string.as_raw() as *const rb_sys::RBasic)).flags }) == UTF_8
}
