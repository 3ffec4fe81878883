//! What texts in small grammars are made of, for nom.

use nom::bytes::complete::take_while1;
use nom::character::complete::{char, digit1};
use nom::combinator::{map, recognize, verify};
use nom::error::Error;
use nom::multi::separated_list1;
use nom::{Finish, IResult, Parser};

/// What is recognized, and what is behind it.
pub type Recognized<'t, T> = IResult<&'t str, T>;

/// Digits as a number, the greatest one where they are too many.
///
/// # Errors
/// When there are none.
pub fn number(text: &str) -> Recognized<'_, usize> {
    map(digit1, |digits: &str| digits.parse().unwrap_or(usize::MAX)).parse(text)
}

/// The digits of a number without leading zeros.
///
/// # Errors
/// When there are none.
pub fn numeral(text: &str) -> Recognized<'_, &str> {
    verify(digit1, |digits: &str| digits == "0" || !digits.starts_with('0')).parse(text)
}

/// Parts of letters, digits and hyphens, with single dots between them.
///
/// # Errors
/// When there are none.
pub fn dotted_identifiers(text: &str) -> Recognized<'_, &str> {
    let part = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '-');
    recognize(separated_list1(char('.'), part)).parse(text)
}

/// What is recognized in the whole of a text, if that is all it is.
pub fn whole<'t, T>(
    mut parser: impl Parser<&'t str, Output = T, Error = Error<&'t str>>,
    text: &'t str,
) -> Option<T> {
    parser.parse(text).finish().ok().filter(|(rest, _)| rest.is_empty()).map(|(_, found)| found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_where_digits_do() {
        assert_eq!(number("12a"), Ok(("a", 12)));
        assert_eq!(number("99999999999999999999"), Ok(("", usize::MAX)));
        assert!(number("a").is_err());
    }

    #[test]
    fn numerals_have_no_leading_zeros() {
        assert_eq!(whole(numeral, "0"), Some("0"));
        assert_eq!(whole(numeral, "10"), Some("10"));
        assert_eq!(whole(numeral, "01"), None);
        assert_eq!(whole(numeral, ""), None);
    }

    #[test]
    fn identifiers_are_not_empty() {
        assert_eq!(whole(dotted_identifiers, "a-1.b"), Some("a-1.b"));
        for text in ["", ".a", "a.", "a..b", "a_b"] {
            assert_eq!(whole(dotted_identifiers, text), None, "{text}");
        }
    }
}
