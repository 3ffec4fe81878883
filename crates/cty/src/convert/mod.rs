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

use super::types::Type;
use super::value::Value;
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
    to: Type,
    step: Step,
}

/// Conversion of a known value other than null.
#[derive(Clone, Debug)]
enum Step {
    /// The value fits unchanged.
    Keep,
    /// The target type depends on the value.
    ByValue,
    ToString,
    ToNumber,
    ToBool,
    /// A collection or tuple to a list.
    List(Elements),
    /// A collection or tuple to a set.
    Set(Elements),
    Tuple(Vec<Option<Conversion>>),
    /// A map to a map.
    Map(Element),
    /// An object to a map with elements of this type.
    ObjectToMap(Type, Named, Safety),
    Object(Named),
    /// A map to an object.
    MapToObject(Named),
}

/// The conversion of an element; `None` if it fits unchanged.
type Element = Option<Box<Conversion>>;
/// The conversions of attributes.
type Named = BTreeMap<Arc<str>, Attribute>;

#[derive(Clone, Debug)]
enum Elements {
    /// All are converted in the same way.
    Same(Element),
    /// Each of a tuple has its own.
    Each(Vec<Option<Conversion>>, Safety),
}

#[derive(Clone, Debug)]
enum Attribute {
    Fits,
    Converts(Conversion),
    /// There is no conversion, and none is needed unless the map has the optional attribute.
    Impossible,
}

impl Conversion {
    /// Returns the conversion from a type to another, if there is one.
    pub fn find(from: &Type, to: &Type, safety: Safety) -> Option<Self> {
        Some(Self { to: to.clone(), step: step(from, to, safety)? })
    }
}

fn step(from: &Type, to: &Type, safety: Safety) -> Option<Step> {
    let allows_failure = safety == Safety::Unsafe;
    match (from, to) {
        (_, Type::Dynamic) => Some(Step::Keep),
        (Type::Dynamic, _) => allows_failure.then_some(Step::ByValue),
        (Type::Number | Type::Bool, Type::String) => Some(Step::ToString),
        (Type::String, Type::Number) => allows_failure.then_some(Step::ToNumber),
        (Type::String, Type::Bool) => allows_failure.then_some(Step::ToBool),
        (Type::Object(given), Type::Object(wanted)) => {
            let mut attributes = Named::new();
            for (name, to) in wanted.attributes() {
                match given.attributes().get(name) {
                    Some(from) => attributes.insert(name.clone(), fitting(from, to, safety)?),
                    None if wanted.is_optional(name) => continue,
                    None => return None,
                };
            }
            Some(Step::Object(attributes))
        }
        (Type::Tuple(given), Type::Tuple(wanted)) if given.len() == wanted.len() => {
            let pairs = given.iter().zip(wanted.iter());
            Some(Step::Tuple(pairs.map(|(from, to)| element(from, to, safety)).collect::<Option<_>>()?))
        }
        (Type::List(from) | Type::Set(from), Type::List(to)) => {
            Some(Step::List(Elements::Same(element(from, to, safety)?.map(Box::new))))
        }
        (Type::List(_), Type::Set(_)) if !allows_failure => None,
        (Type::List(from) | Type::Set(from), Type::Set(to)) => {
            Some(Step::Set(Elements::Same(element(from, to, safety)?.map(Box::new))))
        }
        (Type::Map(from), Type::Map(to)) => {
            Some(Step::Map(Some(Box::new(Conversion::find(from, to, safety)?))))
        }
        (Type::Tuple(given), Type::List(to)) => Some(Step::List(tuple_elements(given, to, safety)?)),
        (Type::Tuple(given), Type::Set(to)) => Some(Step::Set(tuple_elements(given, to, safety)?)),
        (Type::Object(given), Type::Map(to)) => {
            let types: Vec<Type> = given.attributes().values().cloned().collect();
            let to = match &**to {
                Type::Dynamic if !types.is_empty() => unify(&types, safety)?,
                to => to.clone(),
            };
            let attribute = |(name, from): (&Arc<str>, _)| Some((name.clone(), fitting(from, &to, safety)?));
            let attributes = given.attributes().iter().map(attribute).collect::<Option<_>>()?;
            Some(Step::ObjectToMap(to, attributes, safety))
        }
        (Type::Map(from), Type::Object(wanted)) if allows_failure => {
            let attribute = |(name, to): (&Arc<str>, _)| match fitting(from, to, safety) {
                Some(attribute) => Some((name.clone(), attribute)),
                None => wanted.is_optional(name).then(|| (name.clone(), Attribute::Impossible)),
            };
            Some(Step::MapToObject(wanted.attributes().iter().map(attribute).collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// Returns the conversion of an element: `Some(None)` if it fits unchanged.
fn element(from: &Type, to: &Type, safety: Safety) -> Option<Option<Conversion>> {
    if from == to { Some(None) } else { Conversion::find(from, to, safety).map(Some) }
}

fn fitting(from: &Type, to: &Type, safety: Safety) -> Option<Attribute> {
    Some(element(from, to, safety)?.map_or(Attribute::Fits, Attribute::Converts))
}

fn tuple_elements(given: &[Type], to: &Type, safety: Safety) -> Option<Elements> {
    if given.is_empty() {
        return Some(Elements::Each(Vec::new(), safety));
    }
    let unified = if *to == Type::Dynamic { unify(given, safety)? } else { to.clone() };
    if unified == Type::Dynamic && *to == Type::Dynamic && given.iter().any(|t| *t != Type::Dynamic) {
        return None;
    }
    let conversions = given.iter().map(|from| element(from, &unified, safety)).collect::<Option<_>>()?;
    Some(Elements::Each(conversions, safety))
}

/// Returns the value as one of another type, where that is possible for this value.
///
/// # Errors
/// Fails if the value cannot be converted. The error names the requirement.
pub fn convert(value: &Value, to: &Type) -> Result<Value, Error> {
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
