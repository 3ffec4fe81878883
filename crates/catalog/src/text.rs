//! The JSON of catalogs, written from their resources and edges without values in between.

use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_types::convert::JsonText;
use puppetfn_types::types::Reference;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::catalog::{Catalog, CatalogResource, Member};

impl Catalog {
    /// Returns the JSON of [`Catalog::to_value`], without blanks.
    ///
    /// # Errors
    /// Fails if a value nests too deep.
    pub fn to_json_text(&self, limits: &Limits) -> Result<String, Error> {
        let text = JsonText::new(limits);
        text.write(&CatalogText { catalog: self, text: &text })
    }
}

/// A catalog to be written.
struct CatalogText<'c> {
    catalog: &'c Catalog,
    text: &'c JsonText<'c>,
}

impl Serialize for CatalogText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { catalog, text } = *self;
        let depth = text.deeper(text.depth())?;
        let mut members = serializer.serialize_map(None)?;
        for (name, member) in &catalog.members() {
            match member {
                Member::Value(value) => members.serialize_entry(name, &text.part(value, depth))?,
                Member::Resources => {
                    let depth = text.deeper(depth)?;
                    let resource = |resource| ResourceText { resource, text, depth };
                    members.serialize_entry(name, &List(|| catalog.resources.iter().map(resource)))?;
                }
                Member::Edges => {
                    let depth = text.deeper(depth)?;
                    let edge = |edge| EdgeText { edge, text, depth };
                    members.serialize_entry(name, &List(|| catalog.edges.iter().map(edge)))?;
                }
            }
        }
        members.end()
    }
}

/// A list whose elements are made while it is written.
struct List<F>(F);

impl<F, I> Serialize for List<F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// A resource to be written.
struct ResourceText<'c> {
    resource: &'c CatalogResource,
    text: &'c JsonText<'c>,
    /// The depth of the list of resources.
    depth: Depth,
}

impl Serialize for ResourceText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { resource, text, depth } = *self;
        let depth = text.deeper(depth)?;
        // The tags of a resource, of which there is always one, are three levels below the list.
        text.deeper(text.deeper(depth)?)?;
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("type", resource.reference.type_name())?;
        members.serialize_entry("title", resource.reference.title())?;
        members.serialize_entry("tags", &resource.tags)?;
        if let Some(file) = &resource.file {
            members.serialize_entry("file", file)?;
        }
        if let Some(line) = resource.line.and_then(|line| i64::try_from(line).ok()) {
            members.serialize_entry("line", &line)?;
        }
        members.serialize_entry("exported", &resource.is_exported)?;
        if resource.is_virtual {
            members.serialize_entry("virtual", &true)?;
        }
        if let Some(kind) = &resource.kind {
            members.serialize_entry("kind", kind)?;
        }
        if !resource.parameters.is_empty() {
            members.serialize_entry("parameters", &ParametersText { resource, text, depth })?;
        }
        if !resource.sensitive.is_empty() {
            members.serialize_entry("sensitive_parameters", &resource.sensitive)?;
        }
        members.end()
    }
}

/// The parameters of a resource to be written.
struct ParametersText<'c> {
    resource: &'c CatalogResource,
    text: &'c JsonText<'c>,
    /// The depth of the resource.
    depth: Depth,
}

impl Serialize for ParametersText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let depth = self.text.deeper(self.depth)?;
        let parameters = self.resource.parameters.iter();
        serializer.collect_map(parameters.map(|(name, value)| (name, self.text.part(value, depth))))
    }
}

/// An edge to be written.
struct EdgeText<'c> {
    edge: &'c (Reference, Reference),
    text: &'c JsonText<'c>,
    /// The depth of the list of edges.
    depth: Depth,
}

impl Serialize for EdgeText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The ends are two levels below the list.
        self.text.deeper(self.text.deeper(self.depth)?)?;
        let (source, target) = self.edge;
        serializer.collect_map([("source", source), ("target", target)])
    }
}
