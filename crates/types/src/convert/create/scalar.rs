//! `new` of `Boolean` and `Regexp`.
//!
//! See Puppet's `pops/types/types.rb`.

use super::not_convertible;
use crate::function::{Declaration, native};
use crate::value::{Regex, Value};
use puppetfn_base::error::Error;

pub(super) fn boolean() -> Declaration {
    native("new_boolean")
        .dispatch(
            "(Variant[Integer, Float, Boolean, Enum['false', 'true', 'yes', 'no', 'y', 'n', true]] from)",
            |call, arguments| match arguments {
                [Value::Integer(number)] => Ok(Value::Boolean(*number != 0)),
                [Value::Float(number)] => Ok(Value::Boolean(*number != 0.0)),
                [Value::Boolean(truth)] => Ok(Value::Boolean(*truth)),
                [Value::String(text)] => {
                    Ok(Value::Boolean(!["false", "no", "n"].iter().any(|no| text.eq_ignore_ascii_case(no))))
                }
                _ => Err(call.unexpected_arguments()),
            },
        )
        .argument_mismatch("(Any from)", |call, arguments| match arguments {
            [from] => not_convertible(from, "Boolean", call.limits()),
            _ => Err(call.unexpected_arguments()),
        })
}

pub(super) fn regexp() -> Declaration {
    // Puppet calls it so.
    native("new_float").dispatch("(String pattern, Boolean escape?)", |call, arguments| match arguments {
        [Value::String(pattern), Value::Boolean(true)] => regexp_of(&escaped(pattern)),
        [Value::String(pattern), ..] => regexp_of(pattern),
        _ => Err(call.unexpected_arguments()),
    })
}

fn regexp_of(pattern: &str) -> Result<Value, Error> {
    Regex::new(pattern).map(Value::Regexp)
}

/// A pattern that matches the text and nothing else, written as Ruby does.
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
