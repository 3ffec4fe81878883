//! The position of a value in nested containers.
//!
//! See Puppet's `pops/types/string_converter.rb`.

/// The nesting level of a value, and whether it begins a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indentation {
    level: usize,
    first: bool,
    indenting: bool,
}

impl Indentation {
    /// Of a value that is in no container.
    pub(super) const OUTERMOST: Self = Self { level: 0, first: true, indenting: false };

    /// Returns the same position, with containers on lines of their own if `indenting` or if they were already.
    #[must_use]
    pub(super) fn or_indenting(self, indenting: bool) -> Self {
        Self { indenting: indenting || self.indenting, ..self }
    }

    /// Returns the place of the elements.
    #[must_use]
    pub(super) fn deeper(self, indenting: bool) -> Self {
        Self { level: self.level + 1, first: true, indenting }
    }

    /// Returns the place after the first one.
    #[must_use]
    pub(super) fn subsequent(self) -> Self {
        Self { first: false, ..self }
    }

    /// Returns true if a container here begins a line.
    pub(super) fn breaks(self) -> bool {
        self.indenting && self.level > 0 && !self.first
    }

    /// Returns true if containers here go on lines of their own.
    pub(super) fn is_indenting(self) -> bool {
        self.indenting
    }

    /// Returns the number of containers around the value.
    pub(super) fn level(self) -> usize {
        self.level
    }

    /// Returns the spaces in front of a line.
    pub(super) fn padding(self) -> String {
        "  ".repeat(self.level)
    }
}
