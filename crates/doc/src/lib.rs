//! Documentation of modules, from their declarations and comments, without running any code.
//!
//! A file is parsed to its declarations ([`DeclaredFunction`], [`DeclaredType`]): Puppet code by this crate, a Ruby
//! file by the embedding program ([`ReadRuby`]). The comments are parsed in the format of YARD ([`Docstring`]). Both
//! together are the [`Documentation`], which prints as text and as JSON. Mistakes in comments are reported as well
//! ([`DocFinding`]).
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod built_in;
mod data;
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
    Api, Comment, DeclaredDataType, DeclaredDefinition, DeclaredFunction, DeclaredParameter,
    DeclaredProvider, DeclaredSignature, DeclaredType, DefinitionKind, ParameterKind,
};
pub use definition::{DataDefault, DocumentedDefinition};
pub use docstring::{Docstring, ReadingMode};
pub use documentation::Documentation;
pub use example::{is_call, is_puppet};
pub use files::module_of;
pub use function::{DocumentedFunction, DocumentedSignature};
pub use lint::DocFinding;
pub use reader::{DocReader, ReadRuby, RubyFile};
pub use resource_type::{DocumentedProvider, DocumentedResourceType};
pub use tag::{DocTag, TagEntry};
pub use task::{DocumentedTask, TaskParameter};
pub use type_alias::DocumentedAlias;
