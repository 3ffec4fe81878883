//! The rules that a world's texts are checked with.

use std::sync::Arc;

use super::super::Selection;
use super::World;

impl World {
    /// Returns the world with another selection of rules.
    #[must_use]
    pub fn selecting(self, selection: Selection) -> Self {
        Self { selection: Arc::new(selection), ..self }
    }

    /// Returns the rules that are applied.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }
}
