//! Bytes as a value.
//!
//! Base64 is as in RFC 4648.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use puppetfn_base::error::{Error, ErrorKind};

/// Bytes. Their text is base64.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Binary(Arc<[u8]>);

/// Decodes without padding, and ignores trailing bits.
const UNPADDED: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// Number of characters on a line of MIME's base64, as Ruby encodes it.
const LINE: usize = 60;

impl Binary {
    /// Creates a value of these bytes.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self(bytes.into())
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Decodes base64, skipping line breaks and other foreign characters. The text after the padding is ignored.
    pub fn from_base64(text: &str) -> Self {
        let mut digits = Vec::with_capacity(text.len());
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/') {
                digits.push(byte);
            } else if byte == b'=' && digits.len() % 4 >= 2 {
                break;
            }
        }
        // One digit alone is less than a byte.
        if digits.len() % 4 == 1 {
            digits.pop();
        }
        Self::new(UNPADDED.decode(digits).unwrap_or_default())
    }

    /// Decodes base64 with padding and without foreign characters.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Evaluation`] if the text is not of this form.
    pub fn from_base64_strict(text: &str) -> Result<Self, Error> {
        match STANDARD.decode(text) {
            Ok(bytes) => Ok(Self::new(bytes)),
            Err(_) => Err(Error::new(ErrorKind::Evaluation, "invalid base64")),
        }
    }

    /// Decodes base64 with `-` and `_`, or also `+` and `/`, and with optional padding.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Evaluation`] if the text is not of this form.
    pub fn from_base64_urlsafe(text: &str) -> Result<Self, Error> {
        let mut standard = text.replace('-', "+").replace('_', "/");
        while !text.ends_with('=') && !standard.len().is_multiple_of(4) {
            standard.push('=');
        }
        Self::from_base64_strict(&standard)
    }

    /// Encodes as base64 in lines, each with a line break at its end.
    pub fn to_base64_lines(&self) -> String {
        let mut lines = String::new();
        // Each line is of whole groups, so they can be encoded one by one.
        for bytes in self.0.chunks(LINE / 4 * 3) {
            STANDARD.encode_string(bytes, &mut lines);
            lines.push('\n');
        }
        lines
    }

    /// Encodes as base64 with `-` and `_`, for URLs and file names.
    pub fn to_base64_urlsafe(&self) -> String {
        URL_SAFE.encode(&self.0)
    }
}

impl fmt::Display for Binary {
    /// Prints base64 on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(&self.0))
    }
}

impl fmt::Debug for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Binary(\"{self}\")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_base64_is_exact() {
        for (text, bytes) in [("", &b""[..]), ("aGk=", b"hi"), ("aGVsbG8=", b"hello"), ("+/8=", &[251, 255])]
        {
            let binary = Binary::from_base64_strict(text).unwrap();
            assert_eq!(binary.bytes(), bytes);
            assert_eq!(binary.to_string(), text);
        }
        for text in ["aGk", "aGk=\n", "aGl=", "a", "aGk==", "-_8=", "=", "é"] {
            assert_eq!(Binary::from_base64_strict(text).unwrap_err().message(), "invalid base64");
        }
    }

    #[test]
    fn relaxed_base64_passes_over_what_is_not() {
        for (text, bytes) in [
            ("aGVs\nbG8=", &b"hello"[..]),
            ("aGk", b"hi"),
            ("aGl=", b"hi"),
            ("a-G_k", b"hi"),
            ("aGk=aGk=", b"hi"),
            ("=a=Gk", b"hi"),
            ("aGVsb", b"hel"),
            ("a", b""),
            ("é!", b""),
        ] {
            assert_eq!(Binary::from_base64(text).bytes(), bytes, "{text}");
        }
    }

    #[test]
    fn urlsafe_base64_may_be_unpadded() {
        for (text, bytes) in
            [("-_-_", &[251, 255, 191][..]), ("+/+/", &[251, 255, 191]), ("-_8", &[251, 255]), ("", &[])]
        {
            assert_eq!(Binary::from_base64_urlsafe(text).unwrap().bytes(), bytes);
        }
        assert_eq!(Binary::new([251, 255]).to_base64_urlsafe(), "-_8=");
        for text in ["-_8==", "QQ=", "a", "a b"] {
            assert!(Binary::from_base64_urlsafe(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lines_have_sixty_characters() {
        assert_eq!(Binary::new([]).to_base64_lines(), "");
        assert_eq!(Binary::new([0; 46]).to_base64_lines(), format!("{}\nAA==\n", "A".repeat(60)));
    }
}
