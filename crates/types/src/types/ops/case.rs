//! When two values are equal in the Puppet language, and when a value matches an option of `case`.
//!
//! See Puppet's `pops/evaluator/compare_operator.rb`.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

use super::instance;
use crate::subject::Verdict;
use crate::value::{Regex, SemVer, SemVerRange, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Depth, Limits};

/// `a == b`: strings in any case, numbers by value.
///
/// # Errors
/// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if the values nest too deep.
pub fn equals(a: &Value, b: &Value, limits: &Limits) -> Result<bool, Error> {
    equals_within(a, b, Depth::nesting(limits))
}

fn equals_within(a: &Value, b: &Value, depth: Depth) -> Result<bool, Error> {
    Ok(match (a, b) {
        (Value::String(a), Value::String(b)) => a.eq_ignore_ascii_case(b),
        (Value::Integer(a), Value::Integer(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a == b,
        (Value::Integer(a), Value::Float(b)) | (Value::Float(b), Value::Integer(a)) => {
            compare_mixed(*a, *b) == Some(Ordering::Equal)
        }
        (Value::Array(a), Value::Array(b)) => {
            let depth = depth.deeper()?;
            if a.len() != b.len() {
                return Ok(false);
            }
            for (a, b) in a.iter().zip(b.iter()) {
                if !equals_within(a, b, depth)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Hash(a), Value::Hash(b)) => {
            let depth = depth.deeper()?;
            if a.len() != b.len() {
                return Ok(false);
            }
            for (key, value) in a.iter() {
                if !equals_within(b.get(key).unwrap_or(&Value::Undef), value, depth)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Uri(a), Value::Uri(b)) => a.is_equivalent(b),
        // A time is equal to the number of its seconds.
        (Value::Timespan(time), Value::Integer(number)) | (Value::Integer(number), Value::Timespan(time)) => {
            time.cmp_number(*number) == Some(Ordering::Equal)
        }
        (Value::Timespan(time), Value::Float(number)) | (Value::Float(number), Value::Timespan(time)) => {
            time.cmp_number(*number) == Some(Ordering::Equal)
        }
        (Value::Timestamp(time), Value::Integer(number))
        | (Value::Integer(number), Value::Timestamp(time)) => {
            time.cmp_number(*number) == Some(Ordering::Equal)
        }
        (Value::Timestamp(time), Value::Float(number)) | (Value::Float(number), Value::Timestamp(time)) => {
            time.cmp_number(*number) == Some(Ordering::Equal)
        }
        (Value::Runtime(a), Value::Runtime(b)) if a.contents().is_none() || b.contents().is_none() => {
            match (a.as_bytes(), b.as_bytes()) {
                (Some(a), Some(b)) => a.bytes().eq_ignore_ascii_case(b.bytes()),
                _ => a.equals(b),
            }
        }
        (Value::Runtime(_), Value::Float(_)) | (Value::Float(_), Value::Runtime(_))
            if let Some(ordering) = compare_large(a, b) =>
        {
            ordering == Some(Ordering::Equal)
        }
        (Value::Runtime(_), _) | (_, Value::Runtime(_)) => match (a.contents(), b.contents()) {
            (Value::Runtime(_), _) | (_, Value::Runtime(_)) => false,
            (a, b) => equals_within(a, b, depth.deeper()?)?,
        },
        (a, b) => a == b,
    })
}

/// By their bytes, where ASCII letters are in lower case.
pub fn case_order(a: &str, b: &str) -> Ordering {
    let folded = |text: &'_ str| text.bytes().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<_>>();
    if a.len().max(b.len()) <= 64 {
        return a.bytes().map(|c| c.to_ascii_lowercase()).cmp(b.bytes().map(|c| c.to_ascii_lowercase()));
    }
    folded(a).cmp(&folded(b))
}

/// Compares two numbers, one of which is an integer of more than 64 bits; `None` for other values.
pub fn compare_large(a: &Value, b: &Value) -> Option<Option<Ordering>> {
    let sign =
        |number: &BigInt| if number.sign() == Sign::Minus { Ordering::Less } else { Ordering::Greater };
    match (a, a.as_large_integer(), b, b.as_large_integer()) {
        (_, Some(a), _, Some(b)) => Some(Some(a.cmp(b))),
        (_, Some(a), Value::Integer(_), _) => Some(Some(sign(a))),
        (_, Some(_), Value::Float(b), _) if b.is_nan() => Some(None),
        (_, Some(a), Value::Float(b), _) => match format!("{b:.0}").parse::<BigInt>() {
            Ok(b) => Some(Some(a.cmp(&b))),
            Err(_) => Some(0.0.partial_cmp(b)),
        },
        (Value::Integer(_) | Value::Float(_), _, _, Some(_)) => {
            compare_large(b, a).map(|ordering| ordering.map(Ordering::reverse))
        }
        _ => None,
    }
}

/// Compares an integer and a float by their exact values.
pub fn compare_mixed(a: i64, b: f64) -> Option<Ordering> {
    const END: f64 = 9_223_372_036_854_775_808.0;
    if b.is_nan() {
        None
    } else if b >= END {
        Some(Ordering::Less)
    } else if b < -END {
        Some(Ordering::Greater)
    } else {
        let whole = b.floor();
        Some(a.cmp(&(whole as i64)).then(if b > whole { Ordering::Less } else { Ordering::Equal }))
    }
}

/// A matcher of regular expressions, which may record the match.
pub trait Matcher {
    /// Matches a text.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if it takes too long.
    fn match_text(&mut self, regex: &Regex, text: &str) -> Result<bool, Error>;
}

/// A matcher that records nothing.
pub struct PlainMatcher;

impl Matcher for PlainMatcher {
    fn match_text(&mut self, regex: &Regex, text: &str) -> Result<bool, Error> {
        regex.is_match(text)
    }
}

/// Returns true if an option of `case` or of a selector matches a value.
///
/// # Errors
/// Fails with the errors of matching, and with [`puppetfn_base::error::ErrorKind::Limit`] if values nest too deep.
pub fn match_option(
    option: &Value,
    value: &Value,
    matcher: &mut impl Matcher,
    limits: &Limits,
) -> Result<bool, Error> {
    matches_within(option, value, matcher, Depth::nesting(limits), limits)
}

fn matches_within(
    option: &Value,
    value: &Value,
    matcher: &mut impl Matcher,
    depth: Depth,
    limits: &Limits,
) -> Result<bool, Error> {
    let depth = depth.deeper()?;
    match (option, value) {
        (Value::Type(t), value) => Ok(instance(t, value, limits)? == Verdict::Yes),
        (Value::Runtime(_), _) | (_, Value::Runtime(_))
            if option.contents().is_collection() && value.contents().is_collection() =>
        {
            matches_within(option.contents(), value.contents(), matcher, depth, limits)
        }
        // Puppet's `match_Symbol` fails with an error of Ruby's.
        (Value::Runtime(symbol), _) if symbol.as_symbol().is_some() => {
            Err(Error::new(ErrorKind::Evaluation, "a Symbol of Ruby's matches no value"))
        }
        (Value::Regexp(regex), Value::String(text)) => matcher.match_text(regex, text),
        (Value::Regexp(_), value) => value.check_encoding().map(|()| false),
        (Value::Array(options), Value::Array(items)) => {
            if options.len() != items.len() {
                return Ok(false);
            }
            for (option, item) in options.iter().zip(items.iter()) {
                if !matches_within(option, item, matcher, depth, limits)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Value::Array(_), _) => Ok(false),
        (Value::Hash(options), Value::Hash(hash)) => {
            for (key, option) in options.iter() {
                let item = hash.get(key).unwrap_or(&Value::Undef);
                if !matches_within(option, item, matcher, depth, limits)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Value::Hash(_), _) => Ok(false),
        (Value::SemVer(version), Value::String(text)) => {
            Ok(SemVer::parse(text).is_ok_and(|other| same(version, &other)))
        }
        (Value::SemVerRange(range), value) => Ok(in_range(range, value)),
        (Value::Default, _) => Ok(true),
        (option, value) => equals(value, option, limits),
    }
}

/// Returns true if a version, or the text of one, is in a range.
pub fn in_range(range: &SemVerRange, value: &Value) -> bool {
    if let Value::SemVer(version) = value {
        range.includes(version)
    } else if let Value::String(text) = value {
        SemVer::parse(text).is_ok_and(|version| range.includes(&version))
    } else {
        false
    }
}

fn same(a: &SemVer, b: &SemVer) -> bool {
    a.cmp_precedence(b) == Ordering::Equal
}
