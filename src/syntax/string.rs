//! Quoted strings and regular expressions: where they end, and what their escapes mean.

use std::borrow::Cow;
use std::convert::Infallible;

/// The length of a single-quoted string's content, if the closing quote is there.
pub(super) fn single_quoted(text: &str) -> Option<usize> {
    find_unescaped(text, |byte| byte == b'\'')
}

/// The length of a double-quoted string's content up to the closing quote or a `$`.
pub(super) fn double_quoted(text: &str) -> Option<usize> {
    find_unescaped(text, |byte| byte == b'"' || byte == b'$')
}

/// The length of a regular expression, if the closing slash is there.
pub(super) fn regexp(text: &str) -> Option<usize> {
    find_unescaped(text, |byte| byte == b'/')
}

fn find_unescaped(text: &str, end: impl Fn(u8) -> bool) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let found = !escaped && end(byte);
        escaped = !escaped && byte == b'\\';
        found
    })
}

/// The value of a single-quoted string: only the quote and the backslash can be escaped.
pub(super) fn unescape_single(text: &str) -> Cow<'_, str> {
    let Ok(value) = unescape(text, |rest| -> Result<_, Infallible> {
        Ok(match rest.chars().next() {
            Some(c @ ('\\' | '\'')) => Escape::Char(c, 1),
            _ => Escape::None,
        })
    });
    value
}

/// The value of a regular expression: only the slash needs no escape any longer.
pub(super) fn unescape_regexp(text: &str) -> Cow<'_, str> {
    let Ok(value) = unescape(text, |rest| -> Result<_, Infallible> {
        Ok(if rest.starts_with('/') { Escape::Char('/', 1) } else { Escape::None })
    });
    value
}

/// A Unicode escape stands for no character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct IllegalUnicode;

/// The value of a double-quoted string.
pub(super) fn unescape_double(text: &str) -> Result<Cow<'_, str>, IllegalUnicode> {
    unescape(text, |rest| {
        Ok(match rest.as_bytes() {
            [b'n', ..] => Escape::Char('\n', 1),
            [b'r', ..] => Escape::Char('\r', 1),
            [b't', ..] => Escape::Char('\t', 1),
            [b's', ..] => Escape::Char(' ', 1),
            [c @ (b'\\' | b'$' | b'\'' | b'"'), ..] => Escape::Char(char::from(*c), 1),
            [b'\n', ..] => Escape::Nothing(1),
            [b'\r', b'\n', ..] => Escape::Nothing(2),
            [b'u', ..] => match unicode(rest.get(1..).unwrap_or_default()) {
                Some((code, length)) => Escape::Char(char::from_u32(code).ok_or(IllegalUnicode)?, 1 + length),
                None => Escape::None,
            },
            _ => Escape::None,
        })
    })
}

/// What a backslash and what follows it mean.
enum Escape {
    /// A character, written with so many bytes.
    Char(char, usize),
    /// Nothing, written with so many bytes.
    Nothing(usize),
    /// Just a backslash; what follows stands for itself.
    None,
}

fn unescape<E>(text: &str, escape: impl Fn(&str) -> Result<Escape, E>) -> Result<Cow<'_, str>, E> {
    let Some((before, mut rest)) = text.split_once('\\') else { return Ok(Cow::Borrowed(text)) };
    let mut value = String::with_capacity(text.len());
    value.push_str(before);
    loop {
        let length = match escape(rest)? {
            Escape::Char(c, length) => {
                value.push(c);
                length
            }
            Escape::Nothing(length) => length,
            Escape::None => {
                value.push('\\');
                // What follows is no backslash that starts an escape of its own.
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

/// The code and the length of `XXXX` or `{X}` to `{XXXXXX}`.
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

    #[test]
    fn quotes_end_at_the_first_that_is_not_escaped() {
        assert_eq!(single_quoted(r"it\'s' x"), Some(5));
        assert_eq!(single_quoted(r"tail\\' x"), Some(6));
        assert_eq!(single_quoted("no end"), None);
        assert_eq!(double_quoted(r#"a\$b" x"#), Some(4));
        assert_eq!(double_quoted("a$b"), Some(1));
    }

    #[test]
    fn escapes_depend_on_the_quotes() {
        assert_eq!(unescape_single(r"a\nb\\c\'d"), r"a\nb\c'd");
        assert_eq!(
            unescape_double(r#"a\nb\\n\"\x\u0041\u{e9}\u{zz}"#),
            Ok("a\nb\\n\"\\xA\u{e9}\\u{zz}".into())
        );
        assert_eq!(unescape_double("a\\\nb\\\r\nc"), Ok("abc".into()));
        assert_eq!(unescape_double(r"\u{d800}"), Err(IllegalUnicode));
        assert_eq!(unescape_regexp(r"a\/b\\c\d"), r"a/b\\c\d");
    }
}
