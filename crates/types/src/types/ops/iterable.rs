//! The types that can be iterated over, and the types of their elements.
//!
//! See Puppet's `pops/types/iterable.rb`.

use crate::types::{HashType, RuntimeType, Size, StringType, StructMember, Type};
use puppetfn_base::host;

impl Type {
    /// Returns true if values of this type can be iterated over.
    pub fn is_iterable(&self) -> bool {
        match self {
            Self::Integer(_)
            | Self::String(_)
            | Self::Enum(_)
            | Self::Collection(_)
            | Self::Array(_)
            | Self::Hash(_)
            | Self::Tuple(_)
            | Self::Struct(_)
            | Self::Iterable(_)
            | Self::Iterator(_) => true,
            Self::Type(inner) => inner.as_deref().is_some_and(has_elements),
            Self::Runtime(class) => is_iterable_class(class),
            Self::Alias(alias) => alias.resolved().is_some_and(|t| t.is_iterable()),
            Self::Any
            | Self::Unit
            | Self::Undef
            | Self::Default
            | Self::Scalar
            | Self::ScalarData
            | Self::Numeric
            | Self::Float(_)
            | Self::Boolean(_)
            | Self::Pattern(_)
            | Self::Regexp(_)
            | Self::SemVer(_)
            | Self::SemVerRange
            | Self::Binary
            | Self::Uri(_)
            | Self::Timestamp(_)
            | Self::Timespan(_)
            | Self::Variant(_)
            | Self::Optional(_)
            | Self::NotUndef(_)
            | Self::Sensitive(_)
            | Self::Callable(_)
            | Self::Init(_)
            | Self::Object(_)
            | Self::ObjectExtension(_)
            | Self::TypeSet(_)
            | Self::CatalogEntry
            | Self::Class(_)
            | Self::Resource(_)
            | Self::Reference(_) => false,
        }
    }

    /// Returns the type of the elements that iterating over values of this type yields; `None` if they cannot be iterated
    /// over, or the type of the elements is unknown.
    pub fn iterable_element(&self) -> Option<Self> {
        match self {
            Self::Integer(_) => Some(Self::INTEGER),
            Self::String(_) | Self::Enum(_) => Some(Self::String(StringType::Sized(Some(Size::exactly(1))))),
            Self::Array(array) => (array.element != Self::Any).then(|| array.element.clone()),
            Self::Hash(hash) => Some(hash_pair(hash)),
            Self::Tuple(tuple) => Some(Type::one_of(tuple.types.iter().cloned())),
            Self::Struct(members) => Some(struct_pair(members.members())),
            Self::Iterable(element) | Self::Iterator(element) => element.as_deref().cloned(),
            Self::Type(inner) => inner.as_deref().filter(|inner| has_elements(inner)).cloned(),
            Self::Runtime(class) => is_iterable_class(class).then(|| self.clone()),
            Self::Alias(alias) => alias.resolved().and_then(|t| t.iterable_element()),
            Self::Any
            | Self::Unit
            | Self::Undef
            | Self::Default
            | Self::Scalar
            | Self::ScalarData
            | Self::Numeric
            | Self::Float(_)
            | Self::Boolean(_)
            | Self::Pattern(_)
            | Self::Regexp(_)
            | Self::SemVer(_)
            | Self::SemVerRange
            | Self::Binary
            | Self::Uri(_)
            | Self::Timestamp(_)
            | Self::Timespan(_)
            | Self::Collection(_)
            | Self::Variant(_)
            | Self::Optional(_)
            | Self::NotUndef(_)
            | Self::Sensitive(_)
            | Self::Callable(_)
            | Self::Init(_)
            | Self::Object(_)
            | Self::ObjectExtension(_)
            | Self::TypeSet(_)
            | Self::CatalogEntry
            | Self::Class(_)
            | Self::Resource(_)
            | Self::Reference(_) => None,
        }
    }
}

/// Types that have elements themselves: the range of an integer type, the values of an enum.
fn has_elements(t: &Type) -> bool {
    matches!(t, Type::Enum(_)) || matches!(t, Type::Integer(range) if range.is_finite())
}

fn is_iterable_class(class: &RuntimeType) -> bool {
    let iterable = |name| host::classes().is_some_and(|host| host.descends(name, ITERABLE_CLASS));
    class.name.as_deref().is_some_and(iterable)
}

/// The host's own lazy iterations descend from this.
pub(super) const ITERABLE_CLASS: &str = "Puppet::Pops::Types::Iterable";

fn hash_pair(hash: &HashType) -> Type {
    if hash.key == Type::Any && hash.value == Type::Any && hash.size.is_none() {
        pair(Type::Unit, Type::Unit)
    } else {
        pair(hash.key.clone(), hash.value.clone())
    }
}

fn struct_pair(members: &[StructMember]) -> Type {
    if members.is_empty() {
        pair(Type::Unit, Type::Unit)
    } else {
        let keys = Type::one_of(members.iter().map(StructMember::key_type));
        let values = Type::one_of(members.iter().map(|member| member.value.clone()));
        pair(keys, values)
    }
}

fn pair(key: Type, value: Type) -> Type {
    Type::tuple([key, value], Some(Size::exactly(2)))
}
