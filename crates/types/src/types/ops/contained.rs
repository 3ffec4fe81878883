//! The types that a type contains: visiting and replacing them.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::types::{CallableType, HashType, InitType, StructMember, StructType, TupleType, Type};

/// A rebuilt type; `None` if nothing in it changed.
pub(super) type RebuiltType = Option<Type>;

impl Type {
    /// Visits the directly contained types in source order until `visit` breaks. The target of an alias does not count as
    /// contained.
    pub fn visit_contained<'t, B>(
        &'t self,
        mut visit: impl FnMut(&'t Self) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self {
            Self::Any
            | Self::Unit
            | Self::Undef
            | Self::Default
            | Self::Scalar
            | Self::ScalarData
            | Self::Numeric
            | Self::Integer(_)
            | Self::Float(_)
            | Self::Boolean(_)
            | Self::String(_)
            | Self::Enum(_)
            | Self::Pattern(_)
            | Self::Regexp(_)
            | Self::SemVer(_)
            | Self::SemVerRange
            | Self::Binary
            | Self::Uri(_)
            | Self::Timestamp(_)
            | Self::Timespan(_)
            | Self::Collection(_)
            | Self::Runtime(_)
            | Self::Object(_)
            | Self::ObjectExtension(_)
            | Self::TypeSet(_)
            | Self::CatalogEntry
            | Self::Class(_)
            | Self::Resource(_)
            | Self::Alias(_)
            | Self::Reference(_) => ControlFlow::Continue(()),
            Self::Array(array) => visit(&array.element),
            Self::Hash(hash) => {
                visit(&hash.key)?;
                visit(&hash.value)
            }
            Self::Tuple(tuple) => tuple.types.iter().try_for_each(visit),
            Self::Struct(members) => members.members().iter().map(|member| &member.value).try_for_each(visit),
            Self::Variant(types) => types.iter().try_for_each(visit),
            Self::Init(init) => init.t().into_iter().try_for_each(visit),
            Self::Optional(inner)
            | Self::NotUndef(inner)
            | Self::Type(inner)
            | Self::Iterable(inner)
            | Self::Iterator(inner)
            | Self::Sensitive(inner) => inner.as_deref().map_or(ControlFlow::Continue(()), visit),
            Self::Callable(callable) => {
                let params = callable.params.iter().flat_map(|params| params.types.iter());
                params.chain(&callable.block).chain(&callable.returns).try_for_each(visit)
            }
        }
    }

    /// Maps the directly contained types by `change`; `None` if it fails for one of them.
    pub(super) fn map_contained(&self, change: &mut dyn FnMut(&Self) -> RebuiltType) -> RebuiltType {
        match self {
            Self::Any
            | Self::Unit
            | Self::Undef
            | Self::Default
            | Self::Scalar
            | Self::ScalarData
            | Self::Numeric
            | Self::Integer(_)
            | Self::Float(_)
            | Self::Boolean(_)
            | Self::String(_)
            | Self::Enum(_)
            | Self::Pattern(_)
            | Self::Regexp(_)
            | Self::SemVer(_)
            | Self::SemVerRange
            | Self::Binary
            | Self::Uri(_)
            | Self::Timestamp(_)
            | Self::Timespan(_)
            | Self::Collection(_)
            | Self::Runtime(_)
            | Self::Object(_)
            | Self::ObjectExtension(_)
            | Self::TypeSet(_)
            | Self::CatalogEntry
            | Self::Class(_)
            | Self::Resource(_)
            | Self::Alias(_)
            | Self::Reference(_) => None,
            Self::Array(array) => change(&array.element).map(|element| Self::array(element, array.size)),
            Self::Hash(hash) => map_hash(hash, change),
            Self::Tuple(tuple) => map_tuple(tuple, change).map(Arc::new).map(Self::Tuple),
            Self::Struct(members) => map_struct(members, change),
            Self::Variant(types) => map_variant(types, change),
            Self::Optional(inner) => change(inner.as_deref()?).map(Self::optional),
            Self::NotUndef(inner) => change(inner.as_deref()?).map(Self::not_undef),
            Self::Type(inner) => change(inner.as_deref()?).map(Self::type_of),
            Self::Iterable(inner) => {
                change(inner.as_deref()?).map(|inner| Self::Iterable(Some(inner.into())))
            }
            Self::Iterator(inner) => {
                change(inner.as_deref()?).map(|inner| Self::Iterator(Some(inner.into())))
            }
            Self::Sensitive(inner) => change(inner.as_deref()?).map(Self::sensitive),
            Self::Callable(callable) => map_callable(callable, change),
            Self::Init(init) => map_init(init, change),
        }
    }
}

// None of these is inlined: the frame of `map_contained` is on the stack once for each level.

/// Changes each type of a list; `None` if none of them changed.
#[inline(never)]
pub(super) fn map_list(types: &[Type], change: &mut dyn FnMut(&Type) -> RebuiltType) -> Option<Vec<Type>> {
    let mut changed: Option<Vec<Type>> = None;
    for (index, t) in types.iter().enumerate() {
        match (change(t), &mut changed) {
            (Some(new), Some(list)) => list.push(new),
            (None, Some(list)) => list.push(t.clone()),
            (Some(new), None) => {
                let list = changed.insert(Vec::with_capacity(types.len()));
                list.extend(types.iter().take(index).cloned());
                list.push(new);
            }
            (None, None) => {}
        }
    }
    changed
}

#[inline(never)]
fn map_variant(types: &[Type], change: &mut dyn FnMut(&Type) -> RebuiltType) -> RebuiltType {
    map_list(types, change).map(Type::variant)
}

#[inline(never)]
fn map_hash(hash: &HashType, change: &mut dyn FnMut(&Type) -> RebuiltType) -> RebuiltType {
    let (key, value) = (change(&hash.key), change(&hash.value));
    (key.is_some() || value.is_some()).then(|| {
        let key = key.unwrap_or_else(|| hash.key.clone());
        Type::hash(key, value.unwrap_or_else(|| hash.value.clone()), hash.size)
    })
}

#[inline(never)]
fn map_tuple(tuple: &TupleType, change: &mut dyn FnMut(&Type) -> RebuiltType) -> Option<TupleType> {
    map_list(&tuple.types, change).map(|types| TupleType { types: types.into(), size: tuple.size })
}

#[inline(never)]
fn map_struct(t: &StructType, change: &mut dyn FnMut(&Type) -> RebuiltType) -> RebuiltType {
    let values: Vec<_> = t.members().iter().map(|member| change(&member.value)).collect();
    values.iter().any(Option::is_some).then(|| {
        let with_value = |(member, value): (&StructMember, RebuiltType)| match value {
            Some(value) => StructMember { value, ..member.clone() },
            None => member.clone(),
        };
        Type::struct_of(t.members().iter().zip(values).map(with_value))
    })
}

#[inline(never)]
fn map_init(init: &InitType, change: &mut dyn FnMut(&Type) -> RebuiltType) -> RebuiltType {
    Some(Type::Init(Arc::new(InitType::new(change(init.t()?)?, init.args()))))
}

#[inline(never)]
fn map_callable(callable: &CallableType, change: &mut dyn FnMut(&Type) -> RebuiltType) -> RebuiltType {
    let params = callable.params.as_ref().and_then(|params| map_tuple(params, change));
    let block = callable.block.as_ref().and_then(&mut *change);
    let returns = callable.returns.as_ref().and_then(change);
    (params.is_some() || block.is_some() || returns.is_some()).then(|| {
        Type::Callable(Arc::new(CallableType {
            params: params.or_else(|| callable.params.clone()),
            block: block.or_else(|| callable.block.clone()),
            returns: returns.or_else(|| callable.returns.clone()).filter(|returns| *returns != Type::Any),
        }))
    })
}
