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
            _ => Type::array(Type::Any, None),
        })
}

fn sort_values(call: &mut Call<'_>, mut items: Vec<Value>) -> Result<Vec<Value>, Error> {
    if call.has_block() {
        merge_sort(&mut items, &mut |a, b| {
            let result = call.call_block(&[a.clone(), b.clone()])?;
            verdict(&result, a, b)
        })?;
    } else if items.iter().all(|item| matches!(item, Value::String(_))) {
        items.sort_by(|a, b| match (a, b) {
            (Value::String(a), Value::String(b)) => a.cmp(b),
            _ => Ordering::Equal,
        });
    } else if items.iter().all(|item| matches!(item, Value::Integer(_))) {
        items.sort_by_key(|item| if let Value::Integer(number) = item { *number } else { 0 });
    } else {
        let limits = *call.limits();
        merge_sort(&mut items, &mut |a, b| order(a, b, &limits)?.ok_or_else(|| incomparable(a, b)))?;
    }
    Ok(items)
}
