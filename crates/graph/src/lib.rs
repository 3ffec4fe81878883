//! Graphs of catalogs: what contains what, what comes before what, and what that looks like.
//!
//! A [`Graph`] has nodes and edges that somebody else has found. [`Graph::neighbourhood`] leaves what is near to some nodes,
//! [`Graph::cycles`] finds what comes before itself, and [`render`] shows the graph: as text for Graphviz or Mermaid, or drawn as SVG
//! or a page of HTML.
//!
//! ```
//! use puppetfn_graph::{Graph, Kind, Node, Relation, render};
//!
//! let mut graph = Graph::new("web1");
//! let class = graph.add_node(Node::new("Class[Ntp]", Kind::Class));
//! let file = graph.add_node(Node::new("File[/etc/ntp.conf]", Kind::Resource));
//! let service = graph.add_node(Node::new("Service[ntp]", Kind::Resource));
//! graph.connect(class, file, Relation::Contains);
//! graph.connect(class, service, Relation::Contains);
//! graph.connect(file, service, Relation::Notifies);
//! assert!(graph.cycles().is_empty());
//! assert!(render::svg(&graph)?.contains("Service[ntp]"));
//! # Ok::<(), puppetfn_graph::TooLarge>(())
//! ```
//!
//! The same graph is the same text, on each machine.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod cycles;
mod graph;
mod layout;
mod neighbourhood;
pub mod render;
mod tree;

pub use graph::{Edge, Graph, Kind, Mark, Node, NodeId, Relation};
pub use layout::{MOST_EDGES, MOST_NODES, TooLarge};
pub use neighbourhood::Reach;
