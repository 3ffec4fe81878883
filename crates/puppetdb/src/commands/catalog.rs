//! The command that replaces the catalog of a node.

use std::collections::{HashMap, HashSet};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{Draft, Reference, Resource, parse_reference};
use puppetfn_types::value::Value;
use serde_json::{Map, Value as Json, json};

use super::{PuppetDbCommand, Sender};
use crate::stored::parameters;

/// The metaparameters of relationships: the name that PuppetDB has for each, and whether it points to the later resource.
const RELATIONSHIPS: [(&str, &str, bool); 4] = [
    ("before", "before", true),
    ("require", "required-by", false),
    ("notify", "notifies", true),
    ("subscribe", "subscription-of", false),
];

/// A catalog to be stored, and its identifiers.
#[derive(Clone, Debug)]
pub struct StoredCatalog<'d> {
    /// The catalog.
    pub draft: &'d Draft,
    /// The name of the environment.
    pub environment: &'d str,
    /// The version of the code.
    pub version: &'d Value,
    /// The identifier of the catalog.
    pub uuid: &'d str,
    /// The identifier of the code.
    pub code_id: Option<&'d str>,
    /// The identifier of the agent's run.
    pub transaction_uuid: Option<&'d str>,
}

/// Returns the command that replaces the catalog of a node. Exported resources are in it, virtual ones are not.
///
/// # Errors
/// Fails if a relationship is to a resource that is not in the catalog, or only exported, or a value nests too deep.
pub fn replace_catalog(
    catalog: &StoredCatalog<'_>,
    sender: &Sender,
    limits: &Limits,
) -> Result<PuppetDbCommand, Error> {
    let draft = catalog.draft;
    let resources = SubmittedResources::of(draft, limits)?;
    let payload = json!({
        "version": catalog.version.ruby_to_s(limits)?,
        "code_id": catalog.code_id,
        "catalog_uuid": catalog.uuid,
        "resources": resources.all.iter().map(|(resource, parameters)| stored(resource, parameters)).collect::<Vec<_>>(),
        "edges": resources.edges(draft)?,
        "job_id": null,
        "certname": draft.node(),
        "transaction_uuid": catalog.transaction_uuid,
        "environment": catalog.environment,
        "producer_timestamp": sender.timestamp(),
        "producer": sender.producer,
    });
    let (certname, timestamp) = (draft.node().to_owned(), sender.timestamp());
    Ok(PuppetDbCommand { name: "replace_catalog", version: 9, certname, timestamp, payload })
}

fn stored(resource: &Resource, parameters: &Map<String, Json>) -> Json {
    let mut parameters = parameters.clone();
    resource.sensitive_parameters().for_each(|name| _ = parameters.remove(name));
    let mut stored = Map::new();
    stored.insert("type".into(), resource.type_name().into());
    stored.insert("title".into(), resource.title().into());
    stored.insert("tags".into(), resource.tags().iter().map(|tag| tag.to_string()).collect());
    if let Some(place) = resource.place() {
        stored.insert("file".into(), place.file.as_deref().unwrap_or_default().into());
        stored.extend(place.line.map(|line| ("line".to_owned(), line.into())));
    }
    stored.insert("exported".into(), resource.is_exported().into());
    stored.insert("kind".into(), resource.kind_name().into());
    stored.insert("parameters".into(), parameters.into());
    stored.into()
}

/// The resources of a catalog that are stored, with their parameters.
struct SubmittedResources<'d> {
    all: Vec<(&'d Resource, Map<String, Json>)>,
    /// Their indices, by type and title.
    by_title: HashMap<(&'d str, &'d str), usize>,
    /// Their indices, by type and alias.
    by_alias: HashMap<(&'d str, String), usize>,
}

impl<'d> SubmittedResources<'d> {
    fn of(draft: &'d Draft, limits: &Limits) -> Result<Self, Error> {
        let mut resources = Self { all: Vec::new(), by_title: HashMap::new(), by_alias: HashMap::new() };
        for resource in draft.resources().filter(|resource| is_stored(resource)) {
            let parameters = parameters(resource, limits)?;
            let index = resources.all.len();
            resources.by_title.insert((resource.type_name(), resource.title()), index);
            let aliases = match parameters.get("alias") {
                Some(Json::Array(aliases)) => aliases.iter().filter_map(Json::as_str).collect(),
                Some(alias) => alias.as_str().into_iter().collect(),
                None => Vec::new(),
            };
            for alias in aliases {
                resources.by_alias.insert((resource.type_name(), alias.to_owned()), index);
            }
            resources.all.push((resource, parameters));
        }
        Ok(resources)
    }

    /// Returns the edges of containment and of relationships, without repetitions.
    fn edges(&self, draft: &Draft) -> Result<Vec<Json>, Error> {
        let mut edges = Vec::new();
        let mut known = HashSet::new();
        let mut add = |source: Json, target: Json, relationship: &str| {
            let edge = json!({"source": source, "target": target, "relationship": relationship});
            if known.insert(edge.to_string()) {
                edges.push(edge);
            }
        };
        for (container, resource) in draft.edges() {
            if is_stored(container) && is_stored(resource) {
                add(end(container), end(resource), "contains");
            }
        }
        for (resource, parameters) in self.all.iter().filter(|(resource, _)| !resource.is_virtual()) {
            for (name, relationship, is_forward) in RELATIONSHIPS {
                for reference in parameters.get(name).into_iter().flat_map(flat) {
                    let other = self.related(resource, name, reference)?;
                    let (source, target) = if is_forward { (*resource, other) } else { (other, *resource) };
                    add(end(source), end(target), relationship);
                }
            }
        }
        Ok(edges)
    }

    /// Returns the resource that a relationship is to.
    fn related(&self, resource: &Resource, parameter: &str, other: &Json) -> Result<&'d Resource, Error> {
        let text = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
        let invalid = |reason: &str| {
            let reference = Reference::new(resource.type_name(), resource.title());
            let message = format!(
                "Invalid relationship: {reference} {{ {parameter} => {text} }}, because {text} {reason}"
            );
            Error::new(ErrorKind::Evaluation, message)
        };
        let Some(reference) = parse_reference(&text) else {
            return Err(invalid(
                "doesn't seem to be in the correct format. Resource references should be formatted as: Classname['title'] or \
                 Modulename::Classname['title'] (take careful note of the capitalization).",
            ));
        };
        let (type_name, title) = (&**reference.type_name(), reference.title());
        // Files may be named with slashes at the end.
        let title = if type_name == "File" { title.trim_end_matches('/') } else { title };
        let by_alias = || self.by_alias.get(&(type_name, title.to_owned()));
        let index = self.by_title.get(&(type_name, title)).or_else(by_alias);
        match index.and_then(|index| self.all.get(*index)) {
            None => Err(invalid("doesn't seem to be in the catalog")),
            Some((found, _)) if found.is_virtual() => Err(invalid("is exported but not collected")),
            Some((found, _)) => Ok(found),
        }
    }
}

/// Returns true if PuppetDB stores a resource.
fn is_stored(resource: &Resource) -> bool {
    !resource.is_virtual() || resource.is_exported()
}

fn end(resource: &Resource) -> Json {
    json!({"type": resource.type_name(), "title": resource.title()})
}

/// Returns the values in a list, and in lists in it.
fn flat(value: &Json) -> Vec<&Json> {
    match value {
        Json::Array(values) => values.iter().flat_map(flat).collect(),
        Json::Null => Vec::new(),
        Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Object(_) => vec![value],
    }
}
