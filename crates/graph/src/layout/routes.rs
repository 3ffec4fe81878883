//! The segments of lines within each container.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::greedy_feedback_arc_set;
use petgraph::graph::DiGraph;
use petgraph::visit::EdgeRef;

use crate::graph::{EdgeKind, Graph};
use crate::tree::ContainmentTree;

/// A line within a container, or a line's segment in it. Its direction is down: from the top border if it has no upper
/// end here, and to the bottom border if it has no lower end here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct SegmentKey {
    /// The node at which the whole line begins.
    pub upper: Option<usize>,
    /// The node at which the whole line ends.
    pub lower: Option<usize>,
    pub relation: EdgeKind,
}

/// The ends of a segment within the container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SegmentEnds {
    pub upper: Option<usize>,
    pub lower: Option<usize>,
}

/// The route of an edge through containers, from top to bottom.
#[derive(Debug)]
pub(super) struct Route {
    pub parts: Vec<(Option<usize>, SegmentKey)>,
    pub is_upwards: bool,
}

/// The routes of all edges.
#[derive(Debug)]
pub(super) struct Routes {
    edges: Vec<Option<Route>>,
    within: BTreeMap<Option<usize>, BTreeMap<SegmentKey, SegmentEnds>>,
}

impl Routes {
    pub(super) fn of(graph: &Graph, tree: &ContainmentTree) -> Self {
        let against = against_the_rest(graph, tree);
        let mut routes = Self { edges: Vec::new(), within: BTreeMap::new() };
        for (edge, is_upwards) in graph.edges().iter().zip(against) {
            let is_drawn = edge.from != edge.to && !tree.shows(edge);
            let (upper, lower) = if is_upwards { (edge.to.0, edge.from.0) } else { (edge.from.0, edge.to.0) };
            let route =
                is_drawn.then(|| Route { parts: routes.add(tree, upper, lower, edge.relation), is_upwards });
            routes.edges.push(route);
        }
        routes
    }

    /// Returns the routes of the edges, in their order.
    pub(super) fn edges(&self) -> &[Option<Route>] {
        &self.edges
    }

    /// Returns the segments within a container.
    pub(super) fn within(&self, container: Option<usize>) -> impl Iterator<Item = (SegmentKey, SegmentEnds)> {
        self.within.get(&container).into_iter().flatten().map(|(key, ends)| (*key, *ends))
    }

    /// Adds the segments of a line.
    fn add(
        &mut self,
        tree: &ContainmentTree,
        upper: usize,
        lower: usize,
        relation: EdgeKind,
    ) -> Vec<(Option<usize>, SegmentKey)> {
        let (common, down_to_upper, down_to_lower) = tree.meet(upper, lower);
        let leaving = SegmentKey { upper: Some(upper), lower: None, relation };
        let entering = SegmentKey { upper: None, lower: Some(lower), relation };
        let mut parts = Vec::new();
        let mut add = |container: Option<usize>, key: SegmentKey, ends: SegmentEnds| {
            self.within.entry(container).or_default().insert(key, ends);
            parts.push((container, key));
        };
        for step in down_to_upper.windows(2).rev() {
            if let [container, inner] = *step {
                add(Some(container), leaving, SegmentEnds { upper: Some(inner), lower: None });
            }
        }
        let ends =
            SegmentEnds { upper: down_to_upper.first().copied(), lower: down_to_lower.first().copied() };
        // One node may contain the other: the line then begins or ends at the container's border.
        let key = SegmentKey {
            upper: ends.upper.and(leaving.upper),
            lower: ends.lower.and(entering.lower),
            relation,
        };
        add(common, key, ends);
        for step in down_to_lower.windows(2) {
            if let [container, inner] = *step {
                add(Some(container), entering, SegmentEnds { upper: None, lower: Some(inner) });
            }
        }
        parts
    }
}

/// Returns for each edge whether it leads up when as many edges as possible lead down: some edges of each cycle do.
fn against_the_rest(graph: &Graph, tree: &ContainmentTree) -> Vec<bool> {
    // Contents of different containers are independent.
    let mut whole: DiGraph<(), (), usize> = DiGraph::default();
    graph.nodes().for_each(|_| _ = whole.add_node(()));
    let lifted: Vec<Option<(usize, usize)>> = graph
        .edges()
        .iter()
        .map(|edge| {
            if tree.shows(edge) {
                return None;
            }
            let (_, from, to) = tree.meet(edge.from.0, edge.to.0);
            from.first().copied().zip(to.first().copied())
        })
        .collect();
    whole.extend_with_edges(lifted.iter().flatten().copied().collect::<BTreeSet<_>>());
    let upwards: BTreeSet<(usize, usize)> =
        greedy_feedback_arc_set(&whole).map(|edge| (edge.source().index(), edge.target().index())).collect();
    lifted.iter().map(|ends| ends.is_some_and(|ends| upwards.contains(&ends))).collect()
}
