//! `== != < <= > >=` and `in`.
//!
//! See Puppet's `pops/evaluator/compare_operator.rb`.

use std::cmp::Ordering;

use super::{BlamedOperand, OperatorFault};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_syntax::ast::BinaryOp;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::case::{
    Matcher, case_order, compare_large, compare_mixed, equals, in_range, match_option,
};
use puppetfn_types::types::ops::instance;
use puppetfn_types::value::Value;
use puppetfn_types::value::label;

/// Returns true if a value counts as true: all but `undef` and `false` do.
pub fn is_true(value: &Value) -> bool {
    !matches!(value, Value::Undef | Value::Boolean(false))
}

/// Computes `left op right`, for the operators that compare.
pub fn compare(op: BinaryOp, left: &Value, right: &Value, limits: &Limits) -> Result<bool, OperatorFault> {
    match (op, left) {
        (BinaryOp::Equal, Value::Type(left)) => Ok(same_type(left, right)),
        (BinaryOp::NotEqual, Value::Type(left)) => Ok(!same_type(left, right)),
        (BinaryOp::Equal, _) => equals(left, right, limits).map_err(|error| limit(&error)),
        (BinaryOp::NotEqual, _) => {
            equals(left, right, limits).map(|same| !same).map_err(|error| limit(&error))
        }
        (_, Value::Type(left)) => Ok(compare_types(op, left, right)),
        _ => match order(left, right) {
            Ok(Some(ordering)) => Ok(holds(op, ordering)),
            Ok(None) => Ok(false),
            Err(detail) => Err(OperatorFault::new(
                BlamedOperand::Operator,
                format!(
                    "Comparison of: {} {} {}, is not possible. Caused by '{detail}'.",
                    label(left),
                    op.symbol(),
                    label(right)
                ),
            )),
        },
    }
}

#[cold]
fn limit(error: &Error) -> OperatorFault {
    OperatorFault::new(BlamedOperand::Operator, error.message())
}

fn holds(op: BinaryOp, ordering: Ordering) -> bool {
    match op {
        BinaryOp::Less => ordering.is_lt(),
        BinaryOp::LessOrEqual => ordering.is_le(),
        BinaryOp::Greater => ordering.is_gt(),
        BinaryOp::GreaterOrEqual => ordering.is_ge(),
        BinaryOp::NotEqual => ordering.is_ne(),
        _ => ordering.is_eq(),
    }
}

/// One type is less than another if it is assignable to it.
fn compare_types(op: BinaryOp, left: &Type, right: &Value) -> bool {
    // A value that is not a type is assignable to none.
    let Value::Type(right) = right else { return false };
    match op {
        BinaryOp::Less => right.assignable(left) && !left.assignable(right),
        BinaryOp::LessOrEqual => right.assignable(left),
        BinaryOp::Greater => left.assignable(right) && !right.assignable(left),
        _ => left.assignable(right),
    }
}

/// Types that accept the same values are the same.
fn same_type(left: &Type, right: &Value) -> bool {
    let Value::Type(right) = right else { return false };
    left == &**right || left.assignable(right) && right.assignable(left)
}

/// Returns which of two values comes first; `None` for numbers that are not comparable.
fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, &'static str> {
    match (left, right) {
        (Value::String(a), Value::String(b)) => Ok(Some(case_order(a, b))),
        (Value::String(_), _) => Err("A String is not comparable to a non String"),
        (Value::Integer(a), Value::Integer(b)) => Ok(Some(a.cmp(b))),
        (Value::Float(a), Value::Float(b)) => Ok(a.partial_cmp(b)),
        (Value::Integer(a), Value::Float(b)) => Ok(compare_mixed(*a, *b)),
        (Value::Float(a), Value::Integer(b)) => Ok(compare_mixed(*b, *a).map(Ordering::reverse)),
        (Value::Runtime(_), _) | (Value::Integer(_) | Value::Float(_), Value::Runtime(_))
            if let Some(ordering) = compare_large(left, right) =>
        {
            Ok(ordering)
        }
        (Value::Integer(_) | Value::Float(_), Value::Timespan(_) | Value::Timestamp(_)) => {
            Ok(order(right, left)?.map(Ordering::reverse))
        }
        (Value::Integer(_) | Value::Float(_), _) => Err("A Numeric is not comparable to non Numeric"),
        (Value::Timespan(a), Value::Timespan(b)) => Ok(Some(a.cmp(b))),
        (Value::Timespan(a), Value::Integer(b)) => Ok(a.cmp_number(*b)),
        (Value::Timespan(a), Value::Float(b)) => Ok(a.cmp_number(*b)),
        (Value::Timespan(_), _) => Err("Timespans are only comparable to Timespans, Integers, and Floats"),
        (Value::Timestamp(a), Value::Timestamp(b)) => Ok(Some(a.cmp(b))),
        (Value::Timestamp(a), Value::Integer(b)) => Ok(a.cmp_number(*b)),
        (Value::Timestamp(a), Value::Float(b)) => Ok(a.cmp_number(*b)),
        (Value::Timestamp(_), _) => Err("Timestamps are only comparable to Timestamps, Integers, and Floats"),
        (Value::SemVer(a), Value::SemVer(b)) => Ok(Some(a.cmp_precedence(b))),
        (Value::SemVer(_), _) => Err("Versions not comparable to non Versions"),
        _ => match (symbol(left), symbol(right)) {
            (Some(left), Some(right)) => Ok(Some(left.cmp(right))),
            (Some(_), None) => Err("Symbol not comparable to non Symbol"),
            (None, _) => Err("Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable"),
        },
    }
}

/// Returns the name of a value that is a Symbol in Ruby.
fn symbol(value: &Value) -> Option<&str> {
    match value {
        Value::Default => Some("default"),
        Value::Runtime(object) => object.as_symbol().map(|name| &**name),
        _ => None,
    }
}

/// Computes `item in container`.
///
/// # Errors
/// Fails if `matcher` does; [`puppetfn_base::error::ErrorKind::Limit`] if values nest too deep.
pub fn includes(
    container: &Value,
    item: &Value,
    matcher: &mut impl Matcher,
    limits: &Limits,
) -> Result<bool, Error> {
    container.check_encoding()?;
    match container.contents() {
        Value::String(text) => match item {
            Value::String(part) => Ok(text.to_lowercase().contains(&part.to_lowercase())),
            Value::Regexp(regex) => matcher.match_text(regex, text),
            _ => item.check_encoding().map(|()| false),
        },
        Value::Array(items) => includes_item(items.iter(), item, matcher, limits),
        Value::Hash(hash) => includes_item(hash.iter().map(|(key, _)| key), item, matcher, limits),
        Value::SemVerRange(range) => Ok(in_range(range, item)),
        Value::Binary(binary) => Ok(binary_includes(binary.bytes(), item)),
        _ => Ok(false),
    }
}

fn includes_item<'v>(
    mut items: impl Iterator<Item = &'v Value>,
    sought: &Value,
    matcher: &mut impl Matcher,
    limits: &Limits,
) -> Result<bool, Error> {
    items.try_fold(false, |found, item| {
        if found {
            return Ok(true);
        }
        match (sought, item) {
            (Value::Regexp(regex), Value::String(text)) => matcher.match_text(regex, text),
            (Value::Regexp(_), _) => Ok(false),
            (Value::String(_) | Value::SemVer(_), item) => match_option(item, sought, matcher, limits),
            // A reference that a parameter was set to is a resource, not a type.
            (Value::Type(t), item) if !matches!(&**t, Type::Resource(resource) if resource.is_given) => {
                Ok(instance(t, item, limits)? == Verdict::Yes)
            }
            (sought, item) => equals(item, sought, limits),
        }
    })
}

fn binary_includes(bytes: &[u8], item: &Value) -> bool {
    let contains = |part: &[u8]| part.is_empty() || bytes.windows(part.len()).any(|window| window == part);
    match item {
        Value::Binary(part) => contains(part.bytes()),
        Value::String(part) => contains(part.as_bytes()),
        Value::Integer(byte) => u8::try_from(*byte).is_ok_and(|byte| bytes.contains(&byte)),
        _ => false,
    }
}
