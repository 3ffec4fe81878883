//! The hash of a tree: `Hash([[['a', 'b'], 1], [['a', 'c'], 2]], 'tree')`.
//!
//! See Puppet's `pops/types/types.rb`.

use crate::value::{Hash, Value, ValueMap};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Depth, Limits};

/// Puts values at their paths, one after the other: an array may come first and have its elements
/// replaced then. With `only_hashes`, an array becomes a hash with its indexes as keys.
pub(super) fn grow(entries: &[Value], only_hashes: bool, limits: &Limits) -> Result<Value, Error> {
    let mut tree = TreeBuilder { root: ValueMap::default(), grown: 0, limits };
    for entry in entries {
        let (path, value) = path_and_value(entry)?;
        match path {
            [] => tree.merge(value)?,
            path => {
                let value =
                    if only_hashes { array_as_hash(value, Depth::nesting(limits))? } else { value.clone() };
                tree.set(path, value)?;
            }
        }
    }
    Ok(closed_hash(tree.root))
}

fn path_and_value(entry: &Value) -> Result<(&[Value], &Value), Error> {
    if let Value::Array(entry) = entry
        && let [Value::Array(path), value] = &**entry
    {
        return Ok((path, value));
    }
    Err(failed("expected pairs of path and value"))
}

/// A tree in the making. Its root is a hash.
struct TreeBuilder<'l> {
    root: ValueMap<TreeNode>,
    /// Total number of elements by which arrays have grown.
    grown: u64,
    limits: &'l Limits,
}

/// A part of the tree, which can be changed where it has been gone into.
enum TreeNode {
    Closed(Value),
    Array(Vec<TreeNode>),
    Hash(ValueMap<TreeNode>),
}

impl TreeBuilder<'_> {
    /// Puts the elements of a value at the root.
    fn merge(&mut self, value: &Value) -> Result<(), Error> {
        if let Value::Array(items) = value {
            let indexes = (0..).map(Value::Integer);
            self.root.extend(indexes.zip(items.iter().cloned().map(TreeNode::Closed)));
        } else if let Value::Hash(entries) = value {
            self.root.extend(open_hash(entries));
        } else {
            return Err(failed("the value at the root of a tree must be a hash or an array"));
        }
        Ok(())
    }

    /// Sets the value at a path; missing containers on the way become hashes.
    fn set(&mut self, path: &[Value], value: Value) -> Result<(), Error> {
        let Some((step, path)) = path.split_first() else { return Ok(()) };
        let mut depth = Depth::nesting(self.limits);
        let mut node = self.root.entry(step.clone()).or_insert_with(TreeNode::branch);
        for step in path {
            depth = depth.deeper()?;
            node = match node.opened() {
                TreeNode::Hash(entries) => entries.entry(step.clone()).or_insert_with(TreeNode::branch),
                TreeNode::Array(items) => element(items, step, &mut self.grown, self.limits)?,
                TreeNode::Closed(_) => {
                    let step = step.ruby_inspect(self.limits)?;
                    return Err(failed(format!("no hash or array at the path of a tree before {step}")));
                }
            };
        }
        *node = TreeNode::Closed(value);
        Ok(())
    }
}

impl TreeNode {
    fn branch() -> Self {
        Self::Hash(ValueMap::default())
    }

    /// Returns the part, which can be changed if it is a collection.
    fn opened(&mut self) -> &mut Self {
        if let Self::Closed(Value::Array(items)) = self {
            *self = Self::Array(items.iter().cloned().map(Self::Closed).collect());
        } else if let Self::Closed(Value::Hash(entries)) = self {
            *self = Self::Hash(open_hash(entries).collect());
        }
        self
    }

    fn closed(self) -> Value {
        match self {
            Self::Closed(value) => value,
            Self::Array(items) => Value::Array(items.into_iter().map(Self::closed).collect()),
            Self::Hash(entries) => closed_hash(entries),
        }
    }
}

fn open_hash(entries: &Hash) -> impl Iterator<Item = (Value, TreeNode)> {
    entries.iter().map(|(key, value)| (key.clone(), TreeNode::Closed(value.clone())))
}

fn closed_hash(entries: ValueMap<TreeNode>) -> Value {
    entries.into_iter().map(|(key, node)| (key, node.closed())).collect()
}

/// Returns the element at an index of an array, counted from the end when it is negative. The array grows
/// as far as needed.
fn element<'i>(
    items: &'i mut Vec<TreeNode>,
    index: &Value,
    grown: &mut u64,
    limits: &Limits,
) -> Result<&'i mut TreeNode, Error> {
    let wrong =
        || failed(format!("the index of an array in a tree must be an Integer within it, got {index:?}"));
    let Value::Integer(index) = *index else { return Err(wrong()) };
    let len = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let index =
        usize::try_from(if index < 0 { index.saturating_add(len) } else { index }).map_err(|_| wrong())?;
    if let Some(missing) = index.checked_sub(items.len()) {
        let missing = missing.saturating_add(1);
        *grown = grown.saturating_add(missing as u64);
        limits.check_size(*grown)?;
        items.extend(std::iter::repeat_with(|| TreeNode::Closed(Value::Undef)).take(missing));
    }
    items.get_mut(index).ok_or_else(wrong)
}

/// Turns arrays into hashes, down to the first value that is neither.
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
