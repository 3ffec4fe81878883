//! `new` of `Integer`, `Float` and `Numeric`.
//!
//! See Puppet's `pops/types/types.rb`.

use num_bigint::BigInt;

use super::not_convertible;
use crate::convert::number as written;
use crate::function::{Call, Declaration, DefaultValue, Deviation, handler_error, native, one_of};
use crate::subject::Verdict;
use crate::types::ops::{infer_set, instance};
use crate::value::{Hash, Timespan, Timestamp, Value, integer_out_of_range};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

one_of! {
    /// An argument that converts to a number.
    enum NumberSource<'v> {
        Integer(i64),
        Float(f64),
        Boolean(bool),
        String(&'v str),
        Timestamp(Timestamp),
        Timespan(Timespan),
    }
}

pub(super) fn integer() -> Declaration {
    native("new")
        .local_type("Radix = Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]]")
        .local_type(
            r"Convertible = Variant[Numeric, Boolean, Pattern[/\A[+-]?\s*(?:(?:\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z/], Timespan, Timestamp]",
        )
        .local_type(
            "NamedArgs = Struct[{from => Convertible, Optional[radix] => Radix, Optional[abs] => Boolean}]",
        )
        .dispatch::<(NumberSource, Option<Radix>, Option<bool>)>(
            "(Convertible from, Radix radix?, Boolean abs?)",
            |_, (from, radix, abs)| integer_of(from, radix, abs),
        )
        .dispatch::<&Hash>("(NamedArgs hash_args)", |call, named| {
            let radix = call.entry_as::<Option<Radix>>(named, "radix")?;
            integer_of(call.entry_as::<NumberSource>(named, "from")?, radix, abs(call, named)?)
        })
        .argument_mismatch::<&Value>("(Hash hash_args)", named_integer_mismatch)
        .argument_mismatch::<(&Value, Option<&Value>, Option<bool>)>(
            "(Any from, Integer radix?, Boolean abs?)",
            |call, (from, radix, _)| integer_mismatch(from, radix, call.limits()),
        )
}

one_of! {
    enum Radix<'v> {
        Default(DefaultValue),
        Base(i64),
    }
}

fn integer_of(from: NumberSource<'_>, radix: Option<Radix<'_>>, abs: Option<bool>) -> Result<Value, Error> {
    let radix = match radix {
        Some(Radix::Base(radix)) => u32::try_from(radix).ok(),
        Some(Radix::Default(_)) | None => None,
    };
    let number = match from {
        NumberSource::Integer(number) => number,
        NumberSource::Float(number) => truncated(number)?,
        NumberSource::Boolean(truth) => i64::from(truth),
        NumberSource::String(text) => {
            let number = without_blanks(text, |text| written::any_integer(text, radix))?;
            let Value::Integer(number) = number else {
                return Ok(if abs == Some(true) { absolute_of_large(number) } else { number });
            };
            number
        }
        NumberSource::Timestamp(time) => time.whole_seconds(),
        NumberSource::Timespan(span) => span.whole_seconds(),
    };
    if abs == Some(true) { absolute(number) } else { Ok(Value::Integer(number)) }
}

fn absolute(number: i64) -> Result<Value, Error> {
    number.checked_abs().map(Value::Integer).ok_or_else(|| integer_out_of_range(number.unsigned_abs()))
}

/// Returns the absolute value of an integer of more than 64 bits.
fn absolute_of_large(number: Value) -> Value {
    number.as_large_integer().map(|large| BigInt::from(large.magnitude().clone()).into()).unwrap_or(number)
}

/// Returns the integer part of a float.
fn truncated(number: f64) -> Result<i64, Error> {
    const END: f64 = 9_223_372_036_854_775_808.0;
    let integer = number.trunc();
    if (-END..END).contains(&integer) { Ok(integer as i64) } else { Err(integer_out_of_range(number)) }
}

/// Reads a number, if need be without the blanks between sign and digits. When both fail, the error is
/// about the text as it was given.
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

fn named_integer_mismatch(call: &mut Call<'_>, named: &Value) -> Result<String, Error> {
    let entries = call.value_as::<&Hash>(named)?;
    let accepted = |index: usize| {
        let signature = call.function().signatures().get(index);
        signature.and_then(|signature| signature.parameter_types().first()).ok_or_else(|| call.unfit_body())
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
        .dispatch::<(NumberSource, Option<bool>)>("(Convertible from, Boolean abs?)", |call, (from, abs)| {
            float_of(call, from, abs)
        })
        .dispatch::<&Hash>("(NamedArgs hash_args)", |call, named| {
            float_of(call, call.entry_as::<NumberSource>(named, "from")?, abs(call, named)?)
        })
        .argument_mismatch::<(&Value, Option<bool>)>("(Any from, Boolean abs?)", |call, (from, _)| {
            not_convertible(from, "Float", call.limits())
        })
}

fn float_of(call: &Call<'_>, from: NumberSource<'_>, abs: Option<bool>) -> Result<Value, Error> {
    if let NumberSource::String("0") = from {
        call.deviate(Deviation::from_all("Float of '0'"))?;
    }
    let number = match from {
        NumberSource::Integer(number) => number as f64,
        NumberSource::Float(number) => number,
        NumberSource::Boolean(truth) => f64::from(truth),
        NumberSource::String(text) => without_blanks(text, written::float)?,
        NumberSource::Timestamp(time) => time.to_f64(),
        NumberSource::Timespan(span) => span.to_f64(),
    };
    Ok(Value::Float(if abs == Some(true) { number.abs() } else { number }))
}

pub(super) fn numeric() -> Declaration {
    native("new_numeric")
        .local_type(concat!(
            "Convertible = Variant[Integer, Float, Boolean, ",
            float_pattern!(),
            ", Timespan, Timestamp]"
        ))
        .local_type("NamedArgs = Struct[{from => Convertible, Optional[abs] => Boolean}]")
        .dispatch::<(NumberSource, Option<bool>)>("(Convertible from, Boolean abs?)", |call, (from, abs)| {
            number_of(call, from, abs)
        })
        .dispatch::<&Hash>("(NamedArgs hash_args)", |call, named| {
            number_of(call, call.entry_as::<NumberSource>(named, "from")?, abs(call, named)?)
        })
        .argument_mismatch::<(&Value, Option<bool>)>("(Any from, Boolean abs?)", |call, (from, _)| {
            not_convertible(from, "Numeric", call.limits())
        })
}

fn number_of(call: &Call<'_>, from: NumberSource<'_>, abs: Option<bool>) -> Result<Value, Error> {
    let number = match from {
        NumberSource::Integer(number) => Value::Integer(number),
        NumberSource::Float(number) => Value::Float(number),
        NumberSource::Boolean(truth) => Value::Integer(i64::from(truth)),
        NumberSource::String(text) => match written::numeric(text)? {
            None if abs == Some(true) => {
                let message = not_convertible(&text.into(), "Numeric", call.limits())?;
                return Err(handler_error(call.name(), &message));
            }
            number => number.unwrap_or(Value::Undef),
        },
        NumberSource::Timestamp(time) => Value::Float(time.to_f64()),
        NumberSource::Timespan(span) => Value::Float(span.to_f64()),
    };
    if abs != Some(true) {
        Ok(number)
    } else if let Value::Integer(number) = number {
        absolute(number)
    } else if let Value::Float(number) = number {
        Ok(Value::Float(number.abs()))
    } else {
        Ok(number)
    }
}

/// Returns whether named arguments ask for the absolute value.
fn abs(call: &Call<'_>, named: &Hash) -> Result<Option<bool>, Error> {
    call.entry_as::<Option<bool>>(named, "abs")
}
