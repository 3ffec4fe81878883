//! Why bytes are no YAML because of their encoding, in libyaml's words: see its `reader.c`.

use super::NotYaml;

/// Returns the text of YAML, or why it is none. libyaml finds that before it knows of lines, so the place is always
/// the beginning.
///
/// # Errors
/// Fails if the bytes are not UTF-8.
pub fn decode(bytes: Vec<u8>) -> Result<String, NotYaml> {
    String::from_utf8(bytes).map_err(|error| {
        let start = error.utf8_error().valid_up_to();
        let problem = error.as_bytes().get(start..).map_or("", problem);
        NotYaml::Syntax { problem: problem.to_owned(), line: 1, column: 1 }
    })
}

/// Describes an invalid sequence of bytes.
fn problem(bytes: &[u8]) -> &'static str {
    let [lead, rest @ ..] = bytes else { return "incomplete UTF-8 octet sequence" };
    let (width, payload) = match lead {
        0xc0..=0xdf => (2, lead & 0x1f),
        0xe0..=0xef => (3, lead & 0x0f),
        0xf0..=0xf7 => (4, lead & 0x07),
        _ => return "invalid leading UTF-8 octet",
    };
    let Some(trailing) = rest.get(..width - 1) else { return "incomplete UTF-8 octet sequence" };
    if trailing.iter().any(|octet| octet & 0xc0 != 0x80) {
        return "invalid trailing UTF-8 octet";
    }
    let code = trailing.iter().fold(u32::from(payload), |code, octet| (code << 6) | u32::from(octet & 0x3f));
    let is_longer_than_needed = match width {
        2 => code < 0x80,
        3 => code < 0x800,
        _ => code < 0x1_0000,
    };
    if is_longer_than_needed { "invalid length of a UTF-8 sequence" } else { "invalid Unicode character" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_those_of_libyaml() {
        for (bytes, expected) in [
            (&b"k: \xe9\n"[..], "incomplete UTF-8 octet sequence"),
            (b"\xe9\xe9\xe9 x", "invalid trailing UTF-8 octet"),
            (b"k: a\n\xff: x", "invalid leading UTF-8 octet"),
            (b"\xc0\xaf", "invalid length of a UTF-8 sequence"),
            (b"\xed\xa0\x80", "invalid Unicode character"),
        ] {
            let place = format!("(a.yaml): {expected} at line 1 column 1");
            assert_eq!(decode(bytes.to_vec()).unwrap_err().in_file("a.yaml"), place);
        }
        assert_eq!(decode("é".into()), Ok("é".to_owned()));
    }
}
