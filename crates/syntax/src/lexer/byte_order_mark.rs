//! Byte order marks, which no text may begin with.

use puppetfn_base::error::{Error, ErrorKind, SyntaxDetail};

/// The byte order marks that Puppet recognizes, with the names of their formats. A longer mark comes before its prefixes.
const MARKS: [(&str, &[u8]); 10] = [
    ("UTF-32", &[0x00, 0x00, 0xfe, 0xff]),
    ("UTF-32", &[0xff, 0xfe, 0x00, 0x00]),
    ("GB-18030", &[0x84, 0x31, 0x95, 0x33]),
    ("UTF-EBCDIC", &[0xdd, 0x73, 0x66, 0x73]),
    ("SCSU", &[0x0e, 0xfe, 0xff]),
    ("UTF-8", &[0xef, 0xbb, 0xbf]),
    ("UTF-1", &[0xf7, 0x64, 0x4c]),
    ("BOCU", &[0xfb, 0xee, 0x28]),
    ("UTF-16", &[0xfe, 0xff]),
    ("UTF-16", &[0xff, 0xfe]),
];

/// Checks that a text, which may not be UTF-8, does not begin with a byte order mark.
///
/// # Errors
/// Fails with [`ErrorKind::Syntax`] if it does. As in Puppet, the error has no place.
pub fn refuse_byte_order_mark(text: &[u8]) -> Result<(), Error> {
    let Some((format, mark)) = MARKS.iter().find(|(_, mark)| text.starts_with(mark)) else { return Ok(()) };
    let bytes: Vec<String> = mark.iter().map(|byte| format!("{byte:X}")).collect();
    let message = format!(
        "Illegal {format} Byte Order mark at beginning of input: [{}] - remove these from the puppet source",
        bytes.join(" ")
    );
    Err(Error::new(ErrorKind::Syntax, message).with_details(SyntaxDetail::Unplaced))
}

/// Returns the error of a file of code that is not UTF-8, in Ruby's words, as Puppet has it.
#[cold]
pub fn not_utf8() -> Error {
    Error::new(ErrorKind::Syntax, "invalid byte sequence in UTF-8").with_details(SyntaxDetail::Unplaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_named_for_their_formats() {
        let error = |text: &[u8]| refuse_byte_order_mark(text).unwrap_err().to_string();
        let expected = |format: &str, bytes: &str| {
            format!(
                "Illegal {format} Byte Order mark at beginning of input: [{bytes}] - remove these from the puppet source"
            )
        };
        assert_eq!(error("\u{feff}1".as_bytes()), expected("UTF-8", "EF BB BF"));
        assert_eq!(error(b"\xff\xfe\x31\x00"), expected("UTF-16", "FF FE"));
        assert_eq!(error(b"\xff\xfe\x00\x00"), expected("UTF-32", "FF FE 0 0"));
        assert_eq!(refuse_byte_order_mark(b"1\xff\xfe"), Ok(()));
    }
}
