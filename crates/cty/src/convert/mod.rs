//! Converts values from one type to another.
//!
//! See go-cty's `cty/convert/conversion.go`.

mod apply;
mod mismatch;
mod order;
mod replace;
mod unify;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use mismatch::mismatch_message;
pub use unify::unify;

use super::types::CtyType;
use super::value::CtyValue;
use puppetfn_base::error::{Error, ErrorKind};

/// Which conversions are considered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Safety {
    /// Conversions that never fail.
    Safe,
    /// Also conversions that fail for some values.
    Unsafe,
}

/// Conversion of values from one type to another.
#[derive(Clone, Debug)]
pub struct Conversion {
    to: CtyType,
    step: ConversionStep,
}

/// Conversion of a known value other than null.
#[derive(Clone, Debug)]
enum ConversionStep {
    /// The value fits unchanged.
    Keep,
    /// The target type depends on the value.
    ByValue,
    ToString,
    ToNumber,
    ToBool,
    /// A collection or tuple to a list.
    List(ElementConversions),
    /// A collection or tuple to a set.
    Set(ElementConversions),
    Tuple(Vec<Option<Conversion>>),
    /// A map to a map.
    Map(ElementConversion),
    /// An object to a map with elements of this type.
    ObjectToMap(CtyType, AttributeConversions, Safety),
    Object(AttributeConversions),
    /// A map to an object.
    MapToObject(AttributeConversions),
}

/// The conversion of an element; `None` if it fits unchanged.
type ElementConversion = Option<Box<Conversion>>;
/// The conversions of attributes.
type AttributeConversions = BTreeMap<Arc<str>, AttributeConversion>;

#[derive(Clone, Debug)]
enum ElementConversions {
    /// All are converted in the same way.
    Same(ElementConversion),
    /// Each of a tuple has its own.
    Each(Vec<Option<Conversion>>, Safety),
}

#[derive(Clone, Debug)]
enum AttributeConversion {
    Fits,
    Converts(Conversion),
    /// There is no conversion, and none is needed unless the map has the optional attribute.
    Impossible,
}

impl Conversion {
    /// Returns the conversion from a type to another, if there is one.
    pub fn find(from: &CtyType, to: &CtyType, safety: Safety) -> Option<Self> {
        Some(Self { to: to.clone(), step: step(from, to, safety)? })
    }
}

fn step(from: &CtyType, to: &CtyType, safety: Safety) -> Option<ConversionStep> {
    let allows_failure = safety == Safety::Unsafe;
    match (from, to) {
        (_, CtyType::Dynamic) => Some(ConversionStep::Keep),
        (CtyType::Dynamic, _) => allows_failure.then_some(ConversionStep::ByValue),
        (CtyType::Number | CtyType::Bool, CtyType::String) => Some(ConversionStep::ToString),
        (CtyType::String, CtyType::Number) => allows_failure.then_some(ConversionStep::ToNumber),
        (CtyType::String, CtyType::Bool) => allows_failure.then_some(ConversionStep::ToBool),
        (CtyType::Object(given), CtyType::Object(wanted)) => {
            let mut attributes = AttributeConversions::new();
            for (name, to) in wanted.attributes() {
                match given.attributes().get(name) {
                    Some(from) => attributes.insert(name.clone(), fitting(from, to, safety)?),
                    None if wanted.is_optional(name) => continue,
                    None => return None,
                };
            }
            Some(ConversionStep::Object(attributes))
        }
        (CtyType::Tuple(given), CtyType::Tuple(wanted)) if given.len() == wanted.len() => {
            let pairs = given.iter().zip(wanted.iter());
            Some(ConversionStep::Tuple(
                pairs.map(|(from, to)| element(from, to, safety)).collect::<Option<_>>()?,
            ))
        }
        (CtyType::List(from) | CtyType::Set(from), CtyType::List(to)) => {
            Some(ConversionStep::List(ElementConversions::Same(element(from, to, safety)?.map(Box::new))))
        }
        (CtyType::List(_), CtyType::Set(_)) if !allows_failure => None,
        (CtyType::List(from) | CtyType::Set(from), CtyType::Set(to)) => {
            Some(ConversionStep::Set(ElementConversions::Same(element(from, to, safety)?.map(Box::new))))
        }
        (CtyType::Map(from), CtyType::Map(to)) => {
            Some(ConversionStep::Map(Some(Box::new(Conversion::find(from, to, safety)?))))
        }
        (CtyType::Tuple(given), CtyType::List(to)) => {
            Some(ConversionStep::List(tuple_elements(given, to, safety)?))
        }
        (CtyType::Tuple(given), CtyType::Set(to)) => {
            Some(ConversionStep::Set(tuple_elements(given, to, safety)?))
        }
        (CtyType::Object(given), CtyType::Map(to)) => {
            let types: Vec<CtyType> = given.attributes().values().cloned().collect();
            let to = match &**to {
                CtyType::Dynamic if !types.is_empty() => unify(&types, safety)?,
                to => to.clone(),
            };
            let attribute = |(name, from): (&Arc<str>, _)| Some((name.clone(), fitting(from, &to, safety)?));
            let attributes = given.attributes().iter().map(attribute).collect::<Option<_>>()?;
            Some(ConversionStep::ObjectToMap(to, attributes, safety))
        }
        (CtyType::Map(from), CtyType::Object(wanted)) if allows_failure => {
            let attribute = |(name, to): (&Arc<str>, _)| match fitting(from, to, safety) {
                Some(attribute) => Some((name.clone(), attribute)),
                None => wanted.is_optional(name).then(|| (name.clone(), AttributeConversion::Impossible)),
            };
            Some(ConversionStep::MapToObject(
                wanted.attributes().iter().map(attribute).collect::<Option<_>>()?,
            ))
        }
        _ => None,
    }
}

/// Returns the conversion of an element: `Some(None)` if it fits unchanged.
fn element(from: &CtyType, to: &CtyType, safety: Safety) -> Option<Option<Conversion>> {
    if from == to { Some(None) } else { Conversion::find(from, to, safety).map(Some) }
}

fn fitting(from: &CtyType, to: &CtyType, safety: Safety) -> Option<AttributeConversion> {
    Some(element(from, to, safety)?.map_or(AttributeConversion::Fits, AttributeConversion::Converts))
}

fn tuple_elements(given: &[CtyType], to: &CtyType, safety: Safety) -> Option<ElementConversions> {
    if given.is_empty() {
        return Some(ElementConversions::Each(Vec::new(), safety));
    }
    let unified = if *to == CtyType::Dynamic { unify(given, safety)? } else { to.clone() };
    if unified == CtyType::Dynamic && *to == CtyType::Dynamic && given.iter().any(|t| *t != CtyType::Dynamic)
    {
        return None;
    }
    let conversions = given.iter().map(|from| element(from, &unified, safety)).collect::<Option<_>>()?;
    Some(ElementConversions::Each(conversions, safety))
}

/// Returns the value as one of another type, where that is possible for this value.
///
/// # Errors
/// Fails if the value cannot be converted. The error names the requirement.
pub fn convert(value: &CtyValue, to: &CtyType) -> Result<CtyValue, Error> {
    if *value.ty() == to.without_optional() {
        return Ok(value.clone());
    }
    match Conversion::find(value.ty(), to, Safety::Unsafe) {
        Some(conversion) => conversion.apply(value),
        None => Err(failure(mismatch_message(value.ty(), to))),
    }
}

#[cold]
fn failure(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Conversion, message)
}
