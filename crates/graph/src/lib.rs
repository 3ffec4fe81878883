//! Graphs of catalogs: containment and order of resources, and drawings of them.
//!
//! A caller adds the nodes and edges of a [`Graph`]. [`Graph::neighbourhood`] reduces it to the surroundings of some
//! nodes, [`Graph::cycles`] finds dependency cycles, and [`render`] exports the graph: as text for Graphviz or Mermaid,
//! or drawn as SVG or an HTML page.
//!
//! ```
//! use puppetfn_graph::{Graph, NodeKind, GraphNode, EdgeKind, render};
//!
//! let mut graph = Graph::new("web1");
//! let class = graph.add_node(GraphNode::new("Class[Ntp]", NodeKind::Class));
//! let file = graph.add_node(GraphNode::new("File[/etc/ntp.conf]", NodeKind::Resource));
//! let service = graph.add_node(GraphNode::new("Service[ntp]", NodeKind::Resource));
//! graph.connect(class, file, EdgeKind::Contains);
//! graph.connect(class, service, EdgeKind::Contains);
//! graph.connect(file, service, EdgeKind::Notifies);
//! assert!(graph.cycles().is_empty());
//! assert!(render::svg(&graph)?.contains("Service[ntp]"));
//! # Ok::<(), puppetfn_graph::TooLarge>(())
//! ```
//!
//! The output is deterministic, on every machine.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod cycles;
mod graph;
mod layout;
mod neighbourhood;
pub mod render;
mod tree;

pub use cycles::{OrderCycle, OrderGraph};
pub use graph::{Edge, EdgeKind, Graph, GraphMark, GraphNode, NodeId, NodeKind};
pub use layout::{MOST_EDGES, MOST_NODES, TooLarge};
pub use neighbourhood::Reach;
