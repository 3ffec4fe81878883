//! Documentation of type aliases.

use super::declared::DeclaredType;
use super::docstring::{Docstring, Reading};

/// The documentation of a type alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeAlias {
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

impl TypeAlias {
    /// Documents a declaration.
    pub fn of(declared: DeclaredType, file: String, reading: Reading) -> Self {
        let DeclaredType { name, line, comment, alias_of } = declared;
        Self { name, file, line, docstring: Docstring::read(&comment.text, reading), alias_of }
    }
}
