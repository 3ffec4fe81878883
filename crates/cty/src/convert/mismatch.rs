//! Explains why values of one type are not of another.
//!
//! See go-cty's `cty/convert/mismatch_msg.go`.

use super::{Conversion, Safety};
use crate::text::quoted;
use crate::types::{ObjectType, Type};

/// Describes why values of the type `given` do not convert to the type `wanted`.
pub fn mismatch_message(given: &Type, wanted: &Type) -> String {
    match (given, wanted) {
        (Type::Object(given), Type::Object(wanted)) => objects(given, wanted),
        (Type::Tuple(_), Type::List(element)) if **element == Type::Dynamic => {
            "all list elements must have the same type".to_owned()
        }
        (Type::Tuple(_), Type::Set(element)) if **element == Type::Dynamic => {
            "all set elements must have the same type".to_owned()
        }
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => {
            "all map elements must have the same type".to_owned()
        }
        (Type::Tuple(types), Type::List(element) | Type::Set(element)) => {
            parts(types.iter().enumerate(), element)
        }
        (Type::Object(object), Type::Map(element)) => {
            parts(object.attributes().iter().map(|(name, t)| (quoted(name), t)), element)
        }
        (Type::List(given) | Type::Set(given), Type::List(wanted)) => element("list", given, wanted),
        (Type::List(given) | Type::Set(given), Type::Set(wanted)) => element("set", given, wanted),
        (Type::Map(given), Type::Map(wanted)) => element("map", given, wanted),
        _ => format!("{} required", wanted.constraint_name()),
    }
}

fn element(kind: &str, given: &Type, wanted: &Type) -> String {
    format!("incorrect {kind} element type: {}", mismatch_message(given, wanted))
}

fn converts(from: &Type, to: &Type, safety: Safety) -> bool {
    from == to || Conversion::find(from, to, safety).is_some()
}

fn parts<'t, N: std::fmt::Display>(given: impl Iterator<Item = (N, &'t Type)>, wanted: &Type) -> String {
    let mut bad = given.filter(|(_, t)| !converts(t, wanted, Safety::Unsafe));
    match bad.next() {
        Some((name, t)) => format!("element {name}: {}", mismatch_message(t, wanted)),
        None => format!("all elements must be {}", wanted.constraint_name()),
    }
}

fn objects(given: &ObjectType, wanted: &ObjectType) -> String {
    let there = |name: &str| given.attributes().contains_key(name);
    let required = wanted.attributes().keys().filter(|name| !there(name) && !wanted.is_optional(name));
    let missing: Vec<String> = required.map(|name| quoted(name)).collect();
    match missing.as_slice() {
        [] => {}
        [name] => return format!("attribute {name} is required"),
        [first, second] => return format!("attributes {first} and {second} are required"),
        [names @ .., last] => return format!("attributes {}, and {last} are required", names.join(", ")),
    }
    let bad = |safety| {
        let pairs = wanted.attributes().iter().filter_map(|(name, wanted)| {
            let given = given.attributes().get(name)?;
            (!converts(given, wanted, safety)).then_some((name, given, wanted))
        });
        let mut messages = pairs.map(|(name, given, wanted)| {
            format!("attribute {}: {}", quoted(name), mismatch_message(given, wanted))
        });
        messages.next()
    };
    bad(Safety::Unsafe)
        .or_else(|| bad(Safety::Safe))
        .unwrap_or_else(|| "incorrect object attributes".to_owned())
}
