//! Text as cty writes it: normalized, quoted, in other cases.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Returns the text in normalization form C.
pub(super) fn normalized(text: &str) -> Arc<str> {
    let text: Cow<'_, str> = if is_nfc(text) { text.into() } else { text.nfc().collect::<String>().into() };
    text.into()
}

/// Returns the text in double quotes, with unprintable characters escaped as in Go.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        push_escaped(&mut quoted, character, '"');
    }
    quoted.push('"');
    quoted
}

/// Returns the character in single quotes.
pub(super) fn quoted_character(character: char) -> String {
    let mut quoted = String::from('\'');
    push_escaped(&mut quoted, character, '\'');
    quoted.push('\'');
    quoted
}

fn push_escaped(text: &mut String, character: char, quote: char) {
    let code = u32::from(character);
    let short = match character {
        '\x07' => Some('a'),
        '\x08' => Some('b'),
        '\x0c' => Some('f'),
        '\n' => Some('n'),
        '\r' => Some('r'),
        '\t' => Some('t'),
        '\x0b' => Some('v'),
        '\\' => Some('\\'),
        _ if character == quote => Some(quote),
        _ => None,
    };
    // Writing to a string cannot fail.
    let _ = match short {
        Some(short) => write!(text, "\\{short}"),
        None if code < 0x20 || code == 0x7f => write!(text, "\\x{code:02x}"),
        None if is_printable(character) => write!(text, "{character}"),
        None if code <= 0xffff => write!(text, "\\u{code:04x}"),
        None => write!(text, "\\U{code:08x}"),
    };
}

/// Returns true if Go prints the character unescaped. The standard library escapes unprintable characters and quotes.
fn is_printable(character: char) -> bool {
    matches!(character, '"' | '\'') || character.escape_debug().count() == 1 || is_extending(character)
}

/// Marks that join the character before are printable; the standard library escapes them.
fn is_extending(character: char) -> bool {
    unicode_normalization::char::is_combining_mark(character)
}

/// Returns the text as a string of JSON, also safe in HTML.
pub(super) fn json_string(text: &str) -> String {
    let mut json = String::from('"');
    for character in text.chars() {
        // Writing to a string cannot fail.
        let _ = match character {
            '"' | '\\' => write!(json, "\\{character}"),
            '\n' => write!(json, "\\n"),
            '\r' => write!(json, "\\r"),
            '\t' => write!(json, "\\t"),
            '\0'..='\x1f' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                write!(json, "\\u{:04x}", u32::from(character))
            }
            _ => write!(json, "{character}"),
        };
    }
    json.push('"');
    json
}

/// Returns the upper case of one character, which is one character.
pub(super) fn to_upper(character: char) -> char {
    match character {
        // Letters with a iota below: their full upper case is two letters.
        '\u{1f80}'..='\u{1faf}' => char::from_u32(u32::from(character) | 8).unwrap_or(character),
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => char::from_u32(u32::from(character) + 9).unwrap_or(character),
        _ => only(character.to_uppercase()).unwrap_or(character),
    }
}

/// Returns the lower case of one character, which is one character.
pub(super) fn to_lower(character: char) -> char {
    match character {
        'İ' => 'i',
        _ => only(character.to_lowercase()).unwrap_or(character),
    }
}

/// Returns the title case of one character, which is one character.
pub(super) fn to_title(character: char) -> char {
    match character {
        // Letters that are two, of which the title case has the first one large.
        'Ǆ' | 'ǅ' | 'ǆ' => 'ǅ',
        'Ǉ' | 'ǈ' | 'ǉ' => 'ǈ',
        'Ǌ' | 'ǋ' | 'ǌ' => 'ǋ',
        'Ǳ' | 'ǲ' | 'ǳ' => 'ǲ',
        // Georgian has no title case.
        '\u{10d0}'..='\u{10ff}' => character,
        _ => to_upper(character),
    }
}

fn only(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}
