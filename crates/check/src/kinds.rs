//! Sets of kinds of values: which kinds an unknown value can be of.

use puppetfn_types::types::{StringType, Type};
use puppetfn_types::value::Value;

/// A set of kinds of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ValueKinds(u32);

impl ValueKinds {
    pub const NONE: Self = Self(0);
    pub const UNDEF: Self = Self(1);
    pub const DEFAULT: Self = Self(1 << 1);
    pub const BOOLEAN: Self = Self(1 << 2);
    pub const INTEGER: Self = Self(1 << 3);
    pub const FLOAT: Self = Self(1 << 4);
    pub const STRING: Self = Self(1 << 5);
    pub const REGEXP: Self = Self(1 << 6);
    pub const ARRAY: Self = Self(1 << 7);
    pub const HASH: Self = Self(1 << 8);
    pub const TYPE: Self = Self(1 << 9);
    pub const SENSITIVE: Self = Self(1 << 10);
    pub const CALLABLE: Self = Self(1 << 11);
    pub const ITERATOR: Self = Self(1 << 12);
    pub const SEM_VER: Self = Self(1 << 13);
    pub const SEM_VER_RANGE: Self = Self(1 << 14);
    pub const TIMESTAMP: Self = Self(1 << 15);
    pub const TIMESPAN: Self = Self(1 << 16);
    pub const BINARY: Self = Self(1 << 17);
    pub const URI: Self = Self(1 << 18);
    /// Objects of Object types.
    pub const OBJECT: Self = Self(1 << 19);
    /// Objects of the host's.
    pub const RUNTIME: Self = Self(1 << 20);
    pub const ALL: Self = Self((1 << 21) - 1);

    pub const NUMERIC: Self = Self::INTEGER.or(Self::FLOAT);
    /// Objects of both kinds, of which little is known.
    pub const FOREIGN: Self = Self::OBJECT.or(Self::RUNTIME);

    /// The maximum depth of aliases.
    const DEEPEST: u32 = 32;

    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if one is in both sets.
    pub const fn meets(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }

    /// Returns true if all of it is in the other set.
    pub const fn is_within(self, other: Self) -> bool {
        self.without(other).is_empty()
    }

    /// Returns the kinds that are in it.
    pub fn each(self) -> impl Iterator<Item = Self> {
        (0..21).map(|bit| Self(1 << bit)).filter(move |kind| self.meets(*kind))
    }

    /// Returns the kinds that values of a type can be of; all of them where that is not certain.
    pub fn of_type(t: &Type) -> Self {
        of_type(t, Self::DEEPEST)
    }

    /// Returns the kinds that a value can be of.
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Undef => Self::UNDEF,
            Value::Default => Self::DEFAULT,
            Value::Boolean(_) => Self::BOOLEAN,
            Value::Integer(_) => Self::INTEGER,
            Value::Float(_) => Self::FLOAT,
            Value::String(_) => Self::STRING,
            Value::Regexp(_) => Self::REGEXP,
            Value::Array(_) => Self::ARRAY,
            Value::Hash(_) => Self::HASH,
            Value::SemVer(_) => Self::SEM_VER,
            Value::SemVerRange(_) => Self::SEM_VER_RANGE,
            Value::Binary(_) => Self::BINARY,
            Value::Uri(_) => Self::URI,
            Value::Timestamp(_) => Self::TIMESTAMP,
            Value::Timespan(_) => Self::TIMESPAN,
            Value::Type(_) => Self::TYPE,
            Value::Sensitive(_) => Self::SENSITIVE,
            Value::Iterator(_) => Self::ITERATOR,
            Value::Callable(_) => Self::CALLABLE,
            Value::Object(_) => Self::OBJECT,
            Value::Runtime(_) => Self::RUNTIME,
            Value::Unknown(t) => Self::of_type(t),
        }
    }
}

fn of_type(t: &Type, depth: u32) -> ValueKinds {
    let Some(depth) = depth.checked_sub(1) else { return ValueKinds::ALL };
    match t {
        Type::Undef | Type::Optional(None) => ValueKinds::UNDEF,
        Type::Default => ValueKinds::DEFAULT,
        Type::ScalarData => ValueKinds::BOOLEAN.or(ValueKinds::NUMERIC).or(ValueKinds::STRING),
        Type::Numeric => ValueKinds::NUMERIC,
        Type::Integer(_) => ValueKinds::INTEGER,
        Type::Float(_) => ValueKinds::FLOAT,
        Type::Boolean(_) => ValueKinds::BOOLEAN,
        Type::String(StringType::Sized(_) | StringType::Value(_)) | Type::Enum(_) | Type::Pattern(_) => {
            ValueKinds::STRING
        }
        Type::Regexp(_) => ValueKinds::REGEXP,
        Type::SemVer(_) => ValueKinds::SEM_VER,
        Type::SemVerRange => ValueKinds::SEM_VER_RANGE,
        Type::Binary => ValueKinds::BINARY,
        Type::Uri(_) => ValueKinds::URI,
        Type::Timestamp(_) => ValueKinds::TIMESTAMP,
        Type::Timespan(_) => ValueKinds::TIMESPAN,
        Type::Collection(_) => ValueKinds::ARRAY.or(ValueKinds::HASH),
        Type::Array(_) | Type::Tuple(_) => ValueKinds::ARRAY,
        Type::Hash(_) | Type::Struct(_) => ValueKinds::HASH,
        Type::Variant(types) => types.iter().fold(ValueKinds::NONE, |all, t| all.or(of_type(t, depth))),
        Type::Optional(Some(inner)) => ValueKinds::UNDEF.or(of_type(inner, depth)),
        Type::NotUndef(inner) => {
            inner.as_deref().map_or(ValueKinds::ALL, |t| of_type(t, depth)).without(ValueKinds::UNDEF)
        }
        Type::Type(_) | Type::TypeSet(_) => ValueKinds::TYPE,
        Type::Iterator(_) => ValueKinds::ITERATOR,
        Type::Sensitive(_) => ValueKinds::SENSITIVE,
        Type::Callable(_) => ValueKinds::CALLABLE,
        Type::Alias(alias) => alias.with_target(|t| t.map_or(ValueKinds::ALL, |t| of_type(t, depth))),
        // These types have many kinds of values, or kinds that are only known where a catalog is made.
        Type::Any
        | Type::Unit
        | Type::Scalar
        | Type::Iterable(_)
        | Type::Init(_)
        | Type::Object(_)
        | Type::ObjectExtension(_)
        | Type::Runtime(_)
        | Type::CatalogEntry
        | Type::Class(_)
        | Type::Resource(_)
        | Type::Reference(_) => ValueKinds::ALL,
    }
}
