//! Points in time, as RFC 3339 writes them.
//!
//! See go-cty's `cty/function/stdlib/datetime.go`.

mod date_format;
mod duration;
mod timestamp;

use super::{FunctionFamily, failure, string};
use crate::function::{CtyFunction, argument_error};
use crate::types::CtyType;
use crate::value::CtyValue;
use timestamp::Rfc3339Timestamp;

pub(super) fn functions() -> FunctionFamily {
    vec![
        (
            "formatdate",
            CtyFunction::new("Returns the timestamp in the form of a format like \"DD MMM YYYY hh:mm\".")
                .parameter(string("format"))
                .parameter(string("time"))
                .returns(CtyType::String)
                .implement(|[format, time], _| {
                    let time = Rfc3339Timestamp::parse(time.as_string()?);
                    let time = time.map_err(|message| argument_error(1, message))?;
                    let text = date_format::format(format.as_string()?, &time);
                    text.map(CtyValue::string).map_err(|message| argument_error(0, message))
                }),
        ),
        (
            "timeadd",
            CtyFunction::new("Returns the timestamp after a duration like \"1h30m\".")
                .parameter(string("timestamp"))
                .parameter(string("duration"))
                .returns(CtyType::String)
                .implement(|[time, duration], _| {
                    let time = Rfc3339Timestamp::parse(time.as_string()?).map_err(failure)?;
                    let duration = duration::parse(duration.as_string()?).map_err(failure)?;
                    Ok(CtyValue::string(time.after(duration).to_string()))
                }),
        ),
    ]
}
