//! Ruby objects as values of cty's, and back.

use magnus::r_hash::ForEach;
use magnus::value::ReprValue;
use magnus::{Class, Error, Integer, IntoValue, Module, RArray, RClass, RHash, Ruby, Symbol, Value};
use puppetfn::cty::convert::convert;
use puppetfn::cty::{CtyNumber, CtyType, CtyValue, SENSITIVE};
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::limits::Depth;
use puppetfn::subject::{Shape, Subject};

use super::exception;
use super::value::RubyCtyValue;
use crate::api::{limits, rich};
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::to_ruby;
use crate::ruby::raw::{TypedRef, subject};

/// Converts an object: arrays become tuples, hashes objects, and Sensitive values are marked.
pub fn to_cty(ruby: &Ruby, object: Value) -> Result<CtyValue, Error> {
    value_of(ruby, object, Depth::nesting(&limits::current()))
}

/// Converts an object, to the wanted type if possible. Values of cty's stay as they are.
pub fn to_fitting_value(ruby: &Ruby, object: Value, wanted: Option<&CtyType>) -> Result<CtyValue, Error> {
    let value = to_cty(ruby, object)?;
    match wanted {
        Some(wanted) if RubyCtyValue::of(&object).is_none() => Ok(convert(&value, wanted).unwrap_or(value)),
        Some(_) | None => Ok(value),
    }
}

fn value_of(ruby: &Ruby, object: Value, depth: Depth) -> Result<CtyValue, Error> {
    let depth = depth.deeper().map_err(|error| to_ruby(ruby, &error))?;
    if let Some(own) = RubyCtyValue::of(&object) {
        return Ok(own.0.clone());
    }
    if let Some(integer) = Integer::from_value(object) {
        return number_of(ruby, integer);
    }
    if let Some(items) = RArray::from_value(object) {
        let items = items.into_iter().map(|item| value_of(ruby, item, depth));
        return Ok(CtyValue::tuple(items.collect::<Result<Vec<_>, _>>()?));
    }
    if let Some(entries) = RHash::from_value(object) {
        let mut attributes = Vec::with_capacity(entries.len());
        entries.foreach(|key: Value, value: Value| {
            attributes.push((name_of(ruby, key)?, value_of(ruby, value, depth)?));
            Ok(ForEach::Continue)
        })?;
        return Ok(CtyValue::object(attributes));
    }
    if is_set(ruby, object)? {
        let items: RArray = object.funcall("to_a", ())?;
        let items = value_of(ruby, items.as_value(), depth)?;
        return convert(&items, &CtyType::set(CtyType::Dynamic)).map_err(|error| exception(ruby, &error));
    }
    match subject(&object).shape() {
        Ok(Shape::Sensitive(inner)) => Ok(value_of(ruby, inner.value(), depth)?.mark(SENSITIVE)),
        Ok(Shape::Runtime | Shape::Bytes(_) | Shape::LargeInteger { .. }) | Err(_) => {
            Err(unrepresentable(ruby, object))
        }
        Ok(_) => CtyValue::from_puppet(&to_value(ruby, object)?, &limits::current())
            .map_err(|error| to_ruby(ruby, &error)),
    }
}

fn unrepresentable(ruby: &Ruby, object: Value) -> Error {
    let message = format!("cty has no values of the class {}", object.class());
    to_ruby(ruby, &CoreError::new(ErrorKind::Unrepresentable, message))
}

/// Returns an Integer, which may be of any size.
fn number_of(ruby: &Ruby, integer: Integer) -> Result<CtyValue, Error> {
    if let Ok(small) = integer.to_i64() {
        return Ok(CtyValue::number(small));
    }
    let digits: String = integer.funcall("to_s", (16,))?;
    match CtyNumber::from_hexadecimal(&digits) {
        Some(number) => Ok(CtyValue::number(number)),
        None => Err(unrepresentable(ruby, integer.as_value())),
    }
}

/// Returns the name of an attribute.
fn name_of(ruby: &Ruby, key: Value) -> Result<String, Error> {
    if let Some(symbol) = Symbol::from_value(key) {
        return Ok(symbol.name()?.into_owned());
    }
    match subject(&key).shape() {
        Ok(Shape::String(name)) => Ok(name.to_owned()),
        _ => {
            let message = format!("the keys of a Hash for cty are Strings, not {}", key.class());
            Err(to_ruby(ruby, &CoreError::new(ErrorKind::Unrepresentable, message)))
        }
    }
}

fn set_class(ruby: &Ruby) -> Result<RClass, Error> {
    ruby.class_object().const_get("Set")
}

fn is_set(ruby: &Ruby, object: Value) -> Result<bool, Error> {
    Ok(object.is_kind_of(set_class(ruby)?))
}

/// Converts a value to a Ruby object: sets become Sets, objects and maps Hashes, and values marked as sensitive become Sensitive.
pub fn from_cty(ruby: &Ruby, value: &CtyValue) -> Result<Value, Error> {
    if value.is_marked() {
        let (value, marks) = value.unmark();
        if let Some(other) = marks.iter().find(|mark| *mark != SENSITIVE) {
            let message = format!("the value is marked with {other:?}: take its marks off with unmark first");
            return Err(exception(ruby, &CoreError::new(ErrorKind::Evaluation, message)));
        }
        let hidden = from_cty(ruby, &value)?;
        return rich::class(ruby, "Sensitive").new_instance((hidden,));
    }
    if value.is_null() || !value.is_known() {
        let value = value.to_puppet(&limits::current()).map_err(|error| to_ruby(ruby, &error))?;
        return to_object(ruby, &value);
    }
    let failed = |error: CoreError| exception(ruby, &error);
    match value.ty() {
        CtyType::Number => number_object(ruby, value.as_number().map_err(failed)?),
        CtyType::List(_) | CtyType::Tuple(_) => Ok(array(ruby, value)?.as_value()),
        CtyType::Set(_) => set_class(ruby)?.new_instance((array(ruby, value)?,)),
        CtyType::Map(_) | CtyType::Object(_) => {
            let object = ruby.hash_new();
            for (key, value) in value.entries().map_err(failed)? {
                object.aset(&*key, from_cty(ruby, &value)?)?;
            }
            Ok(object.as_value())
        }
        CtyType::Dynamic | CtyType::Bool | CtyType::String | CtyType::Capsule(_) => {
            let value = value.to_puppet(&limits::current()).map_err(|error| to_ruby(ruby, &error))?;
            to_object(ruby, &value)
        }
    }
}

fn array(ruby: &Ruby, value: &CtyValue) -> Result<RArray, Error> {
    let items = value.values().map_err(|error| exception(ruby, &error))?;
    let array = ruby.ary_new_capa(items.len());
    items.iter().try_for_each(|item| array.push(from_cty(ruby, item)?))?;
    Ok(array)
}

/// Returns an Integer of any size for a whole number, the nearest Float for others.
fn number_object(ruby: &Ruby, number: &CtyNumber) -> Result<Value, Error> {
    if let Some(integer) = number.to_i64() {
        return Ok(integer.into_value_with(ruby));
    }
    if !number.is_integer() {
        return Ok(number.to_f64().into_value_with(ruby));
    }
    let digits = number.truncated().map_err(|error| to_ruby(ruby, &error))?;
    let digits = digits.map_or_else(String::new, |integer| format!("{integer:x}"));
    ruby.str_new(&digits).funcall("to_i", (16,))
}
