//! The documentation of files.

use super::{DataType, Definition, Finding, Function, Provider, ResourceType, Task, TypeAlias};

/// The documentation of a module, and the findings about it.
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
    /// The findings.
    pub findings: Vec<Finding>,
}
