//! The documentation of files.

use super::{
    DataType, DocFinding, DocumentedAlias, DocumentedDefinition, DocumentedFunction, DocumentedProvider,
    DocumentedResourceType, DocumentedTask,
};

/// The documentation of a module, and the findings about it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Documentation {
    /// The classes, defined types and plans.
    pub definitions: Vec<DocumentedDefinition>,
    /// The functions.
    pub functions: Vec<DocumentedFunction>,
    /// The type aliases.
    pub type_aliases: Vec<DocumentedAlias>,
    /// The data types in Ruby.
    pub data_types: Vec<DataType>,
    /// The resource types.
    pub resource_types: Vec<DocumentedResourceType>,
    /// The providers of resource types.
    pub providers: Vec<DocumentedProvider>,
    /// The tasks.
    pub tasks: Vec<DocumentedTask>,
    /// The findings.
    pub findings: Vec<DocFinding>,
}
