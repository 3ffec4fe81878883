//! JSON.
//!
//! See go-cty's `cty/function/stdlib/json.go`.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

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
                .type_rule(|arguments, _| {
                    let [text] = exactly(arguments)?;
                    if !text.is_known() {
                        return Ok(Type::Dynamic);
                    }
                    read(text.as_string()?)?.implied_type()
                })
                .implement(|[text], call| read(text.as_string()?)?.value(call.returns)),
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

/// A JSON document, with all that it says: keys that come twice, numbers with all digits.
enum Document {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Document>),
    Object(Vec<(String, Document)>),
}

fn read(text: &str) -> Result<Document, Error> {
    let text = &without_lone_surrogates(text);
    let mut documents = serde_json::Deserializer::from_str(text).into_iter();
    let document = match documents.next() {
        Some(document) => document.map_err(|error| failure(error.to_string()))?,
        None => return Err(failure("EOF")),
    };
    let rest = text.get(documents.byte_offset()..).unwrap_or_default().trim_start();
    if rest.is_empty() || rest.starts_with([']', '}']) {
        return Ok(document);
    }
    Err(failure("extraneous data after JSON object"))
}

/// Replaces escapes like `\ud83d`, of which two make one character, where there is only one.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    if !text.contains("\\u") {
        return text.into();
    }
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        replaced.push_str(before);
        let (own, next) =
            (surrogate(after), after.get(5..).and_then(|next| surrogate(next.strip_prefix('\\')?)));
        let (escape, length) = match (own, next) {
            (Some(Surrogate::High), Some(Surrogate::Low)) => (after.get(..11), 11),
            (Some(_), _) => (Some("ufffd"), 5),
            (None, _) => {
                let length = after.chars().next().map_or(0, char::len_utf8);
                (after.get(..length), length)
            }
        };
        replaced.push('\\');
        replaced.push_str(escape.unwrap_or_default());
        rest = after.get(length..).unwrap_or_default();
    }
    replaced.push_str(rest);
    replaced.into()
}

enum Surrogate {
    High,
    Low,
}

/// Returns which half of a character an escape is, without its backslash.
fn surrogate(escape: &str) -> Option<Surrogate> {
    match u32::from_str_radix(escape.strip_prefix('u')?.get(..4)?, 16).ok()? {
        0xd800..=0xdbff => Some(Surrogate::High),
        0xdc00..=0xdfff => Some(Surrogate::Low),
        _ => None,
    }
}

impl Document {
    /// Returns the type of the value. What is null may be of any type.
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

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DocumentVisitor)
    }
}

struct DocumentVisitor;

impl<'de> Visitor<'de> for DocumentVisitor {
    type Value = Document;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Document, E> {
        Ok(Document::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Document, E> {
        Ok(Document::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Document, E> {
        Ok(Document::Number(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Document, E> {
        Ok(Document::Number(number.to_string()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Document, E> {
        Ok(Document::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Document, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Document::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Document, A::Error> {
        /// How serde_json hands over a number with all its digits.
        const NUMBER: &str = "$serde_json::private::Number";
        let mut object = Vec::new();
        while let Some(key) = entries.next_key::<String>()? {
            if key == NUMBER && object.is_empty() {
                let Document::String(digits) = entries.next_value()? else {
                    return Err(A::Error::custom("a number has digits"));
                };
                return Ok(Document::Number(digits));
            }
            object.push((key, entries.next_value()?));
        }
        Ok(Document::Object(object))
    }
}
