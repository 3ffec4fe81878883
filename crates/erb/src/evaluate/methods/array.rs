//! Methods of arrays.

use std::cmp::Ordering;

use puppetfn_types::value::{Array, Hash, Value, to_s};

use super::super::TemplateRenderer;
use super::{at, sort};
use crate::expression::TemplateBlock;
use crate::names::Method;
use crate::object::{EvaluationStop, StopResult, TemplateObject, compare, is_plain, values_are_equal};

pub(super) fn call(
    renderer: &mut TemplateRenderer<'_>,
    method: Method,
    receiver: &Array,
    arguments: &[TemplateObject],
    block: Option<&TemplateBlock>,
) -> StopResult<TemplateObject> {
    renderer.spend(receiver.len())?;
    match (arguments, block) {
        ([], Some(block)) => with_block(renderer, method, receiver, block),
        ([], None) => unary(renderer, method, receiver),
        ([size], Some(block)) if method == Method::EachSlice => each_slice(renderer, receiver, size, block),
        ([argument], None) => with_argument(renderer, method, receiver, argument),
        ([first, second], None) if method == Method::Index => slice(receiver, first, second),
        _ => Err(EvaluationStop::Uncertain),
    }
}

/// Calls a method with a block, which gets each element.
pub(super) fn with_block(
    renderer: &mut TemplateRenderer<'_>,
    method: Method,
    receiver: &Array,
    block: &TemplateBlock,
) -> StopResult<TemplateObject> {
    let items = || receiver.iter().cloned();
    match method {
        Method::Each => {
            for item in items() {
                renderer.call_block(block, item.into())?;
            }
            Ok(TemplateObject::Value(Value::Array(receiver.clone())))
        }
        Method::EachWithIndex => {
            for (index, item) in (0..).zip(items()) {
                renderer.call_block_with(block, vec![item.into(), TemplateObject::from(index)])?;
            }
            Ok(TemplateObject::Value(Value::Array(receiver.clone())))
        }
        Method::Map => {
            let results = items().map(|item| renderer.call_block(block, item.into())?.into_element());
            Ok(TemplateObject::from(results.collect::<StopResult<Vec<_>>>()?))
        }
        Method::FlatMap => {
            let mut results = Vec::new();
            for item in items() {
                match renderer.call_block(block, item.into())?.into_element()? {
                    Value::Array(more) => results.extend(more.iter().cloned()),
                    one => results.push(one),
                }
                renderer.limits().check_elements(results.len()).map_err(|_| EvaluationStop::Uncertain)?;
            }
            Ok(TemplateObject::from(results))
        }
        Method::SortBy => {
            let keyed = items()
                .map(|item| Ok((renderer.call_block(block, item.clone().into())?.into_element()?, item)));
            let keyed = keyed.collect::<StopResult<Vec<_>>>()?;
            Ok(TemplateObject::from(sort(renderer, keyed)?))
        }
        Method::Sort if block.parameters.len() == 2 => sort_with(renderer, receiver, block),
        _ => choose(renderer, method, receiver, block),
    }
}

/// Calls a block with arrays of some elements each.
fn each_slice(
    renderer: &mut TemplateRenderer<'_>,
    receiver: &Array,
    size: &TemplateObject,
    block: &TemplateBlock,
) -> StopResult<TemplateObject> {
    let size =
        usize::try_from(size.as_integer()?).ok().filter(|size| *size > 0).ok_or(EvaluationStop::Uncertain)?;
    for slice in receiver.chunks(size) {
        renderer.call_block(block, TemplateObject::from(slice.to_vec()))?;
    }
    // The result depends on the version of Ruby.
    Ok(TemplateObject::Unnamed)
}

/// Sorts by the results of a block. Ruby's order of elements that are equal is not certain.
fn sort_with(
    renderer: &mut TemplateRenderer<'_>,
    receiver: &Array,
    block: &TemplateBlock,
) -> StopResult<TemplateObject> {
    let mut items: Vec<Value> = receiver.to_vec();
    let mut failure = None;
    items.sort_by(|left, right| {
        let arguments = vec![left.clone().into(), right.clone().into()];
        let order = renderer.call_block_with(block, arguments).and_then(|order| order.as_integer());
        match order {
            Ok(0) if left != right => failure = Some(EvaluationStop::Uncertain),
            Ok(order) => return order.cmp(&0),
            Err(stop) => failure = Some(stop),
        }
        Ordering::Equal
    });
    match failure {
        Some(stop) => Err(stop),
        None => Ok(TemplateObject::from(items)),
    }
}

/// Calls a method whose block says yes or no.
fn choose(
    renderer: &mut TemplateRenderer<'_>,
    method: Method,
    receiver: &Array,
    block: &TemplateBlock,
) -> StopResult<TemplateObject> {
    let mut chosen = Vec::new();
    for item in receiver.iter() {
        let holds = renderer.call_block(block, item.clone().into())?.is_true();
        match method {
            Method::Select | Method::Count if holds => chosen.push(item.clone()),
            Method::Reject if !holds => chosen.push(item.clone()),
            Method::Find if holds => return Ok(item.clone().into()),
            Method::IsAny if holds => return Ok(true.into()),
            Method::IsAll if !holds => return Ok(false.into()),
            Method::IsNone if holds => return Ok(false.into()),
            Method::Select
            | Method::Count
            | Method::Reject
            | Method::Find
            | Method::IsAny
            | Method::IsAll
            | Method::IsNone => {}
            _ => return Err(EvaluationStop::Uncertain),
        }
    }
    Ok(match method {
        Method::Select | Method::Reject => TemplateObject::from(chosen),
        Method::Count => count(chosen.len())?,
        Method::Find => TemplateObject::NIL,
        Method::IsAny => false.into(),
        Method::IsAll | Method::IsNone => true.into(),
        _ => return Err(EvaluationStop::Uncertain),
    })
}

fn count(items: usize) -> StopResult<TemplateObject> {
    i64::try_from(items).map(TemplateObject::from).map_err(|_| EvaluationStop::Uncertain)
}

fn unary(
    renderer: &mut TemplateRenderer<'_>,
    method: Method,
    receiver: &Array,
) -> StopResult<TemplateObject> {
    let items = || receiver.iter().cloned();
    Ok(match method {
        Method::Length | Method::Count => count(receiver.len())?,
        Method::IsEmpty => receiver.is_empty().into(),
        Method::ToA => TemplateObject::Value(Value::Array(receiver.clone())),
        Method::IsAny => items().any(|item| TemplateObject::from(item).is_true()).into(),
        Method::IsAll => items().all(|item| TemplateObject::from(item).is_true()).into(),
        Method::IsNone => (!items().any(|item| TemplateObject::from(item).is_true())).into(),
        Method::Sort => {
            TemplateObject::from(sort(renderer, items().map(|item| (item.clone(), item)).collect())?)
        }
        Method::Join => join(renderer, receiver, "")?,
        Method::Flatten => TemplateObject::from(flatten(renderer, receiver)?),
        Method::Compact => {
            TemplateObject::from(items().filter(|item| !matches!(item, Value::Undef)).collect::<Vec<_>>())
        }
        Method::Unique => TemplateObject::from(unique(renderer, items())?),
        Method::Reverse => TemplateObject::from(items().rev().collect::<Vec<_>>()),
        Method::First => receiver.first().cloned().map_or(TemplateObject::NIL, TemplateObject::from),
        Method::Last => receiver.last().cloned().map_or(TemplateObject::NIL, TemplateObject::from),
        Method::Max => extreme(receiver, Ordering::Greater)?,
        Method::Min => extreme(receiver, Ordering::Less)?,
        Method::Sum => sum(receiver)?,
        Method::ToH => hash(receiver)?,
        _ => return Err(EvaluationStop::Uncertain),
    })
}

fn with_argument(
    renderer: &mut TemplateRenderer<'_>,
    method: Method,
    receiver: &Array,
    argument: &TemplateObject,
) -> StopResult<TemplateObject> {
    Ok(match method {
        Method::Join => join(renderer, receiver, argument.as_str()?)?,
        Method::Times if argument.as_str().is_ok() => join(renderer, receiver, argument.as_str()?)?,
        Method::Includes => includes(renderer, receiver, argument)?.into(),
        Method::Index => match argument {
            TemplateObject::Range(first, end) => slice(receiver, &(*first).into(), &(end - first).into())?,
            argument => at(receiver, argument.as_integer()?)
                .cloned()
                .map_or(TemplateObject::NIL, TemplateObject::from),
        },
        Method::First | Method::Take => {
            let length = usize::try_from(argument.as_integer()?).map_err(|_| EvaluationStop::Uncertain)?;
            TemplateObject::from(receiver.iter().take(length).cloned().collect::<Vec<_>>())
        }
        Method::Drop => {
            let length = usize::try_from(argument.as_integer()?).map_err(|_| EvaluationStop::Uncertain)?;
            TemplateObject::from(receiver.iter().skip(length).cloned().collect::<Vec<_>>())
        }
        Method::Plus => {
            let other = argument.as_array()?;
            let length = receiver.len().saturating_add(other.len());
            renderer.limits().check_elements(length).map_err(|_| EvaluationStop::Uncertain)?;
            TemplateObject::from(receiver.iter().chain(other).cloned().collect::<Vec<_>>())
        }
        Method::Zip => {
            let mut others = argument.as_array()?.iter();
            let pair = |item: &Value| {
                Value::from(vec![item.clone(), others.next().cloned().unwrap_or(Value::Undef)])
            };
            TemplateObject::from(receiver.iter().map(pair).collect::<Vec<_>>())
        }
        Method::Minus => filter(renderer, receiver, argument, false)?,
        Method::Union => {
            let other = argument.as_array()?;
            TemplateObject::from(unique(renderer, receiver.iter().chain(other).cloned())?)
        }
        Method::Intersection => match filter(renderer, receiver, argument, true)? {
            TemplateObject::Value(Value::Array(items)) => {
                TemplateObject::from(unique(renderer, items.iter().cloned())?)
            }
            _ => return Err(EvaluationStop::Uncertain),
        },
        _ => return Err(EvaluationStop::Uncertain),
    })
}

/// Returns `array[start, length]` within the array; a start outside is left to Ruby.
fn slice(receiver: &Array, start: &TemplateObject, length: &TemplateObject) -> StopResult<TemplateObject> {
    let start = usize::try_from(start.as_integer()?).map_err(|_| EvaluationStop::Uncertain)?;
    let length = usize::try_from(length.as_integer()?).map_err(|_| EvaluationStop::Uncertain)?;
    let rest = receiver.get(start..).ok_or(EvaluationStop::Uncertain)?;
    Ok(TemplateObject::from(rest.iter().take(length).cloned().collect::<Vec<_>>()))
}

fn join(renderer: &TemplateRenderer<'_>, receiver: &Array, separator: &str) -> StopResult<TemplateObject> {
    if !receiver.iter().all(is_plain) {
        return Err(EvaluationStop::Uncertain);
    }
    to_s::join(receiver, separator, renderer.limits())
        .map(TemplateObject::from)
        .map_err(|_| EvaluationStop::Uncertain)
}

fn includes(renderer: &TemplateRenderer<'_>, receiver: &Array, item: &TemplateObject) -> StopResult<bool> {
    renderer.spend(receiver.len())?;
    let TemplateObject::Value(item) = item else { return Err(EvaluationStop::Uncertain) };
    for other in receiver.iter() {
        if values_are_equal(other, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn flatten(renderer: &TemplateRenderer<'_>, receiver: &Array) -> StopResult<Vec<Value>> {
    let mut flat = Vec::new();
    let mut rest = vec![receiver.iter()];
    while let Some(items) = rest.last_mut() {
        match items.next() {
            Some(Value::Array(inner)) => rest.push(inner.iter()),
            Some(item) => flat.push(item.clone()),
            None => drop(rest.pop()),
        }
        renderer.spend(1)?;
    }
    Ok(flat)
}

/// Returns the items without duplicates, compared as keys of a hash.
fn unique(renderer: &TemplateRenderer<'_>, items: impl Iterator<Item = Value>) -> StopResult<Vec<Value>> {
    let mut seen = Hash::default();
    for item in items {
        renderer.spend(1)?;
        if !is_plain(&item) {
            return Err(EvaluationStop::Uncertain);
        }
        if seen.get(&item).is_none() {
            seen.insert(item, Value::Undef);
        }
    }
    Ok(seen.iter().map(|(item, _)| item.clone()).collect())
}

/// Returns the items that are, or are not, in another array. Ruby compares them as keys of a hash.
fn filter(
    renderer: &TemplateRenderer<'_>,
    receiver: &Array,
    other: &TemplateObject,
    keeps: bool,
) -> StopResult<TemplateObject> {
    let other = unique(renderer, other.as_array()?.iter().cloned())?;
    let other: Hash = other.into_iter().map(|item| (item, Value::Undef)).collect();
    if !receiver.iter().all(is_plain) {
        return Err(EvaluationStop::Uncertain);
    }
    let items = receiver.iter().filter(|item| other.get(item).is_some() == keeps);
    Ok(TemplateObject::from(items.cloned().collect::<Vec<_>>()))
}

fn extreme(receiver: &Array, order: Ordering) -> StopResult<TemplateObject> {
    let mut items = receiver.iter();
    let Some(mut found) = items.next() else { return Ok(TemplateObject::NIL) };
    for item in items {
        match compare(item, found)? {
            Ordering::Equal if item != found => return Err(EvaluationStop::Uncertain),
            other if other == order => found = item,
            _ => {}
        }
    }
    Ok(found.clone().into())
}

fn sum(receiver: &Array) -> StopResult<TemplateObject> {
    let mut sum = 0_i64;
    for item in receiver.iter() {
        let Value::Integer(number) = item else { return Err(EvaluationStop::Uncertain) };
        sum = sum.checked_add(*number).ok_or(EvaluationStop::Uncertain)?;
    }
    Ok(sum.into())
}

fn hash(receiver: &Array) -> StopResult<TemplateObject> {
    let mut hash = Hash::with_capacity(receiver.len());
    for pair in receiver.iter() {
        let Value::Array(pair) = pair else { return Err(EvaluationStop::Uncertain) };
        let [key, value] = &**pair else { return Err(EvaluationStop::Uncertain) };
        hash.insert(key.clone(), value.clone());
    }
    Ok(TemplateObject::Value(hash.into()))
}
