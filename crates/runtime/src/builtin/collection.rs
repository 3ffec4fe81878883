//! `flatten` and `unique`.
//!
//! See Puppet's `functions/{flatten,unique}.rb`.

use std::sync::Arc;

use super::iteration::bounded_elements;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Depth;
use puppetfn_types::function::{Call, Declaration, Deviation, HostMethod, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Hash, Value, ValueMap, ValueSet};

pub(super) fn flatten() -> Declaration {
    native("flatten")
        .host_method(HostMethod::Flatten)
        .pure()
        .doc("The arguments and the elements of nested arrays in one flat array.")
        .example("flatten([1, [2, [3]]], 4)", "[1, 2, 3, 4]")
        .dispatch::<&[Value]>("(Any args*)", |call, arguments| {
            if let [array @ Value::Array(_)] = arguments
                && array.extent().depth == 1
            {
                return Ok(array.clone());
            }
            Value::check_extents(arguments, call.limits())?;
            let mut flat =
                Vec::with_capacity(arguments.iter().map(|value| value.extent().elements as usize + 1).sum());
            flatten_into(&mut flat, arguments, Depth::nesting(call.limits()))?;
            Ok(flat.into())
        })
        .returns(|_| Type::array(Type::Any, None))
}

/// Appends the values, with arrays replaced by their elements.
pub(super) fn flatten_into(flat: &mut Vec<Value>, values: &[Value], depth: Depth) -> Result<(), Error> {
    let depth = depth.deeper()?;
    for value in values {
        match value {
            array @ Value::Array(items) if array.extent().depth == 1 => flat.extend_from_slice(items),
            Value::Array(items) => flatten_into(flat, items, depth)?,
            other => flat.push(other.clone()),
        }
    }
    Ok(())
}

pub(super) fn unique() -> Declaration {
    native("unique").host_method(HostMethod::Unique)
        .pure()
        .doc(
            "The elements of an array or iteration, or the characters of a string, each once. A hash becomes one \
             from the keys that have the same value to that value. A block gives what is compared instead.",
        )
        .example("unique([1, 2, 1])", "[1, 2]")
        .example("unique('hello')", "'helo'")
        .example("unique({'a' => 1, 'b' => 2, 'c' => 1})", "{['a', 'c'] => [1], ['b'] => [2]}")
        .example("unique(['a', 'A', 'b']) |$x| { upcase($x) }", "['a', 'b']")
        .dispatch::<&Value>("(String string, Callable[String] block?)", |call, text| {
            let mut unique = String::new();
            for character in unique_elements(call, text)? {
                unique.push_str(call.value_as::<&str>(&character)?);
            }
            Ok(unique.into())
        })
        .dispatch::<&Hash>("(Hash hash, Callable[Any] block?)", keys_by_value)
        .dispatch::<&Value>("(Array array, Callable[Any] block?)", unique_array)
        .dispatch::<&Value>("(Iterable iterable, Callable[Any] block?)", unique_array)
        .returns(|arguments| match arguments {
            [t] if Type::STRING.assignable(t) => Type::STRING,
            [Type::Hash(_) | Type::Struct(_)] => Type::hash(Type::Any, Type::Any, None),
            [Type::Array(_) | Type::Tuple(_) | Type::Iterator(_) | Type::Integer(_)] => {
                Type::array(Type::Any, None)
            }
            _ => Type::Any,
        })
}

fn unique_array(call: &mut Call<'_>, value: &Value) -> Result<Value, Error> {
    Ok(unique_elements(call, value)?.into())
}

/// For how many different elements there is room from the start.
const MOST_EXPECTED: usize = 1 << 17;

fn unique_elements(call: &mut Call<'_>, value: &Value) -> Result<Vec<Value>, Error> {
    let elements = bounded_elements(call, value)?;
    if !call.has_block() {
        let count = value.element_count().unwrap_or_default();
        let mut unique = ValueSet::with_capacity_and_hasher(count.min(MOST_EXPECTED), Default::default());
        for element in elements {
            call.step()?;
            let is_type = matches!(element, Value::Type(_));
            if !unique.insert(element) && is_type {
                // References in parameters are objects of Ruby's, which are not equal.
                call.deviate(Deviation::from_all("unique of equal types"))?;
            }
        }
        return Ok(unique.into_iter().collect());
    }
    let mut unique: ValueMap<Value> = ValueMap::default();
    for element in elements {
        let key = call.call_block(std::slice::from_ref(&element))?;
        unique.entry(key).or_insert(element);
    }
    Ok(unique.into_values().collect())
}

fn keys_by_value(call: &mut Call<'_>, hash: &Hash) -> Result<Value, Error> {
    let mut groups: ValueMap<(Vec<Value>, ValueSet)> = ValueMap::default();
    for (key, value) in hash.iter() {
        let by = if call.has_block() { call.call_block(std::slice::from_ref(value))? } else { value.clone() };
        let (keys, values) = groups.entry(by).or_default();
        keys.push(key.clone());
        values.insert(value.clone());
    }
    let entry = |(keys, values): (Vec<Value>, ValueSet)| {
        (Value::from(keys), Value::from(values.into_iter().collect::<Vec<_>>()))
    };
    Ok(Value::Hash(Arc::new(groups.into_values().map(entry).collect())))
}
