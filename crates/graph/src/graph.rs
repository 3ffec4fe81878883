//! Nodes and edges.

use std::collections::BTreeMap;

/// A node of a graph, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) usize);

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A class, a stage or another thing that is there to contain resources.
    Class,
    /// A resource. It may contain others, as that of a defined type does.
    Resource,
}

/// What is to be noticed of a node or an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// It is what was asked for.
    Highlighted,
    /// It is new.
    Added,
    /// It is no longer there.
    Removed,
    /// It is there, and different.
    Changed,
}

/// What is a resource, or a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// What it is called: `File[/etc/motd]`.
    pub label: String,
    /// What it is.
    pub kind: Kind,
    /// What is to be noticed of it.
    pub mark: Mark,
    /// What else is to be said of it, as where it is declared.
    pub note: Option<String>,
}

impl Node {
    /// Creates a node that is not marked.
    pub fn new(label: impl Into<String>, kind: Kind) -> Self {
        Self { label: label.into(), kind, mark: Mark::None, note: None }
    }
}

/// What one node is to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// It contains the other.
    Contains,
    /// It comes before the other.
    Before,
    /// It comes before the other, which is told when it changes.
    Notifies,
}

/// What one node is to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The container, or what comes first.
    pub from: NodeId,
    /// The content, or what comes after it.
    pub to: NodeId,
    /// What the first is to the other.
    pub relation: Relation,
    /// What is to be noticed of it.
    pub mark: Mark,
    /// Why it is so.
    pub note: Option<String>,
}

/// What contains what, and what comes before what.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    title: String,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    pub(crate) left_out: usize,
}

impl Graph {
    /// Creates a graph without nodes. The title is usually the name of a node of the network.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Returns what it is a graph of.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Adds a node.
    pub fn add_node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len().saturating_sub(1))
    }

    /// Adds an edge between two nodes that are not marked.
    pub fn connect(&mut self, from: NodeId, to: NodeId, relation: Relation) {
        self.add_edge(Edge { from, to, relation, mark: Mark::None, note: None });
    }

    /// Adds an edge. One to a node that only another graph has is none.
    pub fn add_edge(&mut self, edge: Edge) {
        if edge.from.0 < self.nodes.len() && edge.to.0 < self.nodes.len() {
            self.edges.push(edge);
        }
    }

    /// Returns a node.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0)
    }

    /// Returns a node to change it.
    pub fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.0)
    }

    /// Returns the first node with a label.
    pub fn find(&self, label: &str) -> Option<NodeId> {
        self.nodes.iter().position(|node| node.label == label).map(NodeId)
    }

    /// Returns the nodes, in the order in which they were added.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index), node))
    }

    /// Returns the edges, in the order in which they were added.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns how many nodes were left out that are as near as those that are here.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Returns the part of the graph that has only some nodes and edges.
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
