//! The general form of a type: without ranges, sizes and single values.
//!
//! See Puppet's `pops/types/types.rb`.

use std::sync::Arc;

use super::contained::{RebuiltType, map_list};
use crate::types::{
    ArrayType, EnumType, FloatRange, HashType, IntegerRange, Size, StringType, TimeRange, Type,
};
use puppetfn_base::limits::Limits;

impl Type {
    /// Returns the general form: `Integer` for `Integer[1, 5]`, `Array[Integer]` for `Array[Integer[1, 5], 3]`. A type that
    /// nests deeper than any limit allows stays as it is.
    #[must_use]
    pub fn generalize(&self) -> Self {
        rebuild(self, Limits::DEEPEST).unwrap_or_else(|| self.clone())
    }
}

fn rebuild(t: &Type, depth: u32) -> RebuiltType {
    let depth = depth.checked_sub(1)?;
    match t {
        Type::Integer(range) => (*range != IntegerRange::UNBOUNDED).then_some(Type::INTEGER),
        Type::Float(range) => (*range != FloatRange::UNBOUNDED).then_some(Type::FLOAT),
        Type::Boolean(truth) => truth.map(|_| Type::Boolean(None)),
        Type::String(string) => (*string != StringType::ANY).then_some(Type::STRING),
        Type::Enum(names) => Some(enumeration(names)),
        Type::Timestamp(range) => is_bounded(range).then(|| Type::Timestamp(Arc::default())),
        Type::Timespan(range) => is_bounded(range).then(|| Type::Timespan(Arc::default())),
        Type::Collection(size) => size.map(|_| Type::Collection(None)),
        Type::Array(array) => rebuild_array(array, depth),
        Type::Hash(hash) => rebuild_hash(t, hash, depth),
        Type::Variant(types) => map_list(types, &mut |t| rebuild(t, depth)).map(Type::one_of),
        Type::Uri(uri) => (!uri.parameters().is_empty()).then(|| Type::Uri(Arc::default())),
        Type::ObjectExtension(extension) => Some(Type::Object(extension.base_ref())),
        Type::Any
        | Type::Unit
        | Type::Undef
        | Type::Default
        | Type::Scalar
        | Type::ScalarData
        | Type::Numeric
        | Type::Pattern(_)
        | Type::Regexp(_)
        | Type::SemVer(_)
        | Type::SemVerRange
        | Type::Binary
        | Type::Tuple(_)
        | Type::Struct(_)
        | Type::Optional(_)
        | Type::NotUndef(_)
        | Type::Type(_)
        | Type::Iterable(_)
        | Type::Iterator(_)
        | Type::Sensitive(_)
        | Type::Callable(_)
        | Type::Init(_)
        | Type::Runtime(_)
        | Type::Object(_)
        | Type::TypeSet(_)
        | Type::CatalogEntry
        | Type::Class(_)
        | Type::Resource(_)
        | Type::Alias(_)
        | Type::Reference(_) => t.map_contained(&mut |t| rebuild(t, depth)),
    }
}

fn is_bounded<T>(range: &TimeRange<T>) -> bool {
    range.min.is_some() || range.max.is_some()
}

/// An enum becomes a string of the lengths that its values have.
fn enumeration(names: &EnumType) -> Type {
    let lengths = names.lengths();
    Type::String(StringType::Sized((lengths != Size::ANY).then_some(lengths)))
}

fn rebuild_array(array: &ArrayType, depth: u32) -> RebuiltType {
    let element = rebuild(&array.element, depth);
    (array.size.is_some() || element.is_some())
        .then(|| Type::array(element.unwrap_or_else(|| array.element.clone()), None))
}

fn rebuild_hash(t: &Type, hash: &HashType, depth: u32) -> RebuiltType {
    if hash.size.is_none() {
        return t.map_contained(&mut |t| rebuild(t, depth));
    }
    let general = |t: &Type| rebuild(t, depth).unwrap_or_else(|| t.clone());
    // The type of empty hashes is as general as it gets.
    (hash.key != Type::Unit).then(|| Type::hash(general(&hash.key), general(&hash.value), None))
}
