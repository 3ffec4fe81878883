//! `strftime`.
//!
//! See Puppet's `functions/strftime.rb`.

use puppetfn_base::error::Error;
use puppetfn_types::function::{Call, Declaration, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Timestamp, Value};

pub(super) fn strftime() -> Declaration {
    native("strftime")
        .doc(
            "The text of a length or point of time in a format. A point in time is shown as in the time \
             zone, or in UTC: a name such as `EST`, an offset such as `+02:00`, or `current`.",
        )
        .example("strftime(Timespan(3661), '%H:%M:%S')", "'01:01:01'")
        .example("strftime(Timestamp(0), '%F %T %z', 'EST')", "'1969-12-31 19:00:00 -0500'")
        .dispatch("(Timespan time_object, String format)", |call, arguments| match arguments {
            [Value::Timespan(span), Value::String(format)] => span.format(format).map(Value::from),
            _ => Err(call.unexpected_arguments()),
        })
        .dispatch("(Timestamp time_object, String format, String timezone?)", |call, arguments| {
            match arguments {
                [Value::Timestamp(stamp), rest @ ..] => formatted(call, *stamp, rest),
                _ => Err(call.unexpected_arguments()),
            }
        })
        .dispatch("(String format, String timezone?)", |call, arguments| {
            let message = "The argument signature (String format, [String timezone]) is deprecated for #strftime. See \
                           #strftime documentation and Timespan type for more info";
            let place = call.place();
            call.warn_once("legacy#strftime", message, place.as_ref());
            formatted(call, call.now()?, arguments)
        })
        .returns(|_| Type::STRING)
}

/// A point in time in a format and, if there is one, a time zone.
fn formatted(call: &Call<'_>, stamp: Timestamp, arguments: &[Value]) -> Result<Value, Error> {
    match arguments {
        [Value::String(format)] => stamp.format(format, None).map(Value::from),
        [Value::String(format), Value::String(timezone)] => {
            stamp.format(format, Some(timezone)).map(Value::from)
        }
        _ => Err(call.unexpected_arguments()),
    }
}
