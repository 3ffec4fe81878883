//! The neighbourhood of the resources that differ: their containers and related resources.

use std::collections::{BTreeMap, BTreeSet};

use puppetfn_graph::{Edge, EdgeKind, Graph, GraphMark, NodeId, Reach};

use crate::difference::{ChangeKind, Differences};
use puppetfn_catalog::Catalog;

/// The size of a neighbourhood: direct neighbours only, and no more nodes than a reader can take in.
const REACH: Reach = Reach { steps: 1, most: 40 };

/// Returns the resources that differ and their neighbours, from both catalogs. The graph is small even if the catalogs
/// are large.
pub(crate) fn surroundings(old: &Catalog, new: &Catalog, differences: &Differences) -> Graph {
    let marks = GraphMarks::of(differences);
    let mut graph = Graph::new(format!("Neighbourhood of the differences of {}", new.node()));
    let mut ids: BTreeMap<String, NodeId> = BTreeMap::new();
    let mut edges: BTreeMap<(NodeId, NodeId, bool), [Option<Edge>; 2]> = BTreeMap::new();
    // The new catalog comes first: notes are about its resources.
    for (side, catalog) in [(1, new.graph()), (0, old.graph())] {
        let mut own = Vec::new();
        for (_, node) in catalog.nodes() {
            let id = ids.entry(node.label.clone()).or_insert_with(|| {
                let mark = marks.resources.get(&node.label).copied().unwrap_or_default();
                graph.add_node(puppetfn_graph::GraphNode { mark, ..node.clone() })
            });
            own.push(*id);
        }
        let numbers: BTreeMap<NodeId, NodeId> = catalog.nodes().map(|(id, _)| id).zip(own).collect();
        for edge in catalog.edges() {
            if let (Some(&from), Some(&to)) = (numbers.get(&edge.from), numbers.get(&edge.to)) {
                let both = edges.entry((from, to, edge.relation == EdgeKind::Contains)).or_default();
                if let Some(place) = both.get_mut(side) {
                    *place = Some(Edge { from, to, ..edge.clone() });
                }
            }
        }
    }
    for [old, new] in edges.into_values() {
        let mark = match (&old, &new) {
            (None, _) => GraphMark::Added,
            (_, None) => GraphMark::Removed,
            (Some(old), Some(new)) if old.relation != new.relation => GraphMark::Changed,
            _ => GraphMark::None,
        };
        if let Some(edge) = new.or(old) {
            let mark = if marks.is_different(&graph, &edge) { mark } else { GraphMark::None };
            graph.add_edge(Edge { mark, ..edge });
        }
    }
    let around: Vec<NodeId> = marks.all.iter().filter_map(|label| ids.get(label).copied()).collect();
    graph.neighbourhood(&around, REACH)
}

/// Marks of nodes and edges.
struct GraphMarks {
    /// Resources that differ.
    resources: BTreeMap<String, GraphMark>,
    /// Pairs whose order differs.
    order: BTreeSet<(String, String)>,
    /// Resources whose container changed.
    moved: BTreeSet<String>,
    /// The resources of all the above.
    all: BTreeSet<String>,
}

impl GraphMarks {
    fn of(differences: &Differences) -> Self {
        let mark = |change| match change {
            ChangeKind::Added => GraphMark::Added,
            ChangeKind::Removed => GraphMark::Removed,
            ChangeKind::Changed => GraphMark::Changed,
        };
        let resources = differences.resources.iter();
        let resources: BTreeMap<String, GraphMark> =
            resources.map(|found| (found.reference.to_string(), mark(found.change))).collect();
        let order = differences.ordering.iter();
        let order: BTreeSet<(String, String)> =
            order.map(|found| (found.first.to_string(), found.then.to_string())).collect();
        let moved: BTreeSet<String> =
            differences.containment.iter().map(|found| found.reference.to_string()).collect();
        let ends = order.iter().flat_map(|(first, then)| [first, then]);
        let all = resources.keys().chain(ends).chain(&moved).cloned().collect();
        Self { resources, order, moved, all }
    }

    /// Returns true for an edge that is a difference itself, or that came or went with a resource. Other edges may
    /// differ in ways that are of no interest.
    fn is_different(&self, graph: &Graph, edge: &Edge) -> bool {
        let label = |id| graph.node(id).map_or("", |node| node.label.as_str());
        let (from, to) = (label(edge.from), label(edge.to));
        let is_one_sided =
            |name: &str| matches!(self.resources.get(name), Some(GraphMark::Added | GraphMark::Removed));
        let is_own = match edge.relation {
            EdgeKind::Contains => self.moved.contains(to),
            EdgeKind::Before | EdgeKind::Notifies => self.order.contains(&(from.to_owned(), to.to_owned())),
        };
        is_own || is_one_sided(from) || is_one_sided(to)
    }
}
