//! The catalog under construction, as functions see it.

use std::sync::Arc;

use crate::types::Reference;
use crate::value::Value;
use puppetfn_base::error::{Error, SourceLocation};

/// The evaluator in its role as a compiler, which builds a catalog and knows classes and resource types.
pub trait CatalogCompiler {
    /// Returns true if a catalog is compiled, and false if a script runs.
    fn makes_catalog(&self) -> bool;

    /// Declares classes that are not declared yet.
    ///
    /// # Errors
    /// Fails if a class does not exist, or if its evaluation fails.
    fn include(&self, names: &[String], inclusion: Inclusion) -> Result<(), Error>;

    /// Returns the location of the current function call, which the resources declared by it record.
    fn place(&self) -> Option<SourceLocation>;

    /// Declares resources of one type with the same parameters and the given source location.
    ///
    /// # Errors
    /// Fails if the type does not exist, or if a resource is declared already.
    fn create_resources(
        &self,
        type_name: &str,
        titles: &[Value],
        parameters: &[(Arc<str>, Value)],
        exposure: Exposure,
        place: Option<SourceLocation>,
    ) -> Result<Vec<Value>, Error>;

    /// Makes virtual resources real, now or when they are declared. Their references are read then.
    fn realize(&self, references: Vec<String>) -> Result<(), Error>;

    /// Returns true if a resource is declared.
    fn is_declared(&self, reference: &Reference) -> Result<bool, Error>;

    /// Returns true if a resource type with this name exists.
    ///
    /// # Errors
    /// Fails if it cannot be loaded.
    fn has_resource_type(&self, name: &str) -> Result<bool, Error>;

    /// Returns true if a class with this name exists.
    ///
    /// # Errors
    /// Fails if it cannot be loaded.
    fn has_class(&self, name: &str) -> Result<bool, Error>;

    /// Tags the class or resource that the function is called in.
    ///
    /// # Errors
    /// Fails if a value is not a tag.
    fn tag(&self, tags: &[Value]) -> Result<(), Error>;

    /// Returns the class or resource that the function is called in; at the top level it is `Class[main]`.
    ///
    /// # Errors
    /// Fails if the evaluator is not available now.
    fn container(&self) -> Result<Option<Reference>, Error>;

    /// Returns the definition whose code calls the function.
    ///
    /// # Errors
    /// Fails if the evaluator is not available now.
    fn definition(&self) -> Result<CallingDefinition, Error>;

    /// Sets a parameter of a declared resource, overwriting its value.
    ///
    /// # Errors
    /// Fails if the resource does not exist, or the parameter is `tag` and the value is not a tag.
    fn set_parameter(&self, reference: &Reference, name: &str, value: Value) -> Result<(), Error>;

    /// Tags a declared resource.
    ///
    /// # Errors
    /// Fails if the resource does not exist, or a value is not a tag.
    fn tag_resource(&self, reference: &Reference, tags: &[Value]) -> Result<(), Error>;

    /// Removes a resource from the catalog. Returns true if it was declared.
    ///
    /// # Errors
    /// Fails if the evaluator is not available now.
    fn remove_resource(&self, reference: &Reference) -> Result<bool, Error>;

    /// Returns the place and parameters of a class, or of a defined type.
    ///
    /// # Errors
    /// Fails if the file that defines it cannot be loaded.
    fn definition_outline(&self, is_class: bool, name: &str) -> Result<Option<DefinitionOutline>, Error>;

    /// Returns true if the catalog, or the class or resource that the function is called in, has a tag.
    fn is_tagged(&self, tag: &str) -> Result<bool, Error>;
}

/// Place and parameters of a class or defined type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinitionOutline {
    /// File and line of the definition.
    pub place: SourceLocation,
    /// The parameters' names in declaration order.
    pub parameters: Vec<Arc<str>>,
}

/// A class, node or defined type whose code calls a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallingDefinition {
    /// `hostclass`, `node` or `definition`, as in Puppet.
    pub kind: &'static str,
    /// The name in lower case, empty for the top level.
    pub name: Arc<str>,
    /// The module that defines it, empty for none.
    pub module: Arc<str>,
}

/// Relationship of a class to the class that it includes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inclusion {
    /// No relationship: the class is only declared.
    Include,
    /// The including class requires the included one.
    Require,
    /// The including class contains the included one.
    Contain,
}

/// Where a resource is managed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exposure {
    /// On this node.
    Regular,
    /// On this node, if it is collected or realized.
    Virtual,
    /// On nodes that collect it.
    Exported,
}
