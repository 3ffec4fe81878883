//! `new` of `Array` and `Hash`, and so of `Tuple` and `Struct`.
//!
//! See Puppet's `pops/types/types.rb`.

use std::sync::Arc;

use super::not_convertible;
use super::tree;
use crate::function::{Call, Declaration, handler_error, native};
use crate::types::ops::infer;
use crate::value::{Array, Value};
use puppetfn_base::error::{Error, ErrorKind};

pub(super) fn array() -> Declaration {
    native("new_array")
        .dispatch::<(&Value, Option<bool>)>(
            "(Variant[Array, Hash, Binary, Iterable] from, Boolean[false] wrap?)",
            |call, (from, _)| array_of(call, from),
        )
        .dispatch::<(&Value, bool)>("(Any from, Boolean[true] wrap)", |_, (from, _)| {
            Ok(if let Value::Array(_) = from { from.clone() } else { vec![from.clone()].into() })
        })
        .argument_mismatch::<(&Value, Option<bool>)>("(Any from, Boolean wrap?)", |call, (from, _)| {
            not_convertible(from, "Array", call.limits())
        })
}

fn array_of(call: &Call<'_>, from: &Value) -> Result<Value, Error> {
    if let Value::Array(_) = from {
        Ok(from.clone())
    } else if let Value::Binary(binary) = from {
        call.limits().check_elements(binary.bytes().len())?;
        let bytes = binary.bytes().iter().map(|byte| Value::Integer(i64::from(*byte)));
        Ok(bytes.collect::<Vec<_>>().into())
    } else if let Some(elements) = elements(call, from)? {
        Ok(elements.into())
    } else {
        // Only the host can iterate over its own objects.
        Err(handler_error(call.name(), &not_convertible(from, "Array", call.limits())?))
    }
}

pub(super) fn hash() -> Declaration {
    native("new_hash")
        .local_type("KeyValueArray = Array[Tuple[Any, Any], 1]")
        .local_type("TreeArray = Array[Tuple[Array, Any], 1]")
        .local_type("NewHashOption = Enum[tree, hash_tree]")
        .dispatch::<(&Array, Option<&str>)>(
            "(TreeArray from, NewHashOption build_option?)",
            |call, (entries, option)| match option {
                Some(option) => tree::grow(entries, option == "hash_tree", call.limits()),
                None => of_pairs(call, entries),
            },
        )
        .dispatch::<&Array>("(KeyValueArray from)", |call, pairs| of_pairs(call, pairs))
        .dispatch::<&Value>("(Any from)", hash_of)
}

fn hash_of(call: &mut Call<'_>, from: &Value) -> Result<Value, Error> {
    if let Value::Hash(_) = from {
        Ok(from.clone())
    } else if let Value::Array(items) = from {
        of_keys_and_values(items)
    } else if let Value::Object(object) = from
        && object.instance().is_some()
    {
        Ok(Value::Hash(Arc::new(object.to_data()?.unwrap_or_default())))
    } else if let Some(elements) = elements(call, from)? {
        of_keys_and_values(&elements)
    } else {
        let t = infer(from, call.limits())?.generalize();
        Err(failed(format!("Value of type {} cannot be converted to Hash", t.ruby_to_s())))
    }
}

/// Returns all the elements of a value; `None` if it cannot be iterated over.
fn elements(call: &Call<'_>, from: &Value) -> Result<Option<Vec<Value>>, Error> {
    let Some(elements) = from.elements() else { return Ok(None) };
    let mut all = Vec::new();
    for element in elements {
        call.limits().check_size(all.len() as u64 + 1)?;
        all.push(element);
    }
    Ok(Some(all))
}

/// Returns a hash of pairs of key and value.
fn of_pairs(call: &Call<'_>, pairs: &[Value]) -> Result<Value, Error> {
    let entry = |pair: &Value| {
        let (key, value) = call.given_as::<(&Value, &Value)>(call.value_as::<&Array>(pair)?)?;
        Ok((key.clone(), value.clone()))
    };
    pairs.iter().map(entry).collect()
}

/// Returns a hash of keys and values, by turns.
fn of_keys_and_values(items: &[Value]) -> Result<Value, Error> {
    let (pairs, []) = items.as_chunks::<2>() else {
        return Err(failed("odd number of arguments for Hash"));
    };
    Ok(pairs.iter().map(|[key, value]| (key.clone(), value.clone())).collect())
}

#[cold]
fn failed(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Conversion, message)
}
