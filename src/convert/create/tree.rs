//! The hash of a tree: `Hash([[['a', 'b'], 1], [['a', 'c'], 2]], 'tree')`.

use std::sync::Arc;

use crate::error::{Error, ErrorKind};
use crate::limits::{Depth, Limits};
use crate::value::Value;

/// Puts values at their paths, one after the other: an array may come first and have its elements
/// replaced then. With `only_hashes`, an array becomes a hash with its indexes as keys.
pub(super) fn grow(entries: &[Value], only_hashes: bool, limits: &Limits) -> Result<Value, Error> {
    let mut root = Value::Hash(Arc::default());
    for entry in entries {
        let (path, value) = path_and_value(entry)?;
        match path {
            [] => merge(&mut root, value)?,
            path => {
                let depth = Depth::nesting(limits);
                let value = if only_hashes { array_as_hash(value, depth)? } else { value.clone() };
                set(&mut root, path, value, limits, depth)?;
            }
        }
    }
    Ok(root)
}

fn path_and_value(entry: &Value) -> Result<(&[Value], &Value), Error> {
    if let Value::Array(entry) = entry
        && let [Value::Array(path), value] = &**entry
    {
        return Ok((path, value));
    }
    Err(failed("expected pairs of path and value"))
}

/// Puts a value at the root, which stays a hash.
fn merge(root: &mut Value, value: &Value) -> Result<(), Error> {
    let Value::Hash(root) = root else { return Err(failed("the root of a tree must be a hash")) };
    let root = Arc::make_mut(root);
    if let Value::Array(items) = value {
        for (index, item) in (0..).zip(items.iter()) {
            root.insert(Value::Integer(index), item.clone());
        }
    } else if let Value::Hash(entries) = value {
        for (key, value) in entries.iter() {
            root.insert(key.clone(), value.clone());
        }
    } else {
        return Err(failed("the value at the root of a tree must be a hash or an array"));
    }
    Ok(())
}

/// Sets the value at a path below a node; what is missing on the way becomes a hash.
fn set(node: &mut Value, path: &[Value], value: Value, limits: &Limits, depth: Depth) -> Result<(), Error> {
    let Some((step, path)) = path.split_first() else {
        *node = value;
        return Ok(());
    };
    let depth = depth.deeper()?;
    if let Value::Hash(entries) = node {
        let branch = || Value::Hash(Arc::default());
        let child = Arc::make_mut(entries).get_or_insert_with(step.clone(), branch);
        set(child, path, value, limits, depth)
    } else if let Value::Array(items) = node {
        set(element(items, step, limits)?, path, value, limits, depth)
    } else {
        Err(failed(format!("no hash or array at the path of a tree before {}", step.ruby_inspect()?)))
    }
}

/// The element at an index of an array, counted from the end when it is negative. The array grows
/// as far as needed.
fn element<'i>(items: &'i mut Arc<[Value]>, index: &Value, limits: &Limits) -> Result<&'i mut Value, Error> {
    let wrong =
        || failed(format!("the index of an array in a tree must be an Integer within it, got {index:?}"));
    let Value::Integer(index) = *index else { return Err(wrong()) };
    let len = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let index =
        u64::try_from(if index < 0 { index.saturating_add(len) } else { index }).map_err(|_| wrong())?;
    if index >= items.len() as u64 {
        limits.check_size(index.saturating_add(1))?;
        let missing = std::iter::repeat(Value::Undef);
        *items = items
            .iter()
            .cloned()
            .chain(missing)
            .take(usize::try_from(index).map_or(0, |index| index + 1))
            .collect();
    }
    usize::try_from(index).ok().and_then(|index| Arc::make_mut(items).get_mut(index)).ok_or_else(wrong)
}

/// Arrays as hashes, down to the first that is neither.
fn array_as_hash(value: &Value, depth: Depth) -> Result<Value, Error> {
    let Value::Array(items) = value else { return Ok(value.clone()) };
    let depth = depth.deeper()?;
    let entry = |(index, item)| Ok((Value::Integer(index), array_as_hash(item, depth)?));
    (0..).zip(items.iter()).map(entry).collect()
}

#[cold]
fn failed(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Conversion, message)
}
