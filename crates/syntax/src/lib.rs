//! From text to syntax trees.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod ast;
mod check;
mod explain;
mod json;
mod label;
mod lexeme;
mod lexer;
mod parser;
mod pn;
mod token;
mod tree;
pub mod validate;

pub use check::check;
pub use explain::{DiagnosticExplanation, explain};
pub use json::to_json;
pub use lexeme::{Lexeme, LexemeKind, lexemes};
pub use lexer::{not_utf8, refuse_byte_order_mark};
pub use parser::{parse, parse_with};
pub use pn::{NotationNode, notation, to_pn};
pub use tree::Tree;
pub use validate::{NotInSyntax, check_syntax};

/// Dialect of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mode {
    /// `plan` and `apply` are keywords.
    pub tasks: bool,
    /// The text is a template: it has code only in tags.
    pub template: bool,
}
