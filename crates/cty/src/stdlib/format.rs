//! Formats values, as C's `printf` does.
//!
//! See go-cty's `cty/function/stdlib/format.go`.

mod scan;
mod verb;

use super::{FunctionFamily, any, failure, string};
use crate::function::{CtyContext, CtyFunction, argument_error};
use crate::types::CtyType;
use crate::value::CtyValue;
use puppetfn_base::error::Error;

pub(super) fn functions() -> FunctionFamily {
    let function = |text| CtyFunction::new(text).parameter(string("format"));
    vec![
        (
            "format",
            function("Returns the format with each verb, as in %s, replaced by an argument.")
                .variadic(any("args").allow_null())
                .returns(CtyType::String)
                .implement_variadic(|arguments, call| {
                    let (format, arguments) = parts(arguments)?;
                    if !arguments.iter().all(CtyValue::is_wholly_known) {
                        return Ok(CtyValue::unknown(CtyType::String));
                    }
                    Ok(CtyValue::string(scan::format(format.as_string()?, arguments, call.limits)?))
                }),
        ),
        (
            "formatlist",
            function("Formats once for each element of the arguments that are lists, and returns a list.")
                .variadic(any("args").allow_null().allow_unknown())
                .returns(CtyType::list(CtyType::String))
                .implement_variadic(format_list),
        ),
    ]
}

fn parts(arguments: &[CtyValue]) -> Result<(&CtyValue, &[CtyValue]), Error> {
    arguments.split_first().ok_or_else(|| failure("a format is required"))
}

/// An argument of each round.
enum ArgumentSource {
    /// The same in all rounds.
    Single(CtyValue),
    /// Another element in each.
    Elements(Vec<CtyValue>),
    Unknown,
}

fn format_list(arguments: &[CtyValue], call: &CtyContext<'_>) -> Result<CtyValue, Error> {
    let (format, arguments) = parts(arguments)?;
    let format = format.as_string()?;
    let mut rounds: Option<(usize, usize)> = None;
    let mut sources = Vec::with_capacity(arguments.len());
    for (number, argument) in (1..).zip(arguments) {
        let is_sequence = matches!(argument.ty(), CtyType::List(_) | CtyType::Set(_) | CtyType::Tuple(_));
        if !is_sequence || argument.is_null() {
            let unknown = argument.is_dynamic();
            sources.push(if unknown {
                ArgumentSource::Unknown
            } else {
                ArgumentSource::Single(argument.clone())
            });
            continue;
        }
        if !argument.length()?.is_known() {
            sources.push(ArgumentSource::Unknown);
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
        sources.push(if known {
            ArgumentSource::Elements(argument.values()?)
        } else {
            ArgumentSource::Unknown
        });
    }
    if sources.iter().any(|source| matches!(source, ArgumentSource::Unknown)) {
        return Ok(CtyValue::unknown(call.returns.clone()));
    }
    let rounds = rounds.map_or(1, |(_, length)| length);
    let mut formatted = Vec::new();
    let mut size = 0;
    for round in 0..rounds {
        let arguments: Vec<CtyValue> = sources
            .iter()
            .filter_map(|source| match source {
                ArgumentSource::Single(value) => Some(value.clone()),
                ArgumentSource::Elements(values) => values.get(round).cloned(),
                ArgumentSource::Unknown => None,
            })
            .collect();
        if !arguments.iter().all(CtyValue::is_wholly_known) {
            formatted.push(CtyValue::unknown(CtyType::String));
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
        formatted.push(CtyValue::string(text));
    }
    CtyValue::list(&CtyType::String, formatted)
}
