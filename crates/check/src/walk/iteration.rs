//! What Puppet's functions pass to their blocks.
#![allow(clippy::wildcard_enum_match_arm, reason = "of what is not named nothing is said")]

use super::super::abstraction::{entries_of, excluded, size_of};
use super::super::kinds::Kinds;
use super::Walk;
use puppetfn_types::function::BlockUse;
use puppetfn_types::types::{Size, Type};
use puppetfn_types::value::Value;

impl Walk<'_, '_> {
    /// Returns true if a function certainly does not call its block.
    pub(super) fn is_never_called(&self, block_use: BlockUse, arguments: &[Value]) -> bool {
        let Some(first) = arguments.first() else { return false };
        match block_use {
            BlockUse::UnlessUndef => *first == Value::Undef,
            BlockUse::IfUndef => !Kinds::of(first).meets(Kinds::UNDEF),
            BlockUse::Accumulate => arguments.len() == 1 && size_of(first) == Some(Size::EMPTY),
            BlockUse::Elements | BlockUse::OfElements => size_of(first) == Some(Size::EMPTY),
            BlockUse::Arguments | BlockUse::Unknown => false,
        }
    }

    /// Returns what a function passes to a block that has this many parameters, as far as that is known.
    pub(super) fn block_arguments(
        &self,
        block_use: BlockUse,
        arguments: &[Value],
        count: usize,
    ) -> Vec<Value> {
        let Some(first) = arguments.first() else { return Vec::new() };
        let is_hash = Kinds::of(first) == Kinds::HASH;
        let is_array = Kinds::of(first) == Kinds::ARRAY;
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
