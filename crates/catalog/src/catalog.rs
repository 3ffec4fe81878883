//! Catalogs as agents get them, as Puppet and PuppetDB write them too.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::io::Read;
use std::str::FromStr;
use std::sync::Arc;

use indexmap::IndexMap;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::json::from_json;
use puppetfn_types::types::Reference;
use puppetfn_types::value::{Hash, Value};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

use crate::error::ReadError;
use crate::identity::Identity;
use crate::names::NameMap;
use crate::read::{self, DEEPEST, JsonMembers, unexpected};

/// The version of the form that catalogs have.
const FORMAT: i64 = 2;

/// The catalog of a node: resources whose parameters have only values that JSON has, other values as hashes that name their type
/// (Puppet's rich data).
#[derive(Clone, Debug)]
pub struct Catalog {
    pub(crate) node: Arc<str>,
    pub(crate) identity: Identity,
    pub(crate) tags: Vec<Arc<str>>,
    pub(crate) classes: Vec<Arc<str>>,
    pub(crate) resources: Vec<CatalogResource>,
    /// Edges of containment: a container and a resource.
    pub(crate) edges: Vec<(Reference, Reference)>,
    /// Attributes that functions have set, by their names in Puppet's format.
    pub(crate) attributes: IndexMap<Arc<str>, Value>,
}

/// A resource of a catalog.
#[derive(Clone, Debug)]
pub struct CatalogResource {
    /// Its type and title.
    pub reference: Reference,
    /// Its tags.
    pub tags: Vec<Arc<str>>,
    /// The file that declares it; empty for code that is in none.
    pub file: Option<Arc<str>>,
    /// The line there, from 1.
    pub line: Option<u64>,
    /// Whether it is for other nodes.
    pub is_exported: bool,
    /// Whether it is virtual, in a catalog that marks such resources: see [`crate::Selection::Marked`].
    pub is_virtual: bool,
    /// Puppet's name for the kind of its type, such as `compilable_type`.
    pub kind: Option<Cow<'static, str>>,
    /// Its parameters, in order.
    pub parameters: NameMap<Arc<str>, Value>,
    /// The names of the parameters whose values are sensitive.
    pub sensitive: Vec<Arc<str>>,
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct FileLine {
    /// The file.
    pub file: Arc<str>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

impl fmt::Display for FileLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// A member of a catalog as a document.
pub(crate) enum Member {
    Value(Value),
    /// The list of the resources.
    Resources,
    /// The list of the edges.
    Edges,
}

impl Catalog {
    pub(crate) fn new(node: Arc<str>, identity: Identity) -> Self {
        Self {
            node,
            identity,
            tags: Vec::new(),
            classes: Vec::new(),
            resources: Vec::new(),
            edges: Vec::new(),
            attributes: IndexMap::new(),
        }
    }

    /// Returns the name of the node.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Returns the environment, the version and the identifiers.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the resources, in order.
    pub fn resources(&self) -> &[CatalogResource] {
        &self.resources
    }

    /// Returns the resources, in order, to be changed.
    pub fn resources_mut(&mut self) -> impl Iterator<Item = &mut CatalogResource> {
        self.resources.iter_mut()
    }

    /// Adds resources that the node only exports, which catalogs for agents lack: a list of them in JSON, as PuppetDB has them. Nothing
    /// contains them. Resources of the catalog stay as they are.
    ///
    /// # Errors
    /// Fails if the text is not such a list, or nests too deep. The error names the member.
    pub fn add_exports(&mut self, json: &[u8]) -> Result<(), ReadError> {
        let exports: Vec<Json> =
            serde_json::from_slice(json).map_err(|error| ReadError::new("", error.to_string()))?;
        let mut known: HashSet<Reference> =
            self.resources.iter().map(|resource| resource.reference.clone()).collect();
        for (index, resource) in exports.into_iter().enumerate() {
            let read = read::check_depth(&resource).and_then(|()| CatalogResource::of_json(resource));
            let resource = read.map_err(|error| error.within(&format!("exports[{index}]")))?;
            if known.insert(resource.reference.clone()) {
                self.resources.push(resource);
            }
        }
        Ok(())
    }

    /// Returns the edges of containment: pairs of a container and a resource.
    pub fn edges(&self) -> &[(Reference, Reference)] {
        &self.edges
    }

    /// Returns the names of the classes.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|name| &**name)
    }

    /// Returns true if the catalog has only the classes and resources that every catalog has.
    pub fn is_empty(&self) -> bool {
        const IN_ALL: [(&str, &str); 3] = [("Stage", "main"), ("Class", "Settings"), ("Class", "main")];
        self.resources.iter().map(|resource| &resource.reference).all(|found| {
            let (type_name, title) = (&**found.type_name(), found.title());
            // The definition of a node is a resource, too.
            type_name == "Node"
                || IN_ALL.iter().any(|known| type_name == known.0 && title.eq_ignore_ascii_case(known.1))
        })
    }

    /// Returns the catalog as a hash of JSON values, in the form of Puppet's `Puppet::Resource::Catalog#to_data_hash`.
    pub fn to_value(&self) -> Value {
        let edge = |(source, target): &(Reference, Reference)| {
            hash([("source", source.to_string().into()), ("target", target.to_string().into())])
        };
        let whole = |member: Member| match member {
            Member::Value(value) => value,
            Member::Resources => {
                self.resources.iter().map(CatalogResource::to_value).collect::<Vec<_>>().into()
            }
            Member::Edges => self.edges.iter().map(edge).collect::<Vec<_>>().into(),
        };
        let members = self.members().into_iter();
        members.map(|(name, member)| (Value::String(name), whole(member))).collect()
    }

    /// Returns the members of the document, in order.
    pub(crate) fn members(&self) -> IndexMap<Arc<str>, Member> {
        let identity = &self.identity;
        let members = [
            ("tags", Member::Value(texts(&self.tags))),
            ("name", Member::Value(self.node().into())),
            ("version", Member::Value(identity.version.clone())),
            ("code_id", Member::Value(identity.code_id.as_deref().map_or(Value::Undef, Value::from))),
            ("catalog_uuid", Member::Value(identity.uuid.as_str().into())),
            ("catalog_format", Member::Value(FORMAT.into())),
            ("environment", Member::Value(identity.environment.as_str().into())),
            ("resources", Member::Resources),
            ("edges", Member::Edges),
            ("classes", Member::Value(texts(&self.classes))),
        ];
        let members = members.into_iter().map(|(name, member)| (Arc::from(name), member));
        let attributes = self.attributes.iter();
        members
            .chain(attributes.map(|(name, value)| (Arc::clone(name), Member::Value(value.clone()))))
            .collect()
    }

    /// Parses the JSON of a catalog. Log entries of `puppet catalog compile` in front of it are skipped.
    ///
    /// # Errors
    /// Fails if the text is not JSON, or not a catalog. The error names the member.
    pub fn of_json(text: &str) -> Result<Self, ReadError> {
        Self::of_document(read::json(text)?)
    }

    /// Reads and parses the JSON of a catalog.
    ///
    /// # Errors
    /// The same errors as [`Catalog::text_of`] and [`Catalog::of_json`].
    pub fn of_reader(reader: impl Read) -> Result<Self, ReadError> {
        Self::of_json(&Self::text_of(reader)?)
    }

    /// Reads the JSON of a catalog, for [`Catalog::of_json`].
    ///
    /// # Errors
    /// Fails if the reader does, or if the text is too large or not UTF-8.
    pub fn text_of(reader: impl Read) -> Result<String, ReadError> {
        read::text(reader)
    }

    /// Converts parsed JSON to a catalog.
    ///
    /// # Errors
    /// Fails if the value is not a catalog, or nests too deep. The error names the member.
    pub fn of_value(json: Json) -> Result<Self, ReadError> {
        read::check_depth(&json)?;
        Self::of_document(json)
    }

    fn of_document(json: Json) -> Result<Self, ReadError> {
        let mut members = JsonMembers::of(json)?;
        if !members.has("resources")
            && let Some(data) = members.take("data")
        {
            // Puppet 3 has it within the type of the document.
            members = JsonMembers::of(data).map_err(|error| error.within("data"))?;
        }
        let node = members.string("certname")?.or(members.string("name")?).unwrap_or_default();
        let identity = Identity {
            environment: members.string("environment")?.unwrap_or_default(),
            version: members
                .take("version")
                .map_or(Ok(Value::Undef), |version| value("version", &version))?,
            code_id: members.string("code_id")?,
            uuid: members.string("catalog_uuid")?.unwrap_or_default(),
        };
        let mut catalog = Self::new(node.into(), identity);
        catalog.tags = members.strings("tags")?.into_iter().map(Arc::from).collect();
        catalog.classes = members.strings("classes")?.into_iter().map(Arc::from).collect();
        let missing =
            || ReadError::new("resources", "expected the resources of a catalog, and there are none");
        let resources = members.array("resources")?.ok_or_else(missing)?;
        let mut references = HashSet::with_capacity(resources.len());
        for (index, resource) in resources.into_iter().enumerate() {
            let read = CatalogResource::of_json(resource).and_then(|resource| {
                let reference = &resource.reference;
                match references.insert(reference.clone()) {
                    true => Ok(resource),
                    false => Err(ReadError::new("", format!("expected one {reference}, got another"))),
                }
            });
            catalog.resources.push(read.map_err(|error| error.within(&format!("resources[{index}]")))?);
        }
        for (index, edge) in members.array("edges")?.unwrap_or_default().into_iter().enumerate() {
            let added = catalog.add_edge(edge);
            added.map_err(|error| error.within(&format!("edges[{index}]")))?;
        }
        Ok(catalog)
    }

    /// Adds an edge of containment. Other edges, which only PuppetDB has, repeat relationships of parameters.
    fn add_edge(&mut self, edge: Json) -> Result<(), ReadError> {
        let mut edge = JsonMembers::of(edge)?;
        if edge.string("relationship")?.is_some_and(|kind| kind != "contains") {
            return Ok(());
        }
        self.edges.push((end(&mut edge, "source")?, end(&mut edge, "target")?));
        Ok(())
    }
}

/// The JSON of the catalog as data: see [`Catalog::to_value`].
///
/// ```
/// use puppetfn::catalog::{Catalog, Identity, Selection};
/// use puppetfn::eval::Runtime;
/// use puppetfn::limits::Limits;
///
/// let runtime = Runtime::builder().manifests().node("web").build();
/// let draft = runtime.compile(&["notify { 'hi': }".into()], &[])?;
/// let catalog = draft.finish(Identity::new("production"), Selection::Real, &Limits::DEFAULT)?.catalog;
/// let text = serde_json::to_string(&catalog)?;
/// assert_eq!(text, catalog.to_json_text(&Limits::DEFAULT)?);
/// assert_eq!(serde_json::from_str::<Catalog>(&text)?.resources().len(), catalog.resources().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Catalog {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Catalog {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of_value(Json::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Parses the JSON of a catalog: see [`Catalog::of_json`].
impl FromStr for Catalog {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        Self::of_json(text)
    }
}

impl CatalogResource {
    /// Returns the place where it is declared.
    pub fn place(&self) -> Option<FileLine> {
        let file = self.file.as_ref().filter(|file| !file.is_empty())?;
        Some(FileLine { file: Arc::clone(file), line: self.line })
    }

    /// Returns the resource as a hash of JSON values.
    pub fn to_value(&self) -> Value {
        let mut data = entries([
            ("type", Value::String(Arc::clone(self.reference.type_name()))),
            ("title", Value::String(Arc::clone(self.reference.title()))),
            ("tags", texts(&self.tags)),
        ]);
        let mut add = |key: &str, value: Value| _ = data.insert(key.into(), value);
        if let Some(file) = &self.file {
            add("file", Value::String(Arc::clone(file)));
        }
        if let Some(line) = self.line.and_then(|line| i64::try_from(line).ok()) {
            add("line", line.into());
        }
        add("exported", self.is_exported.into());
        if self.is_virtual {
            add("virtual", true.into());
        }
        if let Some(kind) = &self.kind {
            add("kind", (&**kind).into());
        }
        if !self.parameters.is_empty() {
            let parameters = self.parameters.iter();
            // The host gets objects of their own for the values that resources share.
            let parameters =
                parameters.map(|(name, value)| (Value::String(Arc::clone(name)), value.duplicated()));
            add("parameters", parameters.collect());
        }
        if !self.sensitive.is_empty() {
            add("sensitive_parameters", texts(&self.sensitive));
        }
        data.into()
    }

    fn of_json(json: Json) -> Result<Self, ReadError> {
        let mut members = JsonMembers::of(json)?;
        let reference = read::reference(&members.required("type")?, &members.required("title")?);
        let mut parameters = NameMap::default();
        for (name, json) in members.object("parameters")?.unwrap_or_default() {
            // A parameter that is `undef` is left out.
            if !json.is_null() {
                let value = value(&name, &json).map_err(|error| error.within("parameters"))?;
                parameters.insert(name.into(), value);
            }
        }
        Ok(Self {
            reference,
            tags: members.strings("tags")?.into_iter().map(Arc::from).collect(),
            file: members.string("file")?.map(Arc::from),
            line: members.number("line"),
            is_exported: members.take("exported") == Some(Json::Bool(true)),
            is_virtual: members.take("virtual") == Some(Json::Bool(true)),
            kind: members.string("kind")?.map(Cow::Owned),
            parameters,
            sensitive: members.strings("sensitive_parameters")?.into_iter().map(Arc::from).collect(),
        })
    }
}

/// Returns the value of JSON, whose depth was checked before.
fn value(name: &str, json: &Json) -> Result<Value, ReadError> {
    let limits = Limits { nesting: DEEPEST, ..Limits::FURTHEST };
    from_json(json, &limits).map_err(|error| ReadError::new(name, error.to_string()))
}

/// Takes one end of an edge: a reference, or its parts as PuppetDB has them.
fn end(edge: &mut JsonMembers, name: &str) -> Result<Reference, ReadError> {
    match edge.take(name) {
        Some(Json::String(text)) => read::parse_reference(&text).ok_or_else(|| {
            ReadError::new(name, format!("expected a reference such as File[/a], got \"{text}\""))
        }),
        Some(Json::Object(parts)) => {
            let mut parts = JsonMembers::of(Json::Object(parts))?;
            let made =
                parts.required("type").and_then(|t| Ok(read::reference(&t, &parts.required("title")?)));
            made.map_err(|error| error.within(name))
        }
        Some(other) => Err(unexpected("a reference to a resource", &other).within(name)),
        None => match (edge.string(&format!("{name}_type"))?, edge.string(&format!("{name}_title"))?) {
            (Some(type_name), Some(title)) => Ok(read::reference(&type_name, &title)),
            _ => Err(ReadError::new(name, "expected a reference to a resource, and there is none")),
        },
    }
}

fn texts(texts: &[Arc<str>]) -> Value {
    texts.iter().map(|text| Value::String(Arc::clone(text))).collect::<Vec<_>>().into()
}

fn entries<const N: usize>(entries: [(&str, Value); N]) -> Hash {
    entries.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

fn hash<const N: usize>(members: [(&str, Value); N]) -> Value {
    entries(members).into()
}

#[cfg(test)]
mod tests {
    use puppetfn_types::convert::to_json_text;
    use puppetfn_types::value::Binary;

    use super::*;

    #[test]
    fn the_text_is_that_of_the_value() {
        let text = r#"{"tags":["a"],"name":"web","version":1,"code_id":null,"catalog_uuid":"u","catalog_format":2,"environment":"e","resources":[{"type":"Stage","title":"main","tags":["stage"],"exported":false},{"type":"Notify","title":"\"ü\u0001\n","tags":["notify","x"],"file":"/a.pp","line":3,"exported":false,"kind":"compilable_type","parameters":{"message":[{"__ptype":"Sensitive","__pvalue":-9223372036854775808},1.5,1.0e+300,-0.0,"",true,[],{}]},"sensitive_parameters":["message"]}],"edges":[{"source":"Stage[main]","target":"Notify[\"ü\u0001\n]"}],"classes":["main"]}"#;
        let mut catalog = Catalog::of_json(text).unwrap();
        assert_eq!(catalog.to_json_text(&Limits::DEFAULT).unwrap(), text);
        // Functions can set attributes of the format, and others.
        let attributes = [("version", "2".into()), ("metadata", vec![Value::Undef].into())];
        catalog.attributes = attributes.map(|(name, value)| (name.into(), value)).into_iter().collect();
        let changed = text
            .replace(r#""version":1"#, r#""version":"2""#)
            .replace(r#"["main"]}"#, r#"["main"],"metadata":[null]}"#);
        assert_eq!(catalog.to_json_text(&Limits::DEFAULT).unwrap(), changed);
        assert_eq!(to_json_text(&catalog.to_value(), &Limits::DEFAULT).unwrap(), changed);
    }

    #[test]
    fn any_value_has_the_text_or_error_of_the_value() {
        let text = r#"{"name":"web","version":1,"environment":"e","resources":[{"type":"Notify","title":"a","parameters":{"message":1}}],"edges":[],"classes":[]}"#;
        let nested = |depth: usize| (0..depth).fold(Value::Undef, |inner, _| vec![inner].into());
        let deepest = usize::try_from(Limits::DEFAULT.nesting).unwrap();
        let keyed = |key: Value| Value::from([(key, Value::from(1))].into_iter().collect::<Hash>());
        let floats = [f64::NAN, f64::INFINITY, -0.0, 5e-324, 1e16, 1e-5, f64::MAX].map(Value::Float);
        let others = [
            i64::MIN.into(),
            i64::MAX.into(),
            Value::Default,
            Value::Binary(Binary::new([0, 255])),
            Value::Sensitive(Arc::new("secret".into())),
            keyed(1.into()),
            keyed(Value::Undef),
            keyed(vec![1.into()].into()),
            keyed("__ptype".into()),
            "\u{2028}\u{7f}</script>\\\"".into(),
        ];
        // A parameter is the fourth level of a catalog, so the last of these nest too deep.
        for value in floats.into_iter().chain(others).chain((deepest - 8..deepest + 1).map(nested)) {
            let mut catalog = Catalog::of_json(text).unwrap();
            for resource in catalog.resources_mut() {
                resource.parameters.insert("message".into(), value.clone());
            }
            let streamed = catalog.to_json_text(&Limits::DEFAULT);
            let whole = to_json_text(&catalog.to_value(), &Limits::DEFAULT);
            assert_eq!(format!("{streamed:?}"), format!("{whole:?}"));
        }
        // Integers beyond 64 bits never become others in silence.
        let large = text.replace(r#""message":1"#, r#""message":18446744073709551616"#);
        let read = Catalog::of_json(&large).map(|catalog| catalog.to_json_text(&Limits::DEFAULT).unwrap());
        assert!(read.as_ref().map_or(true, |text| text.contains("18446744073709551616")), "{read:?}");
    }
}
