//! Methods of arrays.

use std::cmp::Ordering;

use puppetfn_types::value::{Array, Hash, Value, to_s};

use super::super::Renderer;
use super::{at, sort};
use crate::expression::Block;
use crate::names::Method;
use crate::object::{Object, Outcome, Stop, compare, is_plain, values_are_equal};

pub(super) fn call(
    renderer: &mut Renderer<'_>,
    method: Method,
    receiver: &Array,
    arguments: &[Object],
    block: Option<&Block>,
) -> Outcome<Object> {
    renderer.spend(receiver.len())?;
    match (arguments, block) {
        ([], Some(block)) => with_block(renderer, method, receiver, block),
        ([], None) => unary(renderer, method, receiver),
        ([size], Some(block)) if method == Method::EachSlice => each_slice(renderer, receiver, size, block),
        ([argument], None) => with_argument(renderer, method, receiver, argument),
        ([first, second], None) if method == Method::Index => slice(receiver, first, second),
        _ => Err(Stop::Uncertain),
    }
}

/// Calls a method with a block, which gets each element.
pub(super) fn with_block(
    renderer: &mut Renderer<'_>,
    method: Method,
    receiver: &Array,
    block: &Block,
) -> Outcome<Object> {
    let items = || receiver.iter().cloned();
    match method {
        Method::Each => {
            for item in items() {
                renderer.call_block(block, item.into())?;
            }
            Ok(Object::Value(Value::Array(receiver.clone())))
        }
        Method::EachWithIndex => {
            for (index, item) in (0..).zip(items()) {
                renderer.call_block_with(block, vec![item.into(), Object::from(index)])?;
            }
            Ok(Object::Value(Value::Array(receiver.clone())))
        }
        Method::Map => {
            let results = items().map(|item| renderer.call_block(block, item.into())?.into_element());
            Ok(Object::from(results.collect::<Outcome<Vec<_>>>()?))
        }
        Method::FlatMap => {
            let mut results = Vec::new();
            for item in items() {
                match renderer.call_block(block, item.into())?.into_element()? {
                    Value::Array(more) => results.extend(more.iter().cloned()),
                    one => results.push(one),
                }
                renderer.limits().check_elements(results.len()).map_err(|_| Stop::Uncertain)?;
            }
            Ok(Object::from(results))
        }
        Method::SortBy => {
            let keyed = items()
                .map(|item| Ok((renderer.call_block(block, item.clone().into())?.into_element()?, item)));
            let keyed = keyed.collect::<Outcome<Vec<_>>>()?;
            Ok(Object::from(sort(renderer, keyed)?))
        }
        Method::Sort if block.parameters.len() == 2 => sort_with(renderer, receiver, block),
        _ => choose(renderer, method, receiver, block),
    }
}

/// Calls a block with arrays of some elements each.
fn each_slice(
    renderer: &mut Renderer<'_>,
    receiver: &Array,
    size: &Object,
    block: &Block,
) -> Outcome<Object> {
    let size = usize::try_from(size.as_integer()?).ok().filter(|size| *size > 0).ok_or(Stop::Uncertain)?;
    for slice in receiver.chunks(size) {
        renderer.call_block(block, Object::from(slice.to_vec()))?;
    }
    // The result depends on the version of Ruby.
    Ok(Object::Unnamed)
}

/// Sorts by the results of a block. Ruby's order of elements that are equal is not certain.
fn sort_with(renderer: &mut Renderer<'_>, receiver: &Array, block: &Block) -> Outcome<Object> {
    let mut items: Vec<Value> = receiver.to_vec();
    let mut failure = None;
    items.sort_by(|left, right| {
        let arguments = vec![left.clone().into(), right.clone().into()];
        let order = renderer.call_block_with(block, arguments).and_then(|order| order.as_integer());
        match order {
            Ok(0) if left != right => failure = Some(Stop::Uncertain),
            Ok(order) => return order.cmp(&0),
            Err(stop) => failure = Some(stop),
        }
        Ordering::Equal
    });
    match failure {
        Some(stop) => Err(stop),
        None => Ok(Object::from(items)),
    }
}

/// Calls a method whose block says yes or no.
fn choose(renderer: &mut Renderer<'_>, method: Method, receiver: &Array, block: &Block) -> Outcome<Object> {
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
            _ => return Err(Stop::Uncertain),
        }
    }
    Ok(match method {
        Method::Select | Method::Reject => Object::from(chosen),
        Method::Count => count(chosen.len())?,
        Method::Find => Object::NIL,
        Method::IsAny => false.into(),
        Method::IsAll | Method::IsNone => true.into(),
        _ => return Err(Stop::Uncertain),
    })
}

fn count(items: usize) -> Outcome<Object> {
    i64::try_from(items).map(Object::from).map_err(|_| Stop::Uncertain)
}

fn unary(renderer: &mut Renderer<'_>, method: Method, receiver: &Array) -> Outcome<Object> {
    let items = || receiver.iter().cloned();
    Ok(match method {
        Method::Length | Method::Count => count(receiver.len())?,
        Method::IsEmpty => receiver.is_empty().into(),
        Method::ToA => Object::Value(Value::Array(receiver.clone())),
        Method::IsAny => items().any(|item| Object::from(item).is_true()).into(),
        Method::IsAll => items().all(|item| Object::from(item).is_true()).into(),
        Method::IsNone => (!items().any(|item| Object::from(item).is_true())).into(),
        Method::Sort => Object::from(sort(renderer, items().map(|item| (item.clone(), item)).collect())?),
        Method::Join => join(renderer, receiver, "")?,
        Method::Flatten => Object::from(flatten(renderer, receiver)?),
        Method::Compact => {
            Object::from(items().filter(|item| !matches!(item, Value::Undef)).collect::<Vec<_>>())
        }
        Method::Unique => Object::from(unique(renderer, items())?),
        Method::Reverse => Object::from(items().rev().collect::<Vec<_>>()),
        Method::First => receiver.first().cloned().map_or(Object::NIL, Object::from),
        Method::Last => receiver.last().cloned().map_or(Object::NIL, Object::from),
        Method::Max => extreme(receiver, Ordering::Greater)?,
        Method::Min => extreme(receiver, Ordering::Less)?,
        Method::Sum => sum(receiver)?,
        Method::ToH => hash(receiver)?,
        _ => return Err(Stop::Uncertain),
    })
}

fn with_argument(
    renderer: &mut Renderer<'_>,
    method: Method,
    receiver: &Array,
    argument: &Object,
) -> Outcome<Object> {
    Ok(match method {
        Method::Join => join(renderer, receiver, argument.as_str()?)?,
        Method::Times if argument.as_str().is_ok() => join(renderer, receiver, argument.as_str()?)?,
        Method::Includes => includes(renderer, receiver, argument)?.into(),
        Method::Index => match argument {
            Object::Range(first, end) => slice(receiver, &(*first).into(), &(end - first).into())?,
            argument => at(receiver, argument.as_integer()?).cloned().map_or(Object::NIL, Object::from),
        },
        Method::First | Method::Take => {
            let length = usize::try_from(argument.as_integer()?).map_err(|_| Stop::Uncertain)?;
            Object::from(receiver.iter().take(length).cloned().collect::<Vec<_>>())
        }
        Method::Drop => {
            let length = usize::try_from(argument.as_integer()?).map_err(|_| Stop::Uncertain)?;
            Object::from(receiver.iter().skip(length).cloned().collect::<Vec<_>>())
        }
        Method::Plus => {
            let other = argument.as_array()?;
            let length = receiver.len().saturating_add(other.len());
            renderer.limits().check_elements(length).map_err(|_| Stop::Uncertain)?;
            Object::from(receiver.iter().chain(other).cloned().collect::<Vec<_>>())
        }
        Method::Zip => {
            let mut others = argument.as_array()?.iter();
            let pair = |item: &Value| {
                Value::from(vec![item.clone(), others.next().cloned().unwrap_or(Value::Undef)])
            };
            Object::from(receiver.iter().map(pair).collect::<Vec<_>>())
        }
        Method::Minus => filter(renderer, receiver, argument, false)?,
        Method::Union => {
            let other = argument.as_array()?;
            Object::from(unique(renderer, receiver.iter().chain(other).cloned())?)
        }
        Method::Intersection => match filter(renderer, receiver, argument, true)? {
            Object::Value(Value::Array(items)) => Object::from(unique(renderer, items.iter().cloned())?),
            _ => return Err(Stop::Uncertain),
        },
        _ => return Err(Stop::Uncertain),
    })
}

/// Returns `array[start, length]` within the array; a start outside is left to Ruby.
fn slice(receiver: &Array, start: &Object, length: &Object) -> Outcome<Object> {
    let start = usize::try_from(start.as_integer()?).map_err(|_| Stop::Uncertain)?;
    let length = usize::try_from(length.as_integer()?).map_err(|_| Stop::Uncertain)?;
    let rest = receiver.get(start..).ok_or(Stop::Uncertain)?;
    Ok(Object::from(rest.iter().take(length).cloned().collect::<Vec<_>>()))
}

fn join(renderer: &Renderer<'_>, receiver: &Array, separator: &str) -> Outcome<Object> {
    if !receiver.iter().all(is_plain) {
        return Err(Stop::Uncertain);
    }
    to_s::join(receiver, separator, renderer.limits()).map(Object::from).map_err(|_| Stop::Uncertain)
}

fn includes(renderer: &Renderer<'_>, receiver: &Array, item: &Object) -> Outcome<bool> {
    renderer.spend(receiver.len())?;
    let Object::Value(item) = item else { return Err(Stop::Uncertain) };
    for other in receiver.iter() {
        if values_are_equal(other, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn flatten(renderer: &Renderer<'_>, receiver: &Array) -> Outcome<Vec<Value>> {
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
fn unique(renderer: &Renderer<'_>, items: impl Iterator<Item = Value>) -> Outcome<Vec<Value>> {
    let mut seen = Hash::default();
    for item in items {
        renderer.spend(1)?;
        if !is_plain(&item) {
            return Err(Stop::Uncertain);
        }
        if seen.get(&item).is_none() {
            seen.insert(item, Value::Undef);
        }
    }
    Ok(seen.iter().map(|(item, _)| item.clone()).collect())
}

/// Returns the items that are, or are not, in another array. Ruby compares them as keys of a hash.
fn filter(renderer: &Renderer<'_>, receiver: &Array, other: &Object, keeps: bool) -> Outcome<Object> {
    let other = unique(renderer, other.as_array()?.iter().cloned())?;
    let other: Hash = other.into_iter().map(|item| (item, Value::Undef)).collect();
    if !receiver.iter().all(is_plain) {
        return Err(Stop::Uncertain);
    }
    let items = receiver.iter().filter(|item| other.get(item).is_some() == keeps);
    Ok(Object::from(items.cloned().collect::<Vec<_>>()))
}

fn extreme(receiver: &Array, order: Ordering) -> Outcome<Object> {
    let mut items = receiver.iter();
    let Some(mut found) = items.next() else { return Ok(Object::NIL) };
    for item in items {
        match compare(item, found)? {
            Ordering::Equal if item != found => return Err(Stop::Uncertain),
            other if other == order => found = item,
            _ => {}
        }
    }
    Ok(found.clone().into())
}

fn sum(receiver: &Array) -> Outcome<Object> {
    let mut sum = 0_i64;
    for item in receiver.iter() {
        let Value::Integer(number) = item else { return Err(Stop::Uncertain) };
        sum = sum.checked_add(*number).ok_or(Stop::Uncertain)?;
    }
    Ok(sum.into())
}

fn hash(receiver: &Array) -> Outcome<Object> {
    let mut hash = Hash::with_capacity(receiver.len());
    for pair in receiver.iter() {
        let Value::Array(pair) = pair else { return Err(Stop::Uncertain) };
        let [key, value] = &**pair else { return Err(Stop::Uncertain) };
        hash.insert(key.clone(), value.clone());
    }
    Ok(Object::Value(hash.into()))
}
