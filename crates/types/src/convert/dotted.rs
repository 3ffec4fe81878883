//! Dotted keys: `a.0."b.c"`.

use super::number::leading_integer;
use crate::value::Value;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, take_till1, take_while};
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, recognize};
use nom::multi::separated_list1;
use puppetfn_base::error::Error;
use puppetfn_base::recognize::{Recognized, whole};

/// Returns the keys of a dotted text: strings, and integers for numeric parts. Parts with dots are quoted. `None` if the
/// text is not of this form.
///
/// # Errors
/// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if an integer has more than 64 bits.
pub fn keys(text: &str) -> Result<Option<Vec<Value>>, Error> {
    whole(separated_list1(char('.'), segment), text)
        .map(|segments| segments.into_iter().map(key).collect())
        .transpose()
}

/// Returns a part with the blanks around it.
fn segment(text: &str) -> Recognized<'_, &str> {
    let blanks = || take_while(is_blank);
    let quoted =
        |quote| recognize((blanks(), char(quote), take_till1(move |c| c == quote), char(quote), blanks()));
    alt((quoted('"'), quoted('\''), is_not("'\"."))).parse(text)
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
    let is_index = |line| whole((opt(char(':')), opt(one_of("+-")), digit1), line).is_some();
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
