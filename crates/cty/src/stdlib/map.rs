//! Maps and objects.
//!
//! See go-cty's `cty/function/stdlib/collection.go`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{FunctionFamily, any, failure, string};
use crate::convert::convert;
use crate::function::{CtyFunction, CtyParameter, argument_error, exactly};
use crate::text::quoted;
use crate::types::CtyType;
use crate::value::{CtyValue, ValueMarks};
use puppetfn_base::error::Error;

pub(super) fn functions() -> FunctionFamily {
    vec![
        (
            "keys",
            CtyFunction::new("Returns the keys of the map in alphabetical order.")
                .parameter(any("inputMap").allow_unknown().allow_marked().description(
                    "A map, or an object: its attributes are known even where the object is not.",
                ))
                .type_rule(|arguments, _| keys_type(arguments))
                .implement(|[map], call| keys(map, call.returns)),
        ),
        (
            "lookup",
            CtyFunction::new(
                "Returns the element of the map with the given key, or the default if there is none.",
            )
            .parameter(any("inputMap").allow_marked())
            .parameter(string("key").allow_marked())
            .parameter(any("default").allow_marked())
            .type_rule(|arguments, _| lookup_type(arguments))
            .implement(|[map, key, default], call| lookup(map, key, default, call.returns)),
        ),
        (
            "merge",
            CtyFunction::new("Merges maps or objects; of several entries with one key, the last counts.")
                .variadic(any("maps").allow_dynamic_type().allow_null().allow_marked())
                .type_rule(|arguments, _| merge_type(arguments))
                .implement_variadic(|arguments, call| merge(arguments, call.returns)),
        ),
        (
            "values",
            CtyFunction::new("Returns the values of the map or object in the order of its keys.")
                .parameter(any("mapping").allow_marked())
                .type_rule(|arguments, _| {
                    let [mapping] = exactly(arguments)?;
                    match mapping.ty() {
                        CtyType::Map(element) => Ok(CtyType::List(element.clone())),
                        CtyType::Object(object) => {
                            Ok(CtyType::tuple(object.attributes().values().cloned().collect::<Vec<_>>()))
                        }
                        _ => Err(failure("values() requires a map as the first argument")),
                    }
                })
                .implement(|[mapping], call| {
                    let t = call.returns;
                    let (mapping, marks) = mapping.unmark();
                    Ok(super::collection::sequence_of(t, mapping.values()?)?.with_marks(&marks))
                }),
        ),
        (
            "zipmap",
            CtyFunction::new("Makes a map of a list of keys and as many values.")
                .parameter(CtyParameter::new("keys", CtyType::list(CtyType::String)).allow_marked())
                .parameter(any("values").allow_marked())
                .type_rule(|arguments, _| zipmap_type(arguments))
                .implement(|[keys, values], call| zipmap(keys, values, call.returns)),
        ),
    ]
}

fn keys_type(arguments: &[CtyValue]) -> Result<CtyType, Error> {
    let [map] = exactly(arguments)?;
    match map.ty() {
        CtyType::Map(_) => Ok(CtyType::list(CtyType::String)),
        CtyType::Object(object) => Ok(CtyType::tuple(vec![CtyType::String; object.attributes().len()])),
        _ => Err(argument_error(0, "must have map or object type")),
    }
}

fn keys(map: &CtyValue, t: &CtyType) -> Result<CtyValue, Error> {
    let (map, marks) = map.unmark();
    let keys = match map.ty() {
        CtyType::Object(object) => CtyValue::tuple(object.attributes().keys().map(CtyValue::string)),
        _ if !map.is_known() => CtyValue::unknown(t.clone()),
        _ => CtyValue::list(&CtyType::String, map.entries()?.iter().map(|(key, _)| CtyValue::string(key)))?,
    };
    Ok(keys.with_marks(&marks))
}

fn lookup_type(arguments: &[CtyValue]) -> Result<CtyType, Error> {
    let [map, key, default] = exactly(arguments)?;
    match map.ty() {
        CtyType::Object(_) if !key.is_known() => Ok(CtyType::Dynamic),
        CtyType::Object(object) => {
            let (key, _) = key.unmark();
            Ok(object.attributes().get(key.as_string()?).unwrap_or(default.ty()).clone())
        }
        CtyType::Map(element) => match convert(default, element) {
            Ok(_) => Ok((**element).clone()),
            Err(_) => Err(argument_error(2, "the default value must have the same type as the map elements")),
        },
        _ => Err(argument_error(0, "lookup() requires a map as the first argument")),
    }
}

fn lookup(map: &CtyValue, key: &CtyValue, default: &CtyValue, t: &CtyType) -> Result<CtyValue, Error> {
    let (map, mut marks) = map.unmark();
    let (key, key_marks) = key.unmark();
    marks.extend(key_marks);
    if !map.is_wholly_known() {
        return Ok(CtyValue::unknown(t.clone()).with_marks(&marks));
    }
    let key = key.as_string()?;
    let found = map.entries()?.into_iter().find(|(name, _)| name == key);
    let value = match found {
        Some((_, value)) => value,
        None => convert(default, t)?,
    };
    Ok(value.with_marks(&marks))
}

fn merge_type(arguments: &[CtyValue]) -> Result<CtyType, Error> {
    let Some(first) = arguments.first() else { return Ok(CtyType::object([] as [(&str, CtyType); 0])) };
    let mut attributes: BTreeMap<Arc<str>, CtyType> = BTreeMap::new();
    let mut attributes_known = true;
    for argument in arguments {
        let (argument, _) = argument.unmark();
        match argument.ty() {
            CtyType::Dynamic => return Ok(CtyType::Dynamic),
            CtyType::Object(_) | CtyType::Map(_) if argument.is_null() => {}
            CtyType::Object(object) => {
                let own = object.attributes().iter();
                attributes.extend(own.map(|(name, t)| (name.clone(), t.clone())));
            }
            CtyType::Map(element) if argument.is_known() => {
                let keys = argument.entries()?.into_iter();
                attributes.extend(keys.map(|(key, _)| (key, (**element).clone())));
            }
            CtyType::Map(_) => attributes_known = false,
            t => {
                let given = quoted(&t.friendly_name());
                return Err(failure(format!("arguments must be maps or objects, got {given}")));
            }
        }
    }
    if arguments.iter().all(|argument| argument.ty() == first.ty()) {
        return Ok(first.ty().clone());
    }
    Ok(if attributes_known { CtyType::object(attributes) } else { CtyType::Dynamic })
}

fn merge(arguments: &[CtyValue], t: &CtyType) -> Result<CtyValue, Error> {
    let mut merged: BTreeMap<Arc<str>, CtyValue> = BTreeMap::new();
    let mut marks = ValueMarks::default();
    for argument in arguments.iter().filter(|argument| !argument.is_null()) {
        let (argument, own) = argument.unmark();
        marks.extend(own);
        merged.extend(argument.entries()?);
    }
    let result = match t {
        CtyType::Map(element) => CtyValue::map(element, merged)?,
        _ => CtyValue::object(merged),
    };
    Ok(result.with_marks(&marks))
}

fn zipmap_type(arguments: &[CtyValue]) -> Result<CtyType, Error> {
    let [keys, values] = exactly(arguments)?;
    let types = match values.ty() {
        CtyType::List(element) => return Ok(CtyType::Map(element.clone())),
        CtyType::Tuple(types) => types,
        _ => return Err(failure("values argument must be a list or tuple value")),
    };
    if !keys.is_wholly_known() {
        return Ok(CtyType::Dynamic);
    }
    let keys = keys.unmark().0.values()?;
    require_same_count(keys.len(), types.len())?;
    let mut attributes = Vec::new();
    for (index, (key, t)) in keys.iter().zip(types.iter()).enumerate() {
        let (key, _) = key.unmark();
        if key.is_null() {
            return Err(failure(format!("keys list has null value at index {index}")));
        }
        attributes.push((key.as_string()?.clone(), t.clone()));
    }
    Ok(CtyType::object(attributes))
}

fn zipmap(keys: &CtyValue, values: &CtyValue, t: &CtyType) -> Result<CtyValue, Error> {
    let (keys, mut marks) = keys.unmark();
    let (values, value_marks) = values.unmark();
    marks.extend(value_marks);
    if !keys.is_wholly_known() {
        return Ok(CtyValue::unknown(t.clone()).with_marks(&marks));
    }
    let (keys, values) = (keys.values()?, values.values()?);
    require_same_count(keys.len(), values.len())?;
    let mut entries = Vec::new();
    for (key, value) in keys.iter().zip(values) {
        let (key, own) = key.unmark();
        marks.extend(own);
        entries.push((key.as_string()?.clone(), value));
    }
    let result = match t {
        CtyType::Map(element) => CtyValue::map(element, entries)?,
        _ => CtyValue::object(entries),
    };
    Ok(result.with_marks(&marks))
}

fn require_same_count(keys: usize, values: usize) -> Result<(), Error> {
    if keys == values {
        return Ok(());
    }
    Err(failure(format!("number of keys ({keys}) does not match number of values ({values})")))
}
