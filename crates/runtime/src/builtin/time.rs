//! `strftime`.
//!
//! See Puppet's `functions/strftime.rb`.

use super::legacy::refused;
use puppetfn_types::function::{Declaration, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Timespan, Timestamp, Value};

pub(super) fn strftime() -> Declaration {
    native("strftime").scope_method(refused(-3, true))
        .doc(
            "The text of a length or point of time in a format. A point in time is shown as in the time \
             zone, or in UTC: a name such as `EST`, an offset such as `+02:00`, or `current`.",
        )
        .example("strftime(Timespan(3661), '%H:%M:%S')", "'01:01:01'")
        .example("strftime(Timestamp(0), '%F %T %z', 'EST')", "'1969-12-31 19:00:00 -0500'")
        .dispatch::<(Timespan, &str)>("(Timespan time_object, String format)", |_, (span, format)| {
            span.format(format).map(Value::from)
        })
        .dispatch::<(Timestamp, &str, Option<&str>)>(
            "(Timestamp time_object, String format, String timezone?)",
            |_, (stamp, format, timezone)| stamp.format(format, timezone).map(Value::from),
        )
        .dispatch::<(&str, Option<&str>)>("(String format, String timezone?)", |call, (format, timezone)| {
            let message = "The argument signature (String format, [String timezone]) is deprecated for #strftime. See \
                           #strftime documentation and Timespan type for more info";
            let place = call.place();
            call.warn_once("legacy#strftime", message, place.as_ref());
            call.now()?.format(format, timezone).map(Value::from)
        })
        .returns(|_| Type::STRING)
}
