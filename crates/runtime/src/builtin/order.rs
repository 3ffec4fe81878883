//! The order of values as Ruby has it, and sorting by it.

use std::cmp::Ordering;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_types::types::ops::case::compare_mixed;
use puppetfn_types::value::Value;

/// Ruby's `<=>`; `None` for values that have no order among them.
///
/// # Errors
/// [`ErrorKind::Limit`] when they nest too deep.
pub(super) fn order(a: &Value, b: &Value, limits: &Limits) -> Result<Option<Ordering>, Error> {
    order_within(a, b, Depth::nesting(limits))
}

fn order_within(a: &Value, b: &Value, depth: Depth) -> Result<Option<Ordering>, Error> {
    Ok(match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Integer(a), Value::Float(b)) => compare_mixed(*a, *b),
        (Value::Float(a), Value::Integer(b)) => compare_mixed(*b, *a).map(Ordering::reverse),
        (Value::String(a), Value::String(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Value::SemVer(a), Value::SemVer(b)) => Some(a.cmp_precedence(b)),
        (Value::Timespan(a), Value::Timespan(b)) => Some(a.cmp(b)),
        (Value::Timespan(a), Value::Integer(b)) => a.cmp_number(*b),
        (Value::Timespan(a), Value::Float(b)) => a.cmp_number(*b),
        (Value::Timestamp(a), Value::Timestamp(b)) => Some(a.cmp(b)),
        (Value::Timestamp(a), Value::Integer(b)) => a.cmp_number(*b),
        (Value::Timestamp(a), Value::Float(b)) => a.cmp_number(*b),
        (Value::Array(a), Value::Array(b)) => {
            let depth = depth.deeper()?;
            for (a, b) in a.iter().zip(b.iter()) {
                match order_within(a, b, depth)? {
                    Some(Ordering::Equal) => {}
                    decided => return Ok(decided),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        // Values without an order are equal or incomparable.
        (a, b) => (a == b).then_some(Ordering::Equal),
    })
}

/// Converts the result of a comparing block.
///
/// # Errors
/// Fails if it is not a number.
pub(super) fn verdict(result: &Value, a: &Value, b: &Value) -> Result<Ordering, Error> {
    match result {
        Value::Integer(number) => Ok(number.cmp(&0)),
        Value::Float(number) => Ok(number.partial_cmp(&0.0).unwrap_or(Ordering::Equal)),
        Value::Undef => Err(incomparable(a, b)),
        other => Err(incomparable(other, &Value::Integer(0))),
    }
}

/// Returns the error of comparing values that have no order among them.
#[cold]
pub(super) fn incomparable(a: &Value, b: &Value) -> Error {
    let shown = match b {
        Value::Undef | Value::Default | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {
            b.inspected()
        }
        _ => b.ruby_class().into_owned(),
    };
    let message = format!("comparison of {} with {shown} failed", a.ruby_class());
    Error::new(ErrorKind::ArgumentMismatch, message)
}

/// Sorts by a comparison that may fail: by merging halves, the first half being the smaller one.
/// Puppet's Ruby compares the same elements in the same order, which a block can see.
pub(super) fn merge_sort(
    items: &mut Vec<Value>,
    compare: &mut impl FnMut(&Value, &Value) -> Result<Ordering, Error>,
) -> Result<(), Error> {
    if items.len() < 2 {
        return Ok(());
    }
    let mut right = items.split_off(items.len() / 2);
    let mut left = std::mem::take(items);
    merge_sort(&mut left, compare)?;
    merge_sort(&mut right, compare)?;
    items.reserve(left.len().saturating_add(right.len()));
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let next = if compare(a, b)?.is_le() { left.next() } else { right.next() };
        items.extend(next);
    }
    items.extend(left.chain(right));
    Ok(())
}
