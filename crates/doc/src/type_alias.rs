//! Documentation of type aliases.

use super::declared::DeclaredType;
use super::docstring::{Docstring, ReadingMode};

/// The documentation of a type alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedAlias {
    /// The full name.
    pub name: String,
    /// The file that defines it.
    pub file: String,
    /// The line of the definition, counted from 1.
    pub line: u32,
    /// The docstring.
    pub docstring: Docstring,
    /// The source text of the aliased type.
    pub alias_of: String,
}

impl DocumentedAlias {
    /// Documents a declaration.
    pub fn of(declared: DeclaredType, file: String, reading: ReadingMode) -> Self {
        let DeclaredType { name, line, comment, alias_of } = declared;
        Self { name, file, line, docstring: Docstring::read(&comment.text, reading), alias_of }
    }
}
