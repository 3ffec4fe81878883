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
    let part = DocumentValue { value, depth: Depth::nesting(limits), limits, failure: &failure };
    let written = serde_json::to_string(&part);
    written.map_err(|error| {
        failure.into_inner().unwrap_or_else(|| Error::new(ErrorKind::Internal, error.to_string()))
    })
}

/// A member of a large document.
pub enum DocumentMember<'m> {
    /// A value in memory.
    Value(Value),
    /// A list whose elements are generated one at a time while the text is written.
    List(Box<ElementSource<'m>>),
}

/// A generator of a list's elements. Each call returns the same elements.
pub type ElementSource<'m> = dyn Fn() -> Box<dyn Iterator<Item = Value> + 'm> + 'm;

impl DocumentMember<'_> {
    /// Returns the whole value.
    pub fn into_value(self) -> Value {
        match self {
            Self::Value(value) => value,
            Self::List(elements) => elements().collect::<Vec<_>>().into(),
        }
    }
}

/// Returns the text of a hash of members, as [`to_json_text`] writes it. Names must be distinct. Lists are never whole in memory.
///
/// # Errors
/// The same errors as [`to_json_text`].
pub fn members_to_json_text<N: AsRef<str>>(
    members: &[(N, DocumentMember<'_>)],
    limits: &Limits,
) -> Result<String, Error> {
    let failure = OnceCell::new();
    let depth = Depth::nesting(limits).deeper()?;
    let whole = DocumentValue { value: &Value::Undef, depth, limits, failure: &failure };
    let written = serde_json::to_string(&DocumentMembers { members, whole });
    written.map_err(|error| {
        failure.into_inner().unwrap_or_else(|| Error::new(ErrorKind::Internal, error.to_string()))
    })
}

/// The members of a document.
struct DocumentMembers<'v, 'm, N> {
    members: &'v [(N, DocumentMember<'m>)],
    /// Depth, limits and error of the document.
    whole: DocumentValue<'v>,
}

impl<N: AsRef<str>> Serialize for DocumentMembers<'_, '_, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_map(Some(self.members.len()))?;
        for (name, member) in self.members {
            match member {
                DocumentMember::Value(value) => {
                    written.serialize_entry(name.as_ref(), &DocumentValue { value, ..self.whole })?;
                }
                DocumentMember::List(elements) => {
                    written.serialize_entry(name.as_ref(), &DocumentList { elements, whole: self.whole })?;
                }
            }
        }
        written.end()
    }
}

/// A list of a document.
struct DocumentList<'v, 'm> {
    elements: &'v ElementSource<'m>,
    whole: DocumentValue<'v>,
}

impl Serialize for DocumentList<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let depth = self.whole.depth.deeper().map_err(|error| self.whole.fail(error))?;
        let mut written = serializer.serialize_seq(None)?;
        for value in (self.elements)() {
            written.serialize_element(&DocumentValue { value: &value, depth, ..self.whole })?;
        }
        written.end()
    }
}

/// A value within a document.
#[derive(Clone, Copy)]
struct DocumentValue<'v> {
    value: &'v Value,
    /// The depth of the containing value.
    depth: Depth,
    limits: &'v Limits,
    /// The first error, which serde has only the text of.
    failure: &'v OnceCell<Error>,
}

impl DocumentValue<'_> {
    fn fail<E: serde::ser::Error>(&self, error: Error) -> E {
        let said = E::custom(&error);
        _ = self.failure.set(error);
        said
    }

    fn hash<S: Serializer>(&self, hash: &Hash, depth: Depth, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(Some(hash.len()))?;
        for (key, value) in hash.iter() {
            let Value::String(key) = key else { return Err(S::Error::custom("a key that is no string")) };
            members.serialize_entry(&**key, &DocumentValue { value, depth, ..*self })?;
        }
        members.end()
    }
}

impl Serialize for DocumentValue<'_> {
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
                    elements.serialize_element(&DocumentValue { value, depth, ..*self })?;
                }
                elements.end()
            }
            // Other keys can have equal texts, of which the last one counts.
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
    fn the_text_of_members_is_that_of_their_hash() {
        let nested = |depth: usize| (0..depth).fold(Value::from(1), |inner, _| vec![inner].into());
        let members = |depth: usize| {
            let elements = move || {
                Box::new([nested(depth), Value::Undef, "\u{1}ü".into()].into_iter())
                    as Box<dyn Iterator<Item = Value>>
            };
            [
                ("a", DocumentMember::Value(nested(depth))),
                ("b", DocumentMember::List(Box::new(elements))),
                ("c", DocumentMember::List(Box::new(|| Box::new(std::iter::empty())))),
            ]
        };
        // The deepest of the second nests one deeper.
        let deepest = usize::try_from(Limits::DEFAULT.nesting).unwrap();
        for depth in (0..3).chain(deepest - 5..deepest + 2) {
            let hash: Value =
                members(depth).into_iter().map(|(name, member)| (name.into(), member.into_value())).collect();
            let (text, whole) = (
                members_to_json_text(&members(depth), &Limits::DEFAULT),
                to_json_text(&hash, &Limits::DEFAULT),
            );
            assert_eq!(format!("{text:?}"), format!("{whole:?}"), "{depth}");
        }
    }

    #[test]
    fn what_nests_too_deep_is_refused() {
        let deep = (0..300).fold(Value::Undef, |inner, _| vec![inner].into());
        let (text, document) = (to_json_text(&deep, &Limits::DEFAULT), to_json(&deep, &Limits::DEFAULT));
        assert_eq!(text.unwrap_err().to_string(), document.unwrap_err().to_string());
    }
}
