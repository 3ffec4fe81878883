//! Elements of collections.
//!
//! See go-cty's `cty/function/stdlib/collection.go`.

use super::{FunctionFamily, any, failure, number, wrapped};
use crate::function::{CtyFunction, exactly};
use crate::types::CtyType;
use crate::value::CtyValue;
use puppetfn_base::error::Error;

pub(super) fn functions() -> FunctionFamily {
    vec![
        (
            "hasindex",
            CtyFunction::new("Returns true if the collection has an element with the given key.")
                .parameter(any("collection").allow_dynamic_type())
                .parameter(any("key").allow_dynamic_type())
                .type_rule(|arguments, _| {
                    let [collection, _] = exactly(arguments)?;
                    match collection.ty() {
                        CtyType::Tuple(_) | CtyType::List(_) | CtyType::Map(_) | CtyType::Dynamic => {
                            Ok(CtyType::Bool)
                        }
                        _ => Err(failure(NO_COLLECTION)),
                    }
                })
                .implement(|[collection, key], _| collection.has_index(key)),
        ),
        (
            "index",
            CtyFunction::new("Returns the element with the given key.")
                .parameter(any("collection"))
                .parameter(any("key").allow_dynamic_type())
                .type_rule(|arguments, _| index_type(arguments))
                .implement(|[collection, key], _| {
                    if !collection.has_index(key)?.as_bool()? {
                        return Err(failure("invalid index"));
                    }
                    collection.index(key)
                }),
        ),
        (
            "length",
            CtyFunction::new("Returns how many elements the collection has.")
                .parameter(any("collection").allow_dynamic_type().allow_marked())
                .type_rule(|arguments, _| {
                    let [collection] = exactly(arguments)?;
                    match collection.ty() {
                        CtyType::Tuple(_)
                        | CtyType::List(_)
                        | CtyType::Map(_)
                        | CtyType::Set(_)
                        | CtyType::Dynamic => Ok(CtyType::Number),
                        _ => Err(failure(NO_COLLECTION)),
                    }
                })
                .implement(|[collection], _| collection.length()),
        ),
        (
            "element",
            CtyFunction::new(
                "Returns the element with the given index; after the last one comes the first again.",
            )
            .parameter(any("list").allow_marked())
            .parameter(number("index"))
            .type_rule(|arguments, _| element_type(arguments))
            .implement(|[list, index], call| element(list, index, call.returns)),
        ),
        (
            "contains",
            CtyFunction::new("Returns true if the list, tuple or set has the given value.")
                .parameter(any("list"))
                .parameter(any("value"))
                .returns(CtyType::Bool)
                .implement(|[list, value], _| contains(list, value)),
        ),
    ]
}

const NO_COLLECTION: &str = "collection must be a list, a map or a tuple";
const NEGATIVE_INDEX: &str = "cannot use element function with a negative index";
const EMPTY_LIST: &str = "cannot use element function with an empty list";

fn index_type(arguments: &[CtyValue]) -> Result<CtyType, Error> {
    let [collection, key] = exactly(arguments)?;
    let needs = |wanted: CtyType, message: &str| {
        if *key.ty() == wanted || *key.ty() == CtyType::Dynamic { Ok(()) } else { Err(failure(message)) }
    };
    match collection.ty() {
        CtyType::Tuple(types) => {
            needs(CtyType::Number, "key for tuple must be number")?;
            if !key.is_known() {
                return Ok(CtyType::Dynamic);
            }
            let index = key.as_i64().map_err(|error| wrapped(&error, "invalid key for tuple"))?;
            let found = usize::try_from(index).ok().and_then(|index| types.get(index));
            found
                .cloned()
                .ok_or_else(|| failure(format!("key must be between 0 and {} inclusive", types.len())))
        }
        CtyType::List(element) => {
            needs(CtyType::Number, "key for list must be number")?;
            Ok((**element).clone())
        }
        CtyType::Map(element) => {
            needs(CtyType::String, "key for map must be string")?;
            Ok((**element).clone())
        }
        _ => Err(failure(NO_COLLECTION)),
    }
}

/// Returns the place of an index in this many elements, round and round.
fn wrapped_place(index: &CtyValue, count: usize) -> Result<usize, Error> {
    let index = index.as_i64().map_err(|error| wrapped(&error, "invalid index"))?;
    let index = usize::try_from(index).map_err(|_| failure(NEGATIVE_INDEX))?;
    index.checked_rem(count).ok_or_else(|| failure(EMPTY_LIST))
}

fn element_type(arguments: &[CtyValue]) -> Result<CtyType, Error> {
    let [list, index] = exactly(arguments)?;
    if index.is_known() && index.less_than(&CtyValue::from(0))?.as_bool()? {
        return Err(failure(NEGATIVE_INDEX));
    }
    match list.ty() {
        CtyType::List(element) => Ok((**element).clone()),
        CtyType::Tuple(_) if !index.is_known() => Ok(CtyType::Dynamic),
        CtyType::Tuple(types) => {
            let place = wrapped_place(index, types.len())?;
            types.get(place).cloned().ok_or_else(|| failure(EMPTY_LIST))
        }
        t => Err(failure(format!("cannot read elements from {}", t.friendly_name()))),
    }
}

fn element(list: &CtyValue, index: &CtyValue, t: &CtyType) -> Result<CtyValue, Error> {
    let (list, marks) = list.unmark();
    if !list.is_known() {
        return Ok(CtyValue::unknown(t.clone()));
    }
    let place = wrapped_place(index, list.element_count()?)?;
    Ok(list.index(&CtyValue::number(place))?.with_marks(&marks))
}

fn contains(list: &CtyValue, value: &CtyValue) -> Result<CtyValue, Error> {
    if !matches!(list.ty(), CtyType::List(_) | CtyType::Tuple(_) | CtyType::Set(_)) {
        return Err(failure("argument must be list, tuple, or set"));
    }
    let mut known = true;
    for element in list.values()? {
        let equal = value.equals(&element)?;
        if !equal.is_known() {
            known = false;
        } else if equal.as_bool()? {
            return Ok(CtyValue::bool(true));
        }
    }
    Ok(if known { CtyValue::bool(false) } else { CtyValue::unknown(CtyType::Bool) })
}
