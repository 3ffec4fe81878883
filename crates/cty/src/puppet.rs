//! Puppet's values as cty's, and back.

use std::sync::Arc;

use super::number::{Digits, Number};
use super::stdlib::{bytes, bytes_type};
use super::types::Type;
use super::value::{SENSITIVE, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Limits, Visit, Work};
use puppetfn_types::types::{Size, Type as PuppetType};
use puppetfn_types::value::{Binary, Value as PuppetValue};

impl Value {
    /// Returns the cty value of a Puppet value: arrays are tuples, hashes are objects, and sensitive values
    /// are marked.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Unrepresentable`] if cty has no such value.
    pub fn from_puppet(value: &PuppetValue, limits: &Limits) -> Result<Self, Error> {
        from_puppet(value, Visit::new(&Work::new(limits)))
    }

    /// Returns the Puppet value: collections other than maps become arrays, marked values become sensitive.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Unrepresentable`] for numbers and capsules that Puppet does not have.
    pub fn to_puppet(&self, limits: &Limits) -> Result<PuppetValue, Error> {
        to_puppet(self, Visit::new(&Work::new(limits)))
    }
}

#[cold]
fn unrepresentable(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unrepresentable, message)
}

fn from_puppet(value: &PuppetValue, visit: Visit<'_>) -> Result<Value, Error> {
    let visit = visit.deeper()?;
    Ok(match value {
        PuppetValue::Undef => Value::null(Type::Dynamic),
        PuppetValue::Boolean(truth) => Value::bool(*truth),
        PuppetValue::Integer(number) => Value::from(*number),
        PuppetValue::Float(number) => {
            Value::number(Number::from_f64(*number).ok_or_else(|| unrepresentable("cty has no number NaN"))?)
        }
        PuppetValue::String(text) => Value::string(text),
        PuppetValue::Binary(binary) => bytes(binary.bytes().to_vec()),
        PuppetValue::Array(items) => {
            let elements = items.iter().map(|item| from_puppet(item, visit));
            Value::tuple(elements.collect::<Result<Vec<_>, _>>()?)
        }
        PuppetValue::Hash(hash) => {
            let mut attributes = Vec::new();
            for (key, value) in hash.iter() {
                let PuppetValue::String(name) = key else {
                    return Err(unrepresentable("cty has no hashes with keys that are not strings"));
                };
                attributes.push((name.clone(), from_puppet(value, visit)?));
            }
            Value::object(attributes)
        }
        PuppetValue::Sensitive(inner) => from_puppet(inner, visit)?.mark(SENSITIVE),
        PuppetValue::Unknown(t) => Value::unknown(type_from_puppet(t)),
        other => {
            let t = puppetfn_types::types::ops::infer(other, visit.limits())?.generalize();
            return Err(unrepresentable(format!("cty has no values of the type {t}")));
        }
    })
}

fn to_puppet(value: &Value, visit: Visit<'_>) -> Result<PuppetValue, Error> {
    let visit = visit.deeper()?;
    if value.is_marked() {
        let (hidden, _) = value.unmark();
        return match to_puppet(&hidden, visit) {
            Ok(hidden) => Ok(PuppetValue::Sensitive(Arc::new(hidden))),
            Err(error) if *error.kind() == ErrorKind::Unrepresentable => {
                Err(unrepresentable("Puppet has no such value as the sensitive one"))
            }
            Err(error) => Err(error),
        };
    }
    if value.is_null() {
        return Ok(PuppetValue::Undef);
    }
    if !value.is_known() {
        return Ok(PuppetValue::unknown(type_to_puppet(value.ty())));
    }
    Ok(match value.ty() {
        Type::Dynamic => PuppetValue::Undef,
        Type::Bool => PuppetValue::Boolean(value.as_bool()?),
        Type::String => PuppetValue::String(value.as_string()?.clone()),
        Type::Number => number_to_puppet(value.as_number()?)?,
        // Unknown elements may turn out to be equal.
        Type::Set(element) if !value.is_wholly_known() => {
            let size = Size::new(1, Some(value.element_count()? as u64));
            PuppetValue::unknown(PuppetType::array(type_to_puppet(element), Some(size)))
        }
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => {
            let items = value.values()?;
            items.iter().map(|item| to_puppet(item, visit)).collect::<Result<Vec<_>, _>>()?.into()
        }
        Type::Map(_) | Type::Object(_) => {
            let entries = value.entries()?.into_iter();
            let converted =
                entries.map(|(key, value)| Ok((PuppetValue::String(key), to_puppet(&value, visit)?)));
            converted.collect::<Result<Vec<_>, Error>>()?.into_iter().collect()
        }
        Type::Capsule(_) if *value.ty() == bytes_type() => {
            PuppetValue::Binary(Binary::new(value.as_capsule::<Vec<u8>>()?.as_slice()))
        }
        Type::Capsule(_) => {
            let name = value.ty().friendly_name();
            return Err(unrepresentable(format!("Puppet has no values of the type {name}")));
        }
    })
}

fn number_to_puppet(number: &Number) -> Result<PuppetValue, Error> {
    if let Some(integer) = number.to_i64() {
        return Ok(PuppetValue::Integer(integer));
    }
    if number.is_integer() || number.is_infinite() || number.to_f64().is_infinite() {
        let shown = number.to_general(Digits::Exactly(10))?;
        return Err(unrepresentable(format!("the number {shown} is larger than Puppet's numbers")));
    }
    Ok(PuppetValue::Float(number.to_f64()))
}

/// Returns the type for an unknown value. Types without an equivalent in cty are dynamic.
pub fn type_from_puppet(t: &PuppetType) -> Type {
    match t {
        PuppetType::String(_) | PuppetType::Enum(_) | PuppetType::Pattern(_) => Type::String,
        PuppetType::Integer(_) | PuppetType::Float(_) | PuppetType::Numeric => Type::Number,
        PuppetType::Boolean(_) => Type::Bool,
        PuppetType::Binary => bytes_type(),
        _ => Type::Dynamic,
    }
}

/// Returns the type for an unknown value, which may turn out to be null.
pub fn type_to_puppet(t: &Type) -> PuppetType {
    let known = match t {
        Type::Dynamic | Type::Capsule(_) => return PuppetType::Any,
        Type::Bool => PuppetType::BOOLEAN,
        Type::Number => PuppetType::Numeric,
        Type::String => PuppetType::STRING,
        Type::List(element) | Type::Set(element) => PuppetType::array(type_to_puppet(element), None),
        Type::Map(element) => PuppetType::hash(PuppetType::STRING, type_to_puppet(element), None),
        Type::Tuple(types) => PuppetType::tuple(types.iter().map(type_to_puppet).collect::<Vec<_>>(), None),
        Type::Object(_) => PuppetType::hash(PuppetType::STRING, PuppetType::Any, None),
    };
    PuppetType::optional(known)
}
