//! Traversal of nested values.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Array, Value};
use crate::value::types::{ObjectAttributeKind, Type};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

/// Selection and order of the values in the traversal of a tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TreeOptions {
    /// The type of the containers to traverse; all arrays, hashes and objects if `None`.
    pub container: Option<Type>,
    /// Whether the tree itself is yielded, if containers are.
    pub include_root: bool,
    /// Whether arrays, hashes and objects within the tree are yielded.
    pub include_containers: bool,
    /// Whether values that are not containers are yielded; breadth first they always are.
    pub include_values: bool,
    /// Whether the targets of objects' references are yielded.
    pub include_refs: bool,
    /// Whether the content of a container comes after all its siblings.
    pub breadth_first: bool,
}

/// The traversal of a tree: each value within it with its path. Fails if a value cannot be checked for being a container,
/// if an attribute has no value, and if the tree itself is not a container.
pub struct TreeIterator<'o> {
    options: &'o TreeOptions,
    limits: &'o Limits,
    /// The tree, until it has come.
    root: Option<Value>,
    /// The containers that are gone into, or will be.
    open: VecDeque<OpenContainer>,
}

/// A value and its path, or the error of the traversal.
type TreeItem = Result<(Array, Value), Error>;

/// A container, and the progress of its traversal.
struct OpenContainer {
    path: Array,
    value: Value,
    next: usize,
}

impl<'o> TreeIterator<'o> {
    /// Returns the iteration over the tree that begins at `root`.
    pub fn new(root: &Value, options: &'o TreeOptions, limits: &'o Limits) -> Self {
        Self { options, limits, root: Some(root.clone()), open: VecDeque::new() }
    }

    fn is_container(&self, value: &Value) -> Result<bool, Error> {
        if !matches!(value, Value::Array(_) | Value::Hash(_) | Value::Object(_)) {
            return Ok(false);
        }
        match &self.options.container {
            None => Ok(true),
            Some(t) => t.has_instance(value, self.limits),
        }
    }

    #[cold]
    fn closed(&self, root: &Value) -> Error {
        let containers = self.options.container.as_ref().map_or_else(
            || "Variant[Array, Hash, Object]".to_owned(),
            |container| format!("the container_type {container}"),
        );
        let message = match root.inferred(self.limits) {
            Ok(t) => format!("There is no tree in a value of type {t}, which is not of {containers}"),
            Err(error) => return error,
        };
        Error::new(ErrorKind::ArgumentMismatch, message)
    }

    /// Takes the next value out of the container that is gone through, with its path.
    fn step(&mut self) -> Option<TreeItem> {
        loop {
            let breadth_first = self.options.breadth_first;
            let container = if breadth_first { self.open.front_mut() } else { self.open.back_mut() }?;
            let index = container.next;
            container.next = index.saturating_add(1);
            if let Some((key, value)) = entry(&container.value, index, self.options.include_refs) {
                let path = container.path.iter().cloned().chain([key]).collect();
                return Some(value.map(|value| (path, value)));
            }
            if breadth_first {
                self.open.pop_front();
            } else {
                self.open.pop_back();
            }
        }
    }

    fn enter(&mut self, path: Array, value: Value) {
        self.open.push_back(OpenContainer { path, value, next: 0 });
    }
}

impl Iterator for TreeIterator<'_> {
    type Item = Result<(Value, Value), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(root) = self.root.take() {
            match self.is_container(&root) {
                Ok(true) => self.enter(Array::from([]), root.clone()),
                // To Puppet a type is an object, without anything in it.
                Ok(false) if matches!(root, Value::Type(_)) && self.options.container.is_none() => {}
                Ok(false) => return Some(Err(self.closed(&root))),
                Err(error) => return Some(Err(error)),
            }
            if self.options.include_root && self.options.include_containers {
                return Some(Ok((Value::from(Vec::new()), root)));
            }
        }
        loop {
            let (path, value) = match self.step()? {
                Ok(found) => found,
                Err(error) => return Some(Err(error)),
            };
            let is_wanted = match self.is_container(&value) {
                Ok(true) => {
                    self.enter(path.clone(), value.clone());
                    self.options.include_containers
                }
                Ok(false) => self.options.include_values || self.options.breadth_first,
                Err(error) => return Some(Err(error)),
            };
            if is_wanted {
                return Some(Ok((Value::Array(path), value)));
            }
        }
    }
}

/// Returns the key or index of a value in a container, and the value; none after the last.
fn entry(container: &Value, index: usize, include_refs: bool) -> Option<(Value, Result<Value, Error>)> {
    if let Value::Array(items) = container {
        let item = items.get(index)?;
        Some((Value::Integer(i64::try_from(index).ok()?), Ok(item.clone())))
    } else if let Value::Hash(hash) = container {
        hash.entry_at(index).map(|(key, value)| (key.clone(), Ok(value.clone())))
    } else if let Value::Object(object) = container {
        let is_part = |kind| include_refs || kind != Some(ObjectAttributeKind::Reference);
        let attributes = object.definition().attributes();
        let attribute = attributes.values().filter(|attribute| is_part(attribute.kind)).nth(index)?;
        Some((Value::String(Arc::clone(&attribute.name)), object.attribute(&attribute.name)))
    } else {
        None
    }
}
