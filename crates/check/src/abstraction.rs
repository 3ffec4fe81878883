//! Partly known values: their possible types, and their join where branches meet.

#![allow(clippy::wildcard_enum_match_arm, reason = "all other types and values count as unknown")]

use std::ops::ControlFlow;
use std::sync::Arc;

use super::kinds::ValueKinds;
use puppetfn_base::limits::Limits;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::{infer, infer_set, instance};
use puppetfn_types::types::{Size, StringType, Type};
use puppetfn_types::value::Value;

/// The number of types that an unknown value may be of, before it becomes less precise.
const WIDEST: usize = 12;

/// The number of elements of a known collection, and of bytes of a known text, before they become less
/// precise.
const LARGEST: usize = 1_000;

/// Returns an unknown value.
pub(super) fn any() -> Value {
    Value::Unknown(Arc::new(Type::Any))
}

/// Some value of a type that code states.
pub(super) fn unknown_of(t: &Type) -> Value {
    Value::unknown(certain(t))
}

/// Returns the type itself, where its values are certain. Types of entries of a catalog, and unknown names, are not
/// certain.
pub(super) fn certain(t: &Type) -> Type {
    if is_certain(t, Limits::DEEPEST) { t.clone() } else { Type::Any }
}

fn is_certain(t: &Type, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match t {
        Type::CatalogEntry | Type::Class(_) | Type::Resource(_) | Type::Reference(_) | Type::Runtime(_) => {
            false
        }
        Type::Variant(types) if types.is_empty() => false,
        // A type that a value is, as in `Type[CatalogEntry]`, is compared with others.
        Type::Type(inner) => inner.as_deref().is_none_or(|inner| inner.unresolved().is_none()),
        Type::Alias(alias) if alias.is_recursive() => t.unresolved().is_none(),
        Type::Alias(alias) => alias.with_target(|t| t.is_some_and(|t| is_certain(t, depth))),
        other => {
            let visit = |t: &Type| {
                if is_certain(t, depth) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            other.visit_contained(visit).is_continue()
        }
    }
}

/// Returns true if a value is an instance of a type that code states.
pub(super) fn accepts(t: &Type, value: &Value, limits: &Limits) -> Verdict {
    if !is_certain(t, Limits::DEEPEST) {
        return Verdict::Maybe;
    }
    instance(t, value, limits).unwrap_or(Verdict::Maybe)
}

/// Returns whether a value that code compares with a type is an instance of it. A parameter of a class or of a defined
/// type takes a call that is made when the catalog is applied, whatever its type is.
pub(super) fn is_instance(t: &Type, value: &Value, limits: &Limits) -> Option<bool> {
    match accepts(t, value, limits) {
        Verdict::Yes => Some(true),
        Verdict::No if value.contains_unknown() && includes_deferred(t) => None,
        Verdict::No => Some(false),
        Verdict::Maybe => None,
    }
}

/// Returns true if calls that are made when the catalog is applied are of a type.
pub(super) fn includes_deferred(t: &Type) -> bool {
    match t {
        Type::Object(object) => **object.name() == *"Deferred",
        Type::Variant(types) => types.iter().any(includes_deferred),
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => includes_deferred(inner),
        Type::Alias(alias) if !alias.is_recursive() => {
            alias.with_target(|t| t.is_some_and(includes_deferred))
        }
        _ => false,
    }
}

/// Returns true if a value may be a call that is made when the catalog is applied.
pub(super) fn may_be_deferred(value: &Value) -> bool {
    ValueKinds::of(value).meets(ValueKinds::OBJECT)
}

/// Returns the type of a value, as precise as it is of use.
pub(super) fn type_of(value: &Value, limits: &Limits) -> Type {
    let is_small = value.extent().elements <= 32;
    let t = if is_small { infer_set(value, limits) } else { infer(value, limits) };
    t.map_or(Type::Any, |t| if is_small_type(&t) { certain(&t) } else { Type::Any })
}

/// The number of types within a type, before its values become unknown.
const HEAVIEST: u32 = 300;

/// Returns true if a type is cheap to work with: types that are put together of types again and again are not.
fn is_small_type(t: &Type) -> bool {
    fn count(t: &Type, left: &mut u32) -> ControlFlow<()> {
        *left = left.saturating_sub(1);
        if *left == 0 {
            return ControlFlow::Break(());
        }
        t.visit_contained(|t| count(t, left))
    }
    count(t, &mut HEAVIEST.clone()).is_continue()
}

/// Returns the value itself, or some value of its type if it is large.
pub(super) fn bounded(value: Value, limits: &Limits) -> Value {
    let is_large = match &value {
        Value::String(text) => text.len() > LARGEST * 64,
        other => other.extent().elements as usize > LARGEST,
    };
    if is_large { Value::unknown(type_of(&value, limits).generalize()) } else { value }
}

/// Returns a value narrowed by a stated type that it is an instance of.
pub(super) fn restricted(value: &Value, t: &Type, limits: &Limits) -> Value {
    match value {
        Value::Unknown(own) if accepts(t, value, limits) == Verdict::Maybe => {
            Value::unknown(both(own, t, Limits::DEEPEST, limits))
        }
        other => other.clone(),
    }
}

/// Returns a value narrowed by a stated type that it is not an instance of.
pub(super) fn excluded(value: &Value, t: &Type, limits: &Limits) -> Value {
    match value {
        Value::Unknown(own) if accepts(t, value, limits) == Verdict::Maybe => {
            Value::unknown(without(own, t, Limits::DEEPEST))
        }
        other => other.clone(),
    }
}

/// Returns a type of all that is of two types, of which the second one is certain.
fn both(a: &Type, b: &Type, depth: u32, limits: &Limits) -> Type {
    let Some(depth) = depth.checked_sub(1) else { return a.clone() };
    if b.assignable(a) {
        return a.clone();
    }
    if a.assignable(b) {
        return certain(b);
    }
    alternatives(a, depth).map_or_else(
        || certain(b),
        |types| {
            let may_be = |t: &&Type| instance(b, &Value::unknown(Type::clone(t)), limits) != Ok(Verdict::No);
            any_of(types.iter().filter(may_be).map(|t| both(t, b, depth, limits)))
        },
    )
}

/// Returns a type of all that is of the first type and not of the second one.
fn without(a: &Type, b: &Type, depth: u32) -> Type {
    let Some(depth) = depth.checked_sub(1) else { return a.clone() };
    alternatives(a, depth).map_or_else(
        || a.clone(),
        |types| {
            let left =
                types.iter().filter(|t| !b.assignable(t)).map(|t| without(t, b, depth)).collect::<Vec<_>>();
            if left.is_empty() { a.clone() } else { any_of(left.into_iter()) }
        },
    )
}

/// Returns the alternatives of a type that is made of several: each value is of one of them.
fn alternatives(t: &Type, depth: u32) -> Option<Vec<Type>> {
    match t {
        Type::Optional(inner) => Some(vec![inner.as_deref().cloned().unwrap_or(Type::Any), Type::Undef]),
        Type::Variant(types) if !types.is_empty() => Some(types.to_vec()),
        Type::Boolean(None) => Some(vec![Type::Boolean(Some(true)), Type::Boolean(Some(false))]),
        Type::Alias(alias) if !alias.is_recursive() => {
            let depth = depth.checked_sub(1)?;
            alias.with_target(|t| t.and_then(|t| alternatives(t, depth)))
        }
        _ => None,
    }
}

/// Joins two values: the result may be either.
pub(super) fn join(a: Value, b: Value, limits: &Limits) -> Value {
    if a == b {
        return a;
    }
    Value::unknown(union(&type_of(&a, limits), &type_of(&b, limits)))
}

/// Returns the union of two types.
pub(super) fn union(a: &Type, b: &Type) -> Type {
    if matches!(a, Type::Any) || matches!(b, Type::Any) {
        return Type::Any;
    }
    narrow(Type::one_of([a.clone(), b.clone()]))
}

/// Returns the union of types; `Any` where there are none.
pub(super) fn any_of(types: impl Iterator<Item = Type>) -> Type {
    types.reduce(|a, b| union(&a, &b)).unwrap_or(Type::Any)
}

/// Returns a type of so few alternatives that it is cheap to work with.
fn narrow(t: Type) -> Type {
    let Type::Variant(types) = &t else { return t };
    if types.len() <= WIDEST {
        return t;
    }
    match Type::one_of(types.iter().map(Type::generalize)) {
        Type::Variant(types) if types.len() > WIDEST => Type::Any,
        general => general,
    }
}

/// Returns the type of values that count as false.
pub(super) fn falsy() -> Type {
    Type::one_of([Type::Undef, Type::Boolean(Some(false))])
}

/// Returns whether a value counts as true; `None` if that is not known.
pub(super) fn truth(value: &Value) -> Option<bool> {
    let kinds = ValueKinds::of(value);
    match value {
        Value::Boolean(truth) => Some(*truth),
        _ if kinds == ValueKinds::UNDEF => Some(false),
        _ if !kinds.meets(ValueKinds::UNDEF.or(ValueKinds::BOOLEAN)) => Some(true),
        Value::Unknown(t) if kinds.is_within(ValueKinds::UNDEF.or(ValueKinds::BOOLEAN)) => {
            let is_false = falsy().assignable(t);
            (is_false || Type::Boolean(Some(true)).assignable(t)).then_some(!is_false)
        }
        _ => None,
    }
}

/// Some boolean, or a known one.
pub(super) fn boolean(truth: Option<bool>) -> Value {
    truth.map_or_else(|| Value::unknown(Type::BOOLEAN), Value::Boolean)
}

/// Returns the types of the keys and of the values, or of the indexes and of the elements, of a value that can be
/// iterated over; `None` if they are not known.
pub(super) fn entries_of(value: &Value, limits: &Limits) -> Option<(Type, Type)> {
    fn of_type(t: &Type, depth: u32) -> Option<(Type, Type)> {
        let depth = depth.checked_sub(1)?;
        let index = || Type::integer(Some(0), None);
        match t {
            Type::Array(array) => Some((index(), array.element.clone())),
            Type::Tuple(tuple) => Some((index(), any_of(tuple.types.iter().cloned()))),
            Type::Hash(hash) => Some((hash.key.clone(), hash.value.clone())),
            Type::Struct(members) => {
                let values = members.members().iter().map(|member| member.value.clone());
                Some((Type::STRING, any_of(values)))
            }
            Type::Alias(alias) => alias.with_target(|t| t.and_then(|t| of_type(t, depth))),
            _ => None,
        }
    }
    let (key, value) = of_type(&type_of(value, limits), Limits::DEEPEST)?;
    Some((certain(&key), certain(&value)))
}

/// Returns the number of elements, where it is known.
pub(super) fn size_of(value: &Value) -> Option<Size> {
    match value {
        Value::Array(items) => Some(Size::exactly(items.len())),
        Value::Hash(hash) => Some(Size::exactly(hash.len())),
        _ => None,
    }
}

/// Returns the texts that a value may be if it is a text; `None` if there are too many.
pub(super) fn texts_of(value: &Value) -> Option<Vec<Arc<str>>> {
    fn of_type(t: &Type, depth: u32, texts: &mut Vec<Arc<str>>) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match t {
            Type::String(StringType::Value(text)) => texts.push(Arc::clone(text)),
            Type::Enum(names) if !names.values().is_empty() => texts.extend(names.values().iter().cloned()),
            Type::Variant(types) => types.iter().try_for_each(|t| of_type(t, depth, texts))?,
            Type::NotUndef(Some(inner)) | Type::Optional(Some(inner)) => of_type(inner, depth, texts)?,
            Type::Alias(alias) => alias.with_target(|t| of_type(t?, depth, texts))?,
            other if !ValueKinds::of_type(other).meets(ValueKinds::STRING) => {}
            _ => return None,
        }
        (texts.len() <= LARGEST).then_some(())
    }
    match value {
        Value::String(text) => Some(vec![Arc::clone(text)]),
        Value::Unknown(t) => {
            let mut texts = Vec::new();
            of_type(t, 16, &mut texts)?;
            Some(texts)
        }
        _ => None,
    }
}

/// Returns the least and the greatest integer that a value may be, where it is an integer.
pub(super) fn range_of(value: &Value) -> Option<(i64, i64)> {
    match value {
        Value::Integer(number) => Some((*number, *number)),
        Value::Unknown(t) => match &**t {
            Type::Integer(range) => Some((range.min.unwrap_or(i64::MIN), range.max.unwrap_or(i64::MAX))),
            _ => None,
        },
        _ => None,
    }
}
