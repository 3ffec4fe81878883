//! Numbers: `abs`, `ceiling`, `floor` and `round`.
//!
//! See Puppet's `functions/{abs,ceiling,floor,round}.rb`.

use std::sync::LazyLock;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::convert::number::{leading_float, leading_integer, strict_float};
use puppetfn_types::function::{Declaration, native, one_of};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Regex, Value, integer_out_of_range};

one_of! {
    enum NumberArgument<'v> {
        Integer(i64),
        Float(f64),
    }
}

pub(super) fn abs() -> Declaration {
    native("abs").for_types()
        .doc("The absolute value of a number. A string with a decimal number is converted, which is deprecated.")
        .example("abs(-3)", "3")
        .example("abs(-2.5)", "2.5")
        .dispatch::<NumberArgument>("(Numeric val)", |_, number| match number {
            NumberArgument::Integer(number) => absolute(number),
            NumberArgument::Float(number) => Ok(Value::Float(number.abs())),
        })
        .dispatch::<&str>("(String val)", |call, text| {
            call.warn_once(
                "abs_function_numeric_coerce_string",
                "The abs() function's auto conversion of String to Numeric is deprecated - change to \
                 convert input before calling",
                None,
            );
            absolute_of_text(text)
        })
        .returns(|arguments| match arguments {
            [Type::Integer(_)] => Type::integer(Some(0), None),
            [Type::Float(_)] => Type::FLOAT,
            _ => Type::Numeric,
        })
}

fn absolute(number: i64) -> Result<Value, Error> {
    number.checked_abs().map(Value::Integer).ok_or_else(|| integer_out_of_range(number.unsigned_abs()))
}

/// Any line may be the number that decides how the text is read, which is from its beginning.
fn absolute_of_text(text: &str) -> Result<Value, Error> {
    static FLOAT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^-?(?:\d+)(?:\.\d+){1}$").ok());
    static INTEGER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^-?\d+$").ok());
    let matches = |regex: &Option<Regex>| regex.as_ref().map_or(Ok(false), |regex| regex.is_match(text));
    if matches(&FLOAT)? {
        return Ok(Value::Float(leading_float(text).abs()));
    }
    if matches(&INTEGER)? {
        return absolute(leading_integer(text)?);
    }
    let message = "abs(): Requires float or integer to work with - was given non decimal string";
    Err(Error::new(ErrorKind::ArgumentMismatch, message))
}

pub(super) fn ceiling() -> Declaration {
    rounder("ceiling", f64::ceil)
        .doc(
            "The smallest integer that is not less than a number. A string with a number is converted, which \
             is deprecated.",
        )
        .example("ceiling(1.2)", "2")
        .example("ceiling(-1.2)", "-1")
}

pub(super) fn floor() -> Declaration {
    rounder("floor", f64::floor)
        .doc(
            "The largest integer that is not greater than a number. A string with a number is converted, \
             which is deprecated.",
        )
        .example("floor(1.8)", "1")
        .example("floor(-1.2)", "-2")
}

fn rounder(name: &'static str, round: fn(f64) -> f64) -> Declaration {
    native(name)
        .for_types()
        .dispatch::<NumberArgument>("(Numeric val)", move |_, number| match number {
            NumberArgument::Integer(number) => Ok(Value::Integer(number)),
            NumberArgument::Float(number) => integer(round(number)),
        })
        .dispatch::<&str>("(String val)", move |call, text| {
            let message = format!(
                "The {name}() function's auto conversion of String to Float is deprecated - change to \
                 convert input before calling"
            );
            call.warn_once(&format!("{name}_function_numeric_coerce_string"), &message, None);
            let number = strict_float(text).map_err(|_| {
                let message = format!("{name}(): cannot convert given value to a floating point value.");
                Error::new(ErrorKind::ArgumentMismatch, message)
            })?;
            integer(round(number))
        })
        .returns(|_| Type::INTEGER)
}

pub(super) fn round() -> Declaration {
    native("round")
        .for_types()
        .doc("The integer next to a number; of two that are as near, the one further from zero.")
        .example("round(2.5)", "3")
        .example("round(-2.5)", "-3")
        .dispatch::<NumberArgument>("(Numeric val)", |_, number| {
            let number = match number {
                NumberArgument::Integer(number) => number as f64,
                NumberArgument::Float(number) => number,
            };
            integer((if number > 0.0 { number + 0.5 } else { number - 0.5 }).trunc())
        })
        .returns(|_| Type::INTEGER)
}

/// Returns a whole number as an integer.
fn integer(number: f64) -> Result<Value, Error> {
    const END: f64 = 9_223_372_036_854_775_808.0;
    if (-END..END).contains(&number) {
        Ok(Value::Integer(number as i64))
    } else {
        Err(integer_out_of_range(number))
    }
}
