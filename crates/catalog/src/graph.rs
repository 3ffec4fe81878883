//! Catalogs as graphs.

use std::collections::{BTreeMap, BTreeSet};

use puppetfn_graph::{Edge, EdgeKind, Graph, GraphMark, GraphNode, NodeId, NodeKind, Reach};
use puppetfn_types::types::Reference;

use crate::error::ReadError;
use crate::read::parse_reference;
use crate::similar::suggestion;
use crate::{Catalog, FileLine, Relations, Relationship};

/// The edges of a catalog's graph that are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ShownEdges {
    /// All edges.
    #[default]
    All,
    /// Containment alone.
    Containment,
    /// The order of resources alone, without unrelated resources.
    Dependencies,
}

/// The visible part of a catalog's graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphView {
    /// The edges.
    pub shown: ShownEdges,
    /// The resources that are shown with their neighbours, as `File[/a]`; if empty, everything is shown.
    pub around: Vec<String>,
    /// The distance and number of neighbours.
    pub reach: Reach,
}

impl GraphView {
    /// Returns the visible part of a graph, with the resources of `around` highlighted.
    ///
    /// # Errors
    /// Fails if there is no such resource.
    pub fn of(&self, graph: &Graph) -> Result<Graph, ReadError> {
        let mut graph = self.edges_of(graph);
        if self.around.is_empty() {
            return Ok(graph);
        }
        let mut around = Vec::new();
        for named in &self.around {
            let id = find(&graph, named)?;
            graph.node_mut(id).into_iter().for_each(|node| node.mark = GraphMark::Highlighted);
            around.push(id);
        }
        let reach = Reach { most: self.reach.most.max(around.len()), ..self.reach };
        Ok(graph.neighbourhood(&around, reach))
    }

    fn edges_of(&self, graph: &Graph) -> Graph {
        match self.shown {
            ShownEdges::All => graph.clone(),
            ShownEdges::Containment => graph.part(|_| true, |edge| edge.relation == EdgeKind::Contains),
            ShownEdges::Dependencies => {
                let related = graph.edges().iter().filter(|edge| edge.relation != EdgeKind::Contains);
                let related: BTreeSet<NodeId> = related.flat_map(|edge| [edge.from, edge.to]).collect();
                graph.part(|id| related.contains(&id), |edge| edge.relation != EdgeKind::Contains)
            }
        }
    }
}

/// Finds the resource that is meant.
fn find(graph: &Graph, named: &str) -> Result<NodeId, ReadError> {
    let Some(reference) = parse_reference(named) else {
        return Err(ReadError::new(
            "",
            format!("expected a resource such as File[/etc/motd], got '{named}'"),
        ));
    };
    let label = reference.to_string();
    graph.find(&label).ok_or_else(|| {
        let meant = suggestion(&label, graph.nodes().map(|(_, node)| node.label.as_str()));
        let message = format!(
            "there is no {label} among the {} resources that could be drawn{meant}",
            graph.nodes().len()
        );
        ReadError::new("", message)
    })
}

impl Catalog {
    /// Returns the graph of the catalog: containment, and the relationships that resources declare. Nodes are
    /// labelled with references and sorted by them.
    ///
    /// ```
    /// use puppetfn_catalog::Catalog;
    /// use puppetfn_graph::render;
    ///
    /// let package = r#"{"type": "Package", "title": "ntp"}"#;
    /// let service = r#"{"type": "Service", "title": "ntp", "parameters": {"require": "Package[ntp]"}}"#;
    /// let catalog = Catalog::of_json(&format!(r#"{{"name": "web1", "resources": [{package}, {service}]}}"#))?;
    /// let mut shown = Vec::new();
    /// render::mermaid(&catalog.graph(), &mut shown)?;
    /// assert!(String::from_utf8(shown)?.ends_with("n0 --> n1\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn graph(&self) -> Graph {
        let relations = Relations::of(self);
        let mut graph = Graph::new(self.node());
        let places: BTreeMap<&Reference, FileLine> = self
            .resources()
            .iter()
            .filter_map(|resource| Some((&resource.reference, resource.place()?)))
            .collect();
        let mut resources: Vec<_> = self.resources().iter().collect();
        resources.sort_by_key(|resource| &resource.reference);
        let ids: BTreeMap<&Reference, NodeId> = resources
            .into_iter()
            .map(|resource| {
                let kind = match &**resource.reference.type_name() {
                    "Class" | "Stage" | "Node" => NodeKind::Class,
                    _ => NodeKind::Resource,
                };
                let mut node = GraphNode::new(resource.reference.to_string(), kind);
                node.note = resource.place().map(|place| place.to_string());
                (&resource.reference, graph.add_node(node))
            })
            .collect();
        for (content, id) in &ids {
            // Nearest first: a class that another one contains is in its stage, too.
            let (stages, nearer): (Vec<_>, Vec<_>) =
                relations.containers(content).partition(|container| &**container.type_name() == "Stage");
            for container in nearer.into_iter().chain(stages) {
                if let Some(container) = ids.get(container) {
                    graph.connect(*container, *id, EdgeKind::Contains);
                }
            }
        }
        for ((first, second), relationship) in relations.relationships() {
            if let (Some(&from), Some(&to)) = (ids.get(first), ids.get(second)) {
                let relation = if relationship.notifies { EdgeKind::Notifies } else { EdgeKind::Before };
                graph.add_edge(Edge {
                    from,
                    to,
                    relation,
                    mark: GraphMark::None,
                    note: Some(said(relationship, &places)),
                });
            }
        }
        graph
    }
}

/// Returns which parameters say that one resource comes before another, with the places of their resources.
fn said(relationship: &Relationship, places: &BTreeMap<&Reference, FileLine>) -> String {
    let said = relationship.declared.iter().map(|(resource, parameter)| match places.get(resource) {
        Some(place) => format!("{parameter} of {resource} ({place})"),
        None => format!("{parameter} of {resource}"),
    });
    said.collect::<Vec<String>>().join(", ")
}
