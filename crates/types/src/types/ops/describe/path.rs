//! Where in an expected type a mismatch was found.
//!
//! See Puppet's `pops/types/type_mismatch_describer.rb`.

use std::fmt;
use std::sync::Arc;

/// One step from a whole to the part that does not match.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PathElement {
    /// The signature with this index.
    Signature(usize),
    /// The parameter of this name.
    Parameter(Arc<str>),
    /// The block.
    Block,
    /// The result of a callable.
    Return,
    /// The element at this index.
    Index(usize),
    /// The value of the entry with this key.
    Entry(Arc<str>),
    /// The key of an entry.
    EntryKey(Arc<str>),
    /// The type with this index in a variant.
    Variant(usize),
}

impl PathElement {
    /// Returns true if the step only chooses among types for the same part of the value.
    pub(super) fn is_choice(&self) -> bool {
        matches!(self, Self::Variant(_) | Self::Signature(_))
    }
}

impl fmt::Display for PathElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signature(index) => write!(f, "{}.", index.saturating_add(1)),
            Self::Parameter(name) => write!(f, "parameter '{name}'"),
            Self::Block => f.write_str("block"),
            Self::Return => f.write_str("return"),
            Self::Index(index) => write!(f, "index {index}"),
            Self::Entry(key) => write!(f, "entry '{key}'"),
            Self::EntryKey(key) => write!(f, "key of entry '{key}'"),
            Self::Variant(index) => write!(f, "variant {index}"),
        }
    }
}

/// The steps from the value as a whole to the part that does not match.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct MismatchPath(Vec<PathElement>);

impl MismatchPath {
    /// Returns the steps in order.
    pub fn elements(&self) -> &[PathElement] {
        &self.0
    }

    /// Returns the steps that lead to another part of the value. If two mismatches agree in these, they are about the same
    /// part.
    pub(super) fn canonical(&self) -> impl Iterator<Item = &PathElement> {
        self.0.iter().filter(|element| !element.is_choice())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn push(&mut self, element: PathElement) {
        self.0.push(element);
    }

    pub(super) fn pop(&mut self) {
        self.0.pop();
    }

    /// Removes the step at `index`, if it exists.
    pub(super) fn remove(&mut self, index: usize) {
        if index < self.0.len() {
            self.0.remove(index);
        }
    }
}

impl From<PathElement> for MismatchPath {
    fn from(element: PathElement) -> Self {
        Self(vec![element])
    }
}
