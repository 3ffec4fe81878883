//! The JSON of catalogs, written from their resources and edges without values in between.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_types::convert::JsonText;
use puppetfn_types::types::Reference;
use puppetfn_types::value::Value;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::catalog::{Catalog, CatalogResource, Member};
use crate::{Draft, Identity, Resource, Selection};

/// The usual length of the JSON of a resource with its edges, in bytes.
const RESOURCE_LENGTH: usize = 768;

/// The JSON of a catalog as agents get it, and warnings of the conversion.
#[derive(Clone, Debug)]
pub struct FinishedText {
    /// The JSON.
    pub json: String,
    /// Puppet's warnings about values that the format does not have.
    pub warnings: Vec<String>,
}

impl Catalog {
    /// Returns the JSON of [`Catalog::to_value`], without blanks.
    ///
    /// # Errors
    /// Fails if a value nests too deep.
    pub fn to_json_text(&self, limits: &Limits) -> Result<String, Error> {
        let text = JsonText::new(limits);
        let document = CatalogText { catalog: self, contents: &FinishedContents(self), text: &text };
        text.write(&document, self.resources.len() * RESOURCE_LENGTH)
    }
}

impl Draft {
    /// Returns the JSON of the catalog that [`Draft::finish`] returns, without making that.
    ///
    /// ```
    /// use puppetfn::catalog::{Identity, Selection};
    /// use puppetfn::eval::Runtime;
    /// use puppetfn::limits::Limits;
    /// use puppetfn::value::Value;
    ///
    /// let runtime = Runtime::builder().manifests().node("web").build();
    /// runtime.evaluate("@file { '/a': tag => 'x', mode => Sensitive('0600'), before => Notify['b'] } notify { 'b': }", None)?;
    /// let identity = || Identity {
    ///     environment: "production".into(),
    ///     version: Value::Integer(1),
    ///     code_id: None,
    ///     uuid: "827a74c8-cf98-44da-9ff7-18c5e4bee41e".into(),
    /// };
    /// let (draft, limits) = (runtime.catalog()?, Limits::default());
    /// for selection in [Selection::Real, Selection::All, Selection::Marked] {
    ///     let catalog = draft.finish(identity(), selection, &limits)?.catalog;
    ///     let text = draft.finish_text(identity(), selection, &limits)?.json;
    ///     assert_eq!(text, catalog.to_json_text(&limits)?);
    ///     assert_eq!(text.contains("/a"), selection != Selection::Real);
    /// }
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same errors as [`Draft::finish`] and [`Catalog::to_json_text`].
    pub fn finish_text(
        &self,
        identity: Identity,
        selection: Selection,
        limits: &Limits,
    ) -> Result<FinishedText, Error> {
        let catalog = self.without_resources(identity)?;
        let contents = DraftContents { draft: self, selection, limits, warnings: RefCell::default() };
        let text = JsonText::new(limits);
        let document = CatalogText { catalog: &catalog, contents: &contents, text: &text };
        let json = text.write(&document, self.resources().count() * RESOURCE_LENGTH)?;
        Ok(FinishedText { json, warnings: contents.warnings.into_inner() })
    }
}

/// The resources and edges of a catalog to be written.
trait Contents {
    fn resources<S: Serializer>(&self, text: &JsonText<'_>, depth: Depth, list: S)
    -> Result<S::Ok, S::Error>;

    fn edges<S: Serializer>(&self, text: &JsonText<'_>, depth: Depth, list: S) -> Result<S::Ok, S::Error>;
}

/// The resources and edges of a finished catalog.
struct FinishedContents<'c>(&'c Catalog);

impl Contents for FinishedContents<'_> {
    fn resources<S: Serializer>(
        &self,
        text: &JsonText<'_>,
        depth: Depth,
        list: S,
    ) -> Result<S::Ok, S::Error> {
        let mut elements = list.serialize_seq(Some(self.0.resources.len()))?;
        for resource in &self.0.resources {
            elements.serialize_element(&finished(resource, text, depth))?;
        }
        elements.end()
    }

    fn edges<S: Serializer>(&self, text: &JsonText<'_>, depth: Depth, list: S) -> Result<S::Ok, S::Error> {
        let mut elements = list.serialize_seq(Some(self.0.edges.len()))?;
        for (source, target) in &self.0.edges {
            elements.serialize_element(&EdgeText { source, target, text, depth })?;
        }
        elements.end()
    }
}

/// The resources and edges of a draft, which are converted while they are written.
struct DraftContents<'c> {
    draft: &'c Draft,
    selection: Selection,
    limits: &'c Limits,
    warnings: RefCell<Vec<String>>,
}

impl Contents for DraftContents<'_> {
    fn resources<S: Serializer>(
        &self,
        text: &JsonText<'_>,
        depth: Depth,
        list: S,
    ) -> Result<S::Ok, S::Error> {
        let mut elements = list.serialize_seq(None)?;
        for resource in self.draft.selected(self.selection) {
            let mut warnings = self.warnings.borrow_mut();
            let parameters = resource.rich_parameters(self.draft.strict, self.limits, &mut warnings);
            let parameters = parameters.map_err(|error| text.fail(error))?;
            elements.serialize_element(&drafted(resource, &parameters, self.selection, text, depth))?;
        }
        elements.end()
    }

    fn edges<S: Serializer>(&self, text: &JsonText<'_>, depth: Depth, list: S) -> Result<S::Ok, S::Error> {
        let mut elements = list.serialize_seq(None)?;
        for (source, target) in self.draft.selected_edges(self.selection) {
            let (source, target) = (source.reference(), target.reference());
            elements.serialize_element(&EdgeText { source, target, text, depth })?;
        }
        elements.end()
    }
}

/// A catalog to be written.
struct CatalogText<'c, C> {
    /// The other members.
    catalog: &'c Catalog,
    contents: &'c C,
    text: &'c JsonText<'c>,
}

impl<C: Contents> Serialize for CatalogText<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { catalog, contents, text } = *self;
        let depth = text.deeper(text.depth())?;
        let mut members = serializer.serialize_map(None)?;
        for (name, member) in &catalog.members() {
            match member {
                Member::Value(value) => members.serialize_entry(name, &text.part(value, depth))?,
                Member::Resources => {
                    let depth = text.deeper(depth)?;
                    members.serialize_entry(name, &ResourcesText { contents, text, depth })?;
                }
                Member::Edges => {
                    let depth = text.deeper(depth)?;
                    members.serialize_entry(name, &EdgesText { contents, text, depth })?;
                }
            }
        }
        members.end()
    }
}

/// The list of the resources to be written.
struct ResourcesText<'c, C> {
    contents: &'c C,
    text: &'c JsonText<'c>,
    depth: Depth,
}

impl<C: Contents> Serialize for ResourcesText<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.contents.resources(self.text, self.depth, serializer)
    }
}

/// The list of the edges to be written.
struct EdgesText<'c, C> {
    contents: &'c C,
    text: &'c JsonText<'c>,
    depth: Depth,
}

impl<C: Contents> Serialize for EdgesText<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.contents.edges(self.text, self.depth, serializer)
    }
}

/// A resource to be written. `T` and `P` iterate over its tags and its parameters.
struct ResourceText<'c, T, P> {
    reference: &'c Reference,
    tags: T,
    file: Option<&'c str>,
    line: Option<u64>,
    is_exported: bool,
    is_virtual: bool,
    kind: Option<&'c str>,
    parameters: Option<P>,
    sensitive: &'c [Arc<str>],
    text: &'c JsonText<'c>,
    /// The depth of the list of resources.
    depth: Depth,
}

fn finished<'c>(resource: &'c CatalogResource, text: &'c JsonText<'c>, depth: Depth) -> impl Serialize {
    let parameters = resource.parameters.iter().map(|(name, value)| (&**name, value));
    ResourceText {
        reference: &resource.reference,
        tags: resource.tags.iter().map(|tag| &**tag),
        file: resource.file.as_deref(),
        line: resource.line,
        is_exported: resource.is_exported,
        is_virtual: resource.is_virtual,
        kind: resource.kind.as_deref(),
        parameters: (!resource.parameters.is_empty()).then_some(parameters),
        sensitive: &resource.sensitive,
        text,
        depth,
    }
}

fn drafted<'c>(
    resource: &'c Resource,
    parameters: &'c [(Cow<'_, str>, Value)],
    selection: Selection,
    text: &'c JsonText<'c>,
    depth: Depth,
) -> impl Serialize {
    let place = resource.place();
    ResourceText {
        reference: resource.reference(),
        tags: resource.tags().iter().map(|tag| &**tag),
        // Code that is from no file has a file without a name.
        file: place.map(|place| place.file.as_deref().unwrap_or_default()),
        line: place.and_then(|place| place.line).map(u64::from),
        is_exported: resource.is_exported(),
        is_virtual: resource.is_marked(selection),
        kind: Some(resource.kind_name()),
        parameters: (!parameters.is_empty()).then(|| parameters.iter().map(|(name, value)| (&**name, value))),
        sensitive: &resource.sensitive,
        text,
        depth,
    }
}

impl<'c, T, P> Serialize for ResourceText<'c, T, P>
where
    T: Iterator<Item = &'c str> + Clone,
    P: Iterator<Item = (&'c str, &'c Value)> + Clone,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.text;
        let depth = text.deeper(self.depth)?;
        // The tags of a resource, of which there is always one, are three levels below the list.
        text.deeper(text.deeper(depth)?)?;
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("type", self.reference.type_name())?;
        members.serialize_entry("title", self.reference.title())?;
        members.serialize_entry("tags", &TagsText(self.tags.clone()))?;
        if let Some(file) = &self.file {
            members.serialize_entry("file", file)?;
        }
        if let Some(line) = self.line.and_then(|line| i64::try_from(line).ok()) {
            members.serialize_entry("line", &line)?;
        }
        members.serialize_entry("exported", &self.is_exported)?;
        if self.is_virtual {
            members.serialize_entry("virtual", &true)?;
        }
        if let Some(kind) = self.kind {
            members.serialize_entry("kind", kind)?;
        }
        if let Some(parameters) = &self.parameters {
            let parameters = ParametersText { parameters: parameters.clone(), text, depth };
            members.serialize_entry("parameters", &parameters)?;
        }
        if !self.sensitive.is_empty() {
            members.serialize_entry("sensitive_parameters", self.sensitive)?;
        }
        members.end()
    }
}

/// The tags of a resource to be written.
struct TagsText<T>(T);

impl<'c, T: Iterator<Item = &'c str> + Clone> Serialize for TagsText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

/// The parameters of a resource to be written.
struct ParametersText<'c, P> {
    parameters: P,
    text: &'c JsonText<'c>,
    /// The depth of the resource.
    depth: Depth,
}

impl<'c, P: Iterator<Item = (&'c str, &'c Value)> + Clone> Serialize for ParametersText<'_, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let depth = self.text.deeper(self.depth)?;
        let parameters = self.parameters.clone();
        serializer.collect_map(parameters.map(|(name, value)| (name, self.text.part(value, depth))))
    }
}

/// An edge to be written.
struct EdgeText<'c> {
    source: &'c Reference,
    target: &'c Reference,
    text: &'c JsonText<'c>,
    /// The depth of the list of edges.
    depth: Depth,
}

impl Serialize for EdgeText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The ends are two levels below the list.
        self.text.deeper(self.text.deeper(self.depth)?)?;
        serializer.collect_map([("source", self.source), ("target", self.target)])
    }
}
