//! Catalogs as graphs.

use std::collections::BTreeMap;

use puppetfn_graph::{Edge, Graph, Kind, Mark, Node, NodeId, Relation};

use crate::catalog::{Catalog, Relationship};
use crate::reference::Reference;

impl Catalog {
    /// Returns the graph of what is in the catalog: what contains what, and what comes before what because a resource says so. Nodes are
    /// called as references are, and sorted by these.
    ///
    /// ```
    /// use puppetfn_diff::Catalog;
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
        let mut graph = Graph::new(self.node());
        let ids: BTreeMap<&Reference, NodeId> = self
            .resources()
            .map(|resource| {
                let kind = match &*resource.reference.type_name {
                    "Class" | "Stage" | "Node" => Kind::Class,
                    _ => Kind::Resource,
                };
                let mut node = Node::new(resource.reference.to_string(), kind);
                node.note = resource.place.as_ref().map(ToString::to_string);
                (&resource.reference, graph.add_node(node))
            })
            .collect();
        for (content, id) in &ids {
            // Nearest first: a class that another one contains is in its stage, too.
            let (stages, nearer): (Vec<_>, Vec<_>) =
                self.containers(content).partition(|container| &*container.type_name == "Stage");
            for container in nearer.into_iter().chain(stages) {
                if let Some(container) = ids.get(container) {
                    graph.connect(*container, *id, Relation::Contains);
                }
            }
        }
        for ((first, second), relationship) in self.relationships() {
            if let (Some(&from), Some(&to)) = (ids.get(first), ids.get(second)) {
                let relation = if relationship.notifies { Relation::Notifies } else { Relation::Before };
                graph.add_edge(Edge { from, to, relation, mark: Mark::None, note: Some(said(relationship)) });
            }
        }
        graph
    }
}

/// Returns which parameters say that one resource comes before another.
fn said(relationship: &Relationship) -> String {
    let said = relationship.declared.iter().map(|(resource, parameter)| format!("{parameter} of {resource}"));
    said.collect::<Vec<String>>().join(", ")
}
