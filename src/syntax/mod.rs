//! From text to syntax trees.
//!
//! Covered is what types are written with: literals, names, arrays, hashes, access, operators,
//! calls without lambdas, and type aliases. Texts that use more of the language are errors.

pub mod ast;
mod label;
mod lexer;
mod number;
mod parser;
mod string;
mod token;

pub use parser::parse;
