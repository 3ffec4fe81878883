//! Compiles the catalogs of nodes.
//!
//! A [`Configuration`] says where code, data and facts are, and how they are used: what a user configures. A [`Plan`] is made of it for
//! one node: the environment, the facts, the classes of the node classifier, the variables. A [`Compiler`] makes a catalog of a plan's
//! [`Request`]; [`StandaloneCompiler`] is the one without Ruby.
//!
//! [`BatchRequest`] compiles many nodes in processes that [`serve`] runs in, [`Comparison`] compares two states of the same nodes: directories,
//! commits and kept catalogs.
//!
//! Nothing here prints: what is logged is in the results, as [`LogEntry`].
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod batch;
mod classifier;
mod compiler;
mod configuration;
mod environment;
mod facts;
mod failure;
mod log;
mod node;
mod observer;
mod options;
mod plan;
mod request;
mod revisions;
mod server_facts;
mod standalone;
mod version;
mod worker;

pub use batch::{BatchRequest, BatchResult, NodeSource};
pub use compiler::Compiler;
pub use configuration::{Configuration, RunMode, check_directories, check_directory};
pub use facts::{FactSource, Facts};
pub use failure::Failure;
pub use log::LogEntry;
pub use node::trusted;
pub use observer::Observer;
pub use options::Options;
pub use plan::{NodeCatalog, Plan};
pub use request::{Automatic, Compiled, Explained, Outcome, Question, Request};
pub use revisions::{Comparison, DifferenceOptions, Revisions};
pub use server_facts::ServerFacts;
pub use standalone::StandaloneCompiler;
pub use worker::serve;

// What the directories of many catalogs are.
pub use puppetfn_fleet::{Failure as FleetFailure, Folder, Shard, Start, Summary, merge};
