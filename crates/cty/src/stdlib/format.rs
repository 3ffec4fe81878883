//! Formats values, as C's `printf` does.
//!
//! See go-cty's `cty/function/stdlib/format.go`.

mod scan;
mod verb;

use super::{Family, any, failure, string};
use crate::function::{Context, Function, argument_error};
use crate::types::Type;
use crate::value::Value;
use puppetfn_base::error::Error;

pub(super) fn functions() -> Family {
    let function = |text| Function::new(text).parameter(string("format"));
    vec![
        (
            "format",
            function("Returns the format with each verb, as in %s, replaced by an argument.")
                .variadic(any("args").allow_null())
                .returns(Type::String)
                .implement_variadic(|arguments, call| {
                    let (format, arguments) = parts(arguments)?;
                    if !arguments.iter().all(Value::is_wholly_known) {
                        return Ok(Value::unknown(Type::String));
                    }
                    Ok(Value::string(scan::format(format.as_string()?, arguments, call.limits)?))
                }),
        ),
        (
            "formatlist",
            function("Formats once for each element of the arguments that are lists, and returns a list.")
                .variadic(any("args").allow_null().allow_unknown())
                .returns(Type::list(Type::String))
                .implement_variadic(format_list),
        ),
    ]
}

fn parts(arguments: &[Value]) -> Result<(&Value, &[Value]), Error> {
    arguments.split_first().ok_or_else(|| failure("a format is required"))
}

/// An argument of each round.
enum Source {
    /// The same in all rounds.
    Single(Value),
    /// Another element in each.
    Elements(Vec<Value>),
    Unknown,
}

fn format_list(arguments: &[Value], call: &Context<'_>) -> Result<Value, Error> {
    let (format, arguments) = parts(arguments)?;
    let format = format.as_string()?;
    let mut rounds: Option<(usize, usize)> = None;
    let mut sources = Vec::with_capacity(arguments.len());
    for (number, argument) in (1..).zip(arguments) {
        let is_sequence = matches!(argument.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if !is_sequence || argument.is_null() {
            let unknown = argument.is_dynamic();
            sources.push(if unknown { Source::Unknown } else { Source::Single(argument.clone()) });
            continue;
        }
        if !argument.length()?.is_known() {
            sources.push(Source::Unknown);
            continue;
        }
        let length = argument.element_count()?;
        let (chooser, expected) = *rounds.get_or_insert((number, length));
        if length != expected {
            let message = format!(
                "argument {number} has length {length}, which is inconsistent with argument {chooser} of length {expected}"
            );
            return Err(argument_error(number, message));
        }
        let known = argument.is_known();
        sources.push(if known { Source::Elements(argument.values()?) } else { Source::Unknown });
    }
    if sources.iter().any(|source| matches!(source, Source::Unknown)) {
        return Ok(Value::unknown(call.returns.clone()));
    }
    let rounds = rounds.map_or(1, |(_, length)| length);
    let mut formatted = Vec::new();
    let mut size = 0;
    for round in 0..rounds {
        let arguments: Vec<Value> = sources
            .iter()
            .filter_map(|source| match source {
                Source::Single(value) => Some(value.clone()),
                Source::Elements(values) => values.get(round).cloned(),
                Source::Unknown => None,
            })
            .collect();
        if !arguments.iter().all(Value::is_wholly_known) {
            formatted.push(Value::unknown(Type::String));
            continue;
        }
        let text = scan::format(format, &arguments, call.limits);
        let text = match text {
            // Errors of a format without arguments are not wrapped.
            Err(error) if !sources.is_empty() => {
                return Err(super::wrapped(&error, &format!("error on format iteration {round}")));
            }
            text => text?,
        };
        size += text.len() as u64;
        call.limits.check_size(size)?;
        formatted.push(Value::string(text));
    }
    Value::list(&Type::String, formatted)
}
