//! Ends of quoted texts, and their escapes.
//!
//! See Puppet's `pops/parser/slurp_support.rb`.

use std::borrow::Cow;
use std::convert::Infallible;

/// Returns the length of a single-quoted string's content, if the string is closed.
pub(super) fn single_quoted(text: &str) -> Option<usize> {
    find_unescaped(text, |byte| byte == b'\'')
}

/// Returns the length of a double-quoted string's content up to the closing quote or a `$`.
pub(super) fn double_quoted(text: &str) -> Option<usize> {
    find_unescaped(text, |byte| byte == b'"' || byte == b'$')
}

/// Returns the length of a heredoc's text up to a `$`.
pub(super) fn unquoted(text: &str) -> Option<usize> {
    find_unescaped(text, |byte| byte == b'$')
}

/// Returns the length of a regular expression, if it is closed.
pub(super) fn regexp(text: &str) -> Option<usize> {
    up_to(text, |byte| byte == b'/')
}

/// Returns the length of the text up to an end that is not escaped. Right at the start, an end is text if
/// another follows, as the patterns of Puppet's lexer have it: `'''` is a string of one quote.
fn find_unescaped(text: &str, is_end: impl Fn(u8) -> bool + Copy) -> Option<usize> {
    if let [first, rest @ ..] = text.as_bytes()
        && is_end(*first)
    {
        let backslashes = rest.iter().take_while(|&&byte| byte == b'\\').count();
        let is_text = backslashes % 2 == 0 && rest.get(backslashes).is_some_and(|&byte| is_end(byte));
        return Some(if is_text { 1 + backslashes } else { 0 });
    }
    up_to(text, is_end)
}

fn up_to(text: &str, is_end: impl Fn(u8) -> bool) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let found = !escaped && is_end(byte);
        escaped = !escaped && byte == b'\\';
        found
    })
}

/// Returns the value of a single-quoted string: only the quote and the backslash can be escaped.
pub(super) fn unescape_single(text: &str) -> Cow<'_, str> {
    let Ok(value) = unescape_with(text, |rest| -> Result<_, Infallible> {
        Ok(match rest.chars().next() {
            Some(c @ ('\\' | '\'')) => EscapeMeaning::Char(c, 1),
            _ => EscapeMeaning::None,
        })
    });
    value
}

/// Returns the value of a regular expression: only the slash needs no escape any longer.
pub(super) fn unescape_regexp(text: &str) -> Cow<'_, str> {
    let Ok(value) = unescape_with(text, |rest| -> Result<_, Infallible> {
        Ok(if rest.starts_with('/') { EscapeMeaning::Char('/', 1) } else { EscapeMeaning::None })
    });
    value
}

/// The escapes that a text may have, as a set of the characters after the backslash.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Escapes(u16);

impl Escapes {
    /// The characters that may be escaped somewhere; `L` is a line break.
    const CHARS: [char; 10] = ['\\', '$', '\'', '"', 'r', 'n', 't', 's', 'u', 'L'];

    /// The set of just the backslash.
    pub const BACKSLASH: Self = Self(1);
    /// The escapes of double-quoted strings.
    pub const DOUBLE_QUOTED: Self = Self(0x3ff);

    /// Adds a character; `None` if it is not among [`Self::CHARS`].
    pub fn with(self, c: char) -> Option<Self> {
        let index = Self::CHARS.iter().position(|&known| known == c)?;
        Some(Self(self.0 | 1 << index))
    }

    pub fn has(self, c: char) -> bool {
        self.with(c) == Some(self)
    }
}

/// Something that is wrong with an escape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EscapeFlaw {
    /// The backslash escapes nothing, as it does not before this character.
    Unrecognized(char),
    /// `\u` is not followed by a number.
    NoUnicode,
}

/// A Unicode escape stands for no character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct IllegalUnicode;

/// Returns the value of a text, given its valid escapes. Unrecognized escapes are reported and kept.
pub(super) fn unescape<'s>(
    text: &'s str,
    escapes: Escapes,
    mut report: impl FnMut(EscapeFlaw),
) -> Result<Cow<'s, str>, IllegalUnicode> {
    if escapes == Escapes::default() {
        return Ok(Cow::Borrowed(text));
    }
    unescape_with(text, |rest| {
        let Some(c) = rest.chars().next() else { return Ok(EscapeMeaning::None) };
        Ok(match (c, rest.as_bytes()) {
            ('\n', _) if escapes.has('L') => EscapeMeaning::Nothing(1),
            ('\r', [_, b'\n', ..]) if escapes.has('L') => EscapeMeaning::Nothing(2),
            ('\n' | '\r', _) => EscapeMeaning::None,
            _ if c == 'L' || !escapes.has(c) => {
                report(EscapeFlaw::Unrecognized(c));
                EscapeMeaning::None
            }
            ('n', _) => EscapeMeaning::Char('\n', 1),
            ('r', _) => EscapeMeaning::Char('\r', 1),
            ('t', _) => EscapeMeaning::Char('\t', 1),
            ('s', _) => EscapeMeaning::Char(' ', 1),
            ('u', _) => match unicode(rest.get(1..).unwrap_or_default()) {
                Some((code, length)) => {
                    EscapeMeaning::Char(char::from_u32(code).ok_or(IllegalUnicode)?, 1 + length)
                }
                None => {
                    report(EscapeFlaw::NoUnicode);
                    EscapeMeaning::None
                }
            },
            _ => EscapeMeaning::Char(c, 1),
        })
    })
}

/// Meaning of a backslash and the characters after it.
enum EscapeMeaning {
    /// A character, written with this many bytes.
    Char(char, usize),
    /// Nothing, written with this many bytes.
    Nothing(usize),
    /// A literal backslash; the next character stands for itself.
    None,
}

fn unescape_with<E>(
    text: &str,
    mut escape: impl FnMut(&str) -> Result<EscapeMeaning, E>,
) -> Result<Cow<'_, str>, E> {
    let Some((before, mut rest)) = text.split_once('\\') else { return Ok(Cow::Borrowed(text)) };
    let mut value = String::with_capacity(text.len());
    value.push_str(before);
    loop {
        let length = match escape(rest)? {
            EscapeMeaning::Char(c, length) => {
                value.push(c);
                length
            }
            EscapeMeaning::Nothing(length) => length,
            EscapeMeaning::None => {
                value.push('\\');
                // The next character is not a backslash that starts an escape of its own.
                rest.chars().next().map_or(0, |c| {
                    value.push(c);
                    c.len_utf8()
                })
            }
        };
        rest = rest.get(length..).unwrap_or_default();
        let Some((plain, after)) = rest.split_once('\\') else { break };
        value.push_str(plain);
        rest = after;
    }
    value.push_str(rest);
    Ok(Cow::Owned(value))
}

/// Returns the code and the length of four hex digits, or of one to six in braces.
fn unicode(text: &str) -> Option<(u32, usize)> {
    let hex = |digits: &str| {
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    };
    if let Some(braced) = text.strip_prefix('{') {
        let digits = braced.get(..braced.bytes().take(7).position(|byte| byte == b'}')?)?;
        Some((hex(digits)?, digits.len() + 2))
    } else {
        Some((hex(text.get(..4)?)?, 4))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> Result<String, IllegalUnicode> {
        unescape(text, Escapes::DOUBLE_QUOTED, |_| {}).map(Cow::into_owned)
    }

    #[test]
    fn quotes_end_at_the_first_that_is_not_escaped() {
        assert_eq!(single_quoted(r"it\'s' x"), Some(5));
        assert_eq!(single_quoted(r"tail\\' x"), Some(6));
        assert_eq!(single_quoted("no end"), None);
        assert_eq!(double_quoted(r#"a\$b" x"#), Some(4));
        assert_eq!(double_quoted("a$b"), Some(1));
        assert_eq!(single_quoted("' x"), Some(0));
        assert_eq!(single_quoted("'' x"), Some(1));
        assert_eq!(single_quoted(r"'\\' x"), Some(3));
        assert_eq!(double_quoted(r#""$x"#), Some(1));
    }

    #[test]
    fn escapes_depend_on_the_quotes() {
        assert_eq!(unescape_single(r"a\nb\\c\'d"), r"a\nb\c'd");
        assert_eq!(double(r#"a\nb\\n\"\x\u0041\u{e9}\u{zz}"#), Ok("a\nb\\n\"\\xA\u{e9}\\u{zz}".into()));
        assert_eq!(double("a\\\nb\\\r\nc"), Ok("abc".into()));
        assert_eq!(double(r"\u{d800}"), Err(IllegalUnicode));
        assert_eq!(unescape_regexp(r"a\/b\\c\d"), r"a/b\\c\d");
    }

    #[test]
    fn escapes_that_mean_nothing_are_reported() {
        let mut flaws = Vec::new();
        let value = unescape(r"\a\u\n\$", Escapes::DOUBLE_QUOTED, |flaw| flaws.push(flaw));
        assert_eq!(value, Ok("\\a\\u\n$".into()));
        assert_eq!(flaws, [EscapeFlaw::Unrecognized('a'), EscapeFlaw::NoUnicode]);
    }

    #[test]
    fn a_text_may_have_few_escapes() {
        let tabs = Escapes::default().with('\\').and_then(|escapes| escapes.with('t')).unwrap();
        assert_eq!(unescape(r"\t\n\\t", tabs, |_| {}), Ok("\t\\n\\t".into()));
        assert_eq!(unescape(r"\t\\", Escapes::default(), |_| {}), Ok(r"\t\\".into()));
    }
}
