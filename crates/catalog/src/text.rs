//! The JSON of catalogs, written from their resources and edges without values in between.

use std::borrow::Cow;
use std::sync::Arc;

use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_types::convert::JsonWriter;
use puppetfn_types::types::Reference;
use puppetfn_types::value::Value;

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
        let mut json = JsonWriter::new(limits, self.resources.len() * RESOURCE_LENGTH);
        let resources = |json: &mut JsonWriter<'_>, depth| {
            self.resources.iter().try_for_each(|resource| write_finished(resource, json, depth))
        };
        let edges = |json: &mut JsonWriter<'_>, depth| {
            self.edges.iter().try_for_each(|(source, target)| write_edge(source, target, json, depth))
        };
        write_catalog(self, &mut json, resources, edges)?;
        Ok(json.into_text())
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
        let mut json = JsonWriter::new(limits, self.resources().count() * RESOURCE_LENGTH);
        let mut warnings = Vec::new();
        let resources = |json: &mut JsonWriter<'_>, depth| {
            self.selected(selection).try_for_each(|resource| {
                let parameters = resource.rich_parameters(self.strict, limits, &mut warnings)?;
                write_drafted(resource, &parameters, selection, json, depth)
            })
        };
        let edges = |json: &mut JsonWriter<'_>, depth| {
            self.selected_edges(selection).try_for_each(|(source, target)| {
                write_edge(source.reference(), target.reference(), json, depth)
            })
        };
        write_catalog(&catalog, &mut json, resources, edges)?;
        Ok(FinishedText { json: json.into_text(), warnings })
    }
}

/// Writes a catalog. `resources` and `edges` write the elements of these lists.
fn write_catalog(
    catalog: &Catalog,
    json: &mut JsonWriter<'_>,
    mut resources: impl FnMut(&mut JsonWriter<'_>, Depth) -> Result<(), Error>,
    mut edges: impl FnMut(&mut JsonWriter<'_>, Depth) -> Result<(), Error>,
) -> Result<(), Error> {
    json.object(json.depth(), |json, depth| {
        for (name, member) in &catalog.members() {
            json.key(name);
            match member {
                Member::Value(value) => json.value(value, depth)?,
                Member::Resources => json.array(depth, &mut resources)?,
                Member::Edges => json.array(depth, &mut edges)?,
            }
        }
        Ok(())
    })
}

/// Writes an edge in a list of this depth.
fn write_edge(
    source: &Reference,
    target: &Reference,
    json: &mut JsonWriter<'_>,
    depth: Depth,
) -> Result<(), Error> {
    json.object(depth, |json, depth| {
        depth.deeper()?;
        for (name, end) in [("source", source), ("target", target)] {
            json.key(name);
            json.display(end);
        }
        Ok(())
    })
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
    parameters: P,
    sensitive: &'c [Arc<str>],
}

fn write_finished(resource: &CatalogResource, json: &mut JsonWriter<'_>, depth: Depth) -> Result<(), Error> {
    let resource = ResourceText {
        reference: &resource.reference,
        tags: resource.tags.iter().map(|tag| &**tag),
        file: resource.file.as_deref(),
        line: resource.line,
        is_exported: resource.is_exported,
        is_virtual: resource.is_virtual,
        kind: resource.kind.as_deref(),
        parameters: resource.parameters.iter().map(|(name, value)| (&**name, value)),
        sensitive: &resource.sensitive,
    };
    resource.write(json, depth)
}

fn write_drafted(
    resource: &Resource,
    parameters: &[(Cow<'_, str>, Value)],
    selection: Selection,
    json: &mut JsonWriter<'_>,
    depth: Depth,
) -> Result<(), Error> {
    let place = resource.place();
    let resource = ResourceText {
        reference: resource.reference(),
        tags: resource.tags().iter().map(|tag| &**tag),
        // Code that is from no file has a file without a name.
        file: place.map(|place| place.file.as_deref().unwrap_or_default()),
        line: place.and_then(|place| place.line).map(u64::from),
        is_exported: resource.is_exported(),
        is_virtual: resource.is_marked(selection),
        kind: Some(resource.kind_name()),
        parameters: parameters.iter().map(|(name, value)| (&**name, value)),
        sensitive: &resource.sensitive,
    };
    resource.write(json, depth)
}

impl<'c, T, P> ResourceText<'c, T, P>
where
    T: Iterator<Item = &'c str>,
    P: Iterator<Item = (&'c str, &'c Value)>,
{
    /// Writes the resource in a list of this depth.
    fn write(self, json: &mut JsonWriter<'_>, depth: Depth) -> Result<(), Error> {
        json.object(depth, |json, depth| {
            json.member("type", self.reference.type_name());
            json.member("title", self.reference.title());
            json.key("tags");
            write_texts(self.tags, json, depth)?;
            if let Some(file) = self.file {
                json.member("file", file);
            }
            if let Some(line) = self.line.and_then(|line| i64::try_from(line).ok()) {
                json.key("line");
                json.integer(line);
            }
            json.key("exported");
            json.boolean(self.is_exported);
            if self.is_virtual {
                json.key("virtual");
                json.boolean(true);
            }
            if let Some(kind) = self.kind {
                json.member("kind", kind);
            }
            let mut parameters = self.parameters.peekable();
            if parameters.peek().is_some() {
                json.key("parameters");
                json.object(depth, |json, depth| {
                    parameters.try_for_each(|(name, value)| {
                        json.key(name);
                        json.value(value, depth)
                    })
                })?;
            }
            if !self.sensitive.is_empty() {
                json.key("sensitive_parameters");
                write_texts(self.sensitive.iter().map(|name| &**name), json, depth)?;
            }
            Ok(())
        })
    }
}

/// Writes an array of strings, of which there is at least one.
fn write_texts<'t>(
    texts: impl Iterator<Item = &'t str>,
    json: &mut JsonWriter<'_>,
    depth: Depth,
) -> Result<(), Error> {
    json.array(depth, |json, depth| {
        depth.deeper()?;
        texts.for_each(|text| json.string(text));
        Ok(())
    })
}
