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
mod documentation;
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
pub use documentation::Documentation;
pub use example::{is_call, is_puppet};
pub use files::module_of;
pub use function::{Function, Signature};
pub use lint::Finding;
pub use reader::{ReadRuby, Reader, RubyFile};
pub use resource_type::{Provider, ResourceType};
pub use tag::{Entry, Tag};
pub use task::{Task, TaskParameter};
pub use type_alias::TypeAlias;
