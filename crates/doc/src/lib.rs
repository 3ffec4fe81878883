//! What comments say about what modules declare, found without running any code.
//!
//! A file is read to what it declares ([`DeclaredFunction`], [`DeclaredType`]): a text of Puppet code
//! here, a Ruby file by the program that embeds the crate ([`ReadRuby`]). The comments are read in the format of YARD
//! ([`Docstring`]), and both together are the [`Documentation`], which prints as text and as JSON. What
//! is wrong with them is found, too ([`Finding`]).
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod built_in;
mod data_type;
mod declared;
mod definition;
mod docstring;
mod example;
mod files;
mod function;
mod json;
mod lint;
mod markdown;
mod puppet;
mod reader;
mod resource_type;
mod tag;
mod task;
mod text;
mod type_alias;
mod yard;

pub use data_type::{DataType, DataTypeFunction};
pub use declared::{
    Api, Comment, DeclaredDataType, DeclaredDefinition, DeclaredFunction, DeclaredProvider,
    DeclaredSignature, DeclaredType, DefinitionKind, Parameter, ParameterKind,
};
pub use definition::Definition;
pub use docstring::{Docstring, Reading};
pub use example::{is_call, is_puppet};
pub use files::module_of;
pub use function::{Function, Signature};
pub use lint::Finding;
pub use reader::{ReadRuby, Reader, RubyFile};
pub use resource_type::{Provider, ResourceType};
pub use tag::{Entry, Tag};
pub use task::{Task, TaskParameter};
pub use type_alias::TypeAlias;

/// What is documented, and what is wrong with it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Documentation {
    /// The classes, defined types and plans.
    pub definitions: Vec<Definition>,
    /// The functions.
    pub functions: Vec<Function>,
    /// The type aliases.
    pub type_aliases: Vec<TypeAlias>,
    /// The data types in Ruby.
    pub data_types: Vec<DataType>,
    /// The resource types.
    pub resource_types: Vec<ResourceType>,
    /// The providers of resource types.
    pub providers: Vec<Provider>,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
}
