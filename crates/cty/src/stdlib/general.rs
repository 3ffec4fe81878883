//! Values of any type.
//!
//! See go-cty's `cty/function/stdlib/general.go`.

use super::{FunctionFamily, any, failure};
use crate::convert::{Conversion, Safety, convert, mismatch_message, unify};
use crate::function::{CtyFunction, argument_error, exactly};
use crate::text::quoted;
use crate::types::CtyType;
use crate::value::CtyValue;
use puppetfn_base::error::{Error, ErrorKind};

pub(super) fn functions() -> FunctionFamily {
    let open = |name| any(name).allow_unknown().allow_dynamic_type().allow_null();
    vec![
        (
            "equal",
            CtyFunction::new("Returns true if the two values are equal.")
                .parameter(open("a"))
                .parameter(open("b"))
                .returns(CtyType::Bool)
                .implement(|[a, b], _| a.equals(b)),
        ),
        (
            "notequal",
            CtyFunction::new("Returns true if the two values are not equal.")
                .parameter(open("a"))
                .parameter(open("b"))
                .returns(CtyType::Bool)
                .implement(|[a, b], _| a.equals(b)?.not()),
        ),
        (
            "coalesce",
            CtyFunction::new("Returns the first value that is not null.")
                .variadic(open("vals"))
                .type_rule(|values, _| {
                    let types: Vec<CtyType> = values.iter().map(|value| value.ty().clone()).collect();
                    unify(&types, Safety::Unsafe)
                        .ok_or_else(|| failure("all arguments must have the same type"))
                })
                .implement_variadic(|arguments, call| coalesce(arguments, call.returns)),
        ),
    ]
}

fn coalesce(values: &[CtyValue], t: &CtyType) -> Result<CtyValue, Error> {
    match values.iter().find(|value| !value.is_null()) {
        Some(value) if !value.is_known() => Ok(CtyValue::unknown(t.clone())),
        Some(value) => convert(value, t),
        None => Err(failure("no non-null arguments")),
    }
}

/// Returns the function that converts its argument to this type.
pub fn conversion_to(wanted: &CtyType) -> CtyFunction {
    let description =
        format!("Converts the value to {}, or fails where that is not possible.", wanted.friendly_name());
    let (rule, body) = (wanted.clone(), wanted.clone());
    CtyFunction::new(&description)
        .parameter(any("v").allow_null())
        .type_rule(move |arguments, _| {
            let [value] = exactly(arguments)?;
            let given = value.ty();
            if *given == rule || Conversion::find(given, &rule, Safety::Unsafe).is_some() {
                return Ok(rule.clone());
            }
            let kind = match (given, &rule) {
                (CtyType::Tuple(_), CtyType::Tuple(_)) => "tuple",
                (CtyType::Object(_), CtyType::Object(_)) => "object",
                _ => return Err(impossible(given, &rule)),
            };
            let reason = mismatch_message(given, &rule);
            Err(argument_error(0, format!("incompatible {kind} type for conversion: {reason}")))
        })
        .implement(move |[value], call| {
            let t = call.returns;
            convert(value, t).map_err(|error| match error.kind() {
                ErrorKind::Limit => error,
                _ => unconverted(value, &body),
            })
        })
}

fn unconverted(value: &CtyValue, wanted: &CtyType) -> Error {
    let text = value.as_string().map_or_else(|_| "string".to_owned(), |text| quoted(text));
    let reason = match (value.ty(), wanted) {
        (CtyType::String, CtyType::Bool) => "to bool; only the strings \"true\" or \"false\" are allowed",
        (CtyType::String, CtyType::Number) => {
            "to number; given string must be a decimal representation of a number"
        }
        (given, wanted) => return impossible(given, wanted),
    };
    argument_error(0, format!("cannot convert {text} {reason}"))
}

fn impossible(given: &CtyType, wanted: &CtyType) -> Error {
    argument_error(0, format!("cannot convert {} to {}", given.friendly_name(), wanted.constraint_name()))
}
