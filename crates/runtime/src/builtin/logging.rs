//! The functions that log, and `fail`.
//!
//! See Puppet's `functions/{debug,info,notice,warning,err,alert,crit,emerg}.rb` and `parser/functions/fail.rb`.

use super::legacy::{LegacyArity, legacy_statement};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::function::{Call, Control, Declaration, LogLevel, ScopeMethod, ScopeMethodKind, native};
use puppetfn_types::value::Value;

pub(super) fn debug() -> Declaration {
    logger("debug", LogLevel::Debug)
}

pub(super) fn info() -> Declaration {
    logger("info", LogLevel::Info)
}

pub(super) fn notice() -> Declaration {
    logger("notice", LogLevel::Notice)
}

pub(super) fn warning() -> Declaration {
    logger("warning", LogLevel::Warning)
}

pub(super) fn err() -> Declaration {
    logger("err", LogLevel::Err)
}

pub(super) fn alert() -> Declaration {
    logger("alert", LogLevel::Alert)
}

pub(super) fn emerg() -> Declaration {
    logger("emerg", LogLevel::Emerg)
}

pub(super) fn crit() -> Declaration {
    logger("crit", LogLevel::Crit)
}

fn logger(name: &'static str, level: LogLevel) -> Declaration {
    let method = ScopeMethod::statement(-1).of_kind(ScopeMethodKind::Logs);
    native(name)
        .scope_method(method)
        .doc(format!("Logs its arguments, separated by blanks, at the level `{name}`."))
        .example(format!("{name}('disk', 1, [true])"), "undef")
        .dispatch::<&[Value]>("(Any values*) >> Undef", move |call, arguments| log(call, level, arguments))
}

fn log(call: &mut Call<'_>, level: LogLevel, arguments: &[Value]) -> Result<Value, Error> {
    let texts = arguments
        .iter()
        .map(|argument| argument.interpolated(call.limits()))
        .collect::<Result<Vec<_>, _>>()?;
    call.log_here(level, &texts.join(" "));
    Ok(Value::Undef)
}

pub(super) fn fail() -> Declaration {
    legacy_statement("fail", LegacyArity::AtLeast(0), |call, arguments| {
        let texts = arguments
            .iter()
            .map(|argument| argument.ruby_to_s(call.limits()))
            .collect::<Result<Vec<_>, _>>()?;
        Err(Error::new(ErrorKind::Evaluation, texts.join(" ")))
    })
    .control(Control::Fail)
    .doc("Fails with its arguments, separated by blanks, as the message.")
}
