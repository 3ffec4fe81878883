//! Explains why values of one type are not of another.
//!
//! See go-cty's `cty/convert/mismatch_msg.go`.

use super::{Conversion, Safety};
use crate::text::quoted;
use crate::types::{CtyObjectType, CtyType};

/// Describes why values of the type `given` do not convert to the type `wanted`.
pub fn mismatch_message(given: &CtyType, wanted: &CtyType) -> String {
    match (given, wanted) {
        (CtyType::Object(given), CtyType::Object(wanted)) => objects(given, wanted),
        (CtyType::Tuple(_), CtyType::List(element)) if **element == CtyType::Dynamic => {
            "all list elements must have the same type".to_owned()
        }
        (CtyType::Tuple(_), CtyType::Set(element)) if **element == CtyType::Dynamic => {
            "all set elements must have the same type".to_owned()
        }
        (CtyType::Object(_), CtyType::Map(element)) if **element == CtyType::Dynamic => {
            "all map elements must have the same type".to_owned()
        }
        (CtyType::Tuple(types), CtyType::List(element) | CtyType::Set(element)) => {
            parts(types.iter().enumerate(), element)
        }
        (CtyType::Object(object), CtyType::Map(element)) => {
            parts(object.attributes().iter().map(|(name, t)| (quoted(name), t)), element)
        }
        (CtyType::List(given) | CtyType::Set(given), CtyType::List(wanted)) => element("list", given, wanted),
        (CtyType::List(given) | CtyType::Set(given), CtyType::Set(wanted)) => element("set", given, wanted),
        (CtyType::Map(given), CtyType::Map(wanted)) => element("map", given, wanted),
        _ => format!("{} required", wanted.constraint_name()),
    }
}

fn element(kind: &str, given: &CtyType, wanted: &CtyType) -> String {
    format!("incorrect {kind} element type: {}", mismatch_message(given, wanted))
}

fn converts(from: &CtyType, to: &CtyType, safety: Safety) -> bool {
    from == to || Conversion::find(from, to, safety).is_some()
}

fn parts<'t, N: std::fmt::Display>(
    given: impl Iterator<Item = (N, &'t CtyType)>,
    wanted: &CtyType,
) -> String {
    let mut bad = given.filter(|(_, t)| !converts(t, wanted, Safety::Unsafe));
    match bad.next() {
        Some((name, t)) => format!("element {name}: {}", mismatch_message(t, wanted)),
        None => format!("all elements must be {}", wanted.constraint_name()),
    }
}

fn objects(given: &CtyObjectType, wanted: &CtyObjectType) -> String {
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
