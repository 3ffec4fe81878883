//! Containment as a tree.

use crate::graph::{Edge, EdgeKind, Graph, NodeId};

/// Each node in at most one container: in the first one with an edge to it. A node that contains itself, even
/// indirectly, is in none.
#[derive(Debug)]
pub(crate) struct ContainmentTree {
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    depths: Vec<usize>,
    roots: Vec<usize>,
    /// All nodes, containers before their contents.
    order: Vec<usize>,
}

impl ContainmentTree {
    pub(crate) fn of(graph: &Graph) -> Self {
        let count = graph.nodes().len();
        let mut parents = vec![None; count];
        for edge in graph.edges().iter().filter(|edge| edge.relation == EdgeKind::Contains) {
            if let Some(parent @ None) = parents.get_mut(edge.to.0) {
                *parent = Some(edge.from.0);
            }
        }
        let mut contents = vec![Vec::new(); count];
        for (index, parent) in parents.iter().enumerate() {
            if let Some(contents) = parent.and_then(|parent| contents.get_mut(parent)) {
                contents.push(index);
            }
        }
        let mut tree = Self {
            parents: vec![None; count],
            children: vec![Vec::new(); count],
            depths: vec![usize::MAX; count],
            roots: Vec::new(),
            order: Vec::with_capacity(count),
        };
        // Roots come first; the remaining nodes are in cycles, each of which starts at one of its nodes.
        let is_root = |index: &usize| parents.get(*index).is_some_and(Option::is_none);
        for root in (0..count).filter(is_root).chain(0..count) {
            tree.grow(root, &contents);
        }
        tree
    }

    /// Adds a root with all its descendants, unless it is already there.
    fn grow(&mut self, root: usize, contents: &[Vec<usize>]) {
        if self.depth(root) != usize::MAX {
            return;
        }
        self.roots.push(root);
        let mut waiting = vec![(root, None)];
        while let Some((index, parent)) = waiting.pop() {
            if self.depth(index) != usize::MAX {
                continue;
            }
            let depth = parent.map_or(0, |parent| self.depth(parent).saturating_add(1));
            self.order.push(index);
            self.depths.get_mut(index).into_iter().for_each(|known| *known = depth);
            self.parents.get_mut(index).into_iter().for_each(|known| *known = parent);
            if let Some(children) = parent.and_then(|parent| self.children.get_mut(parent)) {
                children.push(index);
            }
            let inner = contents.get(index).map(Vec::as_slice).unwrap_or_default();
            waiting.extend(inner.iter().rev().map(|content| (*content, Some(index))));
        }
    }

    pub(crate) fn parent(&self, index: usize) -> Option<usize> {
        self.parents.get(index).copied().flatten()
    }

    pub(crate) fn children(&self, index: usize) -> &[usize] {
        self.children.get(index).map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// Returns all nodes, containers before their contents.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    fn depth(&self, index: usize) -> usize {
        self.depths.get(index).copied().unwrap_or_default()
    }

    /// Returns true if one node is a descendant of another.
    pub(crate) fn is_within(&self, content: NodeId, container: NodeId) -> bool {
        let mut outer = self.parent(content.0);
        while let Some(index) = outer
            && self.depth(index) > self.depth(container.0)
        {
            outer = self.parent(index);
        }
        outer == Some(container.0)
    }

    /// Returns true if nested boxes show an edge, so that it needs no line.
    pub(crate) fn shows(&self, edge: &Edge) -> bool {
        edge.relation == EdgeKind::Contains && self.is_within(edge.to, edge.from)
    }

    /// Returns the innermost common container of two nodes, `None` for the whole graph, with the paths from there to
    /// both. The path to a node that is that container itself is empty.
    pub(crate) fn meet(&self, one: usize, other: usize) -> (Option<usize>, Vec<usize>, Vec<usize>) {
        let (mut to_one, mut to_other) = (Vec::new(), Vec::new());
        let (mut a, mut b) = (Some(one), Some(other));
        while a != b {
            let level = |end: Option<usize>| end.map(|index| self.depth(index));
            // The deeper end goes up; ends of the same depth take turns.
            let (end, way) =
                if level(b) > level(a) { (&mut b, &mut to_other) } else { (&mut a, &mut to_one) };
            way.extend(*end);
            *end = end.and_then(|index| self.parent(index));
        }
        to_one.reverse();
        to_other.reverse();
        (a, to_one, to_other)
    }
}
