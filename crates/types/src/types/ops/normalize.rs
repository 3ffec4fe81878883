//! The simplest form of a type that accepts the same values.
//!
//! See Puppet's `pops/types/types.rb`.

use std::sync::Arc;

use super::contained::{RebuiltType, map_list};
use crate::types::{EnumType, FloatRange, IntegerRange, PatternType, StringType, TimeRange, Type};
use crate::value::{Timespan, Timestamp};
use puppetfn_base::limits::Limits;

impl Type {
    /// Returns the type without redundancies: merges enums, patterns and ranges in variants, and removes `NotUndef` and
    /// `Optional` where they have no effect. A type that nests deeper than any limit allows stays as it is.
    ///
    /// As in Puppet, arrays of `Any` and collections lose their size.
    #[must_use]
    pub fn normalize(&self) -> Self {
        rebuild(self, Limits::DEEPEST).unwrap_or_else(|| self.clone())
    }
}

fn rebuild(t: &Type, depth: u32) -> RebuiltType {
    let depth = depth.checked_sub(1)?;
    match t {
        Type::Collection(size) => size.map(|_| Type::Collection(None)),
        Type::Array(array) if array.element == Type::Any => array.size.map(|_| Type::array(Type::Any, None)),
        Type::Hash(hash) => {
            let rebuilt = t.map_contained(&mut |t| rebuild(t, depth));
            // Puppet copies a hash type with a size, which counts as a change.
            rebuilt.or_else(|| (hash.size.is_some() && hash.key != Type::Unit).then(|| t.clone()))
        }
        Type::Optional(Some(inner)) => {
            let changed = rebuild(inner, depth);
            let inner = changed.as_ref().unwrap_or(inner);
            optional(inner).or_else(|| changed.clone().map(Type::optional))
        }
        Type::NotUndef(Some(inner)) => {
            let changed = rebuild(inner, depth);
            let inner = changed.as_ref().unwrap_or(inner);
            not_undef(inner).or_else(|| changed.clone().map(Type::not_undef))
        }
        Type::Variant(types) => variant(types, depth),
        Type::Any
        | Type::Unit
        | Type::Undef
        | Type::Default
        | Type::Scalar
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
        | Type::Uri(_)
        | Type::Timestamp(_)
        | Type::Timespan(_)
        | Type::Array(_)
        | Type::Tuple(_)
        | Type::Struct(_)
        | Type::Optional(None)
        | Type::NotUndef(None)
        | Type::Type(_)
        | Type::Iterable(_)
        | Type::Iterator(_)
        | Type::Sensitive(_)
        | Type::Callable(_)
        | Type::Init(_)
        | Type::Runtime(_)
        | Type::Object(_)
        | Type::ObjectExtension(_)
        | Type::TypeSet(_)
        | Type::CatalogEntry
        | Type::Class(_)
        | Type::Resource(_)
        | Type::Alias(_)
        | Type::Reference(_) => t.map_contained(&mut |t| rebuild(t, depth)),
    }
}

/// Returns the simpler form of `Optional` of a type in its simplest form.
fn optional(inner: &Type) -> RebuiltType {
    if let Type::NotUndef(wanted) = inner {
        Some(match wanted.as_deref() {
            Some(wanted) => optional(wanted).unwrap_or_else(|| Type::optional(wanted.clone())),
            None => Type::Optional(None),
        })
    } else {
        inner.accepts_undef().then(|| inner.clone())
    }
}

/// Returns the simpler form of `NotUndef` of a type in its simplest form.
fn not_undef(inner: &Type) -> RebuiltType {
    if let Type::Optional(wanted) = inner {
        Some(match wanted.as_deref() {
            Some(wanted) => not_undef(wanted).unwrap_or_else(|| Type::not_undef(wanted.clone())),
            None => Type::NotUndef(None),
        })
    } else {
        (!inner.accepts_undef()).then(|| inner.clone())
    }
}

fn variant(types: &[Type], depth: u32) -> RebuiltType {
    let changed = map_list(types, &mut |t| rebuild(t, depth));
    let types = changed.as_deref().unwrap_or(types);
    if let [single] = types {
        return Some(single.clone());
    }
    if types.iter().any(|t| matches!(t, Type::Undef | Type::Optional(_))) {
        return Some(without_undef(types, depth));
    }
    let flat = flatten(types);
    let flat_len = flat.len();
    let mut merged = merge(flat);
    match merged.pop() {
        Some(single) if merged.is_empty() => Some(single),
        last => (changed.is_some() || merged.len() + 1 < flat_len)
            .then(|| Type::one_of(merged.into_iter().chain(last))),
    }
}

/// A variant that has undef becomes an optional variant without.
fn without_undef(types: &[Type], depth: u32) -> Type {
    let wanted = types.iter().filter_map(|t| {
        if let Type::Optional(inner) = t { inner.as_deref().cloned() } else { Some(t.clone()) }
    });
    let wanted = wanted.filter(|t| *t != Type::Undef);
    let optional = Type::optional(Type::one_of(wanted));
    rebuild(&optional, depth).unwrap_or(optional)
}

/// Merges the mergeable types of a variant. Merged types move to the end, ranges to the front.
fn merge(mut types: Vec<Type>) -> Vec<Type> {
    merge_some(
        &mut types,
        |t| matches!(t, Type::NotUndef(_)),
        |parts| {
            let inner = Type::one_of(parts.into_iter().map(|t| {
                if let Type::NotUndef(inner) = t { inner.as_deref().unwrap_or(&Type::Any).clone() } else { t }
            }));
            Type::not_undef(inner.normalize())
        },
    );
    merge_some(&mut types, is_text, |parts| enumeration(&parts, false));
    merge_some(&mut types, is_text_in_any_case, |parts| enumeration(&parts, true));
    merge_some(&mut types, |t| matches!(t, Type::Pattern(_)), |parts| patterns(&parts));
    merge_ranges(&mut types, integer_range, IntegerRange::touches, IntegerRange::union, Type::Integer);
    merge_ranges(&mut types, float_range, FloatRange::intersects, FloatRange::union, Type::Float);
    merge_ranges(&mut types, timespan_range, TimeRange::intersects, TimeRange::union, |range| {
        Type::Timespan(Arc::new(range))
    });
    merge_ranges(&mut types, timestamp_range, TimeRange::intersects, TimeRange::union, |range| {
        Type::Timestamp(Arc::new(range))
    });
    types
}

/// Replaces several types of one kind by a single one.
fn merge_some(types: &mut Vec<Type>, of_kind: fn(&Type) -> bool, merged: impl FnOnce(Vec<Type>) -> Type) {
    if types.iter().filter(|t| of_kind(t)).count() > 1 {
        let (parts, others) = std::mem::take(types).into_iter().partition(of_kind);
        *types = others;
        types.push(merged(parts));
    }
}

fn is_text(t: &Type) -> bool {
    matches!(t, Type::String(StringType::Value(_)))
        || matches!(t, Type::Enum(names) if !names.values().is_empty() && !names.case_insensitive())
}

fn is_text_in_any_case(t: &Type) -> bool {
    matches!(t, Type::Enum(names) if !names.values().is_empty() && names.case_insensitive())
}

fn enumeration(parts: &[Type], case_insensitive: bool) -> Type {
    let texts = parts.iter().flat_map(|t| {
        let one = if let Type::String(StringType::Value(text)) = t { Some(text) } else { None };
        let several = if let Type::Enum(names) = t { names.values() } else { &[] };
        one.into_iter().chain(several)
    });
    if case_insensitive {
        Type::Enum(Arc::new(EnumType::new(texts.map(|text| text.to_lowercase().into()), true)))
    } else {
        Type::Enum(Arc::new(EnumType::new(texts.cloned(), false)))
    }
}

fn patterns(parts: &[Type]) -> Type {
    let mut distinct = Vec::new();
    for t in parts {
        let Type::Pattern(pattern) = t else { continue };
        for regex in &pattern.patterns {
            if !distinct.contains(regex) {
                distinct.push(regex.clone());
            }
        }
    }
    Type::Pattern(Arc::new(PatternType { patterns: distinct.into() }))
}

fn integer_range(t: &Type) -> Option<IntegerRange> {
    if let Type::Integer(range) = t { Some(*range) } else { None }
}

fn float_range(t: &Type) -> Option<FloatRange> {
    if let Type::Float(range) = t { Some(*range) } else { None }
}

fn timespan_range(t: &Type) -> Option<TimeRange<Timespan>> {
    if let Type::Timespan(range) = t { Some(**range) } else { None }
}

fn timestamp_range(t: &Type) -> Option<TimeRange<Timestamp>> {
    if let Type::Timestamp(range) = t { Some(**range) } else { None }
}

/// Merges the ranges of one kind that touch, in Puppet's order: last first.
fn merge_ranges<R: Copy>(
    types: &mut Vec<Type>,
    range: fn(&Type) -> Option<R>,
    touches: fn(R, R) -> bool,
    union: fn(R, R) -> R,
    as_type: fn(R) -> Type,
) {
    let mut ranges: Vec<R> = types.iter().filter_map(range).collect();
    if ranges.len() < 2 {
        return;
    }
    let mut merged = Vec::new();
    while let Some(mut sum) = ranges.pop() {
        ranges.retain(|&next| {
            let touching = touches(sum, next);
            if touching {
                sum = union(sum, next);
            }
            !touching
        });
        merged.push(as_type(sum));
    }
    types.retain(|t| range(t).is_none());
    merged.append(types);
    *types = merged;
}

/// Replaces variants by their types, one level deep.
fn flatten(types: &[Type]) -> Vec<Type> {
    let mut flat = Vec::with_capacity(types.len());
    for t in types {
        if let Type::Variant(types) = t { flat.extend_from_slice(types) } else { flat.push(t.clone()) }
    }
    flat
}
