//! The type of an unknown or null value that is converted.
//!
//! See go-cty's `cty/convert/conversion_dynamic.go`.

use super::{Safety, unify};
use crate::types::Type;

/// Returns the type `to` with its dynamic parts replaced by the corresponding parts of `from`.
pub(super) fn with_dynamic_replaced(from: &Type, to: &Type) -> Type {
    let element = |to: &Type| match from {
        Type::List(from) | Type::Set(from) => with_dynamic_replaced(from, to),
        Type::Tuple(types) => unified(types, to),
        _ => to.clone(),
    };
    match (from, to) {
        (Type::Dynamic, to) => to.clone(),
        (from, Type::Dynamic) => from.clone(),
        (_, Type::Bool | Type::Number | Type::String | Type::Capsule(_)) => to.clone(),
        (_, Type::List(to)) => Type::list(element(to)),
        (_, Type::Set(to)) => Type::set(element(to)),
        (Type::Map(from), Type::Map(to)) => Type::map(with_dynamic_replaced(from, to)),
        (Type::Object(from), Type::Map(to)) => {
            let types: Vec<Type> = from.attributes().values().cloned().collect();
            Type::map(unified(&types, to))
        }
        (from, Type::Object(to)) => Type::object(to.attributes().iter().map(|(name, to)| {
            let own = match from {
                Type::Map(from) => Some(&**from),
                Type::Object(from) => from.attributes().get(name),
                _ => None,
            };
            (name, own.map_or_else(|| to.clone(), |own| with_dynamic_replaced(own, to)))
        })),
        (Type::Tuple(from), Type::Tuple(to)) => {
            let pairs = from.iter().zip(to.iter());
            Type::tuple(pairs.map(|(from, to)| with_dynamic_replaced(from, to)).collect::<Vec<_>>())
        }
        (_, Type::Map(_) | Type::Tuple(_)) => to.clone(),
    }
}

fn unified(types: &[Type], to: &Type) -> Type {
    match unify(types, Safety::Unsafe) {
        Some(from) => with_dynamic_replaced(&from, to),
        None => to.clone(),
    }
}
