//! Values of any type.
//!
//! See go-cty's `cty/function/stdlib/general.go`.

use super::{Family, any, failure};
use crate::convert::{Conversion, Safety, convert, mismatch_message, unify};
use crate::function::{Function, argument_error, exactly};
use crate::text::quoted;
use crate::types::Type;
use crate::value::Value;
use puppetfn_base::error::{Error, ErrorKind};

pub(super) fn functions() -> Family {
    let open = |name| any(name).allow_unknown().allow_dynamic_type().allow_null();
    vec![
        (
            "equal",
            Function::new("Returns true if the two values are equal.")
                .parameter(open("a"))
                .parameter(open("b"))
                .returns(Type::Bool)
                .implement(|[a, b], _| a.equals(b)),
        ),
        (
            "notequal",
            Function::new("Returns true if the two values are not equal.")
                .parameter(open("a"))
                .parameter(open("b"))
                .returns(Type::Bool)
                .implement(|[a, b], _| a.equals(b)?.not()),
        ),
        (
            "coalesce",
            Function::new("Returns the first value that is not null.")
                .variadic(open("vals"))
                .type_rule(|values, _| {
                    let types: Vec<Type> = values.iter().map(|value| value.ty().clone()).collect();
                    unify(&types, Safety::Unsafe)
                        .ok_or_else(|| failure("all arguments must have the same type"))
                })
                .implement_variadic(|arguments, call| coalesce(arguments, call.returns)),
        ),
    ]
}

fn coalesce(values: &[Value], t: &Type) -> Result<Value, Error> {
    match values.iter().find(|value| !value.is_null()) {
        Some(value) if !value.is_known() => Ok(Value::unknown(t.clone())),
        Some(value) => convert(value, t),
        None => Err(failure("no non-null arguments")),
    }
}

/// Returns the function that converts its argument to this type.
pub fn conversion_to(wanted: &Type) -> Function {
    let description =
        format!("Converts the value to {}, or fails where that is not possible.", wanted.friendly_name());
    let (rule, body) = (wanted.clone(), wanted.clone());
    Function::new(&description)
        .parameter(any("v").allow_null())
        .type_rule(move |arguments, _| {
            let [value] = exactly(arguments)?;
            let given = value.ty();
            if *given == rule || Conversion::find(given, &rule, Safety::Unsafe).is_some() {
                return Ok(rule.clone());
            }
            let kind = match (given, &rule) {
                (Type::Tuple(_), Type::Tuple(_)) => "tuple",
                (Type::Object(_), Type::Object(_)) => "object",
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

fn unconverted(value: &Value, wanted: &Type) -> Error {
    let text = value.as_string().map_or_else(|_| "string".to_owned(), |text| quoted(text));
    let reason = match (value.ty(), wanted) {
        (Type::String, Type::Bool) => "to bool; only the strings \"true\" or \"false\" are allowed",
        (Type::String, Type::Number) => {
            "to number; given string must be a decimal representation of a number"
        }
        (given, wanted) => return impossible(given, wanted),
    };
    argument_error(0, format!("cannot convert {text} {reason}"))
}

fn impossible(given: &Type, wanted: &Type) -> Error {
    argument_error(0, format!("cannot convert {} to {}", given.friendly_name(), wanted.constraint_name()))
}
