//! Applies a conversion to a value.
//!
//! See go-cty's `cty/convert/conversion_primitive.go` and `cty/convert/conversion_collection.go`.

use std::sync::Arc;

use super::mismatch_message;
use super::replace::with_dynamic_replaced;
use super::{
    AttributeConversion, AttributeConversions, Conversion, ConversionStep, ElementConversion,
    ElementConversions, Safety, convert, failure, unify,
};
use crate::number::{CtyNumber, DigitCount};
use crate::text::quoted;
use crate::types::CtyType;
use crate::value::{CtyValue, common_type};
use puppetfn_base::error::Error;

impl Conversion {
    /// Returns the value, converted. It has the type that the conversion is from.
    ///
    /// # Errors
    /// Fails if this value cannot be converted.
    pub fn apply(&self, value: &CtyValue) -> Result<CtyValue, Error> {
        if value.is_marked() {
            let (value, marks) = value.unmark();
            return Ok(self.apply(&value)?.with_marks(&marks));
        }
        if self.to == CtyType::Dynamic {
            return Ok(value.clone());
        }
        if !value.is_known() || value.is_null() {
            let t = self.unknown_type(value);
            return Ok(if value.is_known() { CtyValue::null(t) } else { CtyValue::unknown(t) });
        }
        match &self.step {
            ConversionStep::Keep => Ok(value.clone()),
            ConversionStep::ByValue => convert(value, &self.to),
            ConversionStep::ToString => to_string(value),
            ConversionStep::ToNumber => {
                let number = CtyNumber::parse(value.as_string()?);
                number.map(CtyValue::number).ok_or_else(|| failure("a number is required"))
            }
            ConversionStep::ToBool => to_bool(value),
            ConversionStep::List(elements) => self.to_list(value, elements),
            ConversionStep::Set(elements) => self.to_set(value, elements),
            ConversionStep::Tuple(conversions) => Ok(CtyValue::tuple(each(value, conversions)?)),
            ConversionStep::Map(element) => self.to_map(value, element),
            ConversionStep::ObjectToMap(element, attributes, safety) => {
                self.object_to_map(value, element, attributes, *safety)
            }
            ConversionStep::Object(attributes) => self.to_object(value, attributes),
            ConversionStep::MapToObject(attributes) => self.map_to_object(value, attributes),
        }
    }

    /// Returns the type of the conversion's result, given a value of which only the type is known.
    fn unknown_type(&self, value: &CtyValue) -> CtyType {
        with_dynamic_replaced(value.ty(), &self.to.without_optional())
    }

    /// Returns the element type of an empty collection that results from the conversion.
    fn empty_element(&self, given: Option<&CtyType>) -> CtyType {
        match (self.to.element_type(), given) {
            (Some(CtyType::Dynamic), Some(given)) => given.clone(),
            (Some(element), _) => element.without_optional(),
            (None, _) => CtyType::Dynamic,
        }
    }

    fn to_list(&self, value: &CtyValue, elements: &ElementConversions) -> Result<CtyValue, Error> {
        let elements = match elements {
            ElementConversions::Same(element) => {
                if !value.length()?.is_known() {
                    return Ok(CtyValue::unknown(self.unknown_type(value)));
                }
                same(value, element)?.into_iter().map(|value| without_optional(&value)).collect()
            }
            ElementConversions::Each(conversions, safety) => {
                let elements = each(value, conversions)?;
                if elements.is_empty() { elements } else { with_one_type(elements, *safety)? }
            }
        };
        require_one_type("element", "list", &elements)?;
        CtyValue::list(&self.empty_element(value.ty().element_type()), elements)
    }

    fn to_set(&self, value: &CtyValue, elements: &ElementConversions) -> Result<CtyValue, Error> {
        let elements = match elements {
            ElementConversions::Same(element) => same(value, element)?,
            ElementConversions::Each(conversions, _) => each(value, conversions)?,
        };
        let elements: Vec<CtyValue> = elements.iter().map(without_optional).collect();
        require_one_type("element", "set", &elements)?;
        CtyValue::set(&self.empty_element(value.ty().element_type()), elements)
    }

    fn to_map(&self, value: &CtyValue, element: &ElementConversion) -> Result<CtyValue, Error> {
        let keys = value.entries()?.into_iter().map(|(key, _)| key);
        let values = same(value, element)?;
        self.map_of(keys.collect(), values, value.ty().element_type(), "element", Safety::Safe)
    }

    fn object_to_map(
        &self,
        value: &CtyValue,
        element: &CtyType,
        attributes: &AttributeConversions,
        safety: Safety,
    ) -> Result<CtyValue, Error> {
        let entries = value.entries()?;
        let mut keys = Vec::with_capacity(entries.len());
        let mut values = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            values.push(match attributes.get(&name) {
                Some(AttributeConversion::Converts(conversion)) => conversion.apply(&value)?,
                Some(AttributeConversion::Fits | AttributeConversion::Impossible) | None => value,
            });
            keys.push(name);
        }
        self.map_of(keys, values, Some(element), "attribute", safety)
    }

    fn map_of(
        &self,
        keys: Vec<Arc<str>>,
        values: Vec<CtyValue>,
        given: Option<&CtyType>,
        part: &str,
        safety: Safety,
    ) -> Result<CtyValue, Error> {
        // If the conversion's element type is dynamic, the attributes of an object have the type inferred for them.
        let element = match self.to.element_type() {
            Some(CtyType::Dynamic) if part == "attribute" => given,
            element => element,
        };
        let structured = matches!(
            element,
            Some(CtyType::List(_) | CtyType::Set(_) | CtyType::Map(_) | CtyType::Object(_))
        );
        let values = if structured && !values.is_empty() { with_one_type(values, safety)? } else { values };
        require_one_type(part, "map", &values)?;
        let empty = match part {
            "attribute" => self.empty_element(None),
            _ => self.empty_element(given),
        };
        CtyValue::map(&empty, keys.into_iter().zip(values))
    }

    fn to_object(&self, value: &CtyValue, attributes: &AttributeConversions) -> Result<CtyValue, Error> {
        let mut converted = Vec::new();
        for (name, value) in value.entries()? {
            let value = match attributes.get(&name) {
                Some(AttributeConversion::Converts(conversion)) => conversion.apply(&value)?,
                Some(AttributeConversion::Fits | AttributeConversion::Impossible) => value,
                None => continue,
            };
            converted.push((name, without_optional(&value)));
        }
        self.add_missing(&mut converted)?;
        Ok(CtyValue::object(converted))
    }

    fn map_to_object(&self, value: &CtyValue, attributes: &AttributeConversions) -> Result<CtyValue, Error> {
        let mut converted = Vec::new();
        for (name, value) in value.entries()? {
            let value = match attributes.get(&name) {
                Some(AttributeConversion::Converts(conversion)) => conversion.apply(&value)?,
                Some(AttributeConversion::Fits) => value,
                None => continue,
                Some(AttributeConversion::Impossible) => {
                    let wanted = self.to.attributes().and_then(|attributes| attributes.get(&name));
                    let why = wanted.map(|wanted| mismatch_message(value.ty(), wanted)).unwrap_or_default();
                    return Err(failure(format!(
                        "map element type is incompatible with attribute {}: {why}",
                        quoted(&name)
                    )));
                }
            };
            converted.push((name, without_optional(&value)));
        }
        self.add_missing(&mut converted)?;
        Ok(CtyValue::object(converted))
    }

    /// Adds null for the optional attributes that are not there.
    fn add_missing(&self, attributes: &mut Vec<(Arc<str>, CtyValue)>) -> Result<(), Error> {
        let CtyType::Object(wanted) = &self.to else { return Ok(()) };
        for (name, t) in wanted.attributes() {
            if attributes.iter().any(|(there, _)| there == name) {
                continue;
            }
            if !wanted.is_optional(name) {
                let name = quoted(name);
                return Err(failure(format!("map has no element for required attribute {name}")));
            }
            attributes.push((name.clone(), CtyValue::null(t.without_optional())));
        }
        Ok(())
    }
}

fn to_string(value: &CtyValue) -> Result<CtyValue, Error> {
    if *value.ty() == CtyType::Bool {
        return Ok(CtyValue::string(if value.as_bool()? { "true" } else { "false" }));
    }
    Ok(CtyValue::string(value.as_number()?.to_fixed(DigitCount::Shortest)?))
}

fn to_bool(value: &CtyValue) -> Result<CtyValue, Error> {
    match &**value.as_string()? {
        "true" | "1" => Ok(CtyValue::bool(true)),
        "false" | "0" => Ok(CtyValue::bool(false)),
        text => {
            let lower = text.to_lowercase();
            Err(failure(match lower.as_str() {
                "true" | "false" => {
                    format!("a bool is required; to convert from string, use lowercase {}", quoted(&lower))
                }
                _ => "a bool is required".to_owned(),
            }))
        }
    }
}

fn same(value: &CtyValue, element: &ElementConversion) -> Result<Vec<CtyValue>, Error> {
    let values = value.values()?;
    match element {
        Some(conversion) => values.iter().map(|value| conversion.apply(value)).collect(),
        None => Ok(values),
    }
}

fn each(value: &CtyValue, conversions: &[Option<Conversion>]) -> Result<Vec<CtyValue>, Error> {
    let pairs = value.values()?.into_iter().zip(conversions);
    pairs
        .map(|(value, conversion)| match conversion {
            Some(conversion) => conversion.apply(&value),
            None => Ok(value),
        })
        .collect()
}

/// Null has no attributes that could be optional.
fn without_optional(value: &CtyValue) -> CtyValue {
    if value.is_null() { CtyValue::null(value.ty().without_optional()) } else { value.clone() }
}

fn require_one_type(part: &str, kind: &str, values: &[CtyValue]) -> Result<(), Error> {
    match common_type(values) {
        Some(_) => Ok(()),
        None => Err(failure(format!("{part} types must all match for conversion to {kind}"))),
    }
}

/// Converts elements that came out with several types to one that they have in common.
fn with_one_type(values: Vec<CtyValue>, safety: Safety) -> Result<Vec<CtyValue>, Error> {
    let types: Vec<CtyType> = values.iter().map(|value| value.ty().clone()).collect();
    let none = || failure("cannot find a common base type for all elements");
    let unified = unify(&types, safety).ok_or_else(none)?;
    let convert = |value: CtyValue| {
        if *value.ty() == unified {
            return Ok(value);
        }
        Conversion::find(value.ty(), &unified, safety).ok_or_else(none)?.apply(&value)
    };
    values.into_iter().map(convert).collect()
}
