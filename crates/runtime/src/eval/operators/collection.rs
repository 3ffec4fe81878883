//! `+` and `-` of arrays and hashes, and `*`.
//!
//! See Puppet's `pops/evaluator/evaluator_impl.rb`.

use super::OperatorFault;
use puppetfn_types::value::{Array, Hash, Value, ValueSet};

/// Returns the elements that a value stands for: the elements of an array, the pairs of a hash, nothing for undef, and
/// otherwise the value itself.
pub fn splat(value: &Value) -> Array {
    match value {
        Value::Undef => Array::from([]),
        Value::Iterator(iteration) => iteration.elements().into_iter().flatten().collect(),
        other => elements(other),
    }
}

/// Returns the same, except that undef and an iterator are single elements.
pub fn elements(value: &Value) -> Array {
    match value.contents() {
        Value::Array(items) => items.clone(),
        Value::Hash(hash) => pairs(hash).collect(),
        _ => Array::from([value.clone()]),
    }
}

fn pairs(hash: &Hash) -> impl Iterator<Item = Value> {
    hash.iter().map(|(key, value)| Value::from(vec![key.clone(), value.clone()]))
}

/// Computes `array + value`.
pub(super) fn append(items: &[Value], value: &Value) -> Value {
    Value::Array(items.iter().chain(elements(value).iter()).cloned().collect())
}

/// Computes `array - value`.
pub(super) fn remove(items: &[Value], value: &Value) -> Value {
    let removed: ValueSet = elements(value).iter().map(without_fractions).collect();
    let is_kept = |item: &&Value| !removed.contains(&without_fractions(item));
    Value::Array(items.iter().filter(is_kept).cloned().collect())
}

/// Returns a value that is the same for all that are equal in Ruby's sense of `==`, in which 1 and 1.0 are.
fn without_fractions(value: &Value) -> Value {
    match value {
        Value::Float(number) => match *number as i64 {
            // Beyond these bounds floats are cut off.
            whole if whole as f64 == *number && (i64::MIN + 1..i64::MAX).contains(&whole) => {
                Value::Integer(whole)
            }
            _ => value.clone(),
        },
        Value::Array(items) => Value::Array(items.iter().map(without_fractions).collect()),
        Value::Hash(hash) => {
            hash.iter().map(|(key, value)| (key.clone(), without_fractions(value))).collect()
        }
        other => other.clone(),
    }
}

/// Computes `hash - value`.
pub(super) fn remove_keys(hash: &Hash, value: &Value) -> Value {
    let removed: Hash = match value.contents() {
        Value::Hash(other) => other.iter().map(|(key, _)| (key.clone(), Value::Undef)).collect(),
        other => elements(other).iter().map(|key| (key.clone(), Value::Undef)).collect(),
    };
    let kept = hash.iter().filter(|(key, _)| removed.get(key).is_none());
    kept.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Computes `hash + value`, in place.
pub fn add_to_hash(sum: &mut Hash, value: &Value) -> Result<(), OperatorFault> {
    match value.contents() {
        Value::Hash(other) => {
            other.iter().for_each(|(key, value)| _ = sum.insert(key.clone(), value.clone()));
        }
        Value::Array(items)
            if !items.is_empty() && items.iter().all(|item| matches!(item, Value::Array(_))) =>
        {
            for item in items.iter() {
                let Value::Array(pair) = item else { continue };
                let [key, value] = &**pair else {
                    return Err(OperatorFault::while_evaluating(
                        "+",
                        format_args!("a hash is made of arrays of 2 elements, but one has {}", pair.len()),
                    ));
                };
                sum.insert(key.clone(), value.clone());
            }
        }
        Value::Array(items) => {
            let (pairs, []) = items.as_chunks::<2>() else {
                return Err(OperatorFault::while_evaluating("+", "odd number of arguments for Hash"));
            };
            pairs.iter().for_each(|[key, value]| _ = sum.insert(key.clone(), value.clone()));
        }
        _ => return Err(OperatorFault::while_evaluating("+", "Can only append Array or Hash to a Hash")),
    }
    Ok(())
}
