//! Nodes and edges.

use std::collections::BTreeMap;

/// A node of a graph, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) usize);

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// A class, a stage or another node whose purpose is to contain resources.
    Class,
    /// A resource. It may contain others, as one of a defined type does.
    Resource,
}

/// The emphasis of a node or an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GraphMark {
    /// No emphasis.
    #[default]
    None,
    /// A node that the user asked for.
    Highlighted,
    /// Only in the new graph.
    Added,
    /// Only in the old graph.
    Removed,
    /// In both graphs, with differences.
    Changed,
}

/// A resource or a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphNode {
    /// The reference: `File[/etc/motd]`.
    pub label: String,
    /// The kind.
    pub kind: NodeKind,
    /// The emphasis.
    pub mark: GraphMark,
    /// A remark, such as the location of the declaration.
    pub note: Option<String>,
}

impl GraphNode {
    /// Creates a node that is not marked.
    pub fn new(label: impl Into<String>, kind: NodeKind) -> Self {
        Self { label: label.into(), kind, mark: GraphMark::None, note: None }
    }
}

/// The relation between two nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    /// The first node contains the second.
    Contains,
    /// The first node comes before the second.
    Before,
    /// The first node comes before the second, and notifies it of changes.
    Notifies,
}

/// A relation between two nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The container, or the node that comes first.
    pub from: NodeId,
    /// The content, or the dependent node.
    pub to: NodeId,
    /// The relation of the first node to the second.
    pub relation: EdgeKind,
    /// The emphasis.
    pub mark: GraphMark,
    /// The reason for the relation.
    pub note: Option<String>,
}

/// A graph of containment and order.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    title: String,
    nodes: Vec<GraphNode>,
    edges: Vec<Edge>,
    pub(crate) left_out: usize,
}

impl Graph {
    /// Creates an empty graph. The title is usually the name of a network node.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Returns the title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Adds a node.
    pub fn add_node(&mut self, node: GraphNode) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len().saturating_sub(1))
    }

    /// Adds an unmarked edge between two nodes.
    pub fn connect(&mut self, from: NodeId, to: NodeId, relation: EdgeKind) {
        self.add_edge(Edge { from, to, relation, mark: GraphMark::None, note: None });
    }

    /// Adds an edge. Edges to nodes that the graph does not have are ignored.
    pub fn add_edge(&mut self, edge: Edge) {
        if edge.from.0 < self.nodes.len() && edge.to.0 < self.nodes.len() {
            self.edges.push(edge);
        }
    }

    /// Returns a node.
    pub fn node(&self, id: NodeId) -> Option<&GraphNode> {
        self.nodes.get(id.0)
    }

    /// Returns a mutable node.
    pub fn node_mut(&mut self, id: NodeId) -> Option<&mut GraphNode> {
        self.nodes.get_mut(id.0)
    }

    /// Returns the first node with a label.
    pub fn find(&self, label: &str) -> Option<NodeId> {
        self.nodes.iter().position(|node| node.label == label).map(NodeId)
    }

    /// Returns the nodes, in the order in which they were added.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &GraphNode)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index), node))
    }

    /// Returns the edges, in the order in which they were added.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns the number of nodes within reach that a neighbourhood omits.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Returns the subgraph of the selected nodes and edges.
    #[must_use]
    pub fn part(&self, nodes: impl Fn(NodeId) -> bool, edges: impl Fn(&Edge) -> bool) -> Self {
        let mut part = Self { left_out: self.left_out, ..Self::new(&*self.title) };
        let ids: BTreeMap<NodeId, NodeId> = self
            .nodes()
            .filter(|(id, _)| nodes(*id))
            .map(|(id, node)| (id, part.add_node(node.clone())))
            .collect();
        for edge in self.edges.iter().filter(|edge| edges(edge)) {
            if let (Some(&from), Some(&to)) = (ids.get(&edge.from), ids.get(&edge.to)) {
                part.add_edge(Edge { from, to, ..edge.clone() });
            }
        }
        part
    }

    /// Returns the label of a node, which is empty if there is no such node.
    pub(crate) fn label(&self, id: NodeId) -> &str {
        self.node(id).map_or("", |node| &node.label)
    }
}
