//! Dependency cycles, with the origin of each edge.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use puppetfn_base::error::SourceLocation;
use puppetfn_graph::{EdgeKind, OrderGraph};
use puppetfn_types::types::Reference;

use crate::flat::leaves;
use crate::ids::ResourceId;
use crate::{Catalog, CatalogResource, Draft, FileLine, RELATIONSHIPS, Relations};

/// A dependency cycle: none of its resources can come first, so that no agent can apply them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DependencyCycle {
    /// All resources that come before each other.
    pub resources: Vec<Reference>,
    /// The edges of a short way around, in order.
    pub edges: Vec<DependencyEdge>,
}

/// An edge of the order of resources, with its origin.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DependencyEdge {
    /// The resource that comes first, or the container.
    pub first: Reference,
    /// The resource that comes later, or the content.
    pub second: Reference,
    /// The origin.
    pub reason: DependencyReason,
    /// The place of the parameter or arrow, or else of the resource that has it.
    pub place: Option<FileLine>,
}

/// The origin of an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DependencyReason {
    /// One of [`RELATIONSHIPS`], a parameter of one of the two resources.
    Parameter(&'static str),
    /// An arrow, which has set such a parameter of the first resource.
    Arrow(&'static str),
    /// The type of one of the two resources: `autorequire`, `autosubscribe`, `autobefore` or `autonotify`.
    Type(&'static str),
    /// Containment.
    Container,
}

impl DependencyReason {
    fn kind(self) -> EdgeKind {
        if self == Self::Container { EdgeKind::Contains } else { EdgeKind::Before }
    }

    /// Returns true if the second resource states the order.
    fn is_of_second(self) -> bool {
        matches!(self, Self::Parameter("require" | "subscribe") | Self::Type("autorequire" | "autosubscribe"))
    }

    /// Returns the words between the resource that states the order and the other one.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Arrow("notify") => "~>",
            Self::Arrow(_) => "->",
            Self::Container => "contains",
            Self::Parameter("notify") => "notifies",
            Self::Parameter("require") => "requires",
            Self::Parameter("subscribe") => "subscribes to",
            Self::Type("autonotify") => "autonotifies",
            Self::Type("autorequire") => "autorequires",
            Self::Type("autosubscribe") => "autosubscribes to",
            Self::Type(_) => "autobefore",
            Self::Parameter(_) => "before",
        }
    }
}

impl DependencyEdge {
    /// Returns the resource that states the order: the container, or the resource with the parameter.
    pub fn stated_by(&self) -> &Reference {
        if self.reason.is_of_second() { &self.second } else { &self.first }
    }

    /// Returns the edge in a sentence: `Exec[a] before File[b]`.
    pub fn sentence(&self) -> String {
        let (subject, object) = if self.reason.is_of_second() {
            (&self.second, &self.first)
        } else {
            (&self.first, &self.second)
        };
        format!("{subject} {} {object}", self.reason.verb())
    }

    /// Returns the sentence with the place in brackets, relative to a directory if it is inside.
    pub fn text(&self, directory: Option<&Path>) -> String {
        let Some(FileLine { file, line }) = &self.place else { return self.sentence() };
        let inside =
            directory.and_then(|directory| Path::new(&**file).strip_prefix(directory).ok()?.to_str());
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{} ({}{line})", self.sentence(), inside.unwrap_or(file))
    }
}

impl fmt::Display for DependencyEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(None))
    }
}

impl DependencyCycle {
    /// Returns the cycle as text: a heading, and a line for each edge. Paths inside a directory are relative to it.
    pub fn text(&self, directory: Option<&Path>) -> String {
        let edges = self.edges.iter().map(|edge| format!("\n  {}", edge.text(directory)));
        let count = self.resources.len();
        let resources = if count == 1 { "resource" } else { "resources" };
        format!("Found a dependency cycle of {count} {resources}:{}", edges.collect::<String>())
    }
}

impl fmt::Display for DependencyCycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(None))
    }
}

/// An edge between numbered resources.
type NumberedEdge = (usize, usize, DependencyReason);

/// Finds the cycles among numbered resources. Names and places of edges are only made for cycles, which are rare.
fn cycles(
    count: usize,
    mut edges: Vec<NumberedEdge>,
    name: impl Fn(usize) -> Option<Reference>,
    place: impl Fn(NumberedEdge) -> Option<FileLine>,
) -> Vec<DependencyCycle> {
    let order = |edges: &[NumberedEdge]| {
        OrderGraph::new(count, edges.iter().map(|(from, to, reason)| (*from, *to, reason.kind())))
    };
    if !order(&edges).has_cycles() {
        return Vec::new();
    }
    // The same way around each time, whatever the order of the edges was.
    edges.sort_unstable();
    let edge = |number: usize| {
        let (first, second, reason) = *edges.get(number)?;
        let place = place((first, second, reason));
        Some(DependencyEdge { first: name(first)?, second: name(second)?, reason, place })
    };
    let cycles = order(&edges).cycles().into_iter();
    cycles
        .map(|cycle| DependencyCycle {
            resources: cycle.nodes.into_iter().filter_map(&name).collect(),
            edges: cycle.edges.into_iter().filter_map(edge).collect(),
        })
        .collect()
}

impl Draft {
    /// Returns the dependency cycles among the resources of the node. `automatic` are the edges that types add.
    ///
    /// ```
    /// use puppetfn::eval::Runtime;
    ///
    /// let runtime = Runtime::builder().manifests().build();
    /// runtime.evaluate("notify { 'a': require => Notify['b'] }\nnotify { 'b': }\nNotify['a'] -> Notify['b']", Some("site.pp"))?;
    /// let cycles = runtime.catalog()?.cycles(&[]);
    /// let edges: Vec<String> = cycles[0].edges.iter().map(ToString::to_string).collect();
    /// assert_eq!(edges, ["Notify[a] -> Notify[b] (site.pp:3)", "Notify[a] requires Notify[b] (site.pp:1)"]);
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    pub fn cycles(&self, automatic: &[DependencyEdge]) -> Vec<DependencyCycle> {
        let number = |id: ResourceId| id.0 as usize;
        let is_real = |id: ResourceId| self.get(id).is_some_and(|resource| !resource.is_virtual());
        let mut edges: Vec<NumberedEdge> = Vec::new();
        for (container, content) in &self.edges {
            if is_real(*container) && is_real(*content) {
                edges.push((number(*container), number(*content), DependencyReason::Container));
            }
        }
        for (index, resource) in self.resources.iter().enumerate() {
            let Some(resource) = resource.as_ref().filter(|resource| !resource.is_virtual()) else {
                continue;
            };
            let this = ResourceId(u32::try_from(index).unwrap_or(u32::MAX));
            for name in RELATIONSHIPS {
                let Some(value) = resource.get(name) else { continue };
                for other in leaves(value).filter_map(Reference::of_value) {
                    let Some(other) = self.find(&other).filter(|id| is_real(*id)) else { continue };
                    let is_first = matches!(name, "before" | "notify");
                    let (first, second) = if is_first { (this, other) } else { (other, this) };
                    let reason = match is_first && self.arrow(first, second).is_some() {
                        true => DependencyReason::Arrow(name),
                        false => DependencyReason::Parameter(name),
                    };
                    edges.push((number(first), number(second), reason));
                }
            }
        }
        for edge in automatic {
            if let (Some(first), Some(second)) = (self.find(&edge.first), self.find(&edge.second)) {
                edges.push((number(first), number(second), edge.reason));
            }
        }
        let resource = |index: usize| self.resources.get(index).and_then(Option::as_ref);
        let name = |index| resource(index).map(|resource| resource.reference.clone());
        cycles(self.resources.len(), edges, name, |edge| self.place_of(edge))
    }

    /// Returns the place of an edge.
    fn place_of(&self, (first, second, reason): NumberedEdge) -> Option<FileLine> {
        let id = |index: usize| ResourceId(u32::try_from(index).unwrap_or(u32::MAX));
        let stated_by =
            if reason.is_of_second() || reason == DependencyReason::Container { second } else { first };
        let resource = self.get(id(stated_by))?;
        let parameter = match reason {
            DependencyReason::Parameter(name) => resource.parameters.get(name),
            DependencyReason::Arrow(_) | DependencyReason::Type(_) | DependencyReason::Container => None,
        };
        let noted = match reason {
            DependencyReason::Parameter(_) | DependencyReason::Arrow(_) => self.arrow(id(first), id(second)),
            DependencyReason::Type(_) | DependencyReason::Container => None,
        };
        let place = noted.or_else(|| parameter?.place.as_ref()).or(resource.place.as_ref());
        place.and_then(file_line)
    }
}

impl Catalog {
    /// Returns the dependency cycles, by the containment and the relationships that the catalog states. It does not have
    /// the places of arrows: an edge has the place of the resource whose parameter the arrow has set.
    pub fn cycles(&self) -> Vec<DependencyCycle> {
        self.cycles_of(&Relations::of(self))
    }

    /// Returns the same for known relations of the catalog.
    pub fn cycles_of(&self, relations: &Relations) -> Vec<DependencyCycle> {
        let resources = self.resources();
        let numbers: BTreeMap<&Reference, usize> =
            resources.iter().enumerate().map(|(number, resource)| (&resource.reference, number)).collect();
        let number = |reference: &Reference| numbers.get(reference).copied();
        let mut edges: Vec<NumberedEdge> = Vec::new();
        for (container, content) in self.edges() {
            if let (Some(container), Some(content)) = (number(container), number(content)) {
                edges.push((container, content, DependencyReason::Container));
            }
        }
        for ((first, second), relationship) in relations.relationships() {
            if let (Some(first), Some(second)) = (number(first), number(second)) {
                let reasons = relationship.declared.iter().map(|(_, name)| DependencyReason::Parameter(name));
                edges.extend(reasons.map(|reason| (first, second, reason)));
            }
        }
        let name = |index: usize| resources.get(index).map(|resource| resource.reference.clone());
        cycles(resources.len(), edges, name, |(first, second, reason)| {
            let is_of_second = reason.is_of_second() || reason == DependencyReason::Container;
            resources.get(if is_of_second { second } else { first }).and_then(CatalogResource::place)
        })
    }
}

fn file_line(place: &SourceLocation) -> Option<FileLine> {
    Some(FileLine { file: place.file.clone()?, line: place.line.map(u64::from) })
}
