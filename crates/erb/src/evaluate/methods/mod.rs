//! Methods of Ruby's objects.

mod array;
mod hash;
mod number;
mod string;

use std::cmp::Ordering;
use std::sync::Arc;

use puppetfn_types::value::Value;

use super::Renderer;
use crate::expression::{Block, Call};
use crate::names::Method;
use crate::object::{Object, Outcome, Stop, are_equal, compare, is_plain};

pub(crate) use self::string::first_match;

/// Calls a method.
pub(crate) fn call(
    renderer: &mut Renderer<'_>,
    call: &Call,
    receiver: &Object,
    arguments: &[Object],
) -> Outcome<Object> {
    if let Some(result) = of_all_objects(renderer, call, receiver, arguments)? {
        return Ok(result);
    }
    let block = call.block.as_ref();
    match receiver {
        Object::Value(Value::String(text)) => string::call(renderer, call.method, text, arguments, block),
        Object::Value(Value::Array(items)) => array::call(renderer, call.method, items, arguments, block),
        Object::Value(Value::Hash(entries)) => hash::call(renderer, call.method, entries, arguments, block),
        Object::Range(first, end) => range(renderer, call.method, (*first, *end), arguments, block),
        Object::Value(value) => number::call(renderer, call.method, value, arguments, block),
        Object::Symbol(_) | Object::Regex(_) | Object::Unnamed => Err(Stop::Uncertain),
    }
}

/// Calls a method that all objects have.
fn of_all_objects(
    renderer: &Renderer<'_>,
    call: &Call,
    receiver: &Object,
    arguments: &[Object],
) -> Outcome<Option<Object>> {
    if call.block.is_some() {
        return Ok(None);
    }
    Ok(Some(match (call.method, arguments) {
        (Method::Equal, [other]) => are_equal(receiver, other)?.into(),
        (Method::NotEqual, [other]) => (!are_equal(receiver, other)?).into(),
        (Method::Compare, [other]) => match (receiver, other) {
            (Object::Value(left), Object::Value(right)) => Object::from(compare(left, right)? as i64),
            _ => return Err(Stop::Uncertain),
        },
        (Method::IsNil, []) => receiver.is_nil().into(),
        (Method::ToS, []) => match receiver {
            Object::Value(Value::String(_)) => receiver.clone(),
            receiver => receiver.to_text(renderer.limits())?.into_owned().into(),
        },
        (Method::Freeze, []) => receiver.clone(),
        (Method::Inspect, []) => match receiver {
            Object::Value(value) if is_plain(value) => {
                value.ruby_inspect(renderer.limits()).map_err(|_| Stop::Uncertain)?.into()
            }
            Object::Value(_) | Object::Symbol(_) | Object::Range(..) | Object::Regex(_) | Object::Unnamed => {
                return Err(Stop::Uncertain);
            }
        },
        (Method::Match | Method::IsMatch | Method::NotMatch, [other]) => {
            string::match_(call.method, receiver, other)?
        }
        _ => return Ok(None),
    }))
}

/// Converts an object as Ruby's method `Array` does.
pub(crate) fn to_array(object: Object) -> Outcome<Object> {
    Ok(match object {
        Object::Value(Value::Undef) => Object::from(Vec::new()),
        Object::Value(Value::Array(_)) => object,
        Object::Value(Value::Hash(entries)) => Object::from(hash::pairs(&entries)),
        Object::Value(value) if is_plain(&value) => Object::from(vec![value]),
        Object::Value(_) | Object::Symbol(_) | Object::Range(..) | Object::Regex(_) | Object::Unnamed => {
            return Err(Stop::Uncertain);
        }
    })
}

/// Calls a method of a range of integers.
fn range(
    renderer: &mut Renderer<'_>,
    method: Method,
    (first, end): (i64, i64),
    arguments: &[Object],
    block: Option<&Block>,
) -> Outcome<Object> {
    let length = usize::try_from(end.saturating_sub(first)).unwrap_or(0);
    renderer.limits().check_elements(length).map_err(|_| Stop::Uncertain)?;
    match (method, arguments, block) {
        (Method::Each, [], Some(block)) => {
            for number in first..end {
                renderer.call_block(block, number.into())?;
            }
            Ok(Object::Range(first, end))
        }
        (Method::Includes, [other], None) => Ok((first..end).contains(&other.as_integer()?).into()),
        (Method::Map | Method::ToA, [], _) => {
            let items: Vec<Value> = (first..end).map(Value::from).collect();
            array::call(renderer, method, &items.into(), arguments, block)
        }
        _ => Err(Stop::Uncertain),
    }
}

/// Sorts values by keys. Ruby's order of equal keys is not certain.
fn sort(renderer: &Renderer<'_>, mut keyed: Vec<(Value, Value)>) -> Outcome<Vec<Value>> {
    let mut is_certain = true;
    let mut comparisons = 0;
    keyed.sort_by(|(left, first), (right, second)| {
        comparisons += 1;
        let order = compare(left, right).ok();
        is_certain &= order.is_some_and(|order| order != Ordering::Equal || first == second);
        order.unwrap_or(Ordering::Equal)
    });
    renderer.spend(comparisons)?;
    if is_certain { Ok(keyed.into_iter().map(|(_, value)| value).collect()) } else { Err(Stop::Uncertain) }
}

/// Returns a value at an index, from the end if it is negative.
fn at<T>(items: &[T], index: i64) -> Option<&T> {
    let index = if index < 0 { index.checked_add(i64::try_from(items.len()).ok()?)? } else { index };
    items.get(usize::try_from(index).ok()?)
}

fn text(text: String) -> Object {
    Object::Value(Value::String(Arc::from(text)))
}

/// Returns the result of a comparison.
fn ordered(method: Method, order: Ordering) -> Outcome<Object> {
    Ok(match method {
        Method::Less => order.is_lt(),
        Method::LessOrEqual => order.is_le(),
        Method::Greater => order.is_gt(),
        Method::GreaterOrEqual => order.is_ge(),
        _ => return Err(Stop::Uncertain),
    }
    .into())
}
