//! Type aliases as they are documented.

use super::declared::DeclaredType;
use super::docstring::{Docstring, Reading};

/// A type alias as it is documented.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeAlias {
    /// The full name.
    pub name: String,
    /// The file that defines it.
    pub file: String,
    /// The line of the definition, counted from 1.
    pub line: u32,
    /// What is said about it.
    pub docstring: Docstring,
    /// The text of the type that it stands for.
    pub alias_of: String,
}

impl TypeAlias {
    /// Documents what a file declares.
    pub fn of(declared: DeclaredType, file: String, reading: Reading) -> Self {
        let DeclaredType { name, line, comment, alias_of } = declared;
        Self { name, file, line, docstring: Docstring::read(&comment.text, reading), alias_of }
    }
}
