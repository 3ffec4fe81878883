//! Origins of the resources and parameters of a catalog, recorded on request while it is compiled.

use std::collections::HashMap;

use super::{Reference, ResourceId};
use puppetfn_base::error::SourceLocation;

/// The cause of a parameter's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterCause {
    /// The declaration of the resource, or a function that declared it.
    Declaration,
    /// The classifier of the node.
    Classifier,
    /// A default for resources of the type: `File { ... }`.
    TypeDefault,
    /// An override or a collector: `File[/a] { ... }`, `File<| |> { ... }`.
    Override,
    /// Data: Hiera.
    Data,
    /// The default value in the code of the class or the defined type.
    DefaultValue,
    /// The container of the resource.
    Container,
    /// An arrow or a function that relates resources.
    Relationship,
}

/// The kinds of inclusion of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InclusionKind {
    /// `include`, or a function that does the same.
    Include,
    /// `require`.
    Require,
    /// `contain`.
    Contain,
    /// `class { ... }`.
    Declaration,
    /// A class that builds on it.
    Inherits,
    /// The classifier of the node.
    Classifier,
}

/// An inclusion of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassInclusion {
    /// The class, node or resource of a defined type whose code it was; `Class[main]` for the top level.
    pub by: Reference,
    /// The kind of inclusion.
    pub way: InclusionKind,
    /// The place of the inclusion.
    pub place: Option<SourceLocation>,
}

/// Origins recorded during a compilation.
#[derive(Default, Debug)]
pub struct CatalogOrigins {
    pub(crate) inclusions: HashMap<ResourceId, Vec<ClassInclusion>>,
    /// The places of definitions of classes and defined types, by resource.
    pub(crate) definitions: HashMap<ResourceId, SourceLocation>,
}

impl CatalogOrigins {
    /// Returns the inclusions of a class, in order: the first is why it is in the catalog.
    pub fn inclusions(&self, id: ResourceId) -> &[ClassInclusion] {
        self.inclusions.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Returns where the class or defined type of a resource is defined.
    pub fn definition(&self, id: ResourceId) -> Option<&SourceLocation> {
        self.definitions.get(&id)
    }
}
