//! Parses JSON with the error messages of Go's `encoding/json`, which go-cty passes on.

use std::fmt;

use super::{JsonDocument, failure};
use crate::text::quoted_character;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits};

/// Returns the value of a JSON text.
///
/// # Errors
/// Fails if the text is no JSON, has more than one value, or nests deeper than [`Limits::nesting`].
pub(super) fn read(text: &str, limits: &Limits) -> Result<JsonDocument, Error> {
    let mut reader = JsonReader { text: text.as_bytes(), at: 0 };
    let document = reader.value(ExpectedToken::Value, Depth::nesting(limits))?;
    // go-cty asks the decoder for more data, and the decoder reports none before a closing bracket.
    match reader.peek() {
        None | Some(b']' | b'}') => Ok(document),
        Some(_) => Err(failure("extraneous data after JSON object")),
    }
}

/// The expected token, as named in messages.
#[derive(Clone, Copy)]
enum ExpectedToken {
    Value,
    Comma,
    FirstKey,
    Key,
    Colon,
    CommaOfObject,
}

impl fmt::Display for ExpectedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Value => " looking for beginning of value",
            Self::Comma => " after array element",
            Self::FirstKey => "",
            Self::Key => " looking for beginning of object key string",
            Self::Colon => " after object key",
            Self::CommaOfObject => " after object key:value pair",
        })
    }
}

struct JsonReader<'t> {
    text: &'t [u8],
    at: usize,
}

impl JsonReader<'_> {
    /// Returns the next byte that is no white space, without passing it.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.text.get(self.at) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    /// Returns the next byte that is no white space, without consuming it; between values, where the text must not end.
    fn token(&mut self) -> Result<u8, Error> {
        self.peek().ok_or_else(|| failure("EOF"))
    }

    /// Passes the next byte of a string, number or name.
    fn next(&mut self) -> Result<u8, Error> {
        let byte = *self.text.get(self.at).ok_or_else(|| failure("unexpected EOF"))?;
        self.at += 1;
        Ok(byte)
    }

    fn value(&mut self, expected: ExpectedToken, depth: Depth) -> Result<JsonDocument, Error> {
        match self.token()? {
            b'[' => self.array(depth.deeper()?),
            b'{' => self.object(depth.deeper()?),
            b'"' => Ok(JsonDocument::String(self.string()?)),
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.name("true", JsonDocument::Bool(true)),
            b'f' => self.name("false", JsonDocument::Bool(false)),
            b'n' => self.name("null", JsonDocument::Null),
            byte => Err(invalid(byte, expected)),
        }
    }

    fn array(&mut self, depth: Depth) -> Result<JsonDocument, Error> {
        let mut items = Vec::new();
        self.at += 1;
        if self.token()? == b']' {
            self.at += 1;
            return Ok(JsonDocument::Array(items));
        }
        loop {
            items.push(self.value(ExpectedToken::Value, depth)?);
            match self.token()? {
                b',' => self.at += 1,
                b']' => break,
                byte => return Err(invalid(byte, ExpectedToken::Comma)),
            }
        }
        self.at += 1;
        Ok(JsonDocument::Array(items))
    }

    fn object(&mut self, depth: Depth) -> Result<JsonDocument, Error> {
        let mut entries = Vec::new();
        self.at += 1;
        if self.token()? == b'}' {
            self.at += 1;
            return Ok(JsonDocument::Object(entries));
        }
        let mut expected = ExpectedToken::FirstKey;
        loop {
            self.expect(b'"', expected)?;
            let key = self.string()?;
            self.expect(b':', ExpectedToken::Colon)?;
            self.at += 1;
            entries.push((key, self.value(ExpectedToken::Value, depth)?));
            match self.token()? {
                b',' => self.at += 1,
                b'}' => break,
                byte => return Err(invalid(byte, ExpectedToken::CommaOfObject)),
            }
            expected = ExpectedToken::Key;
        }
        self.at += 1;
        Ok(JsonDocument::Object(entries))
    }

    /// Checks that the next token begins with the byte.
    fn expect(&mut self, byte: u8, expected: ExpectedToken) -> Result<(), Error> {
        match self.token()? {
            given if given == byte => Ok(()),
            given => Err(invalid(given, expected)),
        }
    }

    fn name(&mut self, name: &str, document: JsonDocument) -> Result<JsonDocument, Error> {
        for expected in name.bytes() {
            let byte = self.next()?;
            if byte != expected {
                let expected = char::from(expected);
                return Err(invalid(byte, format_args!(" in literal {name} (expecting '{expected}')")));
            }
        }
        Ok(document)
    }

    fn number(&mut self) -> Result<JsonDocument, Error> {
        let start = self.at;
        if self.follows(b"-") {
            self.at += 1;
        }
        if self.follows(b"0") {
            self.at += 1;
        } else {
            self.digits(" in numeric literal")?;
        }
        if self.follows(b".") {
            self.at += 1;
            self.digits(" after decimal point in numeric literal")?;
        }
        if self.follows(b"eE") {
            self.at += 1;
            if self.follows(b"+-") {
                self.at += 1;
            }
            self.digits(" in exponent of numeric literal")?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        Ok(JsonDocument::Number(String::from_utf8_lossy(text).into_owned()))
    }

    /// Returns true if the next byte is one of these.
    fn follows(&self, bytes: &[u8]) -> bool {
        self.text.get(self.at).is_some_and(|byte| bytes.contains(byte))
    }

    /// Consumes one or more digits; `place` is for the message if there are none.
    fn digits(&mut self, place: &str) -> Result<(), Error> {
        let byte = self.next()?;
        if !byte.is_ascii_digit() {
            return Err(invalid(byte, place));
        }
        while self.follows(b"0123456789") {
            self.at += 1;
        }
        Ok(())
    }

    /// Passes a string, from its first quote on.
    fn string(&mut self) -> Result<String, Error> {
        self.at += 1;
        let mut string = Vec::new();
        loop {
            match self.next()? {
                b'"' => break,
                b'\\' => self.escape(&mut string)?,
                byte @ ..0x20 => return Err(invalid(byte, " in string literal")),
                byte => string.push(byte),
            }
        }
        // The text was UTF-8, and is cut at ASCII characters only.
        Ok(String::from_utf8_lossy(&string).into_owned())
    }

    fn escape(&mut self, string: &mut Vec<u8>) -> Result<(), Error> {
        string.push(match self.next()? {
            byte @ (b'"' | b'\\' | b'/') => byte,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let character = self.unicode()?;
                string.extend(character.encode_utf8(&mut [0; 4]).bytes());
                return Ok(());
            }
            byte => return Err(invalid(byte, " in string escape code")),
        });
        Ok(())
    }

    /// Returns the character of an escape like `\u00e9`, or of two like `\ud83d\ude00`. Half of such a pair is the
    /// replacement character.
    fn unicode(&mut self) -> Result<char, Error> {
        let code = self.hexadecimal()?;
        let after = self.at;
        if (0xd800..0xdc00).contains(&code)
            && self.text.get(after..).is_some_and(|rest| rest.starts_with(b"\\u"))
        {
            self.at += 2;
            if let low @ 0xdc00..0xe000 = self.hexadecimal()? {
                let code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = after;
        }
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hexadecimal(&mut self) -> Result<u32, Error> {
        let mut code = 0;
        for _ in 0..4 {
            let byte = self.next()?;
            let digit = char::from(byte).to_digit(16);
            let digit = digit.ok_or_else(|| invalid(byte, " in \\u hexadecimal character escape"))?;
            code = code * 16 + digit;
        }
        Ok(code)
    }
}

/// Returns the error for an unexpected byte. Go shows it as the character with its number.
#[cold]
fn invalid(byte: u8, place: impl fmt::Display) -> Error {
    let character = match byte {
        b'"' => "'\"'".to_owned(),
        byte => quoted_character(char::from(byte)),
    };
    failure(format!("invalid character {character}{place}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        match read(text, &Limits::DEFAULT) {
            Ok(_) => "a value".to_owned(),
            Err(error) => error.message().to_owned(),
        }
    }

    #[test]
    fn what_is_wrong_is_said_as_go_says_it() {
        let cases = [
            ("", "EOF"),
            ("[", "EOF"),
            ("[1,", "EOF"),
            ("{\"a\":", "EOF"),
            ("-", "unexpected EOF"),
            ("1e", "unexpected EOF"),
            ("\"\\", "unexpected EOF"),
            ("\"\\u12", "unexpected EOF"),
            ("{\"a\":}", "invalid character '}' looking for beginning of value"),
            ("{\"a\":1 \"b\":2}", "invalid character '\"' after object key:value pair"),
            ("{\"a\" \"b\"}", "invalid character '\"' after object key"),
            ("{,}", "invalid character ','"),
            (":", "invalid character ':' looking for beginning of value"),
            ("tree", "invalid character 'e' in literal true (expecting 'u')"),
            ("nil", "invalid character 'i' in literal null (expecting 'u')"),
            ("fALSE", "invalid character 'A' in literal false (expecting 'a')"),
            ("1.x", "invalid character 'x' after decimal point in numeric literal"),
            ("1e+x", "invalid character 'x' in exponent of numeric literal"),
            ("-x", "invalid character 'x' in numeric literal"),
            ("\"a\nb\"", "invalid character '\\n' in string literal"),
            ("\"\\x\"", "invalid character 'x' in string escape code"),
            ("\"\\u12g4\"", "invalid character 'g' in \\u hexadecimal character escape"),
            ("\u{feff}1", "invalid character 'ï' looking for beginning of value"),
            ("\u{a0}1", "invalid character 'Â' looking for beginning of value"),
            ("\x7f", "invalid character '\\x7f' looking for beginning of value"),
            ("1]", "a value"),
            ("1 }x", "a value"),
            ("01", "extraneous data after JSON object"),
            ("\"\\ud83d\\u0041\" ", "a value"),
        ];
        for (text, expected) in cases {
            assert_eq!(message(text), expected, "{text:?}");
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        let deep = "[".repeat(100_000);
        assert!(message(&deep).contains("limit 'nesting'"), "{}", message(&deep));
    }
}
