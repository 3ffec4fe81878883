//! Resources as PuppetDB stores them.
//!
//! See `puppet/indirector/catalog/puppetdb.rb` of PuppetDB's termini.

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{Draft, Resource, flat};
use puppetfn_types::convert::json;
use puppetfn_types::value::Value;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::query::jsonb::members_in_order;
use crate::query::{Row, texts_in_order};

/// Metaparameters that the terminus sorts, as their order has no meaning.
const UNORDERED: [&str; 8] = ["alias", "audit", "before", "check", "notify", "require", "subscribe", "tag"];

/// A resource as PuppetDB stores it: a row of the answers to `/pdb/query/v4/resources`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StoredResource {
    /// The node whose catalog has the resource.
    pub certname: String,
    /// Its type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its title.
    pub title: String,
    /// Its tags, in lower case.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether it is for other nodes.
    #[serde(default)]
    pub exported: bool,
    /// Its parameters, in the order of PostgreSQL's `jsonb`. Sensitive values are not stored.
    #[serde(default)]
    pub parameters: Map<String, Json>,
}

/// Returns the exported resources of a catalog as PuppetDB stores them, in the order of the catalog.
///
/// Values that JSON does not have become texts, sensitive parameters are left out, and a name that differs from the title becomes an alias.
///
/// # Errors
/// [`puppetfn_base::error::ErrorKind::Limit`] when a value nests too deep.
pub fn exported_resources(draft: &Draft, limits: &Limits) -> Result<Vec<StoredResource>, Error> {
    let exported = draft.resources().filter(|resource| resource.is_exported());
    exported.map(|resource| stored(draft.node(), resource, limits)).collect()
}

/// Returns all resources of a catalog as rows of PuppetDB's entity `resources`, exported ones included.
///
/// # Errors
/// [`puppetfn_base::error::ErrorKind::Limit`] when a value nests too deep.
pub fn stored_rows(draft: &Draft, environment: &str, limits: &Limits) -> Result<Vec<Row>, Error> {
    let stored_resources =
        draft.resources().filter(|resource| !resource.is_virtual() || resource.is_exported());
    stored_resources
        .map(|resource| {
            let StoredResource { certname, type_name, title, tags, exported, parameters } =
                stored(draft.node(), resource, limits)?;
            let place = resource.place();
            // PuppetDB has tags in a set.
            let tags = texts_in_order(tags);
            let columns = [
                ("certname", certname.into()),
                ("environment", environment.into()),
                ("type", type_name.into()),
                ("title", title.into()),
                ("tags", tags.into()),
                ("exported", exported.into()),
                ("file", place.and_then(|place| place.file.as_deref()).into()),
                ("line", place.and_then(|place| place.line).into()),
                ("parameters", Json::Object(parameters)),
            ];
            Ok(columns.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
        })
        .collect()
}

/// Returns the parameters of a resource as PuppetDB's terminus sends them, including sensitive ones.
///
/// # Errors
/// [`puppetfn_base::error::ErrorKind::Limit`] when a value nests too deep.
pub(crate) fn parameters(resource: &Resource, limits: &Limits) -> Result<Map<String, Json>, Error> {
    let mut parameters = Map::new();
    for (name, value) in resource.finished_parameters() {
        parameters.insert(name.into_owned(), json::to_json(&value, limits)?);
    }
    if let Some(aliases) = aliases(resource, limits)? {
        parameters.insert("alias".into(), Json::Array(aliases));
    }
    for name in UNORDERED {
        if let Some(Json::Array(values)) = parameters.get_mut(name) {
            values.sort_by_cached_key(shown);
        }
    }
    Ok(parameters)
}

fn stored(node: &str, resource: &Resource, limits: &Limits) -> Result<StoredResource, Error> {
    let mut parameters = parameters(resource, limits)?;
    resource.sensitive_parameters().for_each(|name| _ = parameters.remove(name));
    Ok(StoredResource {
        certname: node.to_owned(),
        type_name: resource.type_name().to_owned(),
        title: resource.title().to_owned(),
        tags: resource.tags().iter().map(|tag| tag.to_string()).collect(),
        exported: resource.is_exported(),
        parameters: members_in_order(parameters),
    })
}

/// Returns the aliases of a resource, with its name where that is not its title; `None` if there are none, and for types whose
/// resources have names of several parts.
fn aliases(resource: &Resource, limits: &Limits) -> Result<Option<Vec<Json>>, Error> {
    let keys = resource.kind().native_type().map(|native| native.unique_parameters());
    let name_parameter = match keys {
        None => Some("name"),
        // Resources of such types may share their names.
        Some([]) => None,
        Some([key]) => Some(&**key),
        Some(_) => return Ok(None),
    };
    let mut aliases = Vec::new();
    for alias in resource.get("alias").map(flat).unwrap_or_default() {
        if !matches!(alias, Value::Undef) {
            aliases.push(json::to_json(&alias, limits)?);
        }
    }
    let parameters = resource.parameters();
    if let Some(name) = name_parameter.and_then(|parameter| parameters.get(parameter))
        // The title of these is a Symbol in Puppet.
        && (name != resource.title_value() || resource.is_main())
    {
        let name = json::to_json(name, limits)?;
        if !aliases.contains(&name) {
            aliases.push(name);
        }
    }
    Ok((!aliases.is_empty()).then_some(aliases))
}

/// Returns the text of a value, by which lists are sorted.
fn shown(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
