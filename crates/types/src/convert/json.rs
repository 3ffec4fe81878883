//! JSON to values and back.
//!
//! See RFC 8259.

use serde::Deserialize;
use serde_json::{Map, Number, Value as Json};

use super::number::integer_of_any_size;
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits};

/// Returns the value of a JSON text, or the reason why it is not JSON.
///
/// # Errors
/// Fails with [`ErrorKind::Limit`](puppetfn_base::error::ErrorKind::Limit) if it nests too deep; otherwise the same
/// errors as [`from_json`].
pub fn parse(text: &str, limits: &Limits) -> Result<Result<Value, NotJson>, Error> {
    let read = match serde_json::from_str(text) {
        Err(error) if is_depth_limit(&error) => {
            check_nesting(text, limits)?;
            let mut reader = serde_json::Deserializer::from_str(text);
            reader.disable_recursion_limit();
            Json::deserialize(&mut reader).and_then(|json| reader.end().map(|()| json))
        }
        read => read,
    };
    match read {
        Ok(json) => from_json(&json, limits).map(Ok),
        Err(error) => Ok(Err(NotJson(error))),
    }
}

/// The syntax error of a text that is not JSON, with its position.
#[derive(thiserror::Error, Debug)]
#[error(transparent)]
pub struct NotJson(serde_json::Error);

/// The JSON parser has a depth limit of its own, which it files under syntax errors; only the text distinguishes it.
fn is_depth_limit(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit exceeded")
}

/// Checks how deep the brackets of a text nest that are not in strings.
fn check_nesting(text: &str, limits: &Limits) -> Result<(), Error> {
    let mut open = vec![Depth::nesting(limits)];
    let mut bytes = text.bytes();
    let mut in_string = false;
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => _ = bytes.next(),
            b'[' | b'{' if !in_string => {
                let inner = open.last().map(|depth| depth.deeper()).transpose()?;
                open.extend(inner);
            }
            b']' | b'}' if !in_string => _ = open.pop(),
            _ => {}
        }
    }
    Ok(())
}

/// Returns the value of a JSON document: `null` is undef.
///
/// # Errors
/// Fails with [`ErrorKind::Unrepresentable`](puppetfn_base::error::ErrorKind::Unrepresentable) if Puppet cannot represent a
/// number, and with [`ErrorKind::Limit`](puppetfn_base::error::ErrorKind::Limit) if it nests too deep.
pub fn from_json(json: &Json, limits: &Limits) -> Result<Value, Error> {
    value_of(json, Depth::nesting(limits))
}

fn value_of(json: &Json, depth: Depth) -> Result<Value, Error> {
    Ok(match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => Value::Boolean(*truth),
        Json::Number(number) => number_value(number)?,
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => {
            let depth = depth.deeper()?;
            Value::from(items.iter().map(|item| value_of(item, depth)).collect::<Result<Vec<_>, _>>()?)
        }
        Json::Object(members) => {
            let depth = depth.deeper()?;
            let member =
                |(key, member): (&String, _)| Ok((Value::from(key.as_str()), value_of(member, depth)?));
            members.iter().map(member).collect::<Result<_, Error>>()?
        }
    })
}

/// Returns the value of a number literal: a fraction or an exponent makes it a float.
fn number_value(number: &Number) -> Result<Value, Error> {
    let text = number.as_str();
    if let Ok(number) = text.parse() {
        Ok(Value::Integer(number))
    } else if text.contains(['.', 'e', 'E'])
        && let Ok(number) = text.parse()
    {
        Ok(Value::Float(number))
    } else {
        integer_of_any_size(text, 10)
    }
}

/// Returns the JSON document of a value.
///
/// JSON has no types, regular expressions, sensitive values and so on, no `default`, no infinite
/// floats and no keys but strings. They become the string that Puppet shows for them. An object of a type that is
/// defined by its features is its data, with the name of the type.
///
/// # Errors
/// Fails with [`ErrorKind::Limit`](puppetfn_base::error::ErrorKind::Limit) if the value nests too deep; otherwise the
/// same errors as [`Object::to_data`].
///
/// [`Object::to_data`]: crate::value::Object::to_data
pub fn to_json(value: &Value, limits: &Limits) -> Result<Json, Error> {
    document(value, Depth::nesting(limits), limits)
}

/// Returns the document of a nested value.
pub(super) fn document(value: &Value, depth: Depth, limits: &Limits) -> Result<Json, Error> {
    let depth = depth.deeper()?;
    Ok(match value {
        Value::Undef => Json::Null,
        Value::Boolean(truth) => Json::Bool(*truth),
        Value::Integer(number) => Json::from(*number),
        Value::Float(number) => {
            // Digits as in Ruby: 1.0e+20.
            let text = value.interpolated(limits)?;
            match text.parse::<Number>() {
                Ok(number) => Json::Number(number),
                Err(_) => Number::from_f64(*number).map_or(Json::String(text), Json::Number),
            }
        }
        Value::Array(items) => {
            Json::Array(items.iter().map(|item| document(item, depth, limits)).collect::<Result<_, _>>()?)
        }
        Value::Hash(hash) => Json::Object(
            hash.iter()
                .map(|(key, value)| Ok((key.interpolated(limits)?, document(value, depth, limits)?)))
                .collect::<Result<Map<_, _>, Error>>()?,
        ),
        Value::Runtime(object) if let Some(number) = object.as_integer() => {
            Json::Number(Number::from_string_unchecked(number.to_string()))
        }
        Value::Object(object) if object.instance().is_some() => {
            let data = object.to_typed_data()?.unwrap_or_default();
            document(&Value::Hash(data.into()), depth, limits)?
        }
        Value::String(_)
        | Value::Default
        | Value::Regexp(_)
        | Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Binary(_)
        | Value::Uri(_)
        | Value::Timestamp(_)
        | Value::Timespan(_)
        | Value::Type(_)
        | Value::Sensitive(_)
        | Value::Iterator(_)
        | Value::Callable(_)
        | Value::Object(_)
        | Value::Runtime(_)
        | Value::Unknown(_) => Json::String(value.interpolated(limits)?),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::types::Type;
    use crate::value::Regex;
    use puppetfn_base::error::ErrorKind;

    #[test]
    fn json_is_read_as_puppet_data() {
        assert_eq!(
            parse(r#" {"b": [1, 1.0, null], "a": {"c": "d"}, "e": true} "#, &Limits::DEFAULT)
                .unwrap()
                .unwrap(),
            Value::from_iter([
                ("b".into(), vec![1.into(), 1.0.into(), Value::Undef].into()),
                ("a".into(), Value::from_iter([("c".into(), "d".into())])),
                ("e".into(), true.into()),
            ])
        );
        assert_eq!(parse("1e3", &Limits::DEFAULT).unwrap().unwrap(), 1000.0.into());
        assert_eq!(parse("-9223372036854775808", &Limits::DEFAULT).unwrap().unwrap(), i64::MIN.into());
    }

    #[test]
    fn what_is_not_json_is_told_apart() {
        for text in ["", "a", "[a]", "{", "01", "1 2", "'a'"] {
            assert!(parse(text, &Limits::DEFAULT).unwrap().is_err(), "{text}");
        }
    }

    #[test]
    fn integers_of_more_than_64_bits_are_objects_of_ruby() {
        for text in ["9223372036854775808", r#"{"a":[-9223372036854775809]}"#] {
            let value = parse(text, &Limits::DEFAULT).unwrap().unwrap();
            assert_eq!(to_json(&value, &Limits::DEFAULT).unwrap().to_string(), text);
        }
        assert_eq!(parse("1e+999", &Limits::DEFAULT).unwrap().unwrap(), f64::INFINITY.into());
        let error = parse(&"9".repeat(5_000), &Limits::DEFAULT).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Unrepresentable);
    }

    #[test]
    fn deep_json_is_refused_and_not_taken_for_something_else() {
        let error = parse(&"[".repeat(100_000), &Limits::DEFAULT).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Limit);
        assert!(error.message().contains("limit 'nesting'"), "{error}");
    }

    #[test]
    fn json_may_nest_as_deep_as_the_caller_says() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        for nesting in [10, 300] {
            let limits = Limits { nesting, ..Limits::DEFAULT };
            let depth = nesting as usize;
            let value = parse(&nested(depth), &limits).unwrap().unwrap();
            assert_eq!(
                to_json(&value, &Limits { nesting: nesting + 1, ..limits }).unwrap().to_string(),
                nested(depth)
            );
            assert_eq!(parse(&nested(depth + 1), &limits).unwrap_err().kind(), &ErrorKind::Limit);
        }
        let brackets = format!(r#"["\"{}", {}]"#, "[".repeat(300), nested(150));
        assert!(parse(&brackets, &Limits::DEFAULT).unwrap().is_ok());
        assert!(parse(&nested(150).replace("]]", "]"), &Limits::DEFAULT).unwrap().is_err());
    }

    #[test]
    fn values_without_a_json_form_become_the_text_that_puppet_shows() {
        for (value, json) in [
            (Value::Undef, "null"),
            (1.5.into(), "1.5"),
            (f64::INFINITY.into(), r#""Infinity""#),
            (Value::Default, r#""default""#),
            (Value::Regexp(Regex::new("a.b").unwrap()), r#""/a.b/""#),
            (Type::optional(Type::INTEGER).into(), r#""Optional[Integer]""#),
            (Value::Sensitive(Arc::new("secret".into())), r#""Sensitive [value redacted]""#),
            (
                Value::from_iter([("b".into(), 1.into()), (2.into(), vec![true.into()].into())]),
                r#"{"b":1,"2":[true]}"#,
            ),
        ] {
            assert_eq!(to_json(&value, &Limits::DEFAULT).unwrap().to_string(), json);
        }
    }

    #[test]
    fn deep_values_are_refused() {
        let deep = (0..=Limits::DEFAULT.nesting).fold(Value::Undef, |inner, _| vec![inner].into());
        assert_eq!(to_json(&deep, &Limits::DEFAULT).unwrap_err().kind(), &ErrorKind::Limit);
    }
}
