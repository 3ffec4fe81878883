//! `new` of `Boolean` and `Regexp`.
//!
//! See Puppet's `pops/types/types.rb`.

use super::not_convertible;
use crate::function::{Declaration, native, one_of};
use crate::value::{Regex, Value};
use puppetfn_base::error::Error;

one_of! {
    /// An argument that converts to a boolean.
    enum BooleanSource<'v> {
        Integer(i64),
        Float(f64),
        Boolean(bool),
        String(&'v str),
    }
}

pub(super) fn boolean() -> Declaration {
    native("new_boolean")
        .dispatch::<BooleanSource>(
            "(Variant[Integer, Float, Boolean, Enum['false', 'true', 'yes', 'no', 'y', 'n', true]] from)",
            |_, from| {
                Ok(Value::Boolean(match from {
                    BooleanSource::Integer(number) => number != 0,
                    BooleanSource::Float(number) => number != 0.0,
                    BooleanSource::Boolean(truth) => truth,
                    BooleanSource::String(text) => {
                        !["false", "no", "n"].iter().any(|no| text.eq_ignore_ascii_case(no))
                    }
                }))
            },
        )
        .argument_mismatch::<&Value>("(Any from)", |call, from| {
            not_convertible(from, "Boolean", call.limits())
        })
}

pub(super) fn regexp() -> Declaration {
    // Puppet calls it so.
    native("new_float").dispatch::<(&str, Option<bool>)>(
        "(String pattern, Boolean escape?)",
        |_, (pattern, escape)| match escape {
            Some(true) => regexp_of(&escaped(pattern)),
            Some(false) | None => regexp_of(pattern),
        },
    )
}

fn regexp_of(pattern: &str) -> Result<Value, Error> {
    Regex::new(pattern).map(Value::Regexp)
}

/// Returns a pattern that matches exactly the text, escaped as Ruby does.
fn escaped(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        let letter = match c {
            '[' | ']' | '{' | '}' | '(' | ')' | '|' | '-' | '*' | '.' | '\\' | '?' | '+' | '^' | '$'
            | '#' | ' ' => c,
            '\t' => 't',
            '\n' => 'n',
            '\x0b' => 'v',
            '\x0c' => 'f',
            '\r' => 'r',
            _ => {
                pattern.push(c);
                continue;
            }
        };
        pattern.extend(['\\', letter]);
    }
    pattern
}
