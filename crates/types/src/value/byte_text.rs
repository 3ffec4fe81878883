//! Strings of Ruby's that are not UTF-8.

use puppetfn_base::error::{Error, ErrorKind};

/// A String of Ruby's whose bytes are not text in UTF-8. Code passes it on, and a catalog can have it; no operation looks
/// into it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ByteText {
    bytes: Box<[u8]>,
    /// The name that Ruby has for the encoding.
    encoding: Box<str>,
    /// Number of characters, as Ruby counts them.
    length: usize,
}

/// Ruby's name for bytes without a meaning.
const BINARY: &str = "ASCII-8BIT";
const UTF_8: &str = "UTF-8";

impl ByteText {
    /// Creates a string that Ruby has found to have some number of characters.
    pub fn new(bytes: impl Into<Box<[u8]>>, encoding: &str, length: usize) -> Self {
        Self { bytes: bytes.into(), encoding: encoding.into(), length }
    }

    /// Creates a string of invalid UTF-8, as of a file in another encoding. As in Ruby, each byte that belongs to no
    /// character counts as one.
    pub fn invalid_utf8(bytes: impl Into<Box<[u8]>>) -> Self {
        let bytes = bytes.into();
        let length =
            bytes.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum();
        Self { bytes, encoding: UTF_8.into(), length }
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the name of its encoding in Ruby.
    pub fn encoding(&self) -> &str {
        &self.encoding
    }

    /// Returns the number of characters.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns true if its bytes have no encoding.
    pub fn is_binary(&self) -> bool {
        &*self.encoding == BINARY
    }

    /// Returns the error of an operation that needs a text.
    #[cold]
    pub fn not_text(&self) -> Error {
        let place = match std::str::from_utf8(&self.bytes) {
            Ok(_) => String::new(),
            Err(error) => format!(", invalid as UTF-8 at byte {}", error.valid_up_to()),
        };
        let message = format!(
            "a String of {} bytes in encoding {} is no Puppet String{place}; Puppet Strings are UTF-8: convert it with \
             String#encode",
            self.bytes.len(),
            self.encoding
        );
        Error::new(ErrorKind::Unrepresentable, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_no_character_count() {
        for (bytes, length) in
            [(&b"\xe9 1\n"[..], 4), (b"a\xc3", 2), ("é\u{ff}".as_bytes(), 2), (b"\xe2\x82x", 3)]
        {
            assert_eq!(ByteText::invalid_utf8(bytes).length(), length);
        }
    }
}
