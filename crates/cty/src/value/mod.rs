//! cty's values.

mod access;
mod elements;
mod equality;
mod marks;
mod operations;
mod set;
mod show;

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use marks::{SENSITIVE, ValueMarks};

use self::marks::Marked;
use self::set::Set;
use super::number::CtyNumber;
use super::text::normalized;
use super::types::{Capsule, CtyType};
use puppetfn_base::error::{Error, ErrorKind};

/// A value and its type. Cheap to clone.
///
/// A value of any type may be null, may be unknown, and may be marked.
#[derive(Clone)]
pub struct CtyValue {
    t: CtyType,
    data: CtyData,
}

/// A value without its type: elements have theirs from the collection.
#[derive(Clone)]
enum CtyData {
    Unknown,
    Null,
    Bool(bool),
    Number(Arc<CtyNumber>),
    String(Arc<str>),
    /// A list or tuple.
    Sequence(Arc<[CtyData]>),
    /// A map or object.
    Map(Arc<BTreeMap<Arc<str>, CtyData>>),
    Set(Arc<Set>),
    Capsule(Arc<dyn Any + Send + Sync>),
    Marked(Arc<Marked>),
}

impl CtyValue {
    /// A value of which not even the type is known.
    pub const DYNAMIC: Self = Self { t: CtyType::Dynamic, data: CtyData::Unknown };

    /// `true` or `false`.
    pub fn bool(truth: bool) -> Self {
        Self { t: CtyType::Bool, data: CtyData::Bool(truth) }
    }

    /// Creates a number.
    pub fn number(number: impl Into<CtyNumber>) -> Self {
        Self { t: CtyType::Number, data: CtyData::Number(Arc::new(number.into())) }
    }

    /// Creates a string. It is normalized.
    pub fn string(text: impl AsRef<str>) -> Self {
        Self { t: CtyType::String, data: CtyData::String(normalized(text.as_ref())) }
    }

    /// Creates null, of this type.
    pub fn null(t: CtyType) -> Self {
        Self { t, data: CtyData::Null }
    }

    /// Some value of this type that is not known yet.
    pub fn unknown(t: CtyType) -> Self {
        Self { t, data: CtyData::Unknown }
    }

    /// Creates a value that is opaque to cty.
    pub fn capsule<T: Any + Send + Sync>(t: &Capsule, value: T) -> Self {
        Self { t: CtyType::Capsule(t.clone()), data: CtyData::Capsule(Arc::new(value)) }
    }

    /// Creates a list. The type of its elements is theirs, `element` where there are none.
    ///
    /// # Errors
    /// Fails if the elements are not of one type.
    pub fn list(element: &CtyType, elements: impl IntoIterator<Item = Self>) -> Result<Self, Error> {
        let (element, elements) = unified("list", element, elements.into_iter().collect())?;
        let data = elements.into_iter().map(|value| value.data).collect();
        Ok(Self { t: CtyType::list(element), data: CtyData::Sequence(data) })
    }

    /// Creates a set of the elements' type; `element` is the type of an empty set's elements. Marks of the elements
    /// move to the set.
    ///
    /// # Errors
    /// Fails if the elements are not of one type.
    pub fn set(element: &CtyType, elements: impl IntoIterator<Item = Self>) -> Result<Self, Error> {
        let mut marks = ValueMarks::default();
        let unmarked = elements.into_iter().map(|value| {
            let (value, own) = value.unmark_deep();
            marks.extend(own);
            value
        });
        let (element, elements) = unified("set", element, unmarked.collect())?;
        let set = Set::new(&element, elements.into_iter().map(|value| value.data))?;
        Ok(Self { t: CtyType::set(element), data: CtyData::Set(Arc::new(set)) }.with_marks(&marks))
    }

    /// Creates a map. The type of its elements is theirs, `element` where there are none.
    ///
    /// # Errors
    /// Fails if the elements are not of one type.
    pub fn map<K: AsRef<str>>(
        element: &CtyType,
        entries: impl IntoIterator<Item = (K, Self)>,
    ) -> Result<Self, Error> {
        let (keys, values): (Vec<_>, Vec<_>) =
            entries.into_iter().map(|(key, value)| (normalized(key.as_ref()), value)).unzip();
        let (element, values) = unified("map", element, values)?;
        let data = keys.into_iter().zip(values.into_iter().map(|value| value.data)).collect();
        Ok(Self { t: CtyType::map(element), data: CtyData::Map(Arc::new(data)) })
    }

    /// Creates a sequence of values of any types.
    pub fn tuple(elements: impl IntoIterator<Item = Self>) -> Self {
        let (types, data): (Vec<_>, Vec<_>) = elements.into_iter().map(|value| (value.t, value.data)).unzip();
        Self { t: CtyType::tuple(types), data: CtyData::Sequence(data.into()) }
    }

    /// Creates an object with these attributes.
    pub fn object<N: AsRef<str>>(attributes: impl IntoIterator<Item = (N, Self)>) -> Self {
        let attributes: BTreeMap<Arc<str>, Self> =
            attributes.into_iter().map(|(name, value)| (normalized(name.as_ref()), value)).collect();
        let t = CtyType::object(attributes.iter().map(|(name, value)| (name, value.t.clone())));
        let data = attributes.into_iter().map(|(name, value)| (name, value.data)).collect();
        Self { t, data: CtyData::Map(Arc::new(data)) }
    }

    /// Returns its type.
    pub fn ty(&self) -> &CtyType {
        &self.t
    }

    /// Returns a part of it, or another value of a part of its type.
    fn part(t: &CtyType, data: &CtyData) -> Self {
        Self { t: t.clone(), data: data.clone() }
    }
}

impl From<&str> for CtyValue {
    fn from(text: &str) -> Self {
        Self::string(text)
    }
}

impl From<i64> for CtyValue {
    fn from(number: i64) -> Self {
        Self::number(number)
    }
}

impl From<bool> for CtyValue {
    fn from(truth: bool) -> Self {
        Self::bool(truth)
    }
}

/// Returns the common type of the elements: dynamic ones take the type of the others.
fn unified(
    kind: &str,
    fallback: &CtyType,
    elements: Vec<CtyValue>,
) -> Result<(CtyType, Vec<CtyValue>), Error> {
    let Some(t) = common_type(&elements) else {
        return Err(misuse(format!("the elements of a {kind} must all be of one type")));
    };
    let t = if elements.is_empty() { fallback.clone() } else { t };
    Ok((t, elements))
}

/// Returns the common type of all values that are not dynamic. `None` if they have several.
pub(super) fn common_type(values: &[CtyValue]) -> Option<CtyType> {
    let mut typed = values.iter().map(CtyValue::ty).filter(|t| **t != CtyType::Dynamic);
    let Some(first) = typed.next() else { return Some(CtyType::Dynamic) };
    typed.all(|t| t == first).then(|| first.clone())
}

/// Returns the error for an operation that the value does not have.
#[cold]
pub(super) fn misuse(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Evaluation, message)
}
