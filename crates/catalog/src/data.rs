//! Catalogs as data, in the form in which agents get them.
//!
//! See Puppet's `resource/catalog.rb`.

use indexmap::IndexMap;
use puppetfn_types::convert::rich_data::RichData;

use crate::{Catalog, RELATIONSHIPS, Reference, Resource, Tags, flat};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::types::Type;
use puppetfn_types::value::{Hash, Value};

/// The version of the form that catalogs have.
const FORMAT: i64 = 2;

/// What is said of a catalog besides what is in it.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The name of the environment.
    pub environment: String,
    /// The version of the code: seconds since 1970 in UTC, or what a program of the environment says.
    pub version: Value,
    /// An identifier of the code, where there is one.
    pub code_id: Option<String>,
    /// What distinguishes this catalog from all others.
    pub uuid: String,
}

/// A catalog as data, and what had to be changed for that.
#[derive(Clone, Debug)]
pub struct CatalogData {
    /// A hash of nothing but what JSON has.
    pub data: Value,
    /// What could not be written as what it is, in Puppet's words.
    pub warnings: Vec<String>,
}

/// Which resources are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Those of the node.
    Real,
    /// Also those that are virtual.
    All,
}

impl Selection {
    fn takes(self, resource: &Resource) -> bool {
        self == Self::All || !resource.is_virtual()
    }
}

/// Returns the data of a catalog, as Puppet's `Puppet::Resource::Catalog#to_data_hash` has it with rich data: values
/// that JSON does not have are hashes that name their type.
///
/// ```
/// use puppetfn::catalog::data::{Identity, Selection, to_data};
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
/// let made = to_data(&runtime.catalog()?, &identity, Selection::Real, &Limits::default())?;
/// let json = puppetfn::convert::json::to_json(&made.data, &Limits::DEFAULT)?;
/// assert_eq!(json["resources"][3]["title"], "hi");
/// assert_eq!(json["resources"][3]["parameters"]["message"]["__ptype"], "Pcore::IntegerType");
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// # Errors
/// [`puppetfn_base::error::ErrorKind::Limit`] when a value nests too deep, [`puppetfn_base::error::ErrorKind::Evaluation`] for
/// a type that contains itself, and for an object that no data can represent where the catalog was compiled with
/// [`Strict::Error`].
pub fn to_data(
    catalog: &Catalog,
    identity: &Identity,
    selection: Selection,
    limits: &Limits,
) -> Result<CatalogData, Error> {
    let mut warnings = Vec::new();
    let mut resources = Vec::new();
    for resource in catalog.resources().filter(|resource| selection.takes(resource)) {
        resources.push(resource_data(resource, catalog.strict, limits, &mut warnings)?);
    }
    let edges: Vec<Value> = catalog
        .edges()
        .filter(|(source, target)| selection.takes(source) && selection.takes(target))
        .map(|(source, target)| hash([("source", reference(source)), ("target", reference(target))]))
        .collect();
    let data = hash([
        ("tags", tags(catalog)?),
        ("name", catalog.node().into()),
        ("version", identity.version.clone()),
        ("code_id", identity.code_id.as_deref().map_or(Value::Undef, Value::from)),
        ("catalog_uuid", identity.uuid.as_str().into()),
        ("catalog_format", FORMAT.into()),
        ("environment", identity.environment.as_str().into()),
        ("resources", resources.into()),
        ("edges", edges.into()),
        ("classes", texts(catalog.classes())),
    ]);
    Ok(CatalogData { data: catalog.with_attributes(data), warnings })
}

/// Returns the data of one resource. What had to be changed is added to the warnings.
///
/// # Errors
/// As of [`to_data`].
pub fn resource_data(
    resource: &Resource,
    strict: Strict,
    limits: &Limits,
    warnings: &mut Vec<String>,
) -> Result<Value, Error> {
    let mut data = Hash::default();
    let mut add = |key: &str, value: Value| _ = data.insert(key.into(), value);
    add("type", resource.type_name().into());
    add("title", resource.title().into());
    add("tags", texts(resource.tags().iter().map(|tag| &**tag)));
    if let Some(place) = resource.place() {
        // Code that is from no file has a file without a name.
        add("file", place.file.as_deref().unwrap_or_default().into());
        if let Some(line) = place.line {
            add("line", i64::from(line).into());
        }
    }
    add("exported", resource.is_exported().into());
    add("kind", resource.kind_name().into());
    let parameters = parameters(resource, strict, limits, warnings)?;
    if !parameters.is_empty() {
        add("parameters", parameters.into());
    }
    let sensitive: Vec<&str> = resource.sensitive_parameters().collect();
    if !sensitive.is_empty() {
        add("sensitive_parameters", texts(sensitive));
    }
    Ok(data.into())
}

/// Returns the tags, first those of classes.
fn tags(catalog: &Catalog) -> Result<Value, Error> {
    let mut tags = Tags::default();
    catalog.classes().try_for_each(|name| tags.add(name))?;
    tags.merge(catalog.tags());
    Ok(texts(tags.iter().map(|tag| &**tag)))
}

/// Returns the parameters that say more than the title does.
fn parameters(
    resource: &Resource,
    strict: Strict,
    limits: &Limits,
    warnings: &mut Vec<String>,
) -> Result<Hash, Error> {
    let name_parameter = resource.name_parameter();
    let mut parameters = Hash::default();
    let subject = resource.reference();
    let mut rich = RichData::new(subject, limits);
    for (name, value) in given(resource) {
        let repeats_title =
            *name == *name_parameter && value == *resource.title_value() && !resource.is_main();
        if !repeats_title {
            parameters.insert(name.as_str().into(), rich.of(&name, &with_references(value))?);
        }
    }
    let issue = |prefix: &str, warning: String| {
        let error = Error::new(ErrorKind::Evaluation, format!("{prefix}{warning}"));
        match resource.place() {
            Some(place) => error.at(place.clone()),
            None => error,
        }
    };
    // Puppet warns also where `strict` is off: see its `pops/validation.rb`.
    for warning in rich.warnings {
        if strict == Strict::Error {
            return Err(issue("Evaluation Error: ", warning));
        }
        warnings.push(issue("", warning).to_string());
    }
    Ok(parameters)
}

/// Returns the parameters by the names that finished catalogs have for them. Of parameters with the same name the last wins.
fn given(resource: &Resource) -> IndexMap<String, Value> {
    let mut given = IndexMap::new();
    for (name, value) in resource.parameters() {
        let value = if RELATIONSHIPS.contains(&name) { without_undef(value) } else { value };
        given.insert(resource.finished_name(name).into_owned(), flattened(value));
    }
    given
}

/// Lists of what a resource is related to have only that.
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
    let items = flat(&value);
    let has_reference =
        items.iter().any(|item| matches!(item, Value::Type(t) if Reference::of_type(t).is_some()));
    if has_reference { items.into() } else { value }
}

/// Catalogs have the texts of references to resources in their place.
fn with_references(value: Value) -> Value {
    if let Value::Type(t) = &value
        && let Type::Resource(_) | Type::Class(_) = **t
    {
        return Reference::shown(t).map_or(value, Value::from);
    }
    value.map_parts(|part| with_references(part.clone())).unwrap_or(value)
}

fn reference(resource: &Resource) -> Value {
    resource.reference().to_string().into()
}

fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Value {
    texts.into_iter().map(Value::from).collect::<Vec<_>>().into()
}

fn hash<const N: usize>(entries: [(&str, Value); N]) -> Value {
    entries.into_iter().map(|(key, value)| (key.into(), value)).collect()
}
