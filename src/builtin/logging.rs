//! The functions that log, and `fail`.

use crate::error::{Error, ErrorKind};
use crate::function::{Call, Declaration, LogLevel, NativeBody, native};
use crate::value::Value;

pub(super) fn debug() -> Declaration {
    logger("debug", |call, arguments| log(call, LogLevel::Debug, arguments))
}

pub(super) fn info() -> Declaration {
    logger("info", |call, arguments| log(call, LogLevel::Info, arguments))
}

pub(super) fn notice() -> Declaration {
    logger("notice", |call, arguments| log(call, LogLevel::Notice, arguments))
}

pub(super) fn warning() -> Declaration {
    logger("warning", |call, arguments| log(call, LogLevel::Warning, arguments))
}

pub(super) fn err() -> Declaration {
    logger("err", |call, arguments| log(call, LogLevel::Err, arguments))
}

pub(super) fn alert() -> Declaration {
    logger("alert", |call, arguments| log(call, LogLevel::Alert, arguments))
}

pub(super) fn emerg() -> Declaration {
    logger("emerg", |call, arguments| log(call, LogLevel::Emerg, arguments))
}

pub(super) fn crit() -> Declaration {
    logger("crit", |call, arguments| log(call, LogLevel::Crit, arguments))
}

fn logger(name: &'static str, body: NativeBody) -> Declaration {
    native(name)
        .doc(format!("Logs its arguments, separated by blanks, at the level `{name}`."))
        .example(format!("{name}('disk', 1, [true])"), "undef")
        .dispatch("(Any values*) >> Undef", body)
}

fn log(call: &mut Call<'_>, level: LogLevel, arguments: &[Value]) -> Result<Value, Error> {
    let texts = arguments.iter().map(Value::interpolated).collect::<Result<Vec<_>, _>>()?;
    call.log(level, &texts.join(" "));
    Ok(Value::Undef)
}

pub(super) fn fail() -> Declaration {
    native("fail").doc("Fails with its arguments, separated by blanks, as the message.").dispatch(
        "(Any values*)",
        |_, arguments| {
            let texts = arguments.iter().map(legacy_text).collect::<Result<Vec<_>, _>>()?;
            Err(Error::new(ErrorKind::Evaluation, texts.join(" ")))
        },
    )
}

/// The text of an argument of a function of the 3.x API, which gets regular expressions as text.
fn legacy_text(value: &Value) -> Result<String, Error> {
    if let Value::Regexp(_) = value { value.interpolated() } else { value.ruby_to_s() }
}
