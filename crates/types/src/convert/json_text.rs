//! The JSON text of values, without a document in between: catalogs are large.

use std::cell::OnceCell;
use std::fmt;

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
    let text = JsonText::new(limits);
    text.write(&text.part(value, Depth::nesting(limits)), 0)
}

/// The text of a document that is written from the program's own structures, with values among its parts.
#[derive(Debug)]
pub struct JsonText<'l> {
    limits: &'l Limits,
    /// The first error, which serde has only the text of.
    failure: OnceCell<Error>,
}

impl<'l> JsonText<'l> {
    /// Creates an empty text.
    pub fn new(limits: &'l Limits) -> Self {
        Self { limits, failure: OnceCell::new() }
    }

    /// Returns the text of a document whose values are [`Self::part`]s. `capacity` is the expected number of bytes: a text that grows is
    /// copied again and again.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when the document nests too deep, and the errors of [`to_json`](super::json::to_json) for its values.
    pub fn write(&self, document: &impl Serialize, capacity: usize) -> Result<String, Error> {
        let internal = |error: &dyn fmt::Display| Error::new(ErrorKind::Internal, error.to_string());
        let mut text = Vec::with_capacity(capacity);
        serde_json::to_writer(&mut text, document)
            .map_err(|error| self.failure.get().cloned().unwrap_or_else(|| internal(&error)))?;
        String::from_utf8(text).map_err(|error| internal(&error))
    }

    /// Returns a value as a part of the document, within parts of this depth.
    pub fn part<'v>(&'v self, value: &'v Value, depth: Depth) -> JsonPart<'v> {
        JsonPart { value, depth, text: self }
    }

    /// Returns the depth of the document itself.
    pub fn depth(&self) -> Depth {
        Depth::nesting(self.limits)
    }

    /// Returns the depth within another.
    ///
    /// # Errors
    /// Fails if that nests too deep.
    pub fn deeper<E: serde::ser::Error>(&self, depth: Depth) -> Result<Depth, E> {
        depth.deeper().map_err(|error| self.fail(error))
    }

    /// Returns serde's error for one of a part, which [`Self::write`] returns.
    pub fn fail<E: serde::ser::Error>(&self, error: Error) -> E {
        let said = E::custom(&error);
        _ = self.failure.set(error);
        said
    }
}

/// A value within a document.
#[derive(Clone, Copy, Debug)]
pub struct JsonPart<'v> {
    value: &'v Value,
    /// The depth of the parts around it.
    depth: Depth,
    text: &'v JsonText<'v>,
}

impl JsonPart<'_> {
    fn hash<S: Serializer>(&self, hash: &Hash, depth: Depth, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(Some(hash.len()))?;
        for (key, value) in hash.iter() {
            let Value::String(key) = key else { return Err(S::Error::custom("a key that is no string")) };
            members.serialize_entry(&**key, &JsonPart { value, depth, ..*self })?;
        }
        members.end()
    }
}

impl Serialize for JsonPart<'_> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the document names all other kinds")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let depth = self.text.deeper(self.depth)?;
        match self.value {
            Value::Undef => serializer.serialize_unit(),
            Value::Boolean(truth) => serializer.serialize_bool(*truth),
            Value::Integer(number) => serializer.serialize_i64(*number),
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let mut elements = serializer.serialize_seq(Some(items.len()))?;
                for value in items.iter() {
                    elements.serialize_element(&JsonPart { value, depth, ..*self })?;
                }
                elements.end()
            }
            // Others can be the same as texts, and the last one counts then.
            Value::Hash(hash) if hash.iter().all(|(key, _)| matches!(key, Value::String(_))) => {
                self.hash(hash, depth, serializer)
            }
            value => {
                let json = document(value, self.depth, self.text.limits);
                let json = json.map_err(|error| self.text.fail(error))?;
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
