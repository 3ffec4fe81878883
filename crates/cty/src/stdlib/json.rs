//! JSON.
//!
//! See go-cty's `cty/function/stdlib/json.go`.

mod reader;

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{FunctionFamily, any, failure, string};
use crate::function::{CtyFunction, exactly};
use crate::number::{CtyNumber, DigitCount};
use crate::text::{json_string, normalized, quoted};
use crate::types::CtyType;
use crate::value::CtyValue;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

pub(super) fn functions() -> FunctionFamily {
    vec![
        (
            "jsonencode",
            CtyFunction::new("Returns the value as JSON.")
                .parameter(any("val").allow_dynamic_type().allow_null())
                .returns(CtyType::String)
                .implement(|[value], call| {
                    let t = call.returns;
                    if !value.is_wholly_known() {
                        return Ok(CtyValue::unknown(t.clone()));
                    }
                    Ok(CtyValue::string(encode(value, call.limits)?))
                }),
        ),
        (
            "jsondecode",
            CtyFunction::new("Returns the value that a text of JSON describes.")
                .parameter(string("str"))
                .type_rule(|arguments, limits| {
                    let [text] = exactly(arguments)?;
                    if !text.is_known() {
                        return Ok(CtyType::Dynamic);
                    }
                    reader::read(text.as_string()?, limits)?.implied_type()
                })
                .implement(|[text], call| reader::read(text.as_string()?, call.limits)?.value(call.returns)),
        ),
    ]
}

/// Returns the value as JSON. It is wholly known.
pub(super) fn encode(value: &CtyValue, limits: &Limits) -> Result<String, Error> {
    let mut json = String::new();
    write(&mut json, value, limits)?;
    Ok(json)
}

fn write(json: &mut String, value: &CtyValue, limits: &Limits) -> Result<(), Error> {
    if value.is_marked() {
        return Err(failure("value has marks, so it cannot be serialized as JSON"));
    }
    if value.is_null() {
        json.push_str("null");
        return limits.check_size(json.len() as u64);
    }
    match value.ty() {
        CtyType::Dynamic => return Err(failure("value is not known")),
        CtyType::Bool => json.push_str(if value.as_bool()? { "true" } else { "false" }),
        CtyType::String => json.push_str(&json_string(value.as_string()?)),
        CtyType::Number if value.as_number()?.is_infinite() => {
            return Err(failure("cannot serialize infinity as JSON"));
        }
        CtyType::Number => json.push_str(&value.as_number()?.to_fixed(DigitCount::Shortest)?),
        CtyType::Capsule(_) => {
            let bytes: &Vec<u8> = value
                .as_capsule()
                .map_err(|_| failure(format!("cannot JSON-serialize {}", value.ty().friendly_name())))?;
            json.push_str(&json_string(&STANDARD.encode(bytes)));
        }
        CtyType::List(_) | CtyType::Set(_) | CtyType::Tuple(_) => {
            json.push('[');
            for (index, element) in value.values()?.iter().enumerate() {
                json.push_str(if index == 0 { "" } else { "," });
                write(json, element, limits)?;
            }
            json.push(']');
        }
        CtyType::Map(_) | CtyType::Object(_) => {
            json.push('{');
            for (index, (name, element)) in value.entries()?.iter().enumerate() {
                json.push_str(if index == 0 { "" } else { "," });
                json.push_str(&json_string(name));
                json.push(':');
                write(json, element, limits)?;
            }
            json.push('}');
        }
    }
    limits.check_size(json.len() as u64)
}

/// A JSON document without loss: with duplicate keys, and numbers with all digits.
enum JsonDocument {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<JsonDocument>),
    Object(Vec<(String, JsonDocument)>),
}

impl JsonDocument {
    /// Returns the type of the value. Null implies the dynamic type.
    fn implied_type(&self) -> Result<CtyType, Error> {
        Ok(match self {
            Self::Null => CtyType::Dynamic,
            Self::Bool(_) => CtyType::Bool,
            Self::Number(_) => CtyType::Number,
            Self::String(_) => CtyType::String,
            Self::Array(items) => {
                CtyType::tuple(items.iter().map(Self::implied_type).collect::<Result<Vec<_>, _>>()?)
            }
            Self::Object(entries) => {
                let attributes = entries.iter().map(|(name, value)| Ok((name, value.implied_type()?)));
                CtyType::object(attributes.collect::<Result<Vec<_>, Error>>()?)
            }
        })
    }

    /// Returns the value of this type, which was implied by the document.
    fn value(&self, t: &CtyType) -> Result<CtyValue, Error> {
        match (self, t) {
            (Self::Null, t) => Ok(CtyValue::null(t.clone())),
            (Self::Array(items), CtyType::Tuple(types)) => {
                let pairs = items.iter().zip(types.iter());
                Ok(CtyValue::tuple(pairs.map(|(item, t)| item.value(t)).collect::<Result<Vec<_>, _>>()?))
            }
            (Self::Object(entries), CtyType::Object(object)) => {
                let mut attributes: Vec<(Arc<str>, CtyValue)> = Vec::new();
                for (name, value) in entries {
                    let t = object.attributes().get(&**name);
                    let t = t.ok_or_else(|| failure(format!("unsupported attribute {}", quoted(name))))?;
                    attributes.push((normalized(name), value.value(t)?));
                }
                Ok(CtyValue::object(attributes))
            }
            (Self::Bool(truth), CtyType::Bool) => Ok(CtyValue::bool(*truth)),
            (Self::Number(text) | Self::String(text), CtyType::Number) => {
                let number = CtyNumber::parse(text).ok_or_else(|| failure("a number is required"))?;
                Ok(CtyValue::number(number))
            }
            (Self::Number(text) | Self::String(text), CtyType::String) => Ok(CtyValue::string(text)),
            // A key that comes twice has the type of its last value.
            (Self::Bool(truth), CtyType::String) => {
                Ok(CtyValue::string(if *truth { "true" } else { "false" }))
            }
            (Self::String(text), CtyType::Bool) => {
                crate::convert::convert(&CtyValue::string(text), &CtyType::Bool)
            }
            (_, t) => Err(failure(format!("{} is required", t.friendly_name()))),
        }
    }
}
