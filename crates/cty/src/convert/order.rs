//! Which of several types is preferred as the one to convert to.
//!
//! See go-cty's `cty/convert/sort_types.go`.

use std::cmp::Ordering;

use crate::types::Type;

/// Returns the types in topological order: a type comes before those to which it converts only with loss. Types that
/// cannot be compared come in the order in which their predecessors are done.
pub(super) fn by_preference(types: &[Type]) -> Vec<&Type> {
    let mut distinct: Vec<&Type> = Vec::new();
    for t in types {
        if !distinct.contains(&t) {
            distinct.push(t);
        }
    }
    let mut waiting: Vec<(&Type, usize)> = distinct
        .iter()
        .map(|t| (*t, distinct.iter().filter(|other| compare(other, t).is_lt()).count()))
        .collect();
    let mut sorted: Vec<&Type> = waiting.iter().filter(|(_, before)| *before == 0).map(|(t, _)| *t).collect();
    let mut next = 0;
    while let Some(t) = sorted.get(next).copied() {
        next += 1;
        for (other, before) in &mut waiting {
            if compare(t, other).is_lt() {
                *before -= 1;
                if *before == 0 {
                    sorted.push(other);
                }
            }
        }
    }
    sorted
}

/// Compares two types: less if values of `b` convert to `a` without loss, greater in the opposite case.
fn compare(a: &Type, b: &Type) -> Ordering {
    match (a, b) {
        (Type::Dynamic, Type::Dynamic) => Ordering::Equal,
        (Type::Dynamic, _) => Ordering::Greater,
        (_, Type::Dynamic) => Ordering::Less,
        (Type::String, Type::Bool | Type::Number) => Ordering::Less,
        (Type::Bool | Type::Number, Type::String) => Ordering::Greater,
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            compare(a, b)
        }
        (Type::Tuple(_) | Type::List(_), Type::Set(_))
        | (Type::List(_), Type::Tuple(_))
        | (Type::Map(_), Type::Object(_)) => Ordering::Less,
        (Type::Set(_), Type::Tuple(_) | Type::List(_))
        | (Type::Tuple(_), Type::List(_))
        | (Type::Object(_), Type::Map(_)) => Ordering::Greater,
        (Type::Object(a), Type::Object(b)) if a.attributes().keys().eq(b.attributes().keys()) => {
            compare_parts(a.attributes().values().zip(b.attributes().values()))
        }
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => compare_parts(a.iter().zip(b.iter())),
        _ => Ordering::Equal,
    }
}

/// Parts that disagree make the whole not comparable.
fn compare_parts<'t>(pairs: impl Iterator<Item = (&'t Type, &'t Type)>) -> Ordering {
    let mut ordering = Ordering::Equal;
    for (a, b) in pairs {
        match (ordering, compare(a, b)) {
            (Ordering::Less, Ordering::Greater) | (Ordering::Greater, Ordering::Less) => {
                return Ordering::Equal;
            }
            (Ordering::Equal, part) => ordering = part,
            _ => {}
        }
    }
    ordering
}
