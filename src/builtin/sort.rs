//! `sort`.

use std::cmp::Ordering;

use super::order::{incomparable, merge_sort, order, verdict};
use crate::error::Error;
use crate::function::{Call, Declaration, native};
use crate::types::Type;
use crate::value::Value;

pub(super) fn sort() -> Declaration {
    native("sort")
        .doc(
            "Sorts the elements of an array or the characters of a string, strings by their code points. A \
             block compares two elements: it gives a number less than 0, 0, or greater than 0.",
        )
        .example("sort([3, 1, 2])", "[1, 2, 3]")
        .example("sort('hello')", "'ehllo'")
        .example("sort([1, 2, 3]) |$a, $b| { compare($b, $a) }", "[3, 2, 1]")
        .dispatch("(String string_value, Callable[2, 2] block?)", |call, arguments| match arguments {
            [text @ Value::String(_)] => {
                let characters = text.elements().into_iter().flatten().collect();
                let mut sorted = String::new();
                for character in sort_values(call, characters)? {
                    if let Value::String(character) = character {
                        sorted.push_str(&character);
                    }
                }
                Ok(sorted.into())
            }
            _ => Err(call.unexpected_arguments()),
        })
        .dispatch("(Array array_value, Callable[2, 2] block?)", |call, arguments| match arguments {
            [Value::Array(items)] => Ok(sort_values(call, items.to_vec())?.into()),
            _ => Err(call.unexpected_arguments()),
        })
        .returns(|arguments| match arguments {
            [t] if Type::STRING.assignable(t) => Type::STRING,
            [Type::Array(_) | Type::Tuple(_)] => Type::array(Type::Any, None),
            _ => Type::Any,
        })
}

fn sort_values(call: &mut Call<'_>, mut items: Vec<Value>) -> Result<Vec<Value>, Error> {
    if call.has_block() {
        merge_sort(&mut items, &mut |a, b| {
            let result = call.call_block(&[a.clone(), b.clone()])?;
            verdict(&result, a, b)
        })?;
    } else if items.iter().all(|item| matches!(item, Value::String(_))) {
        sort_by(call, &mut items, |a, b| match (a, b) {
            (Value::String(a), Value::String(b)) => a.cmp(b),
            _ => Ordering::Equal,
        })?;
    } else if items.iter().all(|item| matches!(item, Value::Integer(_))) {
        sort_by(call, &mut items, |a, b| match (a, b) {
            (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
            _ => Ordering::Equal,
        })?;
    } else {
        let limits = *call.limits();
        merge_sort(&mut items, &mut |a, b| {
            call.step()?;
            order(a, b, &limits)?.ok_or_else(|| incomparable(a, b))
        })?;
    }
    Ok(items)
}

/// How many elements are sorted before the host is asked if to go on.
const RUN: usize = 16_384;

/// Sorts by a comparison that does not fail: run by run, and then runs that are sorted take little time.
fn sort_by(
    call: &Call<'_>,
    items: &mut [Value],
    compare: impl Fn(&Value, &Value) -> Ordering,
) -> Result<(), Error> {
    if items.len() > RUN {
        for run in items.chunks_mut(RUN) {
            call.host().poll()?;
            run.sort_by(&compare);
        }
    }
    items.sort_by(&compare);
    Ok(())
}
