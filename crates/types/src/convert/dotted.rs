//! Dotted keys: `a.0."b.c"`.

use super::number::leading_integer;
use crate::value::Value;
use puppetfn_base::error::Error;

/// The keys of a text: strings, and integers where a part is one. Parts with dots stand in quotes.
/// `None` if it is not written so.
///
/// # Errors
/// [`puppetfn_base::error::ErrorKind::Conversion`] when an integer has more than 64 bits.
pub fn keys(text: &str) -> Result<Option<Vec<Value>>, Error> {
    let mut keys = Vec::new();
    let mut rest = text;
    loop {
        let Some((segment, behind)) = segment(rest) else { return Ok(None) };
        keys.push(key(segment)?);
        if behind.is_empty() {
            return Ok(Some(keys));
        }
        let Some(next) = behind.strip_prefix('.') else { return Ok(None) };
        rest = next;
    }
}

/// The first part, with the blanks around it, and what is behind.
fn segment(text: &str) -> Option<(&str, &str)> {
    quoted(text, '"').or_else(|| quoted(text, '\'')).or_else(|| {
        let end = text.find(['\'', '"', '.']).unwrap_or(text.len());
        text.split_at_checked(end).filter(|(segment, _)| !segment.is_empty())
    })
}

fn quoted(text: &str, quote: char) -> Option<(&str, &str)> {
    let inner = text.trim_start_matches(is_blank).strip_prefix(quote)?;
    let (_, behind) = inner.split_once(quote).filter(|(name, _)| !name.is_empty())?;
    let behind = behind.trim_start_matches(is_blank);
    let segment = text.get(..text.len().saturating_sub(behind.len()))?;
    Some((segment, behind))
}

fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\x0b'
}

fn key(segment: &str) -> Result<Value, Error> {
    let segment = segment.trim_matches(|c: char| c == '\0' || is_blank(c));
    if let Some(quoted) = segment.strip_prefix(['"', '\'']) {
        let mut chars = quoted.chars();
        chars.next_back();
        return Ok(chars.as_str().into());
    }
    let is_index = |line: &str| {
        let line = line.strip_prefix(':').unwrap_or(line);
        let digits = line.strip_prefix(['+', '-']).unwrap_or(line);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    if segment.split('\n').any(is_index) {
        return leading_integer(segment).map(Value::Integer);
    }
    Ok(segment.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_strings_or_integers() {
        let shown = |text| keys(text).unwrap().map(|keys| Value::from(keys).inspected());
        let cases = [
            ("a", Some(r#"["a"]"#)),
            ("a.b.0", Some(r#"["a", "b", 0]"#)),
            (" a . 'b.c' .-1", Some(r#"["a", "b.c", -1]"#)),
            ("\"1\"", Some(r#"["1"]"#)),
            ("a.", None),
            (".a", None),
            ("a..b", None),
            ("a'b'", None),
            ("''", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text).as_deref(), expected, "{text}");
        }
    }
}
