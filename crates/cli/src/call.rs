//! `puppetfn call`.

use std::io::Write;

use super::args::CallArgs;
use super::{CallOutcome, CommandFailure, CommandHost, LogEntry, OK, advice, complain};
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::json;
use puppetfn_types::value::Value;

pub(super) fn run(
    call: &CallArgs,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let options = call.settings.options()?;
    let arguments =
        call.args.iter().map(|text| argument(text, &options.limits)).collect::<Result<Vec<_>, _>>()?;

    tell(host.call(&options, &call.name, &arguments), call.json, &options.limits, out, err)
        .map_err(|failure| failure.advised(advice::of_call(call, &options.limits)))
}

/// Prints a result, and the messages that were logged on the way to it.
pub(super) fn tell(
    outcome: CallOutcome,
    as_json: bool,
    limits: &Limits,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    report(&outcome.log, err);
    let result = outcome.result?;
    if as_json {
        writeln!(out, "{}", json::to_json(&result, limits)?)?;
    } else {
        writeln!(out, "{}", result.interpolated(limits)?)?;
    }
    Ok(OK)
}

/// Prints the visible log messages.
pub(super) fn report(log: &[LogEntry], err: &mut dyn Write) {
    for entry in log.iter().filter(|entry| entry.is_shown()) {
        complain(err, &format!("{}: {}", entry.level, entry.text()));
    }
}

/// Parses an argument as JSON, or else takes it as a string. JSON that is no value is refused: as a string it would
/// only confuse.
pub(super) fn argument(text: &str, limits: &Limits) -> Result<Value, CommandFailure> {
    match json::parse(text, limits) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(_not_json)) => Ok(Value::from(text)),
        Err(error) => Err(CommandFailure::Usage(format!("argument {}: {error}", shortened(text)))),
    }
}

fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
