//! Dependency cycles.

use std::collections::VecDeque;

use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::graph::{EdgeKind, Graph, NodeId};

/// The maximum number of vertices from which the shortest way around a group is searched.
const STARTS: usize = 32;

/// The order of numbered nodes. Each node begins and ends; the contents of a container begin and end in between. As in
/// Puppet, a node before a container comes before all of its contents, and a node after it after all of them.
#[derive(Debug)]
pub struct OrderGraph {
    /// Two vertices for each node. Weights are the numbers of given edges; a node's end after its begin has none.
    vertices: DiGraph<(), Option<usize>, usize>,
}

/// Nodes that come before each other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OrderCycle {
    /// The nodes, sorted: each comes before all others, and before itself.
    pub nodes: Vec<usize>,
    /// The numbers of the edges of a short way around, in order.
    pub edges: Vec<usize>,
}

impl OrderGraph {
    /// Creates the order of some nodes, with edges from one node to another.
    pub fn new(nodes: usize, edges: impl IntoIterator<Item = (usize, usize, EdgeKind)>) -> Self {
        let mut vertices: DiGraph<(), Option<usize>, usize> = DiGraph::default();
        for _ in 0..nodes {
            let (begin, end) = (vertices.add_node(()), vertices.add_node(()));
            vertices.add_edge(begin, end, None);
        }
        let begin = |node: usize| NodeIndex::new(node.saturating_mul(2));
        let end = |node: usize| NodeIndex::new(node.saturating_mul(2).saturating_add(1));
        for (number, (from, to, relation)) in edges.into_iter().enumerate() {
            if from >= nodes || to >= nodes {
                continue;
            }
            match relation {
                EdgeKind::Contains => {
                    vertices.add_edge(begin(from), begin(to), Some(number));
                    vertices.add_edge(end(to), end(from), Some(number));
                }
                EdgeKind::Before | EdgeKind::Notifies => {
                    vertices.add_edge(end(from), begin(to), Some(number));
                }
            }
        }
        Self { vertices }
    }

    /// Returns true if a node comes before itself.
    pub fn has_cycles(&self) -> bool {
        toposort(&self.vertices, None).is_err()
    }

    /// Returns the cycles, sorted.
    pub fn cycles(&self) -> Vec<OrderCycle> {
        let groups = kosaraju_scc(&self.vertices).into_iter().filter(|group| group.len() > 1);
        let mut cycles: Vec<OrderCycle> = groups
            .map(|mut group| {
                group.sort_unstable();
                let mut nodes: Vec<usize> = group.iter().map(|vertex| vertex.index() / 2).collect();
                nodes.dedup();
                OrderCycle { nodes, edges: self.way_around(&group) }
            })
            .collect();
        cycles.sort();
        cycles
    }

    /// Returns a short way around a sorted group of vertices: the shortest through one of its first vertices.
    fn way_around(&self, group: &[NodeIndex<usize>]) -> Vec<usize> {
        let ways = group.iter().take(STARTS).filter_map(|start| self.way_from(*start, group));
        ways.min_by_key(Vec::len).unwrap_or_default()
    }

    /// Returns the shortest way from a vertex to itself within a sorted group.
    fn way_from(&self, start: NodeIndex<usize>, group: &[NodeIndex<usize>]) -> Option<Vec<usize>> {
        let mut reached_by: Vec<Option<EdgeIndex<usize>>> = vec![None; group.len()];
        let mut waiting = VecDeque::from([start]);
        while let Some(vertex) = waiting.pop_front() {
            for edge in self.vertices.edges(vertex) {
                let Ok(at) = group.binary_search(&edge.target()) else { continue };
                let Some(reached @ None) = reached_by.get_mut(at) else { continue };
                *reached = Some(edge.id());
                if edge.target() == start {
                    return Some(self.way_back(start, group, &reached_by));
                }
                waiting.push_back(edge.target());
            }
        }
        None
    }

    /// Returns the numbers of the edges by which a search has come back to its start.
    fn way_back(
        &self,
        start: NodeIndex<usize>,
        group: &[NodeIndex<usize>],
        reached_by: &[Option<EdgeIndex<usize>>],
    ) -> Vec<usize> {
        let mut way = Vec::new();
        let mut vertex = start;
        while let Ok(at) = group.binary_search(&vertex)
            && let Some(edge) = reached_by.get(at).copied().flatten()
        {
            way.extend(self.vertices.edge_weight(edge).copied().flatten());
            let Some((source, _)) = self.vertices.edge_endpoints(edge) else { break };
            vertex = source;
            if vertex == start {
                break;
            }
        }
        way.reverse();
        way
    }
}

impl Graph {
    /// Returns the dependency cycles: groups of nodes, each of which comes before all others of its group.
    pub fn cycles(&self) -> Vec<Vec<NodeId>> {
        let edges = self.edges().iter().map(|edge| (edge.from.0, edge.to.0, edge.relation));
        let cycles = OrderGraph::new(self.nodes().len(), edges).cycles();
        cycles.into_iter().map(|cycle| cycle.nodes.into_iter().map(NodeId).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{GraphNode, NodeKind};

    fn cycles(count: usize, edges: &[(usize, usize, EdgeKind)]) -> Vec<Vec<usize>> {
        let mut graph = Graph::default();
        let ids: Vec<NodeId> =
            (0..count).map(|_| graph.add_node(GraphNode::new("a", NodeKind::Resource))).collect();
        edges.iter().for_each(|(from, to, relation)| graph.connect(ids[*from], ids[*to], *relation));
        graph.cycles().into_iter().map(|cycle| cycle.into_iter().map(|id| id.0).collect()).collect()
    }

    #[test]
    fn what_comes_before_itself_is_found() {
        use EdgeKind::{Before, Contains, Notifies};
        let none: [Vec<usize>; 0] = [];
        assert_eq!(cycles(3, &[(0, 1, Before), (1, 2, Before), (0, 2, Before)]), none);
        assert_eq!(cycles(3, &[(0, 1, Before), (1, 0, Notifies)]), [vec![0, 1]]);
        assert_eq!(cycles(2, &[(1, 1, Before)]), [vec![1]]);
        // Siblings may be in any order, but the contents of a container cannot come before or after it.
        assert_eq!(cycles(3, &[(0, 1, Contains), (0, 2, Contains), (1, 2, Before)]), none);
        assert_eq!(cycles(2, &[(0, 1, Contains), (0, 1, Before)]), [vec![0, 1]]);
        assert_eq!(cycles(2, &[(0, 1, Contains), (1, 0, Before)]), [vec![0, 1]]);
        // Containers come before one another through their contents.
        let both = [(0, 2, Contains), (1, 3, Contains), (2, 3, Before), (1, 0, Before)];
        assert_eq!(cycles(4, &both), [vec![0, 1, 2, 3]]);
    }

    #[test]
    fn a_long_cycle_takes_no_stack() {
        let count = 100_000;
        let edges: Vec<_> = (0..count).map(|at| (at, (at + 1) % count, EdgeKind::Before)).collect();
        assert_eq!(cycles(count, &edges).len(), 1);
    }

    #[test]
    fn the_way_around_is_short_and_in_order() {
        use EdgeKind::{Before, Contains};
        // 0 -> 1 -> 2 -> 3 -> 0, and a shorter way: 3 -> 1.
        let edges = [(0, 1, Before), (1, 2, Before), (2, 3, Before), (3, 0, Before), (3, 1, Before)];
        let cycles = OrderGraph::new(4, edges).cycles();
        assert_eq!(cycles, [OrderCycle { nodes: vec![0, 1, 2, 3], edges: vec![1, 2, 4] }]);
        // 2 is after all of 0, and before its content.
        let cycles = OrderGraph::new(3, [(0, 1, Contains), (0, 2, Before), (2, 1, Before)]).cycles();
        assert_eq!(cycles[0].edges, [1, 2, 0]);
        assert_eq!(OrderGraph::new(1, [(0, 0, Before), (7, 0, Before)]).cycles()[0].edges, [0]);
    }
}
