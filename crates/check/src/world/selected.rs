//! The rules that a world's texts are checked with.

use std::sync::Arc;

use super::super::Selection;
use super::World;

impl World {
    /// Has the rules applied that are selected, in place of those that are on by default.
    #[must_use]
    pub fn selecting(self, selection: Selection) -> Self {
        Self { selection: Arc::new(selection), ..self }
    }

    /// Returns the rules that are applied.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }
}
