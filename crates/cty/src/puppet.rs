//! Puppet's values as cty's, and back.

use std::sync::Arc;

use super::number::{CtyNumber, DigitCount};
use super::stdlib::{bytes, bytes_type};
use super::types::CtyType;
use super::value::{CtyValue, SENSITIVE};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Limits, VisitState, Work};
use puppetfn_types::types::{Size, Type as PuppetType};
use puppetfn_types::value::{Binary, Value as PuppetValue};

impl CtyValue {
    /// Returns the cty value of a Puppet value: arrays are tuples, hashes are objects, and sensitive values
    /// are marked.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Unrepresentable`] if cty has no such value.
    pub fn from_puppet(value: &PuppetValue, limits: &Limits) -> Result<Self, Error> {
        from_puppet(value, VisitState::new(&Work::new(limits)))
    }

    /// Returns the Puppet value: collections other than maps become arrays, marked values become sensitive.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Unrepresentable`] for numbers and capsules that Puppet does not have.
    pub fn to_puppet(&self, limits: &Limits) -> Result<PuppetValue, Error> {
        to_puppet(self, VisitState::new(&Work::new(limits)))
    }
}

#[cold]
fn unrepresentable(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unrepresentable, message)
}

fn from_puppet(value: &PuppetValue, visit: VisitState<'_>) -> Result<CtyValue, Error> {
    let visit = visit.deeper()?;
    Ok(match value {
        PuppetValue::Undef => CtyValue::null(CtyType::Dynamic),
        PuppetValue::Boolean(truth) => CtyValue::bool(*truth),
        PuppetValue::Integer(number) => CtyValue::from(*number),
        PuppetValue::Float(number) => CtyValue::number(
            CtyNumber::from_f64(*number).ok_or_else(|| unrepresentable("cty has no number NaN"))?,
        ),
        PuppetValue::String(text) => CtyValue::string(text),
        PuppetValue::Binary(binary) => bytes(binary.bytes().to_vec()),
        PuppetValue::Array(items) => {
            let elements = items.iter().map(|item| from_puppet(item, visit));
            CtyValue::tuple(elements.collect::<Result<Vec<_>, _>>()?)
        }
        PuppetValue::Hash(hash) => {
            let mut attributes = Vec::new();
            for (key, value) in hash.iter() {
                let PuppetValue::String(name) = key else {
                    return Err(unrepresentable("cty has no hashes with keys that are not strings"));
                };
                attributes.push((name.clone(), from_puppet(value, visit)?));
            }
            CtyValue::object(attributes)
        }
        PuppetValue::Sensitive(inner) => from_puppet(inner, visit)?.mark(SENSITIVE),
        PuppetValue::Unknown(t) => CtyValue::unknown(type_from_puppet(t)),
        other => {
            let t = puppetfn_types::types::ops::infer(other, visit.limits())?.generalize();
            return Err(unrepresentable(format!("cty has no values of the type {t}")));
        }
    })
}

fn to_puppet(value: &CtyValue, visit: VisitState<'_>) -> Result<PuppetValue, Error> {
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
        CtyType::Dynamic => PuppetValue::Undef,
        CtyType::Bool => PuppetValue::Boolean(value.as_bool()?),
        CtyType::String => PuppetValue::String(value.as_string()?.clone()),
        CtyType::Number => number_to_puppet(value.as_number()?)?,
        // Unknown elements may turn out to be equal.
        CtyType::Set(element) if !value.is_wholly_known() => {
            let size = Size::new(1, Some(value.element_count()? as u64));
            PuppetValue::unknown(PuppetType::array(type_to_puppet(element), Some(size)))
        }
        CtyType::List(_) | CtyType::Set(_) | CtyType::Tuple(_) => {
            let items = value.values()?;
            items.iter().map(|item| to_puppet(item, visit)).collect::<Result<Vec<_>, _>>()?.into()
        }
        CtyType::Map(_) | CtyType::Object(_) => {
            let entries = value.entries()?.into_iter();
            let converted =
                entries.map(|(key, value)| Ok((PuppetValue::String(key), to_puppet(&value, visit)?)));
            converted.collect::<Result<Vec<_>, Error>>()?.into_iter().collect()
        }
        CtyType::Capsule(_) if *value.ty() == bytes_type() => {
            PuppetValue::Binary(Binary::new(value.as_capsule::<Vec<u8>>()?.as_slice()))
        }
        CtyType::Capsule(_) => {
            let name = value.ty().friendly_name();
            return Err(unrepresentable(format!("Puppet has no values of the type {name}")));
        }
    })
}

fn number_to_puppet(number: &CtyNumber) -> Result<PuppetValue, Error> {
    if let Some(integer) = number.to_i64() {
        return Ok(PuppetValue::Integer(integer));
    }
    if number.is_integer() || number.is_infinite() || number.to_f64().is_infinite() {
        let shown = number.to_general(DigitCount::Exactly(10))?;
        return Err(unrepresentable(format!("the number {shown} is larger than Puppet's numbers")));
    }
    Ok(PuppetValue::Float(number.to_f64()))
}

/// Returns the type for an unknown value. Types without an equivalent in cty are dynamic.
pub fn type_from_puppet(t: &PuppetType) -> CtyType {
    match t {
        PuppetType::String(_) | PuppetType::Enum(_) | PuppetType::Pattern(_) => CtyType::String,
        PuppetType::Integer(_) | PuppetType::Float(_) | PuppetType::Numeric => CtyType::Number,
        PuppetType::Boolean(_) => CtyType::Bool,
        PuppetType::Binary => bytes_type(),
        _ => CtyType::Dynamic,
    }
}

/// Returns the type for an unknown value, which may turn out to be null.
pub fn type_to_puppet(t: &CtyType) -> PuppetType {
    let known = match t {
        CtyType::Dynamic | CtyType::Capsule(_) => return PuppetType::Any,
        CtyType::Bool => PuppetType::BOOLEAN,
        CtyType::Number => PuppetType::Numeric,
        CtyType::String => PuppetType::STRING,
        CtyType::List(element) | CtyType::Set(element) => PuppetType::array(type_to_puppet(element), None),
        CtyType::Map(element) => PuppetType::hash(PuppetType::STRING, type_to_puppet(element), None),
        CtyType::Tuple(types) => {
            PuppetType::tuple(types.iter().map(type_to_puppet).collect::<Vec<_>>(), None)
        }
        CtyType::Object(_) => PuppetType::hash(PuppetType::STRING, PuppetType::Any, None),
    };
    PuppetType::optional(known)
}
