//! The type of an unknown or null value that is converted.
//!
//! See go-cty's `cty/convert/conversion_dynamic.go`.

use super::{Safety, unify};
use crate::types::CtyType;

/// Returns the type `to` with its dynamic parts replaced by the corresponding parts of `from`.
pub(super) fn with_dynamic_replaced(from: &CtyType, to: &CtyType) -> CtyType {
    let element = |to: &CtyType| match from {
        CtyType::List(from) | CtyType::Set(from) => with_dynamic_replaced(from, to),
        CtyType::Tuple(types) => unified(types, to),
        _ => to.clone(),
    };
    match (from, to) {
        (CtyType::Dynamic, to) => to.clone(),
        (from, CtyType::Dynamic) => from.clone(),
        (_, CtyType::Bool | CtyType::Number | CtyType::String | CtyType::Capsule(_)) => to.clone(),
        (_, CtyType::List(to)) => CtyType::list(element(to)),
        (_, CtyType::Set(to)) => CtyType::set(element(to)),
        (CtyType::Map(from), CtyType::Map(to)) => CtyType::map(with_dynamic_replaced(from, to)),
        (CtyType::Object(from), CtyType::Map(to)) => {
            let types: Vec<CtyType> = from.attributes().values().cloned().collect();
            CtyType::map(unified(&types, to))
        }
        (from, CtyType::Object(to)) => CtyType::object(to.attributes().iter().map(|(name, to)| {
            let own = match from {
                CtyType::Map(from) => Some(&**from),
                CtyType::Object(from) => from.attributes().get(name),
                _ => None,
            };
            (name, own.map_or_else(|| to.clone(), |own| with_dynamic_replaced(own, to)))
        })),
        (CtyType::Tuple(from), CtyType::Tuple(to)) => {
            let pairs = from.iter().zip(to.iter());
            CtyType::tuple(pairs.map(|(from, to)| with_dynamic_replaced(from, to)).collect::<Vec<_>>())
        }
        (_, CtyType::Map(_) | CtyType::Tuple(_)) => to.clone(),
    }
}

fn unified(types: &[CtyType], to: &CtyType) -> CtyType {
    match unify(types, Safety::Unsafe) {
        Some(from) => with_dynamic_replaced(&from, to),
        None => to.clone(),
    }
}
