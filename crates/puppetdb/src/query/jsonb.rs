//! JSON as PostgreSQL's `jsonb` has it: its order, containment and texts.

use std::cmp::Ordering;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use serde_json::{Map, Value as Json};

use super::decimal::{Decimal, plain_text};

/// Compares two values as `jsonb` is sorted: objects after arrays, booleans, numbers, texts and null; by their sizes first.
pub(crate) fn compare(a: &Json, b: &Json) -> Ordering {
    match (a, b) {
        (Json::String(a), Json::String(b)) => a.cmp(b),
        (Json::Number(a), Json::Number(b)) => Decimal::of(a).cmp(&Decimal::of(b)),
        (Json::Bool(a), Json::Bool(b)) => a.cmp(b),
        (Json::Array(a), Json::Array(b)) => a.len().cmp(&b.len()).then_with(|| {
            a.iter().zip(b).map(|(a, b)| compare(a, b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        }),
        (Json::Object(a), Json::Object(b)) => a.len().cmp(&b.len()).then_with(|| compare_members(a, b)),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn compare_members(a: &Map<String, Json>, b: &Map<String, Json>) -> Ordering {
    let (a, b) = (sorted(a), sorted(b));
    let pairs = a.into_iter().zip(b);
    // Members are in the order of their storage, but names are compared as texts.
    let mut orders = pairs.map(|((a, x), (b, y))| a.cmp(b).then_with(|| compare(x, y)));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Returns the rank of a type. An empty array comes first of all: PostgreSQL keeps that for compatibility.
fn rank(value: &Json) -> u8 {
    match value {
        Json::Array(items) if items.is_empty() => 0,
        Json::Null => 1,
        Json::String(_) => 2,
        Json::Number(_) => 3,
        Json::Bool(_) => 4,
        Json::Array(_) => 5,
        Json::Object(_) => 6,
    }
}

/// Returns true if two values are the same: 42 is 42.0.
pub(crate) fn equal(a: &Json, b: &Json) -> bool {
    compare(a, b).is_eq()
}

/// Returns true if a value contains another: the operator `@>`.
pub(crate) fn contains(whole: &Json, part: &Json) -> bool {
    match (whole, part) {
        (Json::Object(whole), Json::Object(part)) => {
            part.iter().all(|(name, value)| whole.get(name).is_some_and(|own| contains(own, value)))
        }
        (Json::Array(whole), Json::Array(part)) => {
            part.iter().all(|value| whole.iter().any(|own| contains(own, value)))
        }
        _ => equal(whole, part),
    }
}

/// Compares the names of members: shorter names come first.
pub(crate) fn jsonb_order(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

fn sorted(members: &Map<String, Json>) -> Vec<(&String, &Json)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by(|(a, _), (b, _)| jsonb_order(a, b));
    members
}

/// Returns the members of objects in the order in which `jsonb` keeps them.
pub(crate) fn in_order(value: Json) -> Json {
    match value {
        Json::Object(members) => Json::Object(members_in_order(members)),
        Json::Array(items) => Json::Array(items.into_iter().map(in_order).collect()),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => value,
    }
}

/// Does the same for the members of an object.
pub(crate) fn members_in_order(members: Map<String, Json>) -> Map<String, Json> {
    let mut members: Vec<(String, Json)> =
        members.into_iter().map(|(name, value)| (name, in_order(value))).collect();
    members.sort_by(|(a, _), (b, _)| jsonb_order(a, b));
    members.into_iter().collect()
}

/// Returns the text of a value, as the operator `#>>` does; `None` for null.
pub(crate) fn text(value: &Json) -> Option<String> {
    match value {
        Json::Null => None,
        Json::String(text) => Some(text.clone()),
        Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => {
            let mut out = String::new();
            write(&mut out, value);
            Some(out)
        }
    }
}

/// Writes a value as `jsonb` is printed: with a space after each comma and colon.
fn write(out: &mut String, value: &Json) {
    match value {
        Json::Number(number) => out.push_str(&plain_text(number)),
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write(out, item);
            }
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (index, (name, value)) in sorted(members).into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                out.push_str(&Json::from(name.as_str()).to_string());
                out.push_str(": ");
                write(out, value);
            }
            out.push('}');
        }
        Json::Null | Json::Bool(_) | Json::String(_) => out.push_str(&value.to_string()),
    }
}

/// Returns a text that two values share if they are the same.
pub(crate) fn canonical(value: &Json) -> String {
    fn normal(value: &Json) -> Json {
        match value {
            Json::Number(number) => Json::String(format!("{:?}", Decimal::of(number))),
            // Marked, as numbers are texts here.
            Json::String(text) => Json::String(format!("\"{text}")),
            Json::Array(items) => Json::Array(items.iter().map(normal).collect()),
            Json::Object(members) => Json::Object(
                sorted(members).into_iter().map(|(name, value)| (name.clone(), normal(value))).collect(),
            ),
            Json::Null | Json::Bool(_) => value.clone(),
        }
    }
    normal(value).to_string()
}

/// Returns the JSON of a value with sorted members, as PuppetDB compares parameters: its `db-serialize`.
pub(crate) fn serialized(value: &Json) -> String {
    fn by_name(value: &Json) -> Json {
        match value {
            Json::Array(items) => Json::Array(items.iter().map(by_name).collect()),
            Json::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_by_key(|(name, _)| *name);
                Json::Object(
                    members.into_iter().map(|(name, value)| (name.clone(), by_name(value))).collect(),
                )
            }
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => value.clone(),
        }
    }
    by_name(value).to_string()
}

/// Checks how deep a value nests.
///
/// # Errors
/// [`ErrorKind::Limit`] if that is more than [`Limits::nesting`].
pub(crate) fn check_nesting(value: &Json, limits: &Limits) -> Result<(), Error> {
    fn depth(value: &Json, left: u32) -> bool {
        let Some(left) = left.checked_sub(1) else { return false };
        match value {
            Json::Array(items) => items.iter().all(|item| depth(item, left)),
            Json::Object(members) => members.values().all(|value| depth(value, left)),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => true,
        }
    }
    if depth(value, limits.nesting) {
        return Ok(());
    }
    let message = format!("JSON nests more than {} deep (limit 'nesting')", limits.nesting);
    Err(Error::new(ErrorKind::Limit, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_sorted_by_type_then_by_size() {
        let sorted = [
            json!([]),
            json!(null),
            json!("a"),
            json!("b"),
            json!(-1),
            json!(42),
            json!(false),
            json!(true),
            json!([9]),
            json!([1, 2]),
            json!({}),
            json!({"a": 1}),
            json!({"a": 2}),
            json!({"b": 0}),
        ];
        for pair in sorted.windows(2) {
            assert!(compare(&pair[0], &pair[1]).is_lt(), "{pair:?}");
        }
    }

    #[test]
    fn objects_and_arrays_contain_parts() {
        for (whole, part, expected) in [
            (json!({"a": {"b": 1, "c": 2}}), json!({"a": {"b": 1.0}}), true),
            (json!({"a": {"b": 1}}), json!({"a": 1}), false),
            (json!({"a": ["x", "y"]}), json!({"a": ["y"]}), true),
            (json!({"a": ["x", "y"]}), json!({"a": "y"}), false),
            (json!({"a": "1"}), json!({"a": 1}), false),
        ] {
            assert_eq!(contains(&whole, &part), expected, "{whole} @> {part}");
        }
    }

    #[test]
    fn texts_are_postgresqls() {
        for (value, expected) in [
            (json!("a\"b"), Some("a\"b")),
            (json!({"bb": [1, null], "a": "x"}), Some("{\"a\": \"x\", \"bb\": [1, null]}")),
            (json!(true), Some("true")),
            (json!(null), None),
        ] {
            assert_eq!(text(&value).as_deref(), expected);
        }
        assert_eq!(canonical(&json!({"b": 1, "a": 2.0})), canonical(&json!({"a": 2, "b": 1.0})));
        assert_ne!(canonical(&json!("1")), canonical(&json!(1)));
    }
}
