//! Drafts become catalogs in the format that agents get.
//!
//! See Puppet's `resource/catalog.rb`.

use std::borrow::Cow;
use std::sync::Arc;

use puppetfn_types::convert::rich_data::RichData;

use crate::flat::leaves;
use crate::{Catalog, CatalogResource, Draft, Identity, RELATIONSHIPS, Reference, Resource, Tags, flat};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

/// A catalog in the format for agents, and warnings of the conversion.
#[derive(Clone, Debug)]
pub struct FinishedCatalog {
    /// The catalog.
    pub catalog: Catalog,
    /// Puppet's warnings about values that the format does not have.
    pub warnings: Vec<String>,
}

/// A selection of resources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Resources of the node.
    Real,
    /// Virtual resources too.
    All,
    /// Virtual resources too, which the catalog marks: for a server that stores catalogs before it filters them.
    Marked,
}

impl Selection {
    fn takes(self, resource: &Resource) -> bool {
        self != Self::Real || !resource.is_virtual()
    }
}

impl Draft {
    /// Returns the catalog as agents get it, with Puppet's rich data: values that JSON does not have are hashes that name their type.
    ///
    /// ```
    /// use puppetfn::catalog::{Identity, Selection};
    /// use puppetfn::eval::Runtime;
    /// use puppetfn::limits::Limits;
    /// use puppetfn::value::Value;
    ///
    /// let runtime = Runtime::builder().manifests().node("web").build();
    /// runtime.evaluate("notify { 'hi': message => Integer[1, 2] }", None)?;
    /// let identity = Identity {
    ///     environment: "production".into(),
    ///     version: Value::Integer(1),
    ///     code_id: None,
    ///     uuid: "827a74c8-cf98-44da-9ff7-18c5e4bee41e".into(),
    /// };
    /// let finished = runtime.catalog()?.finish(identity, Selection::Real, &Limits::default())?;
    /// let json = puppetfn::convert::json::to_json(&finished.catalog.to_value(), &Limits::DEFAULT)?;
    /// assert_eq!(json["resources"][3]["title"], "hi");
    /// assert_eq!(json["resources"][3]["parameters"]["message"]["__ptype"], "Pcore::IntegerType");
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Limit`] when a value nests too deep, [`puppetfn_base::error::ErrorKind::Evaluation`] for
    /// a type that contains itself, and for an object that no data can represent where the catalog was compiled with
    /// [`Strict::Error`].
    pub fn finish(
        &self,
        identity: Identity,
        selection: Selection,
        limits: &Limits,
    ) -> Result<FinishedCatalog, Error> {
        let mut warnings = Vec::new();
        let mut catalog = self.without_resources(identity)?;
        for resource in self.selected(selection) {
            catalog.resources.push(resource.finish(self.strict, selection, limits, &mut warnings)?);
        }
        let edges = self.selected_edges(selection);
        catalog.edges =
            edges.map(|(source, target)| (source.reference().clone(), target.reference().clone())).collect();
        Ok(FinishedCatalog { catalog, warnings })
    }

    /// Returns the catalog as agents get it, without its resources and edges.
    pub(crate) fn without_resources(&self, identity: Identity) -> Result<Catalog, Error> {
        let mut catalog = Catalog::new(self.node().into(), identity);
        catalog.tags = tags(self)?;
        catalog.classes = self.classes().map(Arc::from).collect();
        catalog.attributes.clone_from(&self.attributes);
        Ok(catalog)
    }

    pub(crate) fn selected(&self, selection: Selection) -> impl Iterator<Item = &Resource> {
        self.resources().filter(move |resource| selection.takes(resource))
    }

    pub(crate) fn selected_edges(
        &self,
        selection: Selection,
    ) -> impl Iterator<Item = (&Resource, &Resource)> {
        self.edges().filter(move |(source, target)| selection.takes(source) && selection.takes(target))
    }
}

impl Resource {
    /// Returns the parameters by the names that finished catalogs have for them, with references to resources as texts, and without
    /// the parameter that only repeats the title.
    pub fn finished_parameters(&self) -> impl Iterator<Item = (Cow<'_, str>, Value)> {
        let name_parameter = self.name_parameter();
        let repeats_title = move |name: &str, value: &Value| {
            name == name_parameter && value == self.title_value() && !self.is_main()
        };
        let finished = given(self).into_iter().filter(move |(name, value)| !repeats_title(name, value));
        finished.map(|(name, value)| (name, with_references(value)))
    }

    /// Returns the resource in the format for agents. Warnings of the conversion are added to `warnings`.
    fn finish(
        &self,
        strict: Strict,
        selection: Selection,
        limits: &Limits,
        warnings: &mut Vec<String>,
    ) -> Result<CatalogResource, Error> {
        let place = self.place();
        let parameters = self.rich_parameters(strict, limits, warnings)?;
        let shared = |name: Cow<'_, str>| {
            let known = self.parameters.get_key_value(&*name);
            known.map_or_else(|| Arc::from(&*name), |(name, _)| Arc::clone(name))
        };
        Ok(CatalogResource {
            reference: self.reference().clone(),
            tags: self.tags().iter().cloned().collect(),
            // Code that is from no file has a file without a name.
            file: place.map(|place| place.file.clone().unwrap_or_default()),
            line: place.and_then(|place| place.line).map(u64::from),
            is_exported: self.is_exported(),
            is_virtual: self.is_marked(selection),
            kind: Some(Cow::Borrowed(self.kind_name())),
            parameters: parameters.into_iter().map(|(name, value)| (shared(name), value)).collect(),
            sensitive: self.sensitive_parameters().map(Arc::from).collect(),
        })
    }

    /// Returns true if a catalog says of the resource that it is virtual.
    pub(crate) fn is_marked(&self, selection: Selection) -> bool {
        selection == Selection::Marked && self.is_virtual()
    }

    /// Returns the parameters that say more than the title does, as rich data.
    pub(crate) fn rich_parameters(
        &self,
        strict: Strict,
        limits: &Limits,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<(Cow<'_, str>, Value)>, Error> {
        let subject = self.reference();
        let mut rich = RichData::new(subject, limits);
        let mut parameters = Vec::with_capacity(self.parameters.len());
        for (name, value) in self.finished_parameters() {
            let value = rich.of(&name, &value)?;
            parameters.push((name, value));
        }
        let placed = |error: Error| match self.place() {
            Some(place) => error.at(place.clone()),
            None => error,
        };
        // Puppet warns also where `strict` is off: see its `pops/validation.rb`.
        for warning in rich.warnings {
            if strict == Strict::Error {
                return Err(placed(Error::of_evaluation(ErrorKind::Evaluation, warning)));
            }
            warnings.push(placed(Error::new(ErrorKind::Evaluation, warning)).to_string());
        }
        Ok(parameters)
    }
}

/// Returns the tags; the tags of classes come first.
fn tags(draft: &Draft) -> Result<Vec<Arc<str>>, Error> {
    let mut tags = Tags::default();
    draft.classes().try_for_each(|name| tags.add(name))?;
    tags.merge(draft.tags());
    Ok(tags.iter().cloned().collect())
}

/// Returns the parameters by the names that finished catalogs have for them. Of parameters with the same name the last wins.
fn given(resource: &Resource) -> Vec<(Cow<'_, str>, Value)> {
    let parameters = resource.parameter_list();
    let mut given: Vec<(Cow<'_, str>, Value)> = Vec::with_capacity(parameters.len());
    let mut is_any_renamed = false;
    for (name, value) in parameters {
        let value = if RELATIONSHIPS.contains(&name) { without_undef(value) } else { value };
        let finished = resource.finished_name(name);
        is_any_renamed |= finished != name;
        // The names of parameters are distinct until one is renamed.
        match given.iter_mut().find(|(known, _)| is_any_renamed && *known == finished) {
            Some((_, known)) => *known = flattened(value),
            None => given.push((finished, flattened(value))),
        }
    }
    given
}

/// Removes `undef` from a list of related resources.
fn without_undef(value: Value) -> Value {
    if !matches!(value, Value::Array(_)) {
        return value;
    }
    flat(&value).into_iter().filter(|item| !matches!(item, Value::Undef)).collect::<Vec<_>>().into()
}

/// Lists with references to resources have no lists within.
fn flattened(value: Value) -> Value {
    let is_list = matches!(value, Value::Array(_));
    if !is_list {
        return value;
    }
    let has_reference =
        leaves(&value).any(|item| matches!(item, Value::Type(t) if Reference::of_type(t).is_some()));
    if has_reference { flat(&value).into() } else { value }
}

/// Catalogs have the texts of references to resources in their place.
fn with_references(value: Value) -> Value {
    if !has_references(&value) {
        return value;
    }
    if let Value::Type(t) = &value {
        return Reference::shown(t).map_or(value, Value::from);
    }
    value.map_parts(|part| with_references(part.clone())).unwrap_or(value)
}

/// Returns true if a value is or contains a reference to a resource.
fn has_references(value: &Value) -> bool {
    match value {
        Value::Type(t) => matches!(**t, Type::Resource(_) | Type::Class(_)),
        Value::Array(items) => items.iter().any(has_references),
        Value::Hash(hash) => hash.iter().any(|(key, value)| has_references(key) || has_references(value)),
        _ => false,
    }
}
