//! `new` of `Integer`, `Float` and `Numeric`.
//!
//! See Puppet's `pops/types/types.rb`.

use super::not_convertible;
use crate::convert::number as written;
use crate::function::{Call, Declaration, handler_error, native};
use crate::subject::Verdict;
use crate::types::ops::{infer_set, instance};
use crate::value::{Hash, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

pub(super) fn integer() -> Declaration {
    native("new")
        .local_type("Radix = Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]]")
        .local_type(
            r"Convertible = Variant[Numeric, Boolean, Pattern[/\A[+-]?\s*(?:(?:\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z/], Timespan, Timestamp]",
        )
        .local_type(
            "NamedArgs = Struct[{from => Convertible, Optional[radix] => Radix, Optional[abs] => Boolean}]",
        )
        .dispatch("(Convertible from, Radix radix?, Boolean abs?)", |call, arguments| match arguments {
            [from, options @ ..] => integer_of(call, from, options.first(), options.get(1)),
            [] => Err(call.unexpected_arguments()),
        })
        .dispatch("(NamedArgs hash_args)", |call, arguments| {
            let (from, named) = named(call, arguments)?;
            integer_of(call, from, named.get_str("radix"), named.get_str("abs"))
        })
        .argument_mismatch("(Hash hash_args)", named_integer_mismatch)
        .argument_mismatch("(Any from, Integer radix?, Boolean abs?)", |call, arguments| match arguments {
            [from, options @ ..] => integer_mismatch(from, options.first(), call.limits()),
            [] => Err(call.unexpected_arguments()),
        })
}

fn integer_of(
    call: &Call<'_>,
    from: &Value,
    radix: Option<&Value>,
    abs: Option<&Value>,
) -> Result<Value, Error> {
    let radix = match radix {
        Some(Value::Integer(radix)) => u32::try_from(*radix).ok(),
        _ => None,
    };
    let number = if let Value::Integer(number) = from {
        *number
    } else if let Value::Float(number) = from {
        truncated(*number)?
    } else if let Value::Boolean(truth) = from {
        i64::from(*truth)
    } else if let Value::String(text) = from {
        without_blanks(text, |text| written::integer(text, radix))?
    } else if let Value::Timestamp(time) = from {
        time.whole_seconds()
    } else if let Value::Timespan(span) = from {
        span.whole_seconds()
    } else {
        return Err(call.unexpected_arguments());
    };
    if is_true(abs) { absolute(number) } else { Ok(Value::Integer(number)) }
}

fn absolute(number: i64) -> Result<Value, Error> {
    number.checked_abs().map(Value::Integer).ok_or_else(|| written::out_of_range(number.unsigned_abs()))
}

/// The integer part of a float.
fn truncated(number: f64) -> Result<i64, Error> {
    const END: f64 = 9_223_372_036_854_775_808.0;
    let integer = number.trunc();
    if (-END..END).contains(&integer) { Ok(integer as i64) } else { Err(written::out_of_range(number)) }
}

/// Reads a number, if it must be without the blanks between sign and digits. When both fail, it is
/// the text as it was given that is wrong.
fn without_blanks<N>(text: &str, read: impl Fn(&str) -> Result<N, Error>) -> Result<N, Error> {
    read(text).or_else(|error| match written::without_blanks(text) {
        Some(text) => read(&text).map_err(|_| error),
        None => Err(error),
    })
}

fn integer_mismatch(from: &Value, radix: Option<&Value>, limits: &Limits) -> Result<String, Error> {
    radix.map_or(Ok(()), |radix| check_radix(radix, limits))?;
    not_convertible(from, "Integer", limits)
}

fn named_integer_mismatch(call: &mut Call<'_>, arguments: &[Value]) -> Result<String, Error> {
    let [named @ Value::Hash(entries)] = arguments else { return Err(call.unexpected_arguments()) };
    let accepted = |index: usize| {
        let signature = call.function().signatures().get(index);
        signature
            .and_then(|signature| signature.parameter_types().first())
            .ok_or_else(|| call.unexpected_arguments())
    };
    if let Some(from) = entries.get_str("from")
        && instance(accepted(0)?, from, call.limits())? == Verdict::No
    {
        return integer_mismatch(from, None, call.limits());
    }
    match entries.get_str("radix") {
        None | Some(Value::Undef | Value::Default) => {}
        Some(radix) => check_radix(radix, call.limits())?,
    }
    let actual = infer_set(named, call.limits())?;
    Err(call.host().messages().assertion_error("Integer.new", accepted(1)?, actual))
}

fn check_radix(radix: &Value, limits: &Limits) -> Result<(), Error> {
    if let Value::Integer(2 | 8 | 10 | 16) = radix {
        return Ok(());
    }
    let radix = radix.ruby_to_s(limits)?;
    let message = format!("Illegal radix: {radix}, expected 2, 8, 10, 16, or default");
    Err(Error::new(ErrorKind::ArgumentMismatch, message))
}

/// The texts that are floats.
macro_rules! float_pattern {
    () => {
        r"Pattern[/\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))\z/]"
    };
}

pub(super) fn float() -> Declaration {
    native("new_float")
        .local_type(concat!(
            "Convertible = Variant[Numeric, Boolean, ",
            float_pattern!(),
            ", Timespan, Timestamp]"
        ))
        .local_type("NamedArgs = Struct[{from => Convertible, Optional[abs] => Boolean}]")
        .dispatch("(Convertible from, Boolean abs?)", |call, arguments| match arguments {
            [from, options @ ..] => float_of(call, from, options.first()),
            [] => Err(call.unexpected_arguments()),
        })
        .dispatch("(NamedArgs hash_args)", |call, arguments| {
            let (from, named) = named(call, arguments)?;
            float_of(call, from, named.get_str("abs"))
        })
        .argument_mismatch("(Any from, Boolean abs?)", |call, arguments| match arguments {
            [from, ..] => not_convertible(from, "Float", call.limits()),
            [] => Err(call.unexpected_arguments()),
        })
}

fn float_of(call: &Call<'_>, from: &Value, abs: Option<&Value>) -> Result<Value, Error> {
    let number = if let Value::Float(number) = from {
        *number
    } else if let Value::Integer(number) = from {
        *number as f64
    } else if let Value::Boolean(truth) = from {
        f64::from(*truth)
    } else if let Value::String(text) = from {
        without_blanks(text, written::float)?
    } else if let Some(seconds) = seconds(from) {
        seconds
    } else {
        return Err(call.unexpected_arguments());
    };
    Ok(Value::Float(if is_true(abs) { number.abs() } else { number }))
}

pub(super) fn numeric() -> Declaration {
    native("new_numeric")
        .local_type(concat!(
            "Convertible = Variant[Integer, Float, Boolean, ",
            float_pattern!(),
            ", Timespan, Timestamp]"
        ))
        .local_type("NamedArgs = Struct[{from => Convertible, Optional[abs] => Boolean}]")
        .dispatch("(Convertible from, Boolean abs?)", |call, arguments| match arguments {
            [from, options @ ..] => number_of(call, from, options.first()),
            [] => Err(call.unexpected_arguments()),
        })
        .dispatch("(NamedArgs hash_args)", |call, arguments| {
            let (from, named) = named(call, arguments)?;
            number_of(call, from, named.get_str("abs"))
        })
        .argument_mismatch("(Any from, Boolean abs?)", |call, arguments| match arguments {
            [from, ..] => not_convertible(from, "Numeric", call.limits()),
            [] => Err(call.unexpected_arguments()),
        })
}

fn number_of(call: &Call<'_>, from: &Value, abs: Option<&Value>) -> Result<Value, Error> {
    let number = if let Value::Integer(_) | Value::Float(_) = from {
        from.clone()
    } else if let Value::Boolean(truth) = from {
        Value::Integer(i64::from(*truth))
    } else if let Value::String(text) = from {
        written::numeric(text)?.unwrap_or(Value::Undef)
    } else if let Some(seconds) = seconds(from) {
        Value::Float(seconds)
    } else {
        return Err(call.unexpected_arguments());
    };
    if !is_true(abs) {
        Ok(number)
    } else if let Value::Integer(number) = number {
        absolute(number)
    } else if let Value::Float(number) = number {
        Ok(Value::Float(number.abs()))
    } else {
        Err(handler_error(call.name(), &not_convertible(from, "Numeric", call.limits())?))
    }
}

/// A point or length of time in seconds.
fn seconds(from: &Value) -> Option<f64> {
    if let Value::Timestamp(time) = from {
        Some(time.to_f64())
    } else if let Value::Timespan(span) = from {
        Some(span.to_f64())
    } else {
        None
    }
}

/// Named arguments, and the one that is converted.
fn named<'v>(call: &Call<'_>, arguments: &'v [Value]) -> Result<(&'v Value, &'v Hash), Error> {
    if let [Value::Hash(named)] = arguments
        && let Some(from) = named.get_str("from")
    {
        return Ok((from, named));
    }
    Err(call.unexpected_arguments())
}

fn is_true(option: Option<&Value>) -> bool {
    matches!(option, Some(Value::Boolean(true)))
}
