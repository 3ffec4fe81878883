//! Types and values of cty's as the cases write them.

use puppetfn::cty::stdlib::bytes;
use puppetfn::cty::{CtyNumber, CtyType, CtyValue, ValueMarks};
use serde_json::Value as Json;

/// Returns a type from its JSON.
pub fn read_type(json: &Json) -> Result<CtyType, String> {
    CtyType::parse(&json.to_string()).map_err(|error| error.to_string())
}

/// Parses a value from JSON that includes its type.
pub fn read_value(json: &Json) -> Result<CtyValue, String> {
    let t = json.get("type").ok_or_else(|| format!("a value without a type: {json}"))?;
    value_of(&read_type(t)?, json)
}

/// Returns an element of this type: in full, or its bare value.
fn element(t: &CtyType, json: &Json) -> Result<CtyValue, String> {
    if json.is_object() { value_of(t, json) } else { value_of(t, &serde_json::json!({ "value": json })) }
}

fn value_of(t: &CtyType, json: &Json) -> Result<CtyValue, String> {
    let says = |what: &str| json.get(what).and_then(Json::as_bool) == Some(true);
    let value = if says("null") {
        CtyValue::null(t.clone())
    } else if says("unknown") {
        CtyValue::unknown(t.clone())
    } else {
        let precision = json.get("prec").and_then(Json::as_u64);
        known(t, json.get("value").unwrap_or(&Json::Null), precision)?
    };
    let marks = json.get("marks").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
    Ok(value.with_marks(&marks.collect::<ValueMarks>()))
}

fn known(t: &CtyType, json: &Json, precision: Option<u64>) -> Result<CtyValue, String> {
    let unread = || format!("not a value of the type {t}: {json}");
    let text = || json.as_str().ok_or_else(unread);
    let elements = |t: &CtyType| {
        let items = json.as_array().ok_or_else(unread)?;
        items.iter().map(|item| element(t, item)).collect::<Result<Vec<_>, _>>()
    };
    let entries = || json.as_object().ok_or_else(unread);
    match t {
        CtyType::Bool => json.as_bool().map(CtyValue::bool).ok_or_else(unread),
        CtyType::String => text().map(CtyValue::string),
        CtyType::Number => number(text()?, precision).map(CtyValue::number).ok_or_else(unread),
        CtyType::List(t) => CtyValue::list(t, elements(t)?).map_err(|error| error.to_string()),
        CtyType::Set(t) => CtyValue::set(t, elements(t)?).map_err(|error| error.to_string()),
        CtyType::Map(t) => {
            let entries = entries()?.iter().map(|(key, value)| Ok((key, element(t, value)?)));
            CtyValue::map(t, entries.collect::<Result<Vec<_>, String>>()?).map_err(|error| error.to_string())
        }
        CtyType::Tuple(types) => {
            let items = json.as_array().ok_or_else(unread)?;
            let pairs = types.iter().zip(items);
            Ok(CtyValue::tuple(pairs.map(|(t, item)| element(t, item)).collect::<Result<Vec<_>, _>>()?))
        }
        CtyType::Object(object) => {
            // The names of the attributes of the type are normalized.
            let values: Vec<(&String, CtyValue)> = entries()?
                .iter()
                .map(|(name, value)| {
                    let named = CtyValue::object([(name, CtyValue::DYNAMIC)]);
                    let name_as_in_type = named.ty().attributes().and_then(|own| own.keys().next());
                    let t =
                        name_as_in_type.and_then(|name| object.attributes().get(name)).ok_or_else(unread)?;
                    Ok((name, element(t, value)?))
                })
                .collect::<Result<_, String>>()?;
            Ok(CtyValue::object(values))
        }
        CtyType::Capsule(_) => {
            let digits = text()?.as_bytes();
            let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
            digits.chunks(2).map(byte).collect::<Option<Vec<u8>>>().map(bytes).ok_or_else(unread)
        }
        CtyType::Dynamic => Err(unread()),
    }
}

fn number(text: &str, precision: Option<u64>) -> Option<CtyNumber> {
    match text {
        "inf" => return Some(CtyNumber::INFINITY),
        "-inf" => return Some(CtyNumber::NEG_INFINITY),
        _ => {}
    }
    let number = CtyNumber::parse(text)?;
    Some(match precision {
        Some(precision) => number.with_precision(u32::try_from(precision).ok()?),
        None => number,
    })
}
