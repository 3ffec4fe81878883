//! Types of the same kind, that is, with the same name.

use std::sync::Arc;

use crate::types::{
    Alternatives, CallableType, EnumType, PatternType, ResourceType, RuntimeType, StructType, TupleType,
    Type, builtin,
};

impl Type {
    /// Returns true if both have the same name before the brackets.
    pub fn same_kind(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Returns the type of this name without parameters: `Integer` for `Integer[1, 2]`, `Enum` for
    /// `Enum[a]`. An alias and a reference, which are nothing without their name, stay as they are.
    #[must_use]
    pub fn default_of_kind(&self) -> Self {
        match self {
            Self::Any
            | Self::Unit
            | Self::Undef
            | Self::Default
            | Self::Scalar
            | Self::ScalarData
            | Self::Numeric
            | Self::SemVerRange
            | Self::Binary
            | Self::CatalogEntry
            | Self::Alias(_)
            | Self::Reference(_) => self.clone(),
            Self::Integer(_) => Self::INTEGER,
            Self::Float(_) => Self::FLOAT,
            Self::Boolean(_) => Self::Boolean(None),
            Self::String(_) => Self::STRING,
            Self::Enum(_) => Self::Enum(Arc::new(EnumType::new([], false))),
            Self::Pattern(_) => {
                Self::Pattern(Arc::new(PatternType { patterns: Alternatives::from_iter([]) }))
            }
            Self::Regexp(_) => Self::Regexp(None),
            Self::SemVer(_) => Self::SemVer(Arc::default()),
            Self::Uri(_) => Self::Uri(Arc::default()),
            Self::Timestamp(_) => Self::Timestamp(Arc::default()),
            Self::Timespan(_) => Self::Timespan(Arc::default()),
            Self::Init(_) => Self::Init(Arc::default()),
            Self::Collection(_) => Self::Collection(None),
            Self::Array(_) => Self::array(Self::Any, None),
            Self::Hash(_) => Self::hash(Self::Any, Self::Any, None),
            Self::Tuple(_) => Self::Tuple(Arc::new(TupleType { types: Arc::new([]), size: None })),
            Self::Struct(_) => Self::Struct(Arc::new(StructType::new([]))),
            Self::Variant(_) => Self::variant([]),
            Self::Optional(_) => Self::Optional(None),
            Self::NotUndef(_) => Self::NotUndef(None),
            Self::Type(_) => Self::Type(None),
            Self::Iterable(_) => Self::Iterable(None),
            Self::Iterator(_) => Self::Iterator(None),
            Self::Sensitive(_) => Self::Sensitive(None),
            Self::Callable(_) => Self::Callable(Arc::new(CallableType::default())),
            Self::Runtime(_) => Self::Runtime(Arc::new(RuntimeType::default())),
            Self::Object(_) => builtin::object(),
            // There is no such type without parameters; Puppet takes the type of all types for it.
            Self::ObjectExtension(_) => Self::Any,
            Self::TypeSet(_) => builtin::type_set(),
            Self::Class(_) => Self::Class(None),
            Self::Resource(_) => Self::Resource(Arc::new(ResourceType::default())),
        }
    }
}
