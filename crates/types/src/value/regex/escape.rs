//! Escapes with the same meaning within and outside of character classes.

use super::class;
use super::translate::{Charset, TranslationResult};

/// The meaning of an escape sequence.
pub(super) enum RegexEscape {
    /// Characters: more than one only for `\u{1 2}`.
    Chars(String),
    /// A character class, in the library's syntax.
    Class(String),
}

/// Parses an escape sequence from after its backslash. Returns its meaning, and the rest of the text.
pub(super) fn read(text: &str, charset: Charset) -> TranslationResult<(RegexEscape, &str)> {
    let mut chars = text.chars();
    let c = chars.next().ok_or("too short escape sequence")?;
    let rest = chars.as_str();
    let simple = match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'f' => '\x0c',
        'v' => '\x0b',
        'a' => '\x07',
        'e' => '\x1b',
        '0'..='7' => {
            let (c, rest) = octal(text);
            return Ok((RegexEscape::Chars(c.to_string()), rest));
        }
        'x' => {
            let (c, rest) = hex(rest)?;
            return Ok((RegexEscape::Chars(c.to_string()), rest));
        }
        'u' => {
            let (chars, rest) = unicode(rest)?;
            return Ok((RegexEscape::Chars(chars), rest));
        }
        'c' => return control(rest),
        'C' => return control(rest.strip_prefix('-').ok_or("invalid control-code syntax")?),
        'M' => return Err("meta escapes (\\M-) are not supported".to_owned()),
        'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'h' | 'H' => {
            return Ok((RegexEscape::Class(class::shorthand(c, charset)), rest));
        }
        'p' | 'P' if rest.starts_with('{') => {
            let (name, rest) =
                rest.get(1..).and_then(|rest| rest.split_once('}')).ok_or("invalid property name")?;
            let (negated, name) = name.strip_prefix('^').map_or((false, name), |name| (true, name));
            return Ok((RegexEscape::Class(class::property(name, negated != (c == 'P'))?), rest));
        }
        c => c,
    };
    Ok((RegexEscape::Chars(simple.to_string()), rest))
}

/// Appends a character as a literal, valid within and outside of classes.
pub(super) fn push_literal(out: &mut String, c: char) {
    if c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii() {
        out.push(c);
    } else {
        out.push_str(&format!("\\x{:02X}", u32::from(c)));
    }
}

/// Up to three octal digits.
pub(super) fn octal(text: &str) -> (char, &str) {
    let digits = text.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    let (digits, rest) = text.split_at(digits);
    (u8::from_str_radix(digits, 8).map_or('\0', char::from), rest)
}

fn hex(text: &str) -> TranslationResult<(char, &str)> {
    let digits = text.bytes().take(2).take_while(u8::is_ascii_hexdigit).count();
    let (digits, rest) = text.split_at(digits);
    match u8::from_str_radix(digits, 16) {
        Ok(byte) if byte.is_ascii() => Ok((char::from(byte), rest)),
        Ok(_) => Err("bytes that are no characters (\\x80 and above) are not supported".to_owned()),
        Err(_) => Err("invalid hex escape".to_owned()),
    }
}

/// `HHHH`, or any number of codes in braces.
fn unicode(text: &str) -> TranslationResult<(String, &str)> {
    let char_of = |digits: &str| {
        u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or("invalid Unicode escape")
    };
    if let Some(braced) = text.strip_prefix('{') {
        let (codes, rest) = braced.split_once('}').ok_or("unterminated Unicode escape")?;
        let chars: String = codes.split_whitespace().map(char_of).collect::<std::result::Result<_, _>>()?;
        if chars.is_empty() { Err("invalid Unicode escape".to_owned()) } else { Ok((chars, rest)) }
    } else {
        let (digits, rest) = text.split_at_checked(4).ok_or("invalid Unicode escape")?;
        Ok((char_of(digits)?.to_string(), rest))
    }
}

fn control(text: &str) -> TranslationResult<(RegexEscape, &str)> {
    let mut chars = text.chars();
    match chars.next() {
        Some('?') => Ok((RegexEscape::Chars('\x7f'.to_string()), chars.as_str())),
        Some(c) if c.is_ascii() && c != '\\' => {
            let code = u8::try_from(c).map_or(0, |byte| byte & 0x9f);
            Ok((RegexEscape::Chars(char::from(code).to_string()), chars.as_str()))
        }
        _ => Err("too short control sequence".to_owned()),
    }
}
