//! Which of several types is preferred as the one to convert to.
//!
//! See go-cty's `cty/convert/sort_types.go`.

use std::cmp::Ordering;

use crate::types::CtyType;

/// Returns the types in topological order: a type comes before those to which it converts only with loss. Types that
/// cannot be compared come in the order in which their predecessors are done.
pub(super) fn by_preference(types: &[CtyType]) -> Vec<&CtyType> {
    let mut distinct: Vec<&CtyType> = Vec::new();
    for t in types {
        if !distinct.contains(&t) {
            distinct.push(t);
        }
    }
    let mut waiting: Vec<(&CtyType, usize)> = distinct
        .iter()
        .map(|t| (*t, distinct.iter().filter(|other| compare(other, t).is_lt()).count()))
        .collect();
    let mut sorted: Vec<&CtyType> =
        waiting.iter().filter(|(_, before)| *before == 0).map(|(t, _)| *t).collect();
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
fn compare(a: &CtyType, b: &CtyType) -> Ordering {
    match (a, b) {
        (CtyType::Dynamic, CtyType::Dynamic) => Ordering::Equal,
        (CtyType::Dynamic, _) => Ordering::Greater,
        (_, CtyType::Dynamic) => Ordering::Less,
        (CtyType::String, CtyType::Bool | CtyType::Number) => Ordering::Less,
        (CtyType::Bool | CtyType::Number, CtyType::String) => Ordering::Greater,
        (CtyType::List(a), CtyType::List(b))
        | (CtyType::Set(a), CtyType::Set(b))
        | (CtyType::Map(a), CtyType::Map(b)) => compare(a, b),
        (CtyType::Tuple(_) | CtyType::List(_), CtyType::Set(_))
        | (CtyType::List(_), CtyType::Tuple(_))
        | (CtyType::Map(_), CtyType::Object(_)) => Ordering::Less,
        (CtyType::Set(_), CtyType::Tuple(_) | CtyType::List(_))
        | (CtyType::Tuple(_), CtyType::List(_))
        | (CtyType::Object(_), CtyType::Map(_)) => Ordering::Greater,
        (CtyType::Object(a), CtyType::Object(b)) if a.attributes().keys().eq(b.attributes().keys()) => {
            compare_parts(a.attributes().values().zip(b.attributes().values()))
        }
        (CtyType::Tuple(a), CtyType::Tuple(b)) if a.len() == b.len() => compare_parts(a.iter().zip(b.iter())),
        _ => Ordering::Equal,
    }
}

/// Parts that disagree make the whole not comparable.
fn compare_parts<'t>(pairs: impl Iterator<Item = (&'t CtyType, &'t CtyType)>) -> Ordering {
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
