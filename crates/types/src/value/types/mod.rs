//! Types, which are values: the data of each kind.
//!
//! A [`Type`] is a small value that is cheap to clone; large data sits behind an `Arc`. Types that describe a set of texts
//! (enums, patterns) are prepared for matching on construction. Operations on types are in `types`, as is the parser.

mod alias;
mod alternatives;
mod callable;
mod collection;
mod init;
mod number;
pub(crate) mod object;
mod recursive;
mod reference;
mod string;
mod time;
pub(crate) mod type_set;
mod uri;

pub use alias::Alias;
pub use alternatives::Alternatives;
pub use callable::CallableType;
pub use collection::{ArrayType, HashType, StructMember, StructType, TupleType};
pub(crate) use init::InitArguments;
pub use init::InitType;
pub use number::{FloatRange, IntegerRange, Size};
pub(crate) use object::ObjectMaker;
pub use object::{
    FeatureKind, FeatureModel, Features, InvariantModel, Member, MemberKind, Members, Model, ModelSource,
    ObjectAttributeKind, ObjectExtension, ObjectLayout, ObjectRef, ObjectType,
};
pub use recursive::{Definition, DefinitionUse, RecursiveUse};
pub use reference::{Reference, capitalize_segments};
pub use string::{EnumType, PatternType, StringType};
pub use time::TimeRange;
pub use type_set::{TypeSetRef, TypeSetReference, TypeSetType, any_type_set};
pub use uri::UriType;

use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::value::{Regex, SemVerRange, Timespan, Timestamp};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// A Puppet type.
///
/// Equality is defined as by Puppet's `==`: by structure, aliases by name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Accepts everything, also undef.
    Any,
    /// The counterpart of `Any`: the type of a parameter without a declared type, assignable both ways. Cannot be written
    /// in Puppet code.
    Unit,
    /// The type of undef.
    Undef,
    /// The type of the value `default`.
    Default,
    /// Numbers, strings, booleans, regular expressions (and versions and times).
    Scalar,
    /// The scalars that JSON has: numbers, strings and booleans.
    ScalarData,
    /// Integers and floats.
    Numeric,
    /// Integers, maybe of a range.
    Integer(IntegerRange),
    /// Floats, maybe of a range.
    Float(FloatRange),
    /// Booleans, maybe only one of them.
    Boolean(Option<bool>),
    /// Strings, maybe of a length in characters or one exact string.
    String(StringType),
    /// Strings out of a list.
    Enum(Arc<EnumType>),
    /// Strings that match one of several regular expressions.
    Pattern(Arc<PatternType>),
    /// Regular expressions, maybe one exact one.
    Regexp(Option<Regex>),
    /// Semantic versions, maybe in one of several ranges.
    SemVer(Arc<[SemVerRange]>),
    /// Ranges of semantic versions.
    SemVerRange,
    /// Strings of bytes.
    Binary,
    /// URIs, maybe by their parts.
    Uri(Arc<UriType>),
    /// Points in time, maybe of a range.
    Timestamp(Arc<TimeRange<Timestamp>>),
    /// Lengths of time, maybe of a range.
    Timespan(Arc<TimeRange<Timespan>>),
    /// Arrays and hashes, maybe of a size.
    Collection(Option<Size>),
    /// Arrays by element type and size.
    Array(Arc<ArrayType>),
    /// Hashes by key type, value type and size.
    Hash(Arc<HashType>),
    /// Arrays by the type at each position.
    Tuple(Arc<TupleType>),
    /// Hashes by the type at each key.
    Struct(Arc<StructType>),
    /// Values of one of several types.
    Variant(Alternatives<Type>),
    /// Undef, and values of the contained type; undef alone if it is `None`.
    Optional(Option<Arc<Type>>),
    /// Values of the contained type, except undef; any value but undef if it is `None`.
    NotUndef(Option<Arc<Type>>),
    /// Types that are assignable to the contained type; any type if it is `None`.
    Type(Option<Arc<Type>>),
    /// Iterable values with elements of the contained type.
    Iterable(Option<Arc<Type>>),
    /// Lazy iterations that produce elements of the contained type.
    Iterator(Option<Arc<Type>>),
    /// Sensitive values that wrap a value of the contained type.
    Sensitive(Option<Arc<Type>>),
    /// Arguments from which a value of the contained type can be created.
    Init(Arc<InitType>),
    /// Functions and lambdas by their signatures.
    Callable(Arc<CallableType>),
    /// Objects of the host's own classes.
    Runtime(Arc<RuntimeType>),
    /// Objects of an Object type and its subtypes.
    Object(ObjectRef),
    /// Objects of an Object type that is narrowed by parameters.
    ObjectExtension(Arc<ObjectExtension>),
    /// Type sets.
    TypeSet(TypeSetRef),
    /// Classes and resources.
    CatalogEntry,
    /// A class of the catalog, maybe one by name.
    Class(Option<Arc<str>>),
    /// A resource of the catalog, maybe of one type and title.
    Resource(Arc<ResourceType>),
    /// A named type.
    Alias(Alias),
    /// A name that no loaded type has, or a text that names one with parameters.
    Reference(Arc<str>),
}

/// `Runtime[runtime, name]`: objects of a host class.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct RuntimeType {
    /// The host, `ruby`; `None` for plain `Runtime`.
    pub runtime: Option<Arc<str>>,
    /// The name of the class.
    pub name: Option<Arc<str>>,
    /// A pattern, and the replacement for its first match in the name: `[pattern, replacement]`.
    pub pattern: Option<(Regex, Arc<str>)>,
}

/// `Resource[type, title]`; with neither, any resource.
#[derive(Clone, Debug, Default)]
pub struct ResourceType {
    /// The resource type's name as it was written, for example `File` or `Apache::Vhost`. Upper
    /// and lower case count as equal.
    pub type_name: Option<Arc<str>>,
    /// The title.
    pub title: Option<Arc<str>>,
    /// Whether it is not a type, but the value of a parameter that was set to a reference: the name of a resource, which is
    /// shown as `File[/a]` and equals no reference.
    pub is_given: bool,
}

impl ResourceType {
    /// Creates a reference to resources of a type, or to one of them.
    pub fn new(type_name: Option<Arc<str>>, title: Option<Arc<str>>) -> Self {
        Self { type_name, title, is_given: false }
    }

    /// Returns true if it is about classes.
    pub fn is_of_class(&self) -> bool {
        self.type_name.as_deref().is_some_and(|name| name.eq_ignore_ascii_case("class"))
    }

    /// Returns true if it is about all resources of the type.
    pub fn is_untitled(&self) -> bool {
        self.title.as_deref().is_none_or(|title| self.is_given && title.is_empty())
    }

    /// Returns true if both are of the same resource type.
    pub fn same_type(&self, other: &Self) -> bool {
        match (&self.type_name, &other.type_name) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl PartialEq for ResourceType {
    fn eq(&self, other: &Self) -> bool {
        self.same_type(other) && self.title == other.title && self.is_given == other.is_given
    }
}

impl Eq for ResourceType {}

impl Hash for ResourceType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.type_name.as_deref().map(str::to_ascii_lowercase).hash(state);
        self.title.hash(state);
    }
}

impl Type {
    /// `Integer` without bounds.
    pub const INTEGER: Self = Self::Integer(IntegerRange::UNBOUNDED);
    /// `Float` without bounds.
    pub const FLOAT: Self = Self::Float(FloatRange::UNBOUNDED);
    /// `String` of any length.
    pub const STRING: Self = Self::String(StringType::ANY);
    /// `Boolean`, either one.
    pub const BOOLEAN: Self = Self::Boolean(None);

    /// Returns the exact type of one string.
    pub fn string_value(text: impl Into<Arc<str>>) -> Self {
        Self::String(StringType::Value(text.into()))
    }

    /// `Integer[min, max]`.
    pub fn integer(min: Option<i64>, max: Option<i64>) -> Self {
        Self::Integer(IntegerRange { min, max })
    }

    /// `Array[element, size]`. Nothing is said of the elements of an array that has none.
    pub fn array(element: Self, size: Option<Size>) -> Self {
        let element = if size == Some(Size::EMPTY) { Self::Unit } else { element };
        Self::Array(Arc::new(ArrayType { element, size }))
    }

    /// `Hash[key, value, size]`. Nothing is said of the entries of a hash that has none.
    pub fn hash(key: Self, value: Self, size: Option<Size>) -> Self {
        let (key, value) = if size == Some(Size::EMPTY) { (Self::Unit, Self::Unit) } else { (key, value) };
        Self::Hash(Arc::new(HashType { key, value, size }))
    }

    /// `Tuple[types...]`, with a size when the last type repeats or some are optional.
    pub fn tuple(types: impl Into<Arc<[Self]>>, size: Option<Size>) -> Self {
        Self::Tuple(Arc::new(TupleType { types: types.into(), size }))
    }

    /// `Struct[{...}]`.
    pub fn struct_of(members: impl IntoIterator<Item = StructMember>) -> Self {
        Self::Struct(Arc::new(StructType::new(members)))
    }

    /// `Enum[values...]`.
    pub fn enumeration(values: impl IntoIterator<Item = Arc<str>>, case_insensitive: bool) -> Self {
        Self::Enum(Arc::new(EnumType::new(values, case_insensitive)))
    }

    /// `Variant[types...]` as written, without simplification.
    pub fn variant(types: impl Into<Arc<[Self]>>) -> Self {
        Self::Variant(types.into().into())
    }

    /// Returns the union of types: a `Variant` without nested variants and repetitions, or the only remaining type.
    pub fn one_of(types: impl IntoIterator<Item = Self>) -> Self {
        let mut unique = UniqueTypes::default();
        for t in types {
            if let Self::Variant(types) = t {
                types.iter().for_each(|t| unique.insert(t.clone()));
            } else {
                unique.insert(t);
            }
        }
        match <[_; 1]>::try_from(unique.types) {
            Ok([t]) => t,
            Err(types) => Self::Variant(types.into()),
        }
    }

    /// `Optional[type]`.
    pub fn optional(inner: Self) -> Self {
        Self::Optional(Some(Arc::new(inner)))
    }

    /// `NotUndef[type]`; `NotUndef[Any]` is `NotUndef`.
    pub fn not_undef(inner: Self) -> Self {
        Self::NotUndef((inner != Self::Any).then(|| Arc::new(inner)))
    }

    /// `Type[type]`.
    pub fn type_of(inner: Self) -> Self {
        Self::Type(Some(Arc::new(inner)))
    }

    /// `Sensitive[type]`. It holds the general form of the type, as a precise one would reveal the value; `Sensitive[Any]`
    /// is `Sensitive`.
    pub fn sensitive(inner: Self) -> Self {
        let inner = inner.generalize();
        Self::Sensitive((inner != Self::Any).then(|| Arc::new(inner)))
    }

    /// `SemVer[ranges...]`, with overlapping and adjacent ranges merged.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if there are too many.
    pub fn sem_ver(ranges: Vec<SemVerRange>, limits: &Limits) -> Result<Self, Error> {
        SemVerRange::merge_all(ranges, limits).map(|ranges| Self::SemVer(ranges.into()))
    }

    /// `Runtime['ruby', name]`.
    pub fn ruby(class_name: impl Into<Arc<str>>) -> Self {
        Self::Runtime(Arc::new(RuntimeType {
            runtime: Some("ruby".into()),
            name: Some(class_name.into()),
            pattern: None,
        }))
    }
}

/// Types in the order that they came, each once.
#[derive(Default)]
struct UniqueTypes {
    types: Vec<Type>,
    /// The same types, once they are so many that a scan would be slower.
    known: HashSet<Type>,
}

impl UniqueTypes {
    const SCAN_AT_MOST: usize = 8;

    fn insert(&mut self, t: Type) {
        if self.types.len() > Self::SCAN_AT_MOST {
            if self.known.is_empty() {
                self.known.extend(self.types.iter().cloned());
            }
            if self.known.insert(t.clone()) {
                self.types.push(t);
            }
        } else if !self.types.contains(&t) {
            self.types.push(t);
        }
    }
}
