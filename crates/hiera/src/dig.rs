//! Digging: the part of a value that a dotted key names.
//!
//! See Puppet's `pops/lookup/sub_lookup.rb`.

use super::error::{failure, no_such_key};
use super::explain::ExplainNode;
use super::invocation::Invocation;
use super::key::LookupKey;
use puppetfn_base::error::Error;
use puppetfn_types::value::Value;

impl Invocation<'_> {
    /// Returns the part of the root's value that a key names.
    pub fn dig(&self, key: &LookupKey, value: Value) -> Result<Value, Error> {
        if key.segments().is_empty() {
            Ok(value)
        } else {
            sub_lookup(&key.to_string(), self, key.segments(), value)
        }
    }
}

/// Returns the part of a value at a path of keys and indexes.
pub(super) fn sub_lookup(
    key: &str,
    invocation: &Invocation<'_>,
    segments: &[Value],
    mut value: Value,
) -> Result<Value, Error> {
    invocation.with(
        || ExplainNode::sub_lookup(segments, invocation.caller.limits()),
        || {
            for segment in segments {
                value = invocation
                    .with(|| ExplainNode::segment(segment), || step(key, invocation, segment, &value))?;
            }
            Ok(value)
        },
    )
}

fn step(key: &str, invocation: &Invocation<'_>, segment: &Value, value: &Value) -> Result<Value, Error> {
    let found = match (value, segment) {
        (Value::Undef, _) => None,
        (Value::Array(items), Value::Integer(index)) => {
            usize::try_from(*index).ok().and_then(|index| items.get(index))
        }
        (Value::Hash(hash), segment) => hash.get(segment),
        (value, segment) => {
            return Err(failure(format!(
                "Data Provider type mismatch: Got {} when a hash-like object was expected to access value using \
                 '{}' from key '{key}'",
                value.ruby_class(),
                segment.interpolated(invocation.caller.limits())?,
            )));
        }
    };
    match found {
        Some(found) => Ok(invocation.found(segment.interpolated(invocation.caller.limits())?, found.clone())),
        None => {
            invocation.not_found(segment.interpolated(invocation.caller.limits())?);
            Err(no_such_key())
        }
    }
}
