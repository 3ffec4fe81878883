//! Dependency cycles.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::graph::{EdgeKind, Graph, NodeId};

impl Graph {
    /// Returns the dependency cycles: groups of nodes, each of which comes before all others of its group. As in
    /// Puppet, a node before a container comes before all of its contents, and a node after it after all of them.
    pub fn cycles(&self) -> Vec<Vec<NodeId>> {
        // Each node begins and ends. Its contents begin and end in between.
        let (begin, end) =
            (|id: NodeId| id.0.saturating_mul(2), |id: NodeId| id.0.saturating_mul(2).saturating_add(1));
        let within = self.nodes().map(|(id, _)| (begin(id), end(id)));
        let between = self.edges().iter().flat_map(|edge| match edge.relation {
            EdgeKind::Contains => vec![(begin(edge.from), begin(edge.to)), (end(edge.to), end(edge.from))],
            EdgeKind::Before | EdgeKind::Notifies => vec![(end(edge.from), begin(edge.to))],
        });
        let mut whole: DiGraph<(), (), usize> = DiGraph::default();
        self.nodes().for_each(|_| {
            whole.add_node(());
            whole.add_node(());
        });
        whole.extend_with_edges(within.chain(between));
        let mut cycles: Vec<Vec<NodeId>> = kosaraju_scc(&whole)
            .into_iter()
            .filter(|group| group.len() > 1)
            .map(|group| {
                let mut nodes: Vec<NodeId> =
                    group.into_iter().map(|vertex| NodeId(vertex.index() / 2)).collect();
                nodes.sort_unstable();
                nodes.dedup();
                nodes
            })
            .collect();
        cycles.sort();
        cycles
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
}
