//! Points in time, as RFC 3339 writes them.
//!
//! See go-cty's `cty/function/stdlib/datetime.go`.

mod date_format;
mod duration;
mod timestamp;

use super::{Family, failure, string};
use crate::function::{Function, argument_error};
use crate::types::Type;
use crate::value::Value;
use timestamp::Timestamp;

pub(super) fn functions() -> Family {
    vec![
        (
            "formatdate",
            Function::new("Returns the timestamp in the form of a format like \"DD MMM YYYY hh:mm\".")
                .parameter(string("format"))
                .parameter(string("time"))
                .returns(Type::String)
                .implement(|[format, time], _| {
                    let time = Timestamp::parse(time.as_string()?);
                    let time = time.map_err(|message| argument_error(1, message))?;
                    let text = date_format::format(format.as_string()?, &time);
                    text.map(Value::string).map_err(|message| argument_error(0, message))
                }),
        ),
        (
            "timeadd",
            Function::new("Returns the timestamp after a duration like \"1h30m\".")
                .parameter(string("timestamp"))
                .parameter(string("duration"))
                .returns(Type::String)
                .implement(|[time, duration], _| {
                    let time = Timestamp::parse(time.as_string()?).map_err(failure)?;
                    let duration = duration::parse(duration.as_string()?).map_err(failure)?;
                    Ok(Value::string(time.after(duration).to_string()))
                }),
        ),
    ]
}
