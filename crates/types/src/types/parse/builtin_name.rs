//! The names of the basic types.

use std::sync::{Arc, LazyLock};

use crate::types::{
    Alias, ArrayType, CallableType, EnumType, HashType, PatternType, ResourceType, RuntimeType, StructType,
    TupleType, Type, builtin,
};

/// A type whose contents are the same each time, built once.
macro_rules! shared {
    ($t:expr) => {{
        static SHARED: LazyLock<Type> = LazyLock::new(|| $t);
        SHARED.clone()
    }};
}

/// A basic type, without its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    Any,
    Undef,
    Default,
    Scalar,
    ScalarData,
    Numeric,
    Integer,
    Float,
    Boolean,
    String,
    Enum,
    Pattern,
    Regexp,
    Timestamp,
    Timespan,
    SemVer,
    SemVerRange,
    Binary,
    Uri,
    Collection,
    Array,
    Hash,
    Tuple,
    Struct,
    Variant,
    Optional,
    NotUndef,
    Type,
    Iterable,
    Iterator,
    Init,
    Sensitive,
    Callable,
    Runtime,
    CatalogEntry,
    Class,
    Resource,
    Object,
    TypeSet,
    TypeAlias,
    TypeReference,
}

/// The most frequent names first.
const NAMES: &[(&str, Builtin)] = &[
    ("String", Builtin::String),
    ("Integer", Builtin::Integer),
    ("Optional", Builtin::Optional),
    ("Array", Builtin::Array),
    ("Hash", Builtin::Hash),
    ("Variant", Builtin::Variant),
    ("Enum", Builtin::Enum),
    ("Any", Builtin::Any),
    ("Boolean", Builtin::Boolean),
    ("Struct", Builtin::Struct),
    ("Pattern", Builtin::Pattern),
    ("Undef", Builtin::Undef),
    ("Numeric", Builtin::Numeric),
    ("Float", Builtin::Float),
    ("Callable", Builtin::Callable),
    ("Tuple", Builtin::Tuple),
    ("NotUndef", Builtin::NotUndef),
    ("Type", Builtin::Type),
    ("Sensitive", Builtin::Sensitive),
    ("Scalar", Builtin::Scalar),
    ("ScalarData", Builtin::ScalarData),
    ("Regexp", Builtin::Regexp),
    ("SemVer", Builtin::SemVer),
    ("SemVerRange", Builtin::SemVerRange),
    ("Binary", Builtin::Binary),
    ("URI", Builtin::Uri),
    ("Collection", Builtin::Collection),
    ("Timestamp", Builtin::Timestamp),
    ("Timespan", Builtin::Timespan),
    ("Iterable", Builtin::Iterable),
    ("Iterator", Builtin::Iterator),
    ("Runtime", Builtin::Runtime),
    ("Init", Builtin::Init),
    ("Default", Builtin::Default),
    ("Class", Builtin::Class),
    ("Resource", Builtin::Resource),
    ("CatalogEntry", Builtin::CatalogEntry),
    ("Object", Builtin::Object),
    ("TypeSet", Builtin::TypeSet),
    ("TypeAlias", Builtin::TypeAlias),
    ("TypeReference", Builtin::TypeReference),
];

impl Builtin {
    /// Returns the basic type of this name; upper and lower case are the same, as in Puppet.
    pub fn find(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, builtin)| *builtin)
    }

    /// Returns the names of all.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Returns the type that the name alone stands for.
    pub fn unparameterized(self) -> Type {
        match self {
            Self::Any => Type::Any,
            Self::Undef => Type::Undef,
            Self::Default => Type::Default,
            Self::Scalar => Type::Scalar,
            Self::ScalarData => Type::ScalarData,
            Self::Numeric => Type::Numeric,
            Self::Integer => Type::INTEGER,
            Self::Float => Type::FLOAT,
            Self::Boolean => Type::BOOLEAN,
            Self::String => Type::STRING,
            Self::Enum => shared!(Type::Enum(Arc::new(EnumType::new([], false)))),
            Self::Pattern => shared!(Type::Pattern(Arc::new(PatternType { patterns: [].into() }))),
            Self::Regexp => Type::Regexp(None),
            Self::Timestamp => shared!(Type::Timestamp(Arc::default())),
            Self::Timespan => shared!(Type::Timespan(Arc::default())),
            Self::SemVer => shared!(Type::SemVer([].into())),
            Self::SemVerRange => Type::SemVerRange,
            Self::Binary => Type::Binary,
            Self::Uri => shared!(Type::Uri(Arc::default())),
            Self::Collection => Type::Collection(None),
            Self::Array => shared!(Type::Array(Arc::new(ArrayType { element: Type::Any, size: None }))),
            Self::Hash => {
                shared!(Type::Hash(Arc::new(HashType { key: Type::Any, value: Type::Any, size: None })))
            }
            Self::Tuple => shared!(Type::Tuple(Arc::new(TupleType { types: [].into(), size: None }))),
            Self::Struct => shared!(Type::Struct(Arc::new(StructType::new([])))),
            Self::Variant => Type::Variant([].into()),
            Self::Optional => Type::Optional(None),
            Self::NotUndef => Type::NotUndef(None),
            Self::Type => Type::Type(None),
            Self::Iterable => Type::Iterable(None),
            Self::Iterator => Type::Iterator(None),
            Self::Init => shared!(Type::Init(Arc::default())),
            Self::Sensitive => Type::Sensitive(None),
            Self::Callable => shared!(Type::Callable(Arc::new(CallableType::default()))),
            Self::Runtime => shared!(Type::Runtime(Arc::new(RuntimeType::default()))),
            Self::CatalogEntry => Type::CatalogEntry,
            Self::Class => Type::Class(None),
            Self::Resource => shared!(Type::Resource(Arc::new(ResourceType::default()))),
            Self::Object => builtin::object(),
            Self::TypeSet => builtin::type_set(),
            Self::TypeAlias => shared!(Type::Alias(Alias::new("UnresolvedAlias", unresolved()))),
            Self::TypeReference => unresolved(),
        }
    }
}

/// Returns what stands for a name that says nothing of the type.
fn unresolved() -> Type {
    Type::Reference("UnresolvedReference".into())
}
