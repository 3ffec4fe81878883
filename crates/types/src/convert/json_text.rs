//! The JSON text of a value, without a document in between: catalogs are large.

use std::cell::OnceCell;

use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::json::document;
use crate::value::{Hash, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Depth, Limits};

/// Returns the text of the document that [`to_json`](super::json::to_json) returns, without blanks.
///
/// # Errors
/// The same errors as [`to_json`](super::json::to_json).
pub fn to_json_text(value: &Value, limits: &Limits) -> Result<String, Error> {
    let failure = OnceCell::new();
    let part = Part { value, depth: Depth::nesting(limits), limits, failure: &failure };
    let written = serde_json::to_string(&part);
    written.map_err(|error| {
        failure.into_inner().unwrap_or_else(|| Error::new(ErrorKind::Internal, error.to_string()))
    })
}

/// A value within a document.
struct Part<'v> {
    value: &'v Value,
    /// How deep what is around it nests.
    depth: Depth,
    limits: &'v Limits,
    /// The first error, which serde has only the text of.
    failure: &'v OnceCell<Error>,
}

impl Part<'_> {
    fn fail<E: serde::ser::Error>(&self, error: Error) -> E {
        let said = E::custom(&error);
        _ = self.failure.set(error);
        said
    }

    fn hash<S: Serializer>(&self, hash: &Hash, depth: Depth, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(Some(hash.len()))?;
        for (key, value) in hash.iter() {
            let Value::String(key) = key else { return Err(S::Error::custom("a key that is no string")) };
            members.serialize_entry(&**key, &Part { value, depth, ..*self })?;
        }
        members.end()
    }
}

impl Serialize for Part<'_> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the document says what all others are")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let depth = self.depth.deeper().map_err(|error| self.fail(error))?;
        match self.value {
            Value::Undef => serializer.serialize_unit(),
            Value::Boolean(truth) => serializer.serialize_bool(*truth),
            Value::Integer(number) => serializer.serialize_i64(*number),
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let mut elements = serializer.serialize_seq(Some(items.len()))?;
                for value in items.iter() {
                    elements.serialize_element(&Part { value, depth, ..*self })?;
                }
                elements.end()
            }
            // Others can be the same as texts, and the last one counts then.
            Value::Hash(hash) if hash.iter().all(|(key, _)| matches!(key, Value::String(_))) => {
                self.hash(hash, depth, serializer)
            }
            value => {
                let json = document(value, self.depth, self.limits).map_err(|error| self.fail(error))?;
                json.serialize(serializer)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::json::to_json;
    use super::*;

    #[test]
    fn the_text_is_that_of_the_document() {
        let hash = Value::from_iter([
            (
                Value::from("a\n\"\u{1}ü"),
                Value::from(vec![1.into(), 2.5.into(), 1e300.into(), f64::NAN.into()]),
            ),
            ("b".into(), Value::from_iter([(1.into(), true.into()), ("1".into(), Value::Undef)])),
            ("c".into(), Value::from_iter(Vec::<(Value, Value)>::new())),
            ("d".into(), Value::Default),
        ]);
        let document = to_json(&hash, &Limits::DEFAULT).unwrap().to_string();
        assert_eq!(to_json_text(&hash, &Limits::DEFAULT).unwrap(), document);
    }

    #[test]
    fn what_nests_too_deep_is_refused() {
        let deep = (0..300).fold(Value::Undef, |inner, _| vec![inner].into());
        let (text, document) = (to_json_text(&deep, &Limits::DEFAULT), to_json(&deep, &Limits::DEFAULT));
        assert_eq!(text.unwrap_err().to_string(), document.unwrap_err().to_string());
    }
}
