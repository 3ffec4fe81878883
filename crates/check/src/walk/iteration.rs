//! The arguments that Puppet's functions pass to their blocks.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::abstraction::{entries_of, excluded, size_of};
use super::super::kinds::ValueKinds;
use super::Walk;
use puppetfn_base::limits::Limits;
use puppetfn_types::function::BlockUse;
use puppetfn_types::types::{Size, Type};
use puppetfn_types::value::Value;

impl Walk<'_, '_> {
    /// Returns true if a function certainly does not call its block.
    pub(super) fn is_never_called(&self, block_use: BlockUse, arguments: &[Value]) -> bool {
        let Some(first) = arguments.first() else { return false };
        match block_use {
            BlockUse::UnlessUndef => *first == Value::Undef,
            BlockUse::IfUndef => !ValueKinds::of(first).meets(ValueKinds::UNDEF),
            BlockUse::Accumulate => arguments.len() == 1 && size_of(first) == Some(Size::EMPTY),
            BlockUse::Elements | BlockUse::OfElements => size_of(first) == Some(Size::EMPTY),
            BlockUse::Arguments | BlockUse::Unknown => false,
        }
    }

    /// Returns the arguments of the first call of a block; none if the function may not call it.
    pub(super) fn first_arguments(
        &self,
        block_use: BlockUse,
        arguments: &[Value],
        count: usize,
    ) -> Vec<Value> {
        let Some(first) = arguments.first() else { return Vec::new() };
        match block_use {
            BlockUse::Arguments => arguments.to_vec(),
            BlockUse::UnlessUndef if !ValueKinds::of(first).meets(ValueKinds::UNDEF) => vec![first.clone()],
            BlockUse::Elements if self.has_elements(first) => match self.first_entry(first) {
                Some((key, value)) if count == 1 && ValueKinds::of(first) == ValueKinds::HASH => {
                    vec![Value::from(vec![key, value])]
                }
                Some((_, value)) if count == 1 => vec![value],
                Some((key, value)) => vec![key, value],
                None => Vec::new(),
            },
            BlockUse::Accumulate => match (first, arguments.get(1)) {
                (Value::Array(items), None) => items.get(..2).map(<[Value]>::to_vec).unwrap_or_default(),
                (Value::Array(items), Some(start)) if !items.is_empty() => {
                    [start.clone()].into_iter().chain(items.first().cloned()).collect()
                }
                _ => Vec::new(),
            },
            BlockUse::Elements
            | BlockUse::OfElements
            | BlockUse::UnlessUndef
            | BlockUse::IfUndef
            | BlockUse::Unknown => Vec::new(),
        }
    }

    /// Returns true if there certainly is something to go through.
    fn has_elements(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => !text.is_empty(),
            Value::Integer(count) => *count > 0,
            Value::Type(t) => matches!(&**t, Type::Integer(range) if range.is_finite()),
            Value::Unknown(t) => least_size(t, Limits::DEEPEST) > 0,
            other => size_of(other).is_some_and(|size| size.min > 0),
        }
    }

    /// Returns the first index and element, or key and value, of a value that has elements.
    fn first_entry(&self, value: &Value) -> Option<(Value, Value)> {
        let start = Value::Integer(0);
        match value {
            Value::Array(items) => Some((start, items.first()?.clone())),
            Value::Hash(hash) => hash.iter().next().map(|(key, value)| (key.clone(), value.clone())),
            Value::String(text) => Some((start, text.get(..text.chars().next()?.len_utf8())?.into())),
            Value::Integer(_) => Some((start.clone(), start)),
            Value::Type(t) => match &**t {
                Type::Integer(range) => Some((start, Value::Integer(range.min?))),
                _ => None,
            },
            other => {
                let (key, value) = entries_of(other, self.limits())?;
                Some((Value::unknown(key), Value::unknown(value)))
            }
        }
    }

    /// Returns the arguments that a function passes to a block with this many parameters, as far as they are known.
    pub(super) fn block_arguments(
        &self,
        block_use: BlockUse,
        arguments: &[Value],
        count: usize,
    ) -> Vec<Value> {
        let Some(first) = arguments.first() else { return Vec::new() };
        let is_hash = ValueKinds::of(first) == ValueKinds::HASH;
        let is_array = ValueKinds::of(first) == ValueKinds::ARRAY;
        let entries = if is_hash || is_array { entries_of(first, self.limits()) } else { None };
        let entry = |(key, value): (Type, Type)| match count {
            1 if is_hash => vec![Value::unknown(Type::tuple([key, value], None))],
            1 => vec![Value::unknown(value)],
            _ => vec![Value::unknown(key), Value::unknown(value)],
        };
        match block_use {
            BlockUse::Arguments => arguments.to_vec(),
            BlockUse::UnlessUndef => vec![excluded(first, &Type::Undef, self.limits())],
            BlockUse::Elements => entries.map(entry).unwrap_or_default(),
            BlockUse::OfElements | BlockUse::Accumulate | BlockUse::IfUndef | BlockUse::Unknown => Vec::new(),
        }
    }
}

/// Returns how many elements the values of a type have at least.
fn least_size(t: &Type, depth: u32) -> u64 {
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    match t {
        Type::Array(array) => array.size.map_or(0, |size| size.min),
        Type::Hash(hash) => hash.size.map_or(0, |size| size.min),
        Type::Tuple(tuple) => tuple.size().min,
        Type::Struct(members) => members.size().min,
        Type::Alias(alias) => alias.with_target(|t| t.map_or(0, |t| least_size(t, depth))),
        _ => 0,
    }
}
