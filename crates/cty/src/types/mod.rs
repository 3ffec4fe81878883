//! cty's types.

mod bytes;
mod text;

pub(crate) use bytes::BYTES;
pub use bytes::bytes_type;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::text::normalized;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Depth;

/// A type of cty's.
#[derive(Clone, PartialEq, Eq)]
pub enum CtyType {
    /// The dynamic type: the unknown type of null and unknown values, and a wildcard in other types.
    Dynamic,
    /// `true` and `false`.
    Bool,
    /// Numbers of any size and precision.
    Number,
    /// Unicode text in normalization form C.
    String,
    /// Lists with elements of one type.
    List(Arc<CtyType>),
    /// Sets with elements of one type.
    Set(Arc<CtyType>),
    /// Maps from strings to elements of one type.
    Map(Arc<CtyType>),
    /// Sequences with a type for each element.
    Tuple(Arc<[CtyType]>),
    /// Named attributes with a type each.
    Object(Arc<CtyObjectType>),
    /// Values that are opaque.
    Capsule(Capsule),
}

/// The attributes of a type, by name.
pub type AttributeTypes = BTreeMap<Arc<str>, CtyType>;

/// The attributes of an object.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct CtyObjectType {
    attributes: AttributeTypes,
    optional: Vec<Arc<str>>,
}

/// A capsule type. It is equal to its clones only.
#[derive(Clone)]
pub struct Capsule(Arc<str>);

impl Capsule {
    /// Creates a type that differs from all others, including those with the same name.
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }
}

impl PartialEq for Capsule {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Capsule {}

impl CtyObjectType {
    /// Returns the types of the attributes, in the order of their names.
    pub fn attributes(&self) -> &AttributeTypes {
        &self.attributes
    }

    /// Returns true if a value that is converted to the type need not have this attribute.
    pub fn is_optional(&self, name: &str) -> bool {
        self.optional.iter().any(|optional| &**optional == name)
    }

    /// Returns the names of the attributes that a converted value need not have.
    pub fn optional(&self) -> &[Arc<str>] {
        &self.optional
    }
}

/// Purpose of a type's name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameFor {
    Value,
    Constraint,
}

impl CtyType {
    /// Returns the type of lists with these elements.
    pub fn list(element: Self) -> Self {
        Self::List(Arc::new(element))
    }

    /// The type of sets with these elements.
    pub fn set(element: Self) -> Self {
        Self::Set(Arc::new(element))
    }

    /// Returns the type of maps with these elements.
    pub fn map(element: Self) -> Self {
        Self::Map(Arc::new(element))
    }

    /// Returns the type of sequences with exactly these elements.
    pub fn tuple(elements: impl Into<Arc<[Self]>>) -> Self {
        Self::Tuple(elements.into())
    }

    /// Returns the type of objects with these attributes.
    pub fn object<N: AsRef<str>>(attributes: impl IntoIterator<Item = (N, Self)>) -> Self {
        Self::object_with_optional(attributes, [] as [&str; 0])
    }

    /// Returns the type of objects with these attributes, of which some are optional for values that are
    /// converted to it. An optional name that is no attribute's is left out.
    pub fn object_with_optional<N: AsRef<str>, O: AsRef<str>>(
        attributes: impl IntoIterator<Item = (N, Self)>,
        optional: impl IntoIterator<Item = O>,
    ) -> Self {
        let attributes: AttributeTypes =
            attributes.into_iter().map(|(name, t)| (normalized(name.as_ref()), t)).collect();
        let mut optional: Vec<Arc<str>> =
            optional.into_iter().map(|name| normalized(name.as_ref())).collect();
        optional.retain(|name| attributes.contains_key(name));
        optional.sort();
        optional.dedup();
        Self::Object(Arc::new(CtyObjectType { attributes, optional }))
    }

    /// Returns true if the type is `bool`, `number` or `string`.
    pub fn is_primitive(&self) -> bool {
        matches!(self, Self::Bool | Self::Number | Self::String)
    }

    /// Returns the type of the elements of a list, set or map.
    pub fn element_type(&self) -> Option<&Self> {
        match self {
            Self::List(element) | Self::Set(element) | Self::Map(element) => Some(element),
            Self::Dynamic
            | Self::Bool
            | Self::Number
            | Self::String
            | Self::Tuple(_)
            | Self::Object(_)
            | Self::Capsule(_) => None,
        }
    }

    /// Returns the types of the elements of a tuple.
    pub fn tuple_elements(&self) -> Option<&[Self]> {
        if let Self::Tuple(elements) = self { Some(elements) } else { None }
    }

    /// Returns the attributes of an object.
    pub fn attributes(&self) -> Option<&AttributeTypes> {
        if let Self::Object(object) = self { Some(&object.attributes) } else { None }
    }

    /// Returns true if the type is or contains the dynamic type.
    pub fn has_dynamic(&self) -> bool {
        match self {
            Self::Dynamic => true,
            Self::Bool | Self::Number | Self::String | Self::Capsule(_) => false,
            Self::List(element) | Self::Set(element) | Self::Map(element) => element.has_dynamic(),
            Self::Tuple(elements) => elements.iter().any(Self::has_dynamic),
            Self::Object(object) => object.attributes.values().any(Self::has_dynamic),
        }
    }

    /// Checks that the type nests no deeper than the remaining depth. Values nest as deep as their types do.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if it does.
    pub fn check_depth(&self, depth: Depth) -> Result<(), Error> {
        let depth = depth.deeper()?;
        match self {
            Self::Dynamic | Self::Bool | Self::Number | Self::String | Self::Capsule(_) => Ok(()),
            Self::List(element) | Self::Set(element) | Self::Map(element) => element.check_depth(depth),
            Self::Tuple(elements) => elements.iter().try_for_each(|element| element.check_depth(depth)),
            Self::Object(object) => object.attributes.values().try_for_each(|t| t.check_depth(depth)),
        }
    }

    /// Returns the type with all attributes required: the types of values have no optional ones.
    #[must_use]
    pub fn without_optional(&self) -> Self {
        match self {
            Self::Dynamic | Self::Bool | Self::Number | Self::String | Self::Capsule(_) => self.clone(),
            Self::List(element) => Self::list(element.without_optional()),
            Self::Set(element) => Self::set(element.without_optional()),
            Self::Map(element) => Self::map(element.without_optional()),
            Self::Tuple(elements) => Self::Tuple(elements.iter().map(Self::without_optional).collect()),
            Self::Object(object) => {
                Self::object(object.attributes.iter().map(|(name, t)| (name, t.without_optional())))
            }
        }
    }

    /// Returns the type's name for messages about values: `list of string`.
    pub fn friendly_name(&self) -> String {
        self.name_for(NameFor::Value)
    }

    /// Returns the type's name for messages about constraints: the dynamic type is `any type`.
    pub fn constraint_name(&self) -> String {
        self.name_for(NameFor::Constraint)
    }

    fn name_for(&self, purpose: NameFor) -> String {
        let of = |kind: &str, element: &Self| match (purpose, element) {
            (NameFor::Constraint, Self::Dynamic) => format!("{kind} of any single type"),
            _ => format!("{kind} of {}", element.name_for(purpose)),
        };
        match self {
            Self::Dynamic if purpose == NameFor::Constraint => "any type".to_owned(),
            Self::Dynamic => "dynamic".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Number => "number".to_owned(),
            Self::String => "string".to_owned(),
            Self::List(element) => of("list", element),
            Self::Set(element) => of("set", element),
            Self::Map(element) => of("map", element),
            Self::Tuple(_) => "tuple".to_owned(),
            Self::Object(_) => "object".to_owned(),
            Self::Capsule(capsule) => capsule.0.to_string(),
        }
    }

    /// Returns the first reason why values of this type do not conform to the type `wanted`. `None` if they conform.
    pub fn nonconformance(&self, wanted: &Self) -> Option<String> {
        if *wanted == Self::Dynamic || self == wanted {
            return None;
        }
        match (self, wanted) {
            (Self::Object(given), Self::Object(wanted)) => {
                let (given, wanted) = (&given.attributes, &wanted.attributes);
                let unsupported = given.keys().find(|name| !wanted.contains_key(*name));
                let missing = wanted.keys().find(|name| !given.contains_key(*name));
                let quoted =
                    |what: &str, name: &Arc<str>| format!("{what} attribute {}", super::text::quoted(name));
                let pairs = || wanted.iter().filter_map(|(name, wanted)| Some((given.get(name)?, wanted)));
                unsupported
                    .map(|name| quoted("unsupported", name))
                    .or_else(|| missing.map(|name| quoted("missing required", name)))
                    .or_else(|| pairs().find_map(|(given, wanted)| given.nonconformance(wanted)))
            }
            (Self::Tuple(given), Self::Tuple(wanted)) => {
                if given.len() != wanted.len() {
                    return Some(format!("{} elements are required, but got {}", wanted.len(), given.len()));
                }
                given.iter().zip(wanted.iter()).find_map(|(given, wanted)| given.nonconformance(wanted))
            }
            (Self::List(given), Self::List(wanted))
            | (Self::Map(given), Self::Map(wanted))
            | (Self::Set(given), Self::Set(wanted)) => given.nonconformance(wanted),
            _ => Some(format!("{} required, but received {}", wanted.friendly_name(), self.friendly_name())),
        }
    }
}
