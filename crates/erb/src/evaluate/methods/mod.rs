//! Methods of Ruby's objects.

mod array;
mod hash;
mod number;
mod string;

use std::cmp::Ordering;
use std::sync::Arc;

use puppetfn_types::value::Value;

use super::TemplateRenderer;
use crate::expression::{TemplateBlock, TemplateCall};
use crate::names::Method;
use crate::object::{EvaluationStop, StopResult, TemplateObject, are_equal, compare, is_plain};

pub(crate) use self::string::first_match;

/// Calls a method.
pub(crate) fn call(
    renderer: &mut TemplateRenderer<'_>,
    call: &TemplateCall,
    receiver: &TemplateObject,
    arguments: &[TemplateObject],
) -> StopResult<TemplateObject> {
    if let Some(result) = of_all_objects(renderer, call, receiver, arguments)? {
        return Ok(result);
    }
    let block = call.block.as_ref();
    match receiver {
        TemplateObject::Value(Value::String(text)) => {
            string::call(renderer, call.method, text, arguments, block)
        }
        TemplateObject::Value(Value::Array(items)) => {
            array::call(renderer, call.method, items, arguments, block)
        }
        TemplateObject::Value(Value::Hash(entries)) => {
            hash::call(renderer, call.method, entries, arguments, block)
        }
        TemplateObject::Range(first, end) => range(renderer, call.method, (*first, *end), arguments, block),
        TemplateObject::Value(value) => number::call(renderer, call.method, value, arguments, block),
        TemplateObject::Symbol(_) | TemplateObject::Regex(_) | TemplateObject::Unnamed => {
            Err(EvaluationStop::Uncertain)
        }
    }
}

/// Calls a method that all objects have.
fn of_all_objects(
    renderer: &TemplateRenderer<'_>,
    call: &TemplateCall,
    receiver: &TemplateObject,
    arguments: &[TemplateObject],
) -> StopResult<Option<TemplateObject>> {
    if call.block.is_some() {
        return Ok(None);
    }
    Ok(Some(match (call.method, arguments) {
        (Method::Equal, [other]) => are_equal(receiver, other)?.into(),
        (Method::NotEqual, [other]) => (!are_equal(receiver, other)?).into(),
        (Method::Compare, [other]) => match (receiver, other) {
            (TemplateObject::Value(left), TemplateObject::Value(right)) => {
                TemplateObject::from(compare(left, right)? as i64)
            }
            _ => return Err(EvaluationStop::Uncertain),
        },
        (Method::IsNil, []) => receiver.is_nil().into(),
        (Method::ToS, []) => match receiver {
            TemplateObject::Value(Value::String(_)) => receiver.clone(),
            receiver => receiver.to_text(renderer.limits())?.into_owned().into(),
        },
        (Method::Freeze, []) => receiver.clone(),
        (Method::Inspect, []) => match receiver {
            TemplateObject::Value(value) if is_plain(value) => {
                value.ruby_inspect(renderer.limits()).map_err(|_| EvaluationStop::Uncertain)?.into()
            }
            TemplateObject::Value(_)
            | TemplateObject::Symbol(_)
            | TemplateObject::Range(..)
            | TemplateObject::Regex(_)
            | TemplateObject::Unnamed => {
                return Err(EvaluationStop::Uncertain);
            }
        },
        (Method::Match | Method::IsMatch | Method::NotMatch, [other]) => {
            string::match_(call.method, receiver, other)?
        }
        _ => return Ok(None),
    }))
}

/// Converts an object as Ruby's method `Array` does.
pub(crate) fn to_array(object: TemplateObject) -> StopResult<TemplateObject> {
    Ok(match object {
        TemplateObject::Value(Value::Undef) => TemplateObject::from(Vec::new()),
        TemplateObject::Value(Value::Array(_)) => object,
        TemplateObject::Value(Value::Hash(entries)) => TemplateObject::from(hash::pairs(&entries)),
        TemplateObject::Value(value) if is_plain(&value) => TemplateObject::from(vec![value]),
        TemplateObject::Value(_)
        | TemplateObject::Symbol(_)
        | TemplateObject::Range(..)
        | TemplateObject::Regex(_)
        | TemplateObject::Unnamed => {
            return Err(EvaluationStop::Uncertain);
        }
    })
}

/// Calls a method of a range of integers.
fn range(
    renderer: &mut TemplateRenderer<'_>,
    method: Method,
    (first, end): (i64, i64),
    arguments: &[TemplateObject],
    block: Option<&TemplateBlock>,
) -> StopResult<TemplateObject> {
    let length = usize::try_from(end.saturating_sub(first)).unwrap_or(0);
    renderer.limits().check_elements(length).map_err(|_| EvaluationStop::Uncertain)?;
    match (method, arguments, block) {
        (Method::Each, [], Some(block)) => {
            for number in first..end {
                renderer.call_block(block, number.into())?;
            }
            Ok(TemplateObject::Range(first, end))
        }
        (Method::Includes, [other], None) => Ok((first..end).contains(&other.as_integer()?).into()),
        (Method::Map | Method::ToA, [], _) => {
            let items: Vec<Value> = (first..end).map(Value::from).collect();
            array::call(renderer, method, &items.into(), arguments, block)
        }
        _ => Err(EvaluationStop::Uncertain),
    }
}

/// Sorts values by keys. Ruby's order of equal keys is not certain.
fn sort(renderer: &TemplateRenderer<'_>, mut keyed: Vec<(Value, Value)>) -> StopResult<Vec<Value>> {
    let mut is_certain = true;
    let mut comparisons = 0;
    keyed.sort_by(|(left, first), (right, second)| {
        comparisons += 1;
        let order = compare(left, right).ok();
        is_certain &= order.is_some_and(|order| order != Ordering::Equal || first == second);
        order.unwrap_or(Ordering::Equal)
    });
    renderer.spend(comparisons)?;
    if is_certain {
        Ok(keyed.into_iter().map(|(_, value)| value).collect())
    } else {
        Err(EvaluationStop::Uncertain)
    }
}

/// Returns a value at an index, from the end if it is negative.
fn at<T>(items: &[T], index: i64) -> Option<&T> {
    let index = if index < 0 { index.checked_add(i64::try_from(items.len()).ok()?)? } else { index };
    items.get(usize::try_from(index).ok()?)
}

fn text(text: String) -> TemplateObject {
    TemplateObject::Value(Value::String(Arc::from(text)))
}

/// Returns the result of a comparison.
fn ordered(method: Method, order: Ordering) -> StopResult<TemplateObject> {
    Ok(match method {
        Method::Less => order.is_lt(),
        Method::LessOrEqual => order.is_le(),
        Method::Greater => order.is_gt(),
        Method::GreaterOrEqual => order.is_ge(),
        _ => return Err(EvaluationStop::Uncertain),
    }
    .into())
}
