//! Explanations of resources: their origins, parameters and relationships.

use std::collections::HashSet;
use std::sync::Arc;

use super::origin::{CatalogOrigins, ClassInclusion, InclusionKind, ParameterCause};
use super::similar::suggestion;
use super::{Draft, RELATIONSHIPS, Reference, ResourceId, flat};
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::rich_data::RichData;
use puppetfn_types::value::Value;

/// Placeholder for a sensitive value.
const REDACTED: &str = "Sensitive [value redacted]";

/// The provenance of a resource: its declaration, the origins of its parameters, and its relationships.
#[derive(Clone, Debug)]
pub struct ResourceProvenance {
    /// The name of the node.
    pub node: Arc<str>,
    /// The resource.
    pub resource: ResourceOrigin,
    /// The resource whose code declared it, the one whose code declared that, and so on up to the top level.
    pub chain: Vec<ResourceOrigin>,
    /// Direct relationships of the resource and of its containers.
    pub relations: Vec<ResourceRelation>,
}

/// The origin of a resource.
#[derive(Clone, Debug)]
pub struct ResourceOrigin {
    /// Its type and title.
    pub reference: Reference,
    /// The place of its declaration.
    pub place: Option<SourceLocation>,
    /// The place of the definition, for a class or a resource of a defined type.
    pub definition: Option<SourceLocation>,
    /// The inclusions, if the resource is a class. The first is why it is in the catalog.
    pub inclusions: Vec<ClassInclusion>,
    /// The parameters that have values.
    pub parameters: Vec<ParameterOrigin>,
}

/// The origin of a parameter's value.
#[derive(Clone, Debug)]
pub struct ParameterOrigin {
    /// The name.
    pub name: Arc<str>,
    /// The value, with sensitive parts redacted.
    pub value: Value,
    /// The cause of the value.
    pub cause: ParameterCause,
    /// The place where the value is set.
    pub place: Option<SourceLocation>,
    /// The explanation of the lookup, in the form of `puppetfn lookup --explain`, if the value is from data.
    pub explanation: Option<String>,
}

/// An order between a resource and another one.
#[derive(Clone, Debug)]
pub struct ResourceRelation {
    /// The resource or one of its containers.
    pub of: Reference,
    /// The other one.
    pub other: Reference,
    /// Whether the other one comes first.
    pub is_before: bool,
    /// Whether the second is told when the first changes.
    pub notifies: bool,
    /// The resource whose parameter declares the order, and the parameter.
    pub said_by: (Reference, &'static str),
    /// Whether an arrow has set the parameter.
    pub is_arrow: bool,
    /// The place of the declaration: the parameter, or the arrow.
    pub place: Option<SourceLocation>,
}

impl Draft {
    /// Explains why a resource is in the catalog. The explanations of values from data are left out.
    pub fn why(&self, reference: &Reference, origins: &CatalogOrigins) -> Result<ResourceProvenance, Error> {
        let id = self.find(reference).ok_or_else(|| self.missing(reference))?;
        let mut chain = Vec::new();
        let mut seen = HashSet::from([id]);
        let mut next = self.declared_by(id, origins);
        while let Some(outer) = next
            && seen.insert(outer)
        {
            chain.extend(self.origin(outer, origins));
            next = self.declared_by(outer, origins);
        }
        let resource = self.origin(id, origins).ok_or_else(|| self.missing(reference))?;
        Ok(ResourceProvenance {
            node: Arc::clone(&self.node),
            resource,
            chain,
            relations: self.relations(id),
        })
    }

    /// Returns the relationships of a resource and of its containers.
    ///
    /// # Errors
    /// Fails if there is no such resource.
    pub fn relations_of(&self, reference: &Reference) -> Result<Vec<ResourceRelation>, Error> {
        let id = self.find(reference).ok_or_else(|| self.missing(reference))?;
        Ok(self.relations(id))
    }

    #[cold]
    fn missing(&self, reference: &Reference) -> Error {
        let names: Vec<String> = self.resources().map(|resource| resource.reference.to_string()).collect();
        let meant = suggestion(&reference.to_string(), names.iter().map(String::as_str));
        let message = format!("There is no {reference} in the catalog of {}{meant}", self.node);
        Error::new(ErrorKind::Evaluation, message)
    }

    /// Returns whose code declared a resource.
    fn declared_by(&self, id: ResourceId, origins: &CatalogOrigins) -> Option<ResourceId> {
        match origins.inclusions(id).first() {
            Some(inclusion) => self.find(&inclusion.by),
            // A stage has no code.
            None => self.container(id).filter(|id| self.get(*id).is_some_and(|r| r.type_name() != "Stage")),
        }
    }

    /// Returns the container of a resource.
    fn container(&self, id: ResourceId) -> Option<ResourceId> {
        let mut containers = self.edges.iter().filter(|(_, content)| *content == id);
        containers.next().map(|(container, _)| *container)
    }

    fn origin(&self, id: ResourceId, origins: &CatalogOrigins) -> Option<ResourceOrigin> {
        let resource = self.get(id)?;
        let parameters =
            resource.parameters.values().filter(|parameter| !matches!(parameter.value, Value::Undef));
        let origin = |parameter: &super::ResourceParameter| ParameterOrigin {
            name: Arc::clone(&parameter.name),
            value: if resource.sensitive.contains(&parameter.name) {
                REDACTED.into()
            } else {
                open(&parameter.value)
            },
            cause: parameter.cause,
            place: parameter.place.clone().or_else(|| match parameter.cause {
                // Functions declare resources as a whole.
                ParameterCause::Declaration => resource.place.clone(),
                ParameterCause::DefaultValue => origins.definition(id).cloned(),
                _ => None,
            }),
            explanation: None,
        };
        Some(ResourceOrigin {
            reference: resource.reference.clone(),
            place: resource.place.clone(),
            definition: origins.definition(id).cloned(),
            inclusions: origins.inclusions(id).to_vec(),
            parameters: parameters.map(origin).collect(),
        })
    }

    /// Returns the direct relationships of a resource and of its containers.
    fn relations(&self, id: ResourceId) -> Vec<ResourceRelation> {
        let mut around = vec![id];
        while let Some(outer) = around.last().and_then(|inner| self.container(*inner))
            && !around.contains(&outer)
        {
            around.push(outer);
        }
        let mut relations = Vec::new();
        for (index, resource) in self.resources.iter().enumerate() {
            let Some(resource) = resource else { continue };
            for name in RELATIONSHIPS {
                let Some(parameter) = resource.parameters.get(name) else { continue };
                for other in flat(&parameter.value).iter().filter_map(Reference::of_value) {
                    let named = self.find(&other);
                    let own = around.iter().find(|id| id.0 as usize == index);
                    let is_first = matches!(name, "before" | "notify");
                    let known = named.and_then(|id| self.get(id)).map_or(&other, |known| &known.reference);
                    let this = ResourceId(u32::try_from(index).unwrap_or(u32::MAX));
                    let arrow = named.and_then(|other| {
                        let (first, second) = if is_first { (this, other) } else { (other, this) };
                        self.arrow(first, second)
                    });
                    let place = arrow.or(parameter.place.as_ref()).or(resource.place.as_ref());
                    let relation = |of: &Reference, other: &Reference, is_before| ResourceRelation {
                        of: of.clone(),
                        other: other.clone(),
                        is_before,
                        notifies: matches!(name, "notify" | "subscribe"),
                        said_by: (resource.reference.clone(), name),
                        is_arrow: is_first && arrow.is_some(),
                        place: place.cloned(),
                    };
                    if own.is_some() {
                        relations.push(relation(&resource.reference, known, !is_first));
                    } else if named.is_some_and(|id| around.contains(&id)) {
                        relations.push(relation(known, &resource.reference, is_first));
                    }
                }
            }
        }
        relations
    }
}

/// Redacts the sensitive parts of a value.
fn open(value: &Value) -> Value {
    match value {
        Value::Sensitive(_) => REDACTED.into(),
        other => other.map_parts(open).unwrap_or_else(|| other.clone()),
    }
}

impl ParameterCause {
    /// Returns the name that it has in data.
    pub fn name(self) -> &'static str {
        match self {
            Self::Declaration => "declaration",
            Self::Classifier => "classifier",
            Self::TypeDefault => "type_default",
            Self::Override => "override",
            Self::Data => "data",
            Self::DefaultValue => "default_value",
            Self::Container => "container",
            Self::Relationship => "relationship",
        }
    }
}

impl InclusionKind {
    /// Returns the name that it has in data.
    pub fn name(self) -> &'static str {
        match self {
            Self::Include => "include",
            Self::Require => "require",
            Self::Contain => "contain",
            Self::Declaration => "declaration",
            Self::Inherits => "inherits",
            Self::Classifier => "classifier",
        }
    }
}

impl ResourceProvenance {
    /// Returns a hash of JSON values: `node`, `resource`, `chain` and `relations`.
    ///
    /// # Errors
    /// Fails if a value of a parameter cannot be serialized.
    pub fn to_data(&self, limits: &Limits) -> Result<Value, Error> {
        let chain = self.chain.iter().map(|origin| origin.to_data(limits)).collect::<Result<Vec<_>, _>>()?;
        let relations: Vec<Value> = self.relations.iter().map(ResourceRelation::to_data).collect();
        Ok(hash([
            ("node", Value::String(Arc::clone(&self.node))),
            ("resource", self.resource.to_data(limits)?),
            ("chain", chain.into()),
            ("relations", relations.into()),
        ]))
    }
}

impl ResourceOrigin {
    fn to_data(&self, limits: &Limits) -> Result<Value, Error> {
        let inclusion = |inclusion: &ClassInclusion| {
            hash([
                ("by", text(&inclusion.by)),
                ("way", inclusion.way.name().into()),
                ("place", place(inclusion.place.as_ref())),
            ])
        };
        let parameters = self
            .parameters
            .iter()
            .map(|p| p.to_data(&self.reference, limits))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(hash([
            ("resource", text(&self.reference)),
            ("place", place(self.place.as_ref())),
            ("definition", place(self.definition.as_ref())),
            ("inclusions", self.inclusions.iter().map(inclusion).collect::<Vec<_>>().into()),
            ("parameters", parameters.into()),
        ]))
    }
}

impl ParameterOrigin {
    fn to_data(&self, of: &Reference, limits: &Limits) -> Result<Value, Error> {
        let value = RichData::new(of, limits).of(&self.name, &self.value)?;
        Ok(hash([
            ("name", Value::String(Arc::clone(&self.name))),
            ("value", value),
            ("cause", self.cause.name().into()),
            ("place", place(self.place.as_ref())),
            ("explanation", self.explanation.as_deref().map_or(Value::Undef, Value::from)),
        ]))
    }
}

impl ResourceRelation {
    /// Returns it as a hash: `of`, `other`, `order`, `notifies`, `said_by`, `parameter`, `arrow` and `place`.
    pub fn to_data(&self) -> Value {
        hash([
            ("of", text(&self.of)),
            ("other", text(&self.other)),
            ("order", if self.is_before { "before" } else { "after" }.into()),
            ("notifies", self.notifies.into()),
            ("said_by", text(&self.said_by.0)),
            ("parameter", self.said_by.1.into()),
            ("arrow", self.is_arrow.into()),
            ("place", place(self.place.as_ref())),
        ])
    }
}

fn text(reference: &Reference) -> Value {
    reference.to_string().into()
}

fn place(place: Option<&SourceLocation>) -> Value {
    let Some(place) = place else { return Value::Undef };
    let file = place.file.as_deref().map_or(Value::Undef, Value::from);
    let line = place.line.map_or(Value::Undef, |line| i64::from(line).into());
    hash([("file", file), ("line", line)])
}

fn hash<const N: usize>(entries: [(&str, Value); N]) -> Value {
    entries.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

impl ResourceProvenance {
    /// Returns the parameters that data gave, each with the key that it has there.
    pub fn of_data(&mut self) -> impl Iterator<Item = (String, &mut ParameterOrigin)> {
        std::iter::once(&mut self.resource).chain(&mut self.chain).flat_map(|origin| {
            let class = origin.reference.title().to_lowercase();
            let of_data =
                origin.parameters.iter_mut().filter(|parameter| parameter.cause == ParameterCause::Data);
            of_data.map(move |parameter| (format!("{class}::{}", parameter.name), parameter))
        })
    }
}
