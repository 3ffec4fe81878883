//! Recognizers for nom that several small grammars share.

use nom::branch::alt;
use nom::bytes::complete::take_while1;
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{map, opt, recognize, verify};
use nom::error::Error;
use nom::multi::separated_list1;
use nom::sequence::preceded;
use nom::{Finish, IResult, Parser};

/// The remaining text and the recognized value.
pub type Recognized<'t, T> = IResult<&'t str, T>;

/// Recognizes digits as a number, which saturates at the greatest one.
///
/// # Errors
/// Fails if the text does not begin with a digit.
pub fn number(text: &str) -> Recognized<'_, usize> {
    map(digit1, |digits: &str| digits.parse().unwrap_or(usize::MAX)).parse(text)
}

/// Recognizes the digits of a number without leading zeros.
///
/// # Errors
/// Fails if the text does not begin with a digit, or has a leading zero.
pub fn numeral(text: &str) -> Recognized<'_, &str> {
    verify(digit1, |digits: &str| digits == "0" || !digits.starts_with('0')).parse(text)
}

/// A decimal number without a sign, in its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecimalParts<'t> {
    /// The digits before the point; may be empty if the number has a fraction.
    pub integer: &'t str,
    /// The digits after the point.
    pub fraction: Option<&'t str>,
    /// The exponent after `e`: digits, perhaps with a sign.
    pub exponent: Option<&'t str>,
}

/// Recognizes a decimal number: an integer, a fraction or both, and optionally an exponent. `digits` recognizes its digits,
/// and `signs` are the allowed signs of the exponent.
pub fn decimal<'t>(
    digits: fn(&'t str) -> Recognized<'t, &'t str>,
    signs: &'static str,
) -> impl Parser<&'t str, Output = DecimalParts<'t>, Error = Error<&'t str>> {
    let fraction = move || preceded(char('.'), digits);
    let mantissa = alt(((digits, opt(fraction())), map(fraction(), |digits| ("", Some(digits)))));
    let exponent = preceded(one_of("eE"), recognize((opt(one_of(signs)), digits)));
    map((mantissa, opt(exponent)), |((integer, fraction), exponent)| DecimalParts {
        integer,
        fraction,
        exponent,
    })
}

/// Recognizes parts of letters, digits and hyphens, with single dots between them.
///
/// # Errors
/// Fails if the text does not begin with such a part.
pub fn dotted_identifiers(text: &str) -> Recognized<'_, &str> {
    let part = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '-');
    recognize(separated_list1(char('.'), part)).parse(text)
}

/// Recognizes the whole of a text; `None` if anything is left.
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
    fn decimals_are_as_long_as_they_can_be() {
        let decimal = |text| decimal(digit1, "-").parse(text).ok();
        let of = |integer, fraction, exponent| DecimalParts { integer, fraction, exponent };
        for (text, rest, parts) in [
            ("10", "", of("10", None, None)),
            ("1.50e-3x", "x", of("1", Some("50"), Some("-3"))),
            (".5E2", "", of("", Some("5"), Some("2"))),
            ("1.", ".", of("1", None, None)),
            ("1.e5", ".e5", of("1", None, None)),
            ("1e+5", "e+5", of("1", None, None)),
        ] {
            assert_eq!(decimal(text), Some((rest, parts)), "{text}");
        }
        for text in ["", ".", "e5", ".e5", "-1"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn identifiers_are_not_empty() {
        assert_eq!(whole(dotted_identifiers, "a-1.b"), Some("a-1.b"));
        for text in ["", ".a", "a.", "a..b", "a_b"] {
            assert_eq!(whole(dotted_identifiers, text), None, "{text}");
        }
    }
}
