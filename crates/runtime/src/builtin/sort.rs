//! `sort`.
//!
//! See Puppet's `functions/sort.rb`.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::order::{incomparable, merge_sort, order, verdict};
use puppetfn_base::error::Error;
use puppetfn_types::function::{Call, Declaration, HostMethod, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Array, Value};

pub(super) fn sort() -> Declaration {
    native("sort")
        .host_method(HostMethod::Sort)
        .pure()
        .doc(
            "Sorts the elements of an array or the characters of a string, strings by their code points. A \
             block compares two elements: it gives a number less than 0, 0, or greater than 0.",
        )
        .example("sort([3, 1, 2])", "[1, 2, 3]")
        .example("sort('hello')", "'ehllo'")
        .example("sort([1, 2, 3]) |$a, $b| { compare($b, $a) }", "[3, 2, 1]")
        .dispatch::<&Value>("(String string_value, Callable[2, 2] block?)", |call, text| {
            let characters: Vec<Value> = text.elements().into_iter().flatten().collect();
            let mut sorted = String::new();
            for character in sort_values(call, &characters)? {
                sorted.push_str(call.value_as::<&str>(&character)?);
            }
            Ok(sorted.into())
        })
        .dispatch::<&Array>("(Array array_value, Callable[2, 2] block?)", |call, items| {
            Ok(sort_values(call, items)?.into())
        })
        .returns(|arguments| match arguments {
            [t] if Type::STRING.assignable(t) => Type::STRING,
            [Type::Array(_) | Type::Tuple(_)] => Type::array(Type::Any, None),
            _ => Type::Any,
        })
}

fn sort_values(call: &mut Call<'_>, items: &[Value]) -> Result<Vec<Value>, Error> {
    if call.has_block() {
        let mut items = items.to_vec();
        merge_sort(&mut items, &mut |a, b| {
            let result = call.call_block(&[a.clone(), b.clone()])?;
            verdict(&result, a, b)
        })?;
        return Ok(items);
    }
    if let Some(numbers) = all(items, |item| match item {
        Value::Integer(number) => Some(*number),
        _ => None,
    }) {
        return Ok(sort_numbers(numbers));
    }
    if let Some(texts) = all(items, |item| match item {
        Value::String(text) => Some(text),
        _ => None,
    }) {
        return sort_texts(call, &texts);
    }
    let (mut items, limits) = (items.to_vec(), *call.limits());
    merge_sort(&mut items, &mut |a, b| {
        call.step()?;
        order(a, b, &limits)?.ok_or_else(|| incomparable(a, b))
    })?;
    Ok(items)
}

/// Returns the keys of all items; `None` if one of them has no key.
fn all<'v, K>(items: &'v [Value], key: impl Fn(&'v Value) -> Option<K>) -> Option<Vec<K>> {
    items.first().and_then(&key)?;
    let mut keys = Vec::with_capacity(items.len());
    for item in items {
        keys.push(key(item)?);
    }
    Some(keys)
}

/// Sorts numbers with a radix sort, or with a counting sort if they lie close together.
fn sort_numbers(mut numbers: Vec<i64>) -> Vec<Value> {
    let (Some(least), Some(greatest)) = (numbers.iter().min().copied(), numbers.iter().max().copied()) else {
        return Vec::new();
    };
    match usize::try_from(greatest.abs_diff(least)) {
        Ok(distance) if distance / DENSE < numbers.len() => {
            count_numbers(&mut numbers, least..=greatest, distance)
        }
        Ok(_) | Err(_) => radsort::sort(&mut numbers),
    }
    numbers.into_iter().map(Value::Integer).collect()
}

/// Maximum ratio of the range of numbers to their count for a counting sort.
const DENSE: usize = 4;

fn count_numbers(numbers: &mut [i64], possible: RangeInclusive<i64>, distance: usize) {
    let mut counts = vec![0_u32; distance.saturating_add(1)];
    for number in &*numbers {
        let place = usize::try_from(number.abs_diff(*possible.start())).ok();
        if let Some(count) = place.and_then(|place| counts.get_mut(place)) {
            *count += 1;
        }
    }
    let mut places = numbers.iter_mut();
    for (number, count) in possible.zip(counts) {
        places.by_ref().take(count as usize).for_each(|place| *place = number);
    }
}

/// Sorts texts by their bytes. Most differ in the first bytes after the start that all have in common,
/// which are compared without a look at the texts.
fn sort_texts(call: &Call<'_>, texts: &[&Arc<str>]) -> Result<Vec<Value>, Error> {
    let common = match texts.split_first() {
        Some((first, others)) => {
            others.iter().fold(first.len(), |common, text| common_start(first.as_bytes(), text, common))
        }
        None => 0,
    };
    let key = |text: &&Arc<str>| {
        let mut start = [0; 8];
        for (byte, of_text) in start.iter_mut().zip(text.as_bytes().get(common..).unwrap_or_default()) {
            *byte = *of_text;
        }
        u64::from_be_bytes(start)
    };
    let mut keyed: Vec<(u64, &Arc<str>)> = texts.iter().map(|text| (key(text), *text)).collect();
    sort_keys(call, &mut keyed)?;
    Ok(keyed.into_iter().map(|(_, text)| Value::String(Arc::clone(text))).collect())
}

/// Returns how many of the first bytes are the same, up to `most`.
fn common_start(first: &[u8], text: &str, most: usize) -> usize {
    first.iter().zip(text.as_bytes()).take(most).take_while(|(a, b)| a == b).count()
}

/// Number of elements to sort between two polls of the host.
const RUN: usize = 65_536;

/// Sorts run by run, so that sorting all of it afterwards takes little time.
fn sort_keys(call: &Call<'_>, keys: &mut [impl Ord]) -> Result<(), Error> {
    if keys.len() > RUN {
        for run in keys.chunks_mut(RUN) {
            call.host().poll()?;
            run.sort();
        }
    }
    keys.sort();
    Ok(())
}
