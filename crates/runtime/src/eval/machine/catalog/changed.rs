//! Values that a template has changed in place.
//!
//! Puppet hands its own hashes and arrays to templates, so that all code sees the changes that a template makes. Here a
//! template has copies: a changed copy replaces the value that it was made from, in all places.

use std::collections::HashMap;
use std::sync::Arc;

use crate::eval::machine::machines::Machines;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_types::value::Value;

/// New values of changed hashes, arrays and strings, by the old ones' addresses.
#[derive(Default)]
struct ChangedValues(HashMap<usize, Value>);

impl ChangedValues {
    fn add(&mut self, old: &Value, new: &Value, depth: Depth) -> Result<(), Error> {
        let depth = depth.deeper()?;
        if old == new {
            return Ok(());
        }
        if let Some(address) = address(old) {
            self.0.insert(address, new.clone());
        }
        match (old, new) {
            (Value::Hash(old), Value::Hash(new)) => {
                for (key, value) in old.iter() {
                    if let Some(changed) = new.get(key) {
                        self.add(value, changed, depth)?;
                    }
                }
            }
            (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
                for (value, changed) in old.iter().zip(new.iter()) {
                    self.add(value, changed, depth)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the changed value; `None` if nothing in it has changed.
    fn apply(&self, value: &Value, depth: Depth) -> Result<Option<Value>, Error> {
        let depth = depth.deeper()?;
        if let Some(changed) = address(value).and_then(|address| self.0.get(&address)) {
            return Ok(Some(changed.clone()));
        }
        match value {
            Value::Hash(hash) => {
                let mut changed = None;
                for (key, value) in hash.iter() {
                    if let Some(value) = self.apply(value, depth)? {
                        changed.get_or_insert_with(|| (**hash).clone()).insert(key.clone(), value);
                    }
                }
                Ok(changed.map(Value::from))
            }
            Value::Array(items) => {
                let mut changed = None;
                for (index, item) in items.iter().enumerate() {
                    if let Some(item) = self.apply(item, depth)?
                        && let Some(place) = changed.get_or_insert_with(|| items.to_vec()).get_mut(index)
                    {
                        *place = item;
                    }
                }
                Ok(changed.map(Value::from))
            }
            _ => Ok(None),
        }
    }

    fn replace(&self, value: &mut Value, depth: Depth) -> Result<(), Error> {
        if let Some(changed) = self.apply(value, depth)? {
            *value = changed;
        }
        Ok(())
    }
}

/// Returns the address of a hash, array or string, which identifies it.
fn address(value: &Value) -> Option<usize> {
    match value {
        Value::Hash(hash) => Some(Arc::as_ptr(hash).addr()),
        Value::Array(items) => Some(items.address()),
        Value::String(text) => Some(Arc::as_ptr(text).addr()),
        _ => None,
    }
}

/// Puts a value that was changed in place of the one that it was made of: in variables and in parameters of resources.
///
/// # Errors
/// [`puppetfn_base::error::ErrorKind::Limit`] when values nest too deep.
pub(in crate::eval) fn replace_changed(
    shared: &Machines,
    old: &Value,
    new: &Value,
    limits: &Limits,
) -> Result<(), Error> {
    let depth = Depth::nesting(limits);
    let mut changes = ChangedValues::default();
    changes.add(old, new, depth)?;
    shared.update_variables(|value| changes.apply(value, depth))?;
    shared.compilation().update_values(|value| changes.replace(value, depth))
}
