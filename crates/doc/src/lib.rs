//! What comments say about functions, type aliases and resource types, found without running any code.
//!
//! A file is read to what it declares ([`DeclaredFunction`], [`DeclaredType`]): a text of Puppet code
//! here, a Ruby file by the program that embeds the crate ([`ReadRuby`]). The comments are read in the format of YARD
//! ([`Docstring`]), and both together are the [`Documentation`], which prints as text and as JSON. What
//! is wrong with them is found, too ([`Finding`]).
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod built_in;
mod declared;
mod docstring;
mod files;
mod function;
mod json;
mod lint;
mod puppet;
mod reader;
mod resource_type;
mod tag;
mod text;
mod type_alias;

pub use declared::{
    Api, Comment, DeclaredFunction, DeclaredProvider, DeclaredSignature, DeclaredType, Parameter,
    ParameterKind,
};
pub use docstring::Docstring;
pub use function::{Function, Signature};
pub use lint::Finding;
pub use reader::{ReadRuby, Reader, RubyFile};
pub use resource_type::{Provider, ResourceType};
pub use tag::{Entry, Tag};
pub use type_alias::TypeAlias;

/// What is documented, and what is wrong with it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Documentation {
    /// The functions.
    pub functions: Vec<Function>,
    /// The type aliases.
    pub type_aliases: Vec<TypeAlias>,
    /// The resource types.
    pub resource_types: Vec<ResourceType>,
    /// The providers of resource types.
    pub providers: Vec<Provider>,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
}
