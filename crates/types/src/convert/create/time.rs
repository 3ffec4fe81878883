//! `new` of `Timestamp` and `Timespan`.
//!
//! See Puppet's `pops/types/p_timestamp_type.rb` and `pops/types/p_timespan_type.rb`.

use crate::function::{Call, Declaration, native};
use crate::value::time::{Fields, Formats, Number};
use crate::value::{Timespan, Timestamp, Value};
use puppetfn_base::error::Error;

const FORMATS: &str = "Formats = Variant[String[2], Array[String[2], 1]]";

pub(super) fn timestamp() -> Declaration {
    native("new_timestamp")
        .local_type(FORMATS)
        .dispatch("()", |call, _| call.now().map(Value::Timestamp))
        .dispatch("(Variant[Integer, Float] seconds)", |call, arguments| {
            Timestamp::from_number(seconds(call, arguments)?).map(Value::Timestamp)
        })
        .dispatch("(String[1] string, Formats format?, String[1] timezone?)", |call, arguments| {
            let [Value::String(text), options @ ..] = arguments else {
                return Err(call.unexpected_arguments());
            };
            let timezone = match options.get(1) {
                Some(Value::String(timezone)) => Some(&**timezone),
                _ => None,
            };
            Timestamp::parse(text, &Formats::of(options.first())?, timezone).map(Value::Timestamp)
        })
        .dispatch(
            "(Struct[{string => String[1], Optional[format] => Formats, Optional[timezone] => String[1]}] hash_arg)",
            |call, arguments| match arguments {
                [Value::Hash(hash)] => Timestamp::from_hash(hash).map(Value::Timestamp),
                _ => Err(call.unexpected_arguments()),
            },
        )
}

pub(super) fn timespan() -> Declaration {
    native("new_timespan")
        .local_type(FORMATS)
        .dispatch("(Variant[Integer, Float] seconds)", |call, arguments| {
            Timespan::from_number(seconds(call, arguments)?).map(Value::Timespan)
        })
        .dispatch("(String[1] string, Formats format?)", |call, arguments| match arguments {
            [Value::String(text), options @ ..] => {
                Timespan::parse(text, &Formats::of(options.first())?).map(Value::Timespan)
            }
            _ => Err(call.unexpected_arguments()),
        })
        .dispatch(
            "(Integer days, Integer hours, Integer minutes, Integer seconds, Integer milliseconds?, \
             Integer microseconds?, Integer nanoseconds?)",
            |call, arguments| Timespan::from_fields(&fields(call, arguments)?).map(Value::Timespan),
        )
        .dispatch("(Struct[{string => String[1], Optional[format] => Formats}] hash_arg)", of_hash)
        .dispatch(
            "(Struct[{Optional[negative] => Boolean, Optional[days] => Integer, Optional[hours] => Integer, \
             Optional[minutes] => Integer, Optional[seconds] => Integer, Optional[milliseconds] => Integer, \
             Optional[microseconds] => Integer, Optional[nanoseconds] => Integer}] hash_arg)",
            of_hash,
        )
}

fn of_hash(call: &mut Call<'_>, arguments: &[Value]) -> Result<Value, Error> {
    match arguments {
        [Value::Hash(hash)] => Timespan::from_hash(hash).map(Value::Timespan),
        _ => Err(call.unexpected_arguments()),
    }
}

fn seconds(call: &Call<'_>, arguments: &[Value]) -> Result<Number, Error> {
    match arguments {
        [Value::Integer(seconds)] => Ok(Number::Integer(*seconds)),
        [Value::Float(seconds)] => Ok(Number::Float(*seconds)),
        _ => Err(call.unexpected_arguments()),
    }
}

fn fields(call: &Call<'_>, arguments: &[Value]) -> Result<Fields, Error> {
    let mut parts = [0; 7];
    for (part, argument) in parts.iter_mut().zip(arguments) {
        let Value::Integer(number) = argument else { return Err(call.unexpected_arguments()) };
        *part = *number;
    }
    let [days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds] = parts;
    Ok(Fields { days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds })
}
