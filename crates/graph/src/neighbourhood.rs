//! The neighbourhood of some nodes.

use std::collections::{BTreeSet, VecDeque};

use crate::graph::{Graph, NodeId};
use crate::tree::ContainmentTree;

/// The size of a neighbourhood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The maximum distance in edges, in either direction.
    pub steps: usize,
    /// The maximum number of nodes, not counting their containers.
    pub most: usize,
}

impl Graph {
    /// Returns the neighbourhood of some nodes with their containers. If it has too many nodes, the nearest ones are
    /// kept, and [`Graph::left_out`] returns the number of omitted nodes.
    #[must_use]
    pub fn neighbourhood(&self, around: &[NodeId], reach: Reach) -> Self {
        let neighbours = self.neighbours();
        let mut seen: BTreeSet<NodeId> = BTreeSet::new();
        let mut kept: BTreeSet<NodeId> = BTreeSet::new();
        let mut waiting: VecDeque<(NodeId, usize)> = around.iter().map(|id| (*id, 0)).collect();
        while let Some((id, steps)) = waiting.pop_front() {
            if self.node(id).is_none() || !seen.insert(id) {
                continue;
            }
            if kept.len() < reach.most {
                kept.insert(id);
            }
            if steps < reach.steps {
                let near = neighbours.get(id.0).into_iter().flatten();
                waiting.extend(near.map(|other| (*other, steps.saturating_add(1))));
            }
        }
        let tree = ContainmentTree::of(self);
        let mut shown = kept.clone();
        for id in kept {
            let mut container = tree.parent(id.0);
            while let Some(index) = container
                && shown.insert(NodeId(index))
            {
                container = tree.parent(index);
            }
        }
        let mut part = self.part(|id| shown.contains(&id), |_| true);
        part.left_out = part.left_out.saturating_add(seen.difference(&shown).count());
        part
    }

    /// Returns the neighbours of each node.
    fn neighbours(&self) -> Vec<Vec<NodeId>> {
        let mut neighbours = vec![Vec::new(); self.nodes().len()];
        for edge in self.edges() {
            for (one, other) in [(edge.from, edge.to), (edge.to, edge.from)] {
                neighbours.get_mut(one.0).into_iter().for_each(|known: &mut Vec<NodeId>| known.push(other));
            }
        }
        neighbours
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{EdgeKind, GraphNode, NodeKind};

    #[test]
    fn a_neighbourhood_has_what_is_near_and_the_containers_of_that() {
        let mut graph = Graph::new("web1");
        let ids: Vec<NodeId> =
            ('a'..='f').map(|name| graph.add_node(GraphNode::new(name, NodeKind::Resource))).collect();
        let [a, b, c, d, e, f] = ids[..] else { panic!() };
        for (from, to) in [(a, b), (b, c), (c, d)] {
            graph.connect(from, to, EdgeKind::Before);
        }
        graph.connect(e, d, EdgeKind::Contains);
        graph.connect(f, e, EdgeKind::Contains);
        let shown = |around: &[NodeId], steps, most| {
            let part = graph.neighbourhood(around, Reach { steps, most });
            let labels: String = part.nodes().map(|(_, node)| node.label.as_str()).collect();
            (labels, part.edges().len(), part.left_out())
        };
        assert_eq!(shown(&[a], 0, 9), ("a".into(), 0, 0));
        assert_eq!(shown(&[a], 2, 9), ("abc".into(), 2, 0));
        assert_eq!(shown(&[b], 1, 2), ("ab".into(), 1, 1));
        assert_eq!(shown(&[d, NodeId(99)], 0, 9), ("def".into(), 2, 0));
    }
}
