//! The JSON text of values, without a document in between: catalogs are large.

use std::fmt::{self, Write};

use super::json::document;
use crate::value::{Hash, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Depth, Limits};

/// Returns the text of the document that [`to_json`](super::json::to_json) returns, without blanks.
///
/// # Errors
/// The same errors as [`to_json`](super::json::to_json).
pub fn to_json_text(value: &Value, limits: &Limits) -> Result<String, Error> {
    let mut json = JsonWriter::new(limits, 0);
    json.value(value, json.depth())?;
    Ok(json.into_text())
}

/// Writes a JSON document without blanks, from the program's own structures and values.
///
/// It separates members and elements by itself. A key has to be followed by one value.
///
/// ```
/// use puppetfn_base::limits::Limits;
/// use puppetfn_types::convert::JsonWriter;
///
/// let limits = Limits::default();
/// let mut json = JsonWriter::new(&limits, 0);
/// json.object(json.depth(), |json, depth| {
///     json.member("title", "motd");
///     json.key("tags");
///     json.array(depth, |json, _| {
///         ["file", "web"].iter().for_each(|tag| json.string(tag));
///         Ok(())
///     })
/// })?;
/// assert_eq!(json.into_text(), r#"{"title":"motd","tags":["file","web"]}"#);
/// # Ok::<(), puppetfn_base::error::Error>(())
/// ```
#[derive(Debug)]
pub struct JsonWriter<'l> {
    text: String,
    limits: &'l Limits,
}

impl<'l> JsonWriter<'l> {
    /// Begins a document. `capacity` is the expected number of bytes: a text that grows is copied each time.
    pub fn new(limits: &'l Limits, capacity: usize) -> Self {
        Self { text: String::with_capacity(capacity), limits }
    }

    /// Returns the depth of the document itself.
    pub fn depth(&self) -> Depth {
        Depth::nesting(self.limits)
    }

    /// Returns the text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Writes an object, whose members `write` writes with the depth inside it.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when the document nests too deep, and the errors of `write`.
    pub fn object(
        &mut self,
        depth: Depth,
        write: impl FnOnce(&mut Self, Depth) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.nested('{', '}', depth, write)
    }

    /// Writes an array, whose elements `write` writes with the depth inside it.
    ///
    /// # Errors
    /// The same errors as [`Self::object`].
    pub fn array(
        &mut self,
        depth: Depth,
        write: impl FnOnce(&mut Self, Depth) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.nested('[', ']', depth, write)
    }

    fn nested(
        &mut self,
        open: char,
        close: char,
        depth: Depth,
        write: impl FnOnce(&mut Self, Depth) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let depth = depth.deeper()?;
        self.separate();
        self.text.push(open);
        write(self, depth)?;
        self.text.push(close);
        Ok(())
    }

    /// Writes the key of a member.
    pub fn key(&mut self, name: &str) {
        self.string(name);
        self.text.push(':');
    }

    /// Writes a member that is a string.
    pub fn member(&mut self, name: &str, text: &str) {
        self.key(name);
        self.string(text);
    }

    /// Writes a string.
    pub fn string(&mut self, text: &str) {
        self.separate();
        self.text.push('"');
        self.escaped(text);
        self.text.push('"');
    }

    /// Writes the text of a value as a string.
    pub fn display(&mut self, value: &impl fmt::Display) {
        self.separate();
        self.text.push('"');
        // It fails only if the value's own code does, and has its text up to there then.
        _ = write!(EscapedText(self), "{value}");
        self.text.push('"');
    }

    /// Writes a part of a string.
    fn escaped(&mut self, text: &str) {
        let mut rest = text;
        while let Some((plain, escaped)) = escape_in(rest).and_then(|at| rest.split_at_checked(at)) {
            self.text.push_str(plain);
            let mut characters = escaped.chars();
            self.escape(characters.next().unwrap_or_default());
            rest = characters.as_str();
        }
        self.text.push_str(rest);
    }

    /// Writes a character of ASCII that cannot be in a string as it is.
    fn escape(&mut self, character: char) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let letter = match character {
            '\u{8}' => 'b',
            '\u{c}' => 'f',
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            '"' | '\\' => character,
            _ => {
                self.text.push_str(if character < '\u{10}' { "\\u000" } else { "\\u001" });
                self.text.extend(DIGITS.get(character as usize & 0xf).map(|digit| char::from(*digit)));
                return;
            }
        };
        self.text.push('\\');
        self.text.push(letter);
    }

    /// Writes an integer.
    pub fn integer(&mut self, number: i64) {
        self.separate();
        self.text.push_str(itoa::Buffer::new().format(number));
    }

    /// Writes true or false.
    pub fn boolean(&mut self, truth: bool) {
        self.literal(if truth { "true" } else { "false" });
    }

    /// Writes a value as [`to_json`](super::json::to_json) converts it, within parts of this depth.
    ///
    /// # Errors
    /// The same errors as [`to_json`](super::json::to_json).
    #[allow(clippy::wildcard_enum_match_arm, reason = "the document names all other kinds")]
    pub fn value(&mut self, value: &Value, depth: Depth) -> Result<(), Error> {
        depth.deeper()?;
        match value {
            Value::Undef => self.literal("null"),
            Value::Boolean(truth) => self.boolean(*truth),
            Value::Integer(number) => self.integer(*number),
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                self.array(depth, |json, depth| items.iter().try_for_each(|item| json.value(item, depth)))?;
            }
            // Other keys can be the same as texts, and the last one counts then.
            Value::Hash(hash) if hash.iter().all(|(key, _)| matches!(key, Value::String(_))) => {
                self.object(depth, |json, depth| json.members(hash, depth))?;
            }
            _ => {
                let document = document(value, depth, self.limits)?.to_string();
                self.literal(&document);
            }
        }
        Ok(())
    }

    fn members(&mut self, hash: &Hash, depth: Depth) -> Result<(), Error> {
        for (key, value) in hash.iter() {
            let Value::String(key) = key else {
                return Err(Error::new(ErrorKind::Internal, "a key that is no string"));
            };
            self.key(key);
            self.value(value, depth)?;
        }
        Ok(())
    }

    fn literal(&mut self, text: &str) {
        self.separate();
        self.text.push_str(text);
    }

    /// Writes a comma after another member or element.
    fn separate(&mut self) {
        if !matches!(self.text.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.text.push(',');
        }
    }
}

/// The inside of a string that is being written.
struct EscapedText<'w, 'l>(&'w mut JsonWriter<'l>);

impl fmt::Write for EscapedText<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.escaped(text);
        Ok(())
    }
}

/// Returns the place of the first character that has to be escaped.
fn escape_in(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    // The last bytes are searched with some that were searched before.
    let Some(last) = bytes.last_chunk() else {
        return bytes.iter().position(|byte| *byte < b' ' || matches!(byte, b'"' | b'\\'));
    };
    let (blocks, _) = bytes.as_chunks();
    let in_block = |block: &[u8; 8]| match escaped_bytes(u64::from_le_bytes(*block)) {
        0 => None,
        escaped => Some(escaped.trailing_zeros() as usize / 8),
    };
    let in_blocks = blocks.iter().enumerate().find_map(|(number, block)| {
        in_block(block).map(|at| number.saturating_mul(block.len()).saturating_add(at))
    });
    in_blocks.or_else(|| in_block(last).map(|at| bytes.len().saturating_sub(last.len()).saturating_add(at)))
}

/// Returns a number whose lowest bit is in the first of eight bytes that has to be escaped, or 0 without such a byte: see "Determine if a word
/// has a byte less than n" of <https://graphics.stanford.edu/~seander/bithacks.html>.
fn escaped_bytes(bytes: u64) -> u64 {
    const EACH: u64 = u64::MAX / 0xff;
    let below = |bytes: u64, limit: u8| bytes.wrapping_sub(EACH * u64::from(limit)) & !bytes;
    let equal = |byte: u8| below(bytes ^ (EACH * u64::from(byte)), 1);
    (below(bytes, b' ') | equal(b'"') | equal(b'\\')) & (EACH * 0x80)
}

#[cfg(test)]
mod tests {
    use super::super::json::to_json;
    use super::*;

    #[test]
    fn the_text_is_that_of_the_document() {
        let hash = Value::from_iter([
            (
                Value::from("a\n\"\u{1}ü"),
                Value::from(vec![1.into(), 2.5.into(), 1e300.into(), f64::NAN.into()]),
            ),
            ("b".into(), Value::from_iter([(1.into(), true.into()), ("1".into(), Value::Undef)])),
            ("c".into(), Value::from_iter(Vec::<(Value, Value)>::new())),
            ("d".into(), Value::Default),
        ]);
        let document = to_json(&hash, &Limits::DEFAULT).unwrap().to_string();
        assert_eq!(to_json_text(&hash, &Limits::DEFAULT).unwrap(), document);
    }

    #[test]
    fn strings_are_escaped_wherever_a_character_needs_it() {
        for character in ('\0'..='\u{100}').chain(['\u{2028}', '😀']) {
            for before in [0, 1, 15, 16, 17, 40] {
                let text = format!("{}{character}{}", "ü".repeat(before), "y".repeat(before));
                let written = to_json_text(&text.as_str().into(), &Limits::DEFAULT).unwrap();
                assert_eq!(written, serde_json::to_string(&text).unwrap());
            }
        }
    }

    #[test]
    fn what_nests_too_deep_is_refused() {
        let deep = (0..300).fold(Value::Undef, |inner, _| vec![inner].into());
        let (text, document) = (to_json_text(&deep, &Limits::DEFAULT), to_json(&deep, &Limits::DEFAULT));
        assert_eq!(text.unwrap_err().to_string(), document.unwrap_err().to_string());
    }
}
