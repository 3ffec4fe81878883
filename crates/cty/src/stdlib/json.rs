//! JSON.
//!
//! See go-cty's `cty/function/stdlib/json.go`.

mod reader;

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Family, any, failure, string};
use crate::function::{Function, exactly};
use crate::number::{Digits, Number};
use crate::text::{json_string, normalized, quoted};
use crate::types::Type;
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

pub(super) fn functions() -> Family {
    vec![
        (
            "jsonencode",
            Function::new("Returns the value as JSON.")
                .parameter(any("val").allow_dynamic_type().allow_null())
                .returns(Type::String)
                .implement(|[value], call| {
                    let t = call.returns;
                    if !value.is_wholly_known() {
                        return Ok(Value::unknown(t.clone()));
                    }
                    Ok(Value::string(encode(value, call.limits)?))
                }),
        ),
        (
            "jsondecode",
            Function::new("Returns the value that a text of JSON describes.")
                .parameter(string("str"))
                .type_rule(|arguments, limits| {
                    let [text] = exactly(arguments)?;
                    if !text.is_known() {
                        return Ok(Type::Dynamic);
                    }
                    reader::read(text.as_string()?, limits)?.implied_type()
                })
                .implement(|[text], call| reader::read(text.as_string()?, call.limits)?.value(call.returns)),
        ),
    ]
}

/// Returns the value as JSON. It is wholly known.
pub(super) fn encode(value: &Value, limits: &Limits) -> Result<String, Error> {
    let mut json = String::new();
    write(&mut json, value, limits)?;
    Ok(json)
}

fn write(json: &mut String, value: &Value, limits: &Limits) -> Result<(), Error> {
    if value.is_marked() {
        return Err(failure("value has marks, so it cannot be serialized as JSON"));
    }
    if value.is_null() {
        json.push_str("null");
        return limits.check_size(json.len() as u64);
    }
    match value.ty() {
        Type::Dynamic => return Err(failure("value is not known")),
        Type::Bool => json.push_str(if value.as_bool()? { "true" } else { "false" }),
        Type::String => json.push_str(&json_string(value.as_string()?)),
        Type::Number if value.as_number()?.is_infinite() => {
            return Err(failure("cannot serialize infinity as JSON"));
        }
        Type::Number => json.push_str(&value.as_number()?.to_fixed(Digits::Shortest)?),
        Type::Capsule(_) => {
            let bytes: &Vec<u8> = value
                .as_capsule()
                .map_err(|_| failure(format!("cannot JSON-serialize {}", value.ty().friendly_name())))?;
            json.push_str(&json_string(&STANDARD.encode(bytes)));
        }
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => {
            json.push('[');
            for (index, element) in value.values()?.iter().enumerate() {
                json.push_str(if index == 0 { "" } else { "," });
                write(json, element, limits)?;
            }
            json.push(']');
        }
        Type::Map(_) | Type::Object(_) => {
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
enum Document {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Document>),
    Object(Vec<(String, Document)>),
}

impl Document {
    /// Returns the type of the value. Null implies the dynamic type.
    fn implied_type(&self) -> Result<Type, Error> {
        Ok(match self {
            Self::Null => Type::Dynamic,
            Self::Bool(_) => Type::Bool,
            Self::Number(_) => Type::Number,
            Self::String(_) => Type::String,
            Self::Array(items) => {
                Type::tuple(items.iter().map(Self::implied_type).collect::<Result<Vec<_>, _>>()?)
            }
            Self::Object(entries) => {
                let attributes = entries.iter().map(|(name, value)| Ok((name, value.implied_type()?)));
                Type::object(attributes.collect::<Result<Vec<_>, Error>>()?)
            }
        })
    }

    /// Returns the value of this type, which was implied by the document.
    fn value(&self, t: &Type) -> Result<Value, Error> {
        match (self, t) {
            (Self::Null, t) => Ok(Value::null(t.clone())),
            (Self::Array(items), Type::Tuple(types)) => {
                let pairs = items.iter().zip(types.iter());
                Ok(Value::tuple(pairs.map(|(item, t)| item.value(t)).collect::<Result<Vec<_>, _>>()?))
            }
            (Self::Object(entries), Type::Object(object)) => {
                let mut attributes: Vec<(Arc<str>, Value)> = Vec::new();
                for (name, value) in entries {
                    let t = object.attributes().get(&**name);
                    let t = t.ok_or_else(|| failure(format!("unsupported attribute {}", quoted(name))))?;
                    attributes.push((normalized(name), value.value(t)?));
                }
                Ok(Value::object(attributes))
            }
            (Self::Bool(truth), Type::Bool) => Ok(Value::bool(*truth)),
            (Self::Number(text) | Self::String(text), Type::Number) => {
                let number = Number::parse(text).ok_or_else(|| failure("a number is required"))?;
                Ok(Value::number(number))
            }
            (Self::Number(text) | Self::String(text), Type::String) => Ok(Value::string(text)),
            // A key that comes twice has the type of its last value.
            (Self::Bool(truth), Type::String) => Ok(Value::string(if *truth { "true" } else { "false" })),
            (Self::String(text), Type::Bool) => crate::convert::convert(&Value::string(text), &Type::Bool),
            (_, t) => Err(failure(format!("{} is required", t.friendly_name()))),
        }
    }
}
