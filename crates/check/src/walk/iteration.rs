//! What Puppet's functions give their blocks.
#![allow(clippy::wildcard_enum_match_arm, reason = "of what is not named nothing is said")]

use super::super::abstraction::{entries_of, excluded, size_of};
use super::super::kinds::Kinds;
use super::Walk;
use puppetfn_types::types::{Size, Type};
use puppetfn_types::value::Value;

/// The functions that call their block for each element of the first argument.
const EACH: [&str; 11] = [
    "all",
    "any",
    "each",
    "filter",
    "group_by",
    "index",
    "map",
    "partition",
    "reverse_each",
    "slice",
    "step",
];

impl Walk<'_, '_> {
    /// Tells if a function certainly does not call its block.
    pub(super) fn is_never_called(&self, name: &str, arguments: &[Value]) -> bool {
        let Some(first) = arguments.first() else { return false };
        match name {
            "then" => *first == Value::Undef,
            "lest" => !Kinds::of(first).meets(Kinds::UNDEF),
            "reduce" => arguments.len() == 1 && size_of(first) == Some(Size::EMPTY),
            _ => EACH.contains(&name) && size_of(first) == Some(Size::EMPTY),
        }
    }

    /// What a function gives its block that has so many parameters, as far as that is known.
    pub(super) fn block_arguments(&self, name: &str, arguments: &[Value], count: usize) -> Vec<Value> {
        let Some(first) = arguments.first() else { return Vec::new() };
        let is_hash = Kinds::of(first) == Kinds::HASH;
        let is_array = Kinds::of(first) == Kinds::ARRAY;
        let entries = if is_hash || is_array { entries_of(first, self.limits()) } else { None };
        let entry = |(key, value): (Type, Type)| match count {
            1 if is_hash => vec![Value::unknown(Type::tuple([key, value], None))],
            1 => vec![Value::unknown(value)],
            _ => vec![Value::unknown(key), Value::unknown(value)],
        };
        match name {
            "with" => arguments.to_vec(),
            "then" => vec![excluded(first, &Type::Undef, self.limits())],
            "slice" | "step" | "reverse_each" => Vec::new(),
            _ if EACH.contains(&name) => entries.map(entry).unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}
