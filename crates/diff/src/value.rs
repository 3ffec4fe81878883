//! The values of parameters.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::sync::Arc;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Number as JsonNumber, Value as Json};

use puppetfn_catalog::Reference;
use puppetfn_types::value::Value as Data;

/// The text that replaces sensitive values.
pub const REDACTED: &str = "Sensitive [value redacted]";

/// The keys of hashes for values of types that JSON does not have: the type's name and the value.
const TYPE: &str = "__ptype";
const VALUE: &str = "__pvalue";

/// A value in a catalog.
///
/// The order of values has no meaning; it only keeps them sorted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DiffValue {
    /// `undef`.
    Undef,
    /// A boolean.
    Boolean(bool),
    /// An integer, as it is written.
    Integer(Arc<str>),
    /// A float, in its shortest form.
    Float(Arc<str>),
    /// A string.
    String(Arc<str>),
    /// An array.
    Array(Arc<[Self]>),
    /// A hash; the order of its entries does not count.
    Hash(Arc<BTreeMap<Arc<str>, Self>>),
    /// A sensitive value.
    Sensitive(Secret),
}

/// A sensitive value. It can only be compared with the other catalog's value: renderers get a secret without content.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Secret(Option<Arc<DiffValue>>);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// Returns the content for a comparison, unless it was redacted.
    pub(crate) fn content(&self) -> Option<&DiffValue> {
        self.0.as_deref()
    }
}

impl DiffValue {
    /// A sensitive value without its content, for display.
    pub const HIDDEN: Self = Self::Sensitive(Secret(None));

    /// Returns a value that can be compared but not seen. A value that was already redacted cannot be compared either.
    pub(crate) fn sensitive(content: Self) -> Self {
        let is_hidden = content.as_str() == Some(REDACTED);
        if is_hidden {
            Self::HIDDEN
        } else if matches!(content, Self::Sensitive(_)) {
            content
        } else {
            Self::Sensitive(Secret(Some(Arc::new(content))))
        }
    }

    /// Converts JSON to a value. A hash for sensitive data is unwrapped.
    pub(crate) fn of_json(json: Json) -> Self {
        match json {
            Json::Null => Self::Undef,
            Json::Bool(value) => Self::Boolean(value),
            Json::Number(number) => Self::of_number(&number),
            Json::String(text) => Self::String(text.into()),
            Json::Array(items) => Self::Array(items.into_iter().map(Self::of_json).collect()),
            Json::Object(mut hash) => match hash.get(TYPE).and_then(Json::as_str) {
                Some("Sensitive") => Self::sensitive(Self::of_json(hash.remove(VALUE).unwrap_or_default())),
                _ => {
                    let entries = hash.into_iter().map(|(key, value)| (key.into(), Self::of_json(value)));
                    Self::Hash(Arc::new(entries.collect()))
                }
            },
        }
    }

    /// Converts the value of a catalog's parameter. Puppet's hashes for sensitive data are unwrapped.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the values that JSON has are few")]
    pub(crate) fn of_data(value: &Data) -> Self {
        match value {
            Data::Undef => Self::Undef,
            Data::Boolean(value) => Self::Boolean(*value),
            Data::Integer(number) => Self::Integer(number.to_string().into()),
            Data::Float(number) => Self::Float(format!("{number:?}").into()),
            Data::String(text) => Self::String(Arc::clone(text)),
            Data::Array(items) => Self::Array(items.iter().map(Self::of_data).collect()),
            Data::Hash(hash) if matches!(hash.get_str(TYPE), Some(Data::String(name)) if **name == *"Sensitive") => {
                Self::sensitive(hash.get_str(VALUE).map_or(Self::Undef, Self::of_data))
            }
            Data::Hash(hash) => {
                let entries = hash.iter().map(|(key, value)| {
                    let key =
                        if let Data::String(key) = key { Arc::clone(key) } else { key.inspected().into() };
                    (key, Self::of_data(value))
                });
                Self::Hash(Arc::new(entries.collect()))
            }
            Data::Runtime(object) if let Some(number) = object.as_integer() => {
                Self::Integer(number.to_string().into())
            }
            Data::Sensitive(_) => Self::HIDDEN,
            // A catalog has no other values.
            other => Self::String(other.inspected().into()),
        }
    }

    /// Converts a number. Its notation does not count, but 1 is not 1.0.
    fn of_number(number: &JsonNumber) -> Self {
        let text = number.to_string();
        if !text.contains(['.', 'e', 'E']) {
            return Self::Integer(text.into());
        }
        match text.parse::<f64>() {
            Ok(float) if float.is_finite() => Self::Float(format!("{float:?}").into()),
            _ => Self::Float(text.into()),
        }
    }

    /// Returns the string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// Returns the items of an array, or the value alone; nothing for `undef`.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::Undef => &[],
            Self::Array(items) => items,
            Self::Boolean(_)
            | Self::Integer(_)
            | Self::Float(_)
            | Self::String(_)
            | Self::Hash(_)
            | Self::Sensitive(_) => std::slice::from_ref(self),
        }
    }

    /// Returns the text of a visible scalar, as rules write it.
    pub(crate) fn scalar_text(&self) -> Option<&str> {
        match self {
            Self::Undef => Some(""),
            Self::Boolean(true) => Some("true"),
            Self::Boolean(false) => Some("false"),
            Self::Integer(text) | Self::Float(text) | Self::String(text) => Some(text),
            Self::Array(_) | Self::Hash(_) | Self::Sensitive(_) => None,
        }
    }

    /// Returns true if the value or a part of it is sensitive.
    pub(crate) fn has_secrets(&self) -> bool {
        match self {
            Self::Sensitive(_) => true,
            Self::Array(items) => items.iter().any(Self::has_secrets),
            Self::Hash(entries) => entries.values().any(Self::has_secrets),
            Self::Undef | Self::Boolean(_) | Self::Integer(_) | Self::Float(_) | Self::String(_) => false,
        }
    }

    /// Returns true for a string that is shown line by line.
    pub(crate) fn has_lines(&self) -> bool {
        self.as_str().is_some_and(|text| text.trim_end_matches('\n').contains('\n'))
    }
}

impl FromIterator<Self> for DiffValue {
    fn from_iter<I: IntoIterator<Item = Self>>(items: I) -> Self {
        Self::Array(items.into_iter().collect())
    }
}

impl FromIterator<(Arc<str>, Self)> for DiffValue {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Self)>>(entries: I) -> Self {
        Self::Hash(Arc::new(entries.into_iter().collect()))
    }
}

impl From<&Reference> for DiffValue {
    fn from(reference: &Reference) -> Self {
        Self::String(reference.to_string().into())
    }
}

impl From<&str> for DiffValue {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

/// Puppet's notation, on one line.
impl fmt::Display for DiffValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undef => f.write_str("undef"),
            Self::Boolean(value) => value.fmt(f),
            Self::Integer(text) | Self::Float(text) => f.write_str(text),
            Self::String(text) => write_quoted(text, f),
            Self::Array(items) => {
                f.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
                }
                f.write_char(']')
            }
            Self::Hash(entries) if is_rich(entries) && write_rich(entries, f)? => Ok(()),
            Self::Hash(entries) => {
                f.write_char('{')?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    write_quoted(key, f)?;
                    write!(f, " => {value}")?;
                }
                f.write_char('}')
            }
            Self::Sensitive(_) => f.write_str(REDACTED),
        }
    }
}

/// Returns true for a hash that represents a value of a type that JSON does not have. Comparisons treat it as a single
/// value.
pub(crate) fn is_rich(entries: &BTreeMap<Arc<str>, DiffValue>) -> bool {
    entries.get(TYPE).is_some_and(|name| name.as_str().is_some())
}

/// Writes the value that such a hash represents, if it is simple, and returns true if it was.
fn write_rich(
    entries: &BTreeMap<Arc<str>, DiffValue>,
    f: &mut fmt::Formatter<'_>,
) -> Result<bool, fmt::Error> {
    let text = |key: &str| entries.get(key).and_then(DiffValue::as_str);
    match (text(TYPE), text(VALUE), entries.len()) {
        (Some("Default"), None, 1) => f.write_str("default")?,
        (Some("Regexp"), Some(source), 2) if !source.contains(char::is_control) => write!(f, "/{source}/")?,
        (Some(name), Some(value), 2)
            if name.chars().all(|c| c.is_alphanumeric() || matches!(c, ':' | '_')) =>
        {
            write!(f, "{name}(")?;
            write_quoted(value, f)?;
            f.write_char(')')?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes a string in single quotes, or in double quotes if it has control characters. Characters that could change a
/// terminal are escaped.
fn write_quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_plain = !text.contains(char::is_control);
    let quote = if is_plain { '\'' } else { '"' };
    f.write_char(quote)?;
    for c in text.chars() {
        match c {
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            '\\' => f.write_str("\\\\")?,
            c if c == quote || (c == '$' && !is_plain) => write!(f, "\\{c}")?,
            c => f.write_char(c)?,
        }
    }
    f.write_char(quote)
}

/// As JSON. Sensitive values are [`REDACTED`].
impl Serialize for DiffValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Undef => serializer.serialize_unit(),
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Integer(text) | Self::Float(text) => match serde_json::from_str::<JsonNumber>(text) {
                Ok(number) => number.serialize(serializer),
                Err(_) => serializer.serialize_str(text),
            },
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| seq.serialize_element(item))?;
                seq.end()
            }
            Self::Hash(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(&**key, value))?;
                map.end()
            }
            Self::Sensitive(_) => serializer.serialize_str(REDACTED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(json: &str) -> DiffValue {
        DiffValue::of_json(serde_json::from_str(json).unwrap())
    }

    #[test]
    fn values_are_shown_as_puppet_code_has_them() {
        for (json, expected) in [
            ("null", "undef"),
            ("[1, 1.50, true]", "[1, 1.5, true]"),
            (r#"{"b": {"c": []}, "a": "it's"}"#, r"{'a' => 'it\'s', 'b' => {'c' => []}}"),
            (r#""a\nb $x \"y\" \u001b[31m""#, r#""a\nb \$x \"y\" \u{1b}[31m""#),
            (r#"[{"__ptype": "Default"}, {"__ptype": "Regexp", "__pvalue": "a+"}]"#, "[default, /a+/]"),
            (r#"{"__ptype": "Timestamp", "__pvalue": "2026"}"#, "Timestamp('2026')"),
            (r#"{"__ptype": "A", "b": 1}"#, "{'__ptype' => 'A', 'b' => 1}"),
            (r#"{"__ptype": "Sensitive", "__pvalue": "s"}"#, "Sensitive [value redacted]"),
        ] {
            assert_eq!(value(json).to_string(), expected);
        }
    }

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        assert_eq!(value("1e2"), value("100.0"));
        assert_ne!(value("100"), value("100.0"));
        assert_eq!(value("123456789012345678901234567890").to_string(), "123456789012345678901234567890");
    }

    #[test]
    fn nothing_shows_what_is_sensitive() {
        let secret = value(r#"[{"__ptype": "Sensitive", "__pvalue": "hunter2"}]"#);
        for shown in [format!("{secret:?}"), secret.to_string(), serde_json::to_string(&secret).unwrap()] {
            assert!(!shown.contains("hunter2"), "{shown}");
        }
    }
}
