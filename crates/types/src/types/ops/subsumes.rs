//! Whether unknown values of a known type are instances of another type.
//!
//! Assignability does not answer this: in Puppet, a hash is assignable to a struct if some hash of that type might be one.
//! Here, a positive answer holds for every value of the type.

use std::ops::ControlFlow;

use super::disjoint::disjoint;
use super::instance::instance;
use crate::subject::{Shape, Subject, Verdict};
use crate::types::{ArrayType, HashType, Size, StringType, StructType, TupleType, Type};
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{VisitState, Work};

/// Returns true if values of type `unknown` are instances of `t`. Where that takes too much work, it is
/// not known.
#[cold]
pub(super) fn unknown_instance(t: &Type, unknown: &Type, work: &Work) -> Verdict {
    let path = &TypePath { outer: None, alias: None, depth: work.limits().nesting, work };
    if subsumes(t, unknown, path) {
        Verdict::Yes
    } else if disjoint(t, unknown, path) {
        Verdict::No
    } else {
        Verdict::Maybe
    }
}

/// Returns true if any part of a value is unknown.
pub(super) fn has_unknown<'a, S: Subject<'a>>(subject: S, visit: VisitState<'_>) -> Result<bool, Error> {
    let shape = subject.shape()?;
    if let Shape::Array(_) = shape {
        let visit = visit.deeper()?;
        for element in subject.elements() {
            if has_unknown(element, visit)? {
                return Ok(true);
            }
        }
        Ok(false)
    } else if let Shape::Hash(_) = shape {
        let visit = visit.deeper()?;
        let end = subject.each_entry(|key, value| {
            match has_unknown(key, visit).and_then(|found| Ok(found || has_unknown(value, visit)?)) {
                Ok(false) => ControlFlow::Continue(()),
                end @ (Ok(true) | Err(_)) => ControlFlow::Break(end),
            }
        });
        end.break_value().unwrap_or(Ok(false))
    } else if let Shape::Sensitive(hidden) = shape {
        has_unknown(hidden, visit.deeper()?)
    } else {
        Ok(matches!(shape, Shape::Unknown(_)))
    }
}

/// The way from the outermost type to here.
pub(super) struct TypePath<'p> {
    outer: Option<&'p TypePath<'p>>,
    /// The alias that was followed, if it contains itself.
    alias: Option<usize>,
    depth: u32,
    pub work: &'p Work,
}

impl TypePath<'_> {
    /// One step deeper; none at a limit.
    pub fn deeper(&self) -> Option<TypePath<'_>> {
        self.work.spend().ok()?;
        Some(TypePath { outer: Some(self), alias: None, depth: self.depth.checked_sub(1)?, work: self.work })
    }

    /// Through an alias that contains itself; `None` if the way has been through it already.
    fn through(&self, alias: usize) -> Option<TypePath<'_>> {
        let mut path = Some(self);
        while let Some(at) = path {
            if at.alias == Some(alias) {
                return None;
            }
            path = at.outer;
        }
        Some(TypePath { alias: Some(alias), ..self.deeper()? })
    }
}

/// Returns true if every instance of `u` certainly is an instance of `t`.
fn subsumes(t: &Type, u: &Type, path: &TypePath<'_>) -> bool {
    let Some(path) = &path.deeper() else { return false };
    t == u || every_part(t, u, path).unwrap_or_else(|| whole(t, u, path))
}

/// Returns the answer for a `u` that comprises other types; `None` if it does not.
fn every_part(t: &Type, u: &Type, path: &TypePath<'_>) -> Option<bool> {
    if let Type::Variant(types) = u {
        Some(types.iter().all(|u| subsumes(t, u, path)))
    } else if let Type::Optional(inner) = u {
        let inner = inner.as_deref().is_none_or(|u| subsumes(t, u, path));
        Some(inner && subsumes(t, &Type::Undef, path))
    } else if let Type::Alias(alias) = u
        && !alias.is_recursive()
    {
        Some(alias.with_target(|u| u.is_some_and(|u| subsumes(t, u, path))))
    } else if let Type::NotUndef(Some(inner)) = u
        && subsumes(t, inner, path)
    {
        Some(true)
    } else {
        None
    }
}

fn whole(t: &Type, u: &Type, path: &TypePath<'_>) -> bool {
    match t {
        Type::Any | Type::Unit => true,
        Type::Scalar
        | Type::ScalarData
        | Type::Numeric
        | Type::Integer(_)
        | Type::Float(_)
        | Type::Boolean(_)
        | Type::Regexp(_)
        | Type::SemVer(_)
        | Type::SemVerRange
        | Type::Binary
        | Type::Timestamp(_)
        | Type::Timespan(_)
        | Type::Runtime(_)
        | Type::String(StringType::Sized(_)) => is_plain(u) && t.assignable(u),
        Type::Enum(names) => !names.values().is_empty() && is_plain(u) && t.assignable(u),
        Type::Pattern(_) => {
            let any_case = matches!(u, Type::Enum(names) if names.case_insensitive());
            is_plain(u) && !any_case && t.assignable(u)
        }
        // Assignability says little here: an instance of `URI['http://a:1']` is not an instance of every such type.
        Type::Uri(uri) => uri.parameters().is_empty() && matches!(u, Type::Uri(_)),
        Type::Collection(size) => size_of(u).is_some_and(|given| includes(*size, given)),
        Type::Array(array) => array_subsumes(array, u, path),
        Type::Hash(hash) => hash_subsumes(hash, u, path),
        Type::Tuple(tuple) => tuple_subsumes(tuple, u, path),
        Type::Struct(members) => struct_subsumes(members, u, path),
        Type::Variant(types) => types.iter().any(|t| subsumes(t, u, path)),
        Type::Optional(inner) => {
            matches!(u, Type::Undef) || inner.as_deref().is_some_and(|t| subsumes(t, u, path))
        }
        Type::NotUndef(inner) => {
            kinds(u, path) & UNDEF == 0 && inner.as_deref().is_none_or(|t| subsumes(t, u, path))
        }
        Type::Type(None) => matches!(u, Type::Type(_)),
        Type::Iterator(None) => matches!(u, Type::Iterator(_)),
        Type::Callable(callable) => **callable == Default::default() && matches!(u, Type::Callable(_)),
        Type::Sensitive(inner) => match (inner, u) {
            (None, Type::Sensitive(_)) => true,
            (Some(t), Type::Sensitive(Some(u))) => subsumes(t, u, path),
            _ => false,
        },
        Type::Iterable(None) => is_always_iterable(u),
        Type::Object(_) => matches!(u, Type::Object(_) | Type::ObjectExtension(_)) && t.assignable(u),
        Type::Alias(alias) => match path.through(alias.identity()) {
            Some(path) => alias.with_target(|t| t.is_some_and(|t| subsumes(t, u, &path))),
            None => false,
        },
        Type::Undef
        | Type::Default
        | Type::String(StringType::Value(_))
        | Type::Type(Some(_))
        | Type::Iterable(Some(_))
        | Type::Iterator(Some(_))
        | Type::Init(_)
        | Type::ObjectExtension(_)
        | Type::TypeSet(_)
        | Type::CatalogEntry
        | Type::Class(_)
        | Type::Resource(_)
        | Type::Reference(_) => false,
    }
}

/// Returns true for types whose assignability holds for each of their values.
fn is_plain(u: &Type) -> bool {
    matches!(
        u,
        Type::Scalar
            | Type::ScalarData
            | Type::Numeric
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Boolean(_)
            | Type::String(_)
            | Type::Enum(_)
            | Type::Pattern(_)
            | Type::Regexp(_)
            | Type::SemVer(_)
            | Type::SemVerRange
            | Type::Binary
            | Type::Timestamp(_)
            | Type::Timespan(_)
            | Type::Runtime(_)
    )
}

fn is_always_iterable(u: &Type) -> bool {
    matches!(u, Type::String(_) | Type::Enum(_) | Type::Pattern(_) | Type::Iterable(_) | Type::Iterator(_))
        || matches!(u, Type::Integer(range) if range.min.is_some_and(|min| min >= 0))
        || size_of(u).is_some()
}

/// Returns the size of the values of a collection type.
pub(super) fn size_of(u: &Type) -> Option<Size> {
    if let Type::Collection(size) = u {
        Some(size.unwrap_or(Size::ANY))
    } else if let Type::Array(array) = u {
        Some(array.size.unwrap_or(Size::ANY))
    } else if let Type::Hash(hash) = u {
        Some(hash.size.unwrap_or(Size::ANY))
    } else if let Type::Tuple(tuple) = u {
        Some(tuple.size())
    } else if let Type::Struct(members) = u {
        Some(members.size())
    } else {
        None
    }
}

fn includes(size: Option<Size>, given: Size) -> bool {
    size.unwrap_or(Size::ANY).includes(given)
}

fn array_subsumes(t: &ArrayType, u: &Type, path: &TypePath<'_>) -> bool {
    if !size_of(u).is_some_and(|given| includes(t.size, given)) {
        false
    } else if let Type::Array(array) = u {
        array.size == Some(Size::EMPTY) || subsumes(&t.element, &array.element, path)
    } else if let Type::Tuple(tuple) = u {
        let all = tuple.types.iter().all(|u| subsumes(&t.element, u, path));
        all && (!tuple.types.is_empty() || subsumes(&t.element, &Type::Any, path))
    } else {
        false
    }
}

fn hash_subsumes(t: &HashType, u: &Type, path: &TypePath<'_>) -> bool {
    if !size_of(u).is_some_and(|given| includes(t.size, given)) {
        false
    } else if let Type::Hash(hash) = u {
        hash.size == Some(Size::EMPTY)
            || subsumes(&t.key, &hash.key, path) && subsumes(&t.value, &hash.value, path)
    } else if let Type::Struct(members) = u {
        members.members().iter().all(|member| {
            let key = Value::String(member.name.clone());
            instance(&t.key, &key, path.work.limits()) == Ok(Verdict::Yes)
                && subsumes(&t.value, &member.value, path)
        })
    } else {
        false
    }
}

fn tuple_subsumes(t: &TupleType, u: &Type, path: &TypePath<'_>) -> bool {
    let Some(size) = size_of(u).filter(|given| t.size().includes(*given)) else { return false };
    let (types, len) = if let Type::Tuple(tuple) = u {
        (&*tuple.types, t.types.len().max(tuple.types.len()))
    } else if let Type::Array(array) = u {
        (std::slice::from_ref(&array.element), t.types.len())
    } else {
        return false;
    };
    let most = size.max.map_or(len, |max| usize::try_from(max).unwrap_or(len));
    (0..len.min(most)).all(|index| {
        let given = types.get(index).or(types.last()).unwrap_or(&Type::Any);
        t.type_at(index).is_none_or(|t| subsumes(t, given, path))
    })
}

fn struct_subsumes(t: &StructType, u: &Type, path: &TypePath<'_>) -> bool {
    if let Type::Struct(given) = u {
        let known = given.members().iter().all(|member| t.member(&member.name).is_some());
        known
            && t.members().iter().all(|member| match given.member(&member.name) {
                Some(given) => {
                    (member.optional || !given.optional) && subsumes(&member.value, &given.value, path)
                }
                None => member.optional,
            })
    } else {
        // Of a hash type, only the empty hash has known keys.
        size_of(u) == Some(Size::EMPTY)
            && matches!(u, Type::Hash(_))
            && t.members().iter().all(|member| member.optional)
    }
}

/// A set of kinds of values.
pub(super) type KindSet = u16;

const UNDEF: KindSet = 1;
const DEFAULT: KindSet = 1 << 1;
const BOOLEAN: KindSet = 1 << 2;
const INTEGER: KindSet = 1 << 3;
const FLOAT: KindSet = 1 << 4;
const STRING: KindSet = 1 << 5;
const REGEXP: KindSet = 1 << 6;
const ARRAY: KindSet = 1 << 7;
const HASH: KindSet = 1 << 8;
const TYPE: KindSet = 1 << 9;
const SENSITIVE: KindSet = 1 << 10;
const CALLABLE: KindSet = 1 << 11;
const ITERATOR: KindSet = 1 << 12;
const OBJECT: KindSet = 1 << 13;
const RICH: KindSet = 1 << 14;
const ALL: KindSet = (1 << 15) - 1;

/// Returns the kinds of values that can be instances of a type.
pub(super) fn kinds(t: &Type, path: &TypePath<'_>) -> KindSet {
    let Some(path) = &path.deeper() else { return ALL };
    match t {
        Type::Any | Type::Unit => ALL,
        Type::Undef | Type::Optional(None) => UNDEF,
        Type::Default => DEFAULT,
        Type::Scalar => BOOLEAN | INTEGER | FLOAT | STRING | REGEXP | OBJECT | RICH,
        Type::ScalarData => BOOLEAN | INTEGER | FLOAT | STRING,
        Type::Numeric => INTEGER | FLOAT,
        Type::Integer(_) => INTEGER,
        Type::Float(_) => FLOAT,
        Type::Boolean(_) => BOOLEAN,
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => STRING,
        Type::Regexp(_) => REGEXP,
        Type::SemVer(_)
        | Type::SemVerRange
        | Type::Timestamp(_)
        | Type::Timespan(_)
        | Type::Binary
        | Type::Uri(_) => RICH,
        // Types are objects, too.
        Type::Object(object) if object.is_any() => RICH | TYPE,
        Type::Object(_) | Type::ObjectExtension(_) => RICH,
        Type::TypeSet(_) => TYPE,
        Type::Init(_) => ALL,
        Type::Collection(_) => ARRAY | HASH,
        Type::Array(_) | Type::Tuple(_) => ARRAY,
        Type::Hash(_) | Type::Struct(_) => HASH,
        Type::Variant(types) => types.iter().fold(0, |all, t| all | kinds(t, path)),
        Type::Optional(Some(inner)) => UNDEF | kinds(inner, path),
        Type::NotUndef(inner) => inner.as_deref().map_or(ALL, |t| kinds(t, path)) & !UNDEF,
        Type::Type(_) => TYPE,
        Type::Iterable(_) => STRING | INTEGER | ARRAY | HASH | TYPE | ITERATOR | OBJECT,
        Type::Iterator(_) => ITERATOR,
        Type::Sensitive(_) => SENSITIVE,
        Type::Callable(_) => CALLABLE,
        Type::Runtime(_) => OBJECT,
        Type::Alias(alias) => match path.through(alias.identity()) {
            Some(path) => alias.with_target(|t| t.map_or(0, |t| kinds(t, &path))),
            // The other paths through the alias determine its kinds.
            None => 0,
        },
        Type::CatalogEntry | Type::Class(_) | Type::Resource(_) | Type::Reference(_) => 0,
    }
}
