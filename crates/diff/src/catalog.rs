//! Catalogs, as `puppetfn compile`, Puppet and PuppetDB write them, with what is compared of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Read;
use std::sync::Arc;

use glob::Pattern;
use serde::Serialize;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::read::{self, Members, unexpected};
use crate::reference::Reference;
use crate::value::Value;

/// The parameters that say what comes before what.
pub(crate) const RELATIONSHIPS: [&str; 4] = ["before", "notify", "require", "subscribe"];

/// A catalog of a node.
#[derive(Clone, Default, Debug)]
pub struct Catalog {
    node: String,
    resources: BTreeMap<Reference, Resource>,
    containers: BTreeMap<Reference, BTreeSet<Reference>>,
    relationships: BTreeMap<(Reference, Reference), Relationship>,
}

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Its type and title.
    pub reference: Reference,
    /// Its parameters by name, without relationships.
    pub parameters: BTreeMap<Arc<str>, Value>,
    /// What its parameters `before`, `notify`, `require` and `subscribe` name.
    pub relationships: BTreeMap<&'static str, BTreeSet<Reference>>,
    /// Its tags.
    pub tags: BTreeSet<Arc<str>>,
    /// Whether it is for other nodes.
    pub is_exported: bool,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// A line of a file. It is shown, and never compared: a line that was moved is no difference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Place {
    /// The file.
    pub file: Arc<str>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// That one resource comes before another one, and where it is said: any of four parameters may say it, and it is the same
/// whichever does.
#[derive(Clone, Default, Debug)]
pub(crate) struct Relationship {
    /// Whether the other one is also notified of changes.
    pub notifies: bool,
    /// The resources whose parameters say it, and the parameters.
    pub declared: BTreeSet<(Reference, &'static str)>,
}

/// The files of modules that catalogs name as sources.
pub trait Sources {
    /// Returns the content of a file.
    fn file(&self, source: &str) -> Option<Vec<u8>>;

    /// Returns the sorted paths of all files below a directory, with fingerprints of their content.
    fn directory(&self, source: &str) -> Option<Vec<(String, String)>>;
}

impl Catalog {
    /// Reads a catalog from JSON. What `puppet catalog compile` logs in front of it is passed over.
    ///
    /// # Errors
    /// What is not as a catalog has it, and where.
    pub fn of_json(text: &str) -> Result<Self, Error> {
        Self::of_document(read::json(text)?)
    }

    /// Reads a catalog from what has its JSON.
    ///
    /// # Errors
    /// As of [`Catalog::of_json`], and what the reader fails with.
    pub fn of_reader(reader: impl Read) -> Result<Self, Error> {
        Self::of_json(&Self::text_of(reader)?)
    }

    /// Returns the JSON that a reader has, for [`Catalog::of_json`].
    ///
    /// # Errors
    /// What the reader fails with, and if it is too large or not in UTF-8.
    pub fn text_of(reader: impl Read) -> Result<String, Error> {
        read::text(reader)
    }

    /// Makes a catalog of JSON that was read before.
    ///
    /// # Errors
    /// What is not as a catalog has it, and where.
    pub fn of_value(json: Json) -> Result<Self, Error> {
        read::check_depth(&json)?;
        Self::of_document(json)
    }

    /// Gives files that have a source and no content the content of the first source that `sources` knows: a text as it is, of
    /// anything else the digest. Directories that are copied have the digests of their files as content.
    pub fn read_sources(&mut self, known: &dyn Sources) {
        let files = self.resources.values_mut().filter(|resource| &*resource.reference.type_name == "File");
        for resource in files.filter(|resource| !resource.parameters.contains_key("content")) {
            let Some(source) = resource.parameters.get("source") else { continue };
            let sources =
                if let Value::Array(sources) = source { sources } else { std::slice::from_ref(source) };
            let mut texts = sources.iter().filter_map(Value::as_str);
            let file = texts
                .clone()
                .find_map(|source| known.file(source))
                .map(|content| String::from_utf8(content).unwrap_or_else(|binary| digest(binary.as_bytes())));
            let content = match file {
                None if resource.is_copied_whole() => {
                    let is_merged =
                        resource.parameters.get("sourceselect").and_then(Value::as_str) == Some("all");
                    let mut found =
                        texts.by_ref().filter_map(|source| resource.listed(known.directory(source)?));
                    if is_merged { Some(found.collect::<String>()) } else { found.next() }
                }
                other => other,
            };
            let Some(content) = content else { continue };
            resource.parameters.insert("content".into(), Value::String(content.into()));
        }
    }

    /// Returns true if the catalog has only the classes and resources that every catalog has.
    pub fn is_empty(&self) -> bool {
        const IN_ALL: [(&str, &str); 3] = [("Stage", "main"), ("Class", "Settings"), ("Class", "main")];
        // The definition of a node is one, too.
        self.resources.keys().filter(|found| &*found.type_name != "Node").all(|found| {
            IN_ALL.iter().any(|(type_name, title)| {
                &*found.type_name == *type_name && found.title.eq_ignore_ascii_case(title)
            })
        })
    }

    fn of_document(json: Json) -> Result<Self, Error> {
        let mut members = Members::of(json)?;
        if !members.has("resources")
            && let Some(data) = members.take("data")
        {
            // Puppet 3 has it within the type of the document.
            members = Members::of(data).map_err(|error| error.within("data"))?;
        }
        let node = members.string("certname")?.or(members.string("name")?).unwrap_or_default();
        let mut catalog = Self { node, ..Self::default() };
        let missing = || Error::new("resources", "expected the resources of a catalog, and there are none");
        let resources = members.array("resources")?.ok_or_else(missing)?;
        for (index, resource) in resources.into_iter().enumerate() {
            let added = Resource::of_json(resource).and_then(|resource| catalog.add(resource));
            added.map_err(|error| error.within(&format!("resources[{index}]")))?;
        }
        for (index, edge) in members.array("edges")?.unwrap_or_default().into_iter().enumerate() {
            let contained = catalog.add_edge(edge);
            contained.map_err(|error| error.within(&format!("edges[{index}]")))?;
        }
        catalog.relate();
        Ok(catalog)
    }

    fn add(&mut self, resource: Resource) -> Result<(), Error> {
        let reference = resource.reference.clone();
        match self.resources.insert(reference.clone(), resource) {
            None => Ok(()),
            Some(_) => Err(Error::new("", format!("expected one {reference}, got another"))),
        }
    }

    /// Adds what an edge says is contained in what. Other edges, which only PuppetDB has, repeat what parameters say.
    fn add_edge(&mut self, edge: Json) -> Result<(), Error> {
        let mut edge = Members::of(edge)?;
        if edge.string("relationship")?.is_some_and(|kind| kind != "contains") {
            return Ok(());
        }
        let (container, resource) = (end(&mut edge, "source")?, end(&mut edge, "target")?);
        self.containers.entry(resource).or_default().insert(container);
        Ok(())
    }

    /// Finds out what comes before what, once all names of resources are known.
    fn relate(&mut self) {
        let aliases: BTreeMap<Reference, Reference> = self
            .resources
            .values()
            .flat_map(|resource| resource.aliases().map(|alias| (alias, resource.reference.clone())))
            .collect();
        for resource in self.resources.values() {
            for (&parameter, others) in &resource.relationships {
                for other in others {
                    let is_known = self.resources.contains_key(other);
                    let known = if is_known { None } else { aliases.get(&plain(other)) };
                    let (this, other) = (resource.reference.clone(), known.unwrap_or(other).clone());
                    let is_first = matches!(parameter, "before" | "notify");
                    let ends = if is_first { (this, other) } else { (other, this) };
                    let relationship = self.relationships.entry(ends).or_default();
                    relationship.notifies |= matches!(parameter, "notify" | "subscribe");
                    relationship.declared.insert((resource.reference.clone(), parameter));
                }
            }
        }
    }

    /// Returns the name of the node.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Returns the resources, sorted by type and title.
    pub fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.resources.values()
    }

    /// Returns the resource of a type and title.
    pub fn get(&self, reference: &Reference) -> Option<&Resource> {
        self.resources.get(reference)
    }

    /// Returns what contains a resource: usually one class, node or resource of a defined type.
    pub fn containers(&self, reference: &Reference) -> impl Iterator<Item = &Reference> {
        self.containers.get(reference).into_iter().flatten()
    }

    /// Returns what comes before what.
    pub(crate) fn relationships(&self) -> &BTreeMap<(Reference, Reference), Relationship> {
        &self.relationships
    }
}

impl Resource {
    /// Returns true if a directory is copied with all files in it.
    fn is_copied_whole(&self) -> bool {
        match self.parameters.get("recurse") {
            Some(Value::Boolean(recurse)) => *recurse,
            Some(other) => matches!(other.as_str(), Some("true" | "remote" | "inf")),
            None => false,
        }
    }

    /// Returns the lines that say which files of a directory are copied, without ignored and too deep ones.
    fn listed(&self, files: Vec<(String, String)>) -> Option<String> {
        let ignored = self.parameters.get("ignore");
        let ignored = if let Some(Value::Array(names)) = ignored {
            names
        } else {
            ignored.map_or(&[][..], std::slice::from_ref)
        };
        let patterns: Vec<Pattern> =
            ignored.iter().filter_map(|name| Pattern::new(name.as_str()?).ok()).collect();
        let limit = self.parameters.get("recurselimit").and_then(|limit| limit.to_string().parse().ok());
        let is_copied = |path: &str| {
            path.split('/').count() <= limit.unwrap_or(usize::MAX)
                && !path.split('/').any(|name| patterns.iter().any(|pattern| pattern.matches(name)))
        };
        let copied = files.into_iter().filter(|(path, _)| is_copied(path));
        Some(copied.map(|(path, content)| format!("{path} {content}\n")).collect())
    }

    fn of_json(json: Json) -> Result<Self, Error> {
        let mut members = Members::of(json)?;
        let reference = Reference::new(&members.required("type")?, &members.required("title")?);
        let sensitive = members.strings("sensitive_parameters")?;
        let mut parameters = BTreeMap::new();
        let mut relationships = BTreeMap::new();
        for (name, json) in members.object("parameters")?.unwrap_or_default() {
            if json.is_null() {
                // That is what `undef` does: it leaves the parameter out.
                continue;
            }
            let value = Value::of_json(json);
            let relationship = RELATIONSHIPS.into_iter().find(|known| *known == name);
            if sensitive.contains(&name) {
                parameters.insert(name.into(), Value::sensitive(value));
            } else if let Some((known, others)) = relationship.zip(references(&value)) {
                relationships.insert(known, others);
            } else {
                parameters.insert(name.into(), value);
            }
        }
        let tags = members.strings("tags")?.into_iter().map(Arc::from).collect();
        let (file, line) = (members.string("file")?, members.number("line"));
        let place = file.filter(|file| !file.is_empty()).map(|file| Place { file: file.into(), line });
        let is_exported = members.take("exported") == Some(Json::Bool(true));
        Ok(Self { reference, parameters, relationships, tags, is_exported, place })
    }

    /// Returns the path of a file that has one beside its title.
    pub(crate) fn file(&self) -> Option<&str> {
        let path = self.parameters.get("path").filter(|_| &*self.reference.type_name == "File");
        path.and_then(Value::as_str)
    }

    /// Returns the names by which relationships may mean it: its aliases, and what it is really called where the title says
    /// something else.
    fn aliases(&self) -> impl Iterator<Item = Reference> {
        let name = if &*self.reference.type_name == "File" { "path" } else { "name" };
        let named = self.parameters.get(name).and_then(Value::as_str);
        let aliases = self.parameters.get("alias").map(Value::items).unwrap_or_default();
        let own = &*self.reference.title;
        let names = aliases.iter().filter_map(Value::as_str).chain(named).chain([own]);
        let type_name = &self.reference.type_name;
        names.map(|title| plain(&Reference { type_name: Arc::clone(type_name), title: title.into() }))
    }
}

/// Files are the same with and without a slash at the end.
fn plain(reference: &Reference) -> Reference {
    let title = reference.title.trim_end_matches('/');
    let is_file = &*reference.type_name == "File" && !title.is_empty();
    if is_file {
        Reference { type_name: Arc::clone(&reference.type_name), title: title.into() }
    } else {
        reference.clone()
    }
}

/// Returns the references in the value of a relationship, if there is nothing else in it.
fn references(value: &Value) -> Option<BTreeSet<Reference>> {
    let reference = |item: &Value| match item {
        Value::String(text) => Reference::parse(text),
        Value::Hash(hash) => {
            // As PuppetDB has it.
            let text = |name: &str| hash.get(name).and_then(Value::as_str);
            Some(Reference::new(text("type")?, text("title")?))
        }
        Value::Undef
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Array(_)
        | Value::Sensitive(_) => None,
    };
    value.items().iter().map(reference).collect()
}

/// Takes one end of an edge: a reference, or its parts as PuppetDB has them.
fn end(edge: &mut Members, name: &str) -> Result<Reference, Error> {
    match edge.take(name) {
        Some(Json::String(text)) => Reference::parse(&text).ok_or_else(|| {
            Error::new(name, format!("expected a reference such as File[/a], got \"{text}\""))
        }),
        Some(Json::Object(parts)) => {
            let mut parts = Members::of(Json::Object(parts))?;
            let made = parts.required("type").and_then(|t| Ok(Reference::new(&t, &parts.required("title")?)));
            made.map_err(|error| error.within(name))
        }
        Some(other) => Err(unexpected("a reference to a resource", &other).within(name)),
        None => match (edge.string(&format!("{name}_type"))?, edge.string(&format!("{name}_title"))?) {
            (Some(type_name), Some(title)) => Ok(Reference::new(&type_name, &title)),
            _ => Err(Error::new(name, "expected a reference to a resource, and there is none")),
        },
    }
}

/// Returns what stands for content that is no text, as Puppet writes digests.
fn digest(content: &[u8]) -> String {
    Sha256::digest(content).iter().fold("{sha256}".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}
