//! `+` and `-` of arrays and hashes, and `*`.

use std::sync::Arc;

use super::Fault;
use crate::value::{Hash, Value};

/// The elements that a value stands for: those of an array, the pairs of a hash, nothing for
/// undef, and else the value itself.
pub(in crate::eval) fn splat(value: &Value) -> Arc<[Value]> {
    match value {
        Value::Undef => Arc::new([]),
        Value::Iterator(iteration) => iteration.elements().into_iter().flatten().collect(),
        other => elements(other),
    }
}

/// The same, where undef and an iterator stand for themselves.
fn elements(value: &Value) -> Arc<[Value]> {
    match value {
        Value::Array(items) => Arc::clone(items),
        Value::Hash(hash) => pairs(hash).collect(),
        other => Arc::new([other.clone()]),
    }
}

fn pairs(hash: &Hash) -> impl Iterator<Item = Value> {
    hash.iter().map(|(key, value)| Value::from(vec![key.clone(), value.clone()]))
}

/// `array + value`.
pub(super) fn append(items: &[Value], value: &Value) -> Value {
    Value::Array(items.iter().chain(elements(value).iter()).cloned().collect())
}

/// `array - value`.
pub(super) fn remove(items: &[Value], value: &Value) -> Value {
    let removed = elements(value);
    let is_kept = |item: &&Value| !removed.iter().any(|other| ruby_equals(item, other));
    Value::Array(items.iter().filter(is_kept).cloned().collect())
}

/// Ruby's `==`, in which 1 and 1.0 are equal.
fn ruby_equals(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Integer(a), Value::Float(b)) | (Value::Float(b), Value::Integer(a)) => *a as f64 == *b,
        (a, b) => a == b,
    }
}

/// `hash - value`.
pub(super) fn remove_keys(hash: &Hash, value: &Value) -> Value {
    let removed: Hash = match value {
        Value::Hash(other) => other.iter().map(|(key, _)| (key.clone(), Value::Undef)).collect(),
        other => elements(other).iter().map(|key| (key.clone(), Value::Undef)).collect(),
    };
    let kept = hash.iter().filter(|(key, _)| removed.get(key).is_none());
    kept.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// `hash + value`.
pub(super) fn add_to_hash(hash: &Hash, value: &Value) -> Result<Value, Fault> {
    let mut sum = hash.clone();
    match value {
        Value::Hash(other) => {
            other.iter().for_each(|(key, value)| _ = sum.insert(key.clone(), value.clone()));
        }
        Value::Array(items)
            if !items.is_empty() && items.iter().all(|item| matches!(item, Value::Array(_))) =>
        {
            for item in items.iter() {
                let Value::Array(pair) = item else { continue };
                let [key, value] = &**pair else {
                    return Err(Fault::while_evaluating(
                        "+",
                        format_args!("a hash is made of arrays of 2 elements, but one has {}", pair.len()),
                    ));
                };
                sum.insert(key.clone(), value.clone());
            }
        }
        Value::Array(items) => {
            let (pairs, []) = items.as_chunks::<2>() else {
                return Err(Fault::while_evaluating("+", "odd number of arguments for Hash"));
            };
            pairs.iter().for_each(|[key, value]| _ = sum.insert(key.clone(), value.clone()));
        }
        _ => return Err(Fault::while_evaluating("+", "Can only append Array or Hash to a Hash")),
    }
    Ok(Value::Hash(Arc::new(sum)))
}
