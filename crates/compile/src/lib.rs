//! Compiles the catalogs of nodes.
//!
//! A [`Configuration`] has the user's options: the locations of code, data and facts, and the options of their evaluation. A [`NodePlan`] has
//! the inputs of one node's catalog: the environment, the facts, the classes of the node classifier, the variables. A [`Compiler`]
//! compiles a plan's [`Request`]; [`StandaloneCompiler`] does so without Ruby.
//!
//! [`BatchRequest`] compiles many nodes in worker processes that run [`serve`]. [`RevisionComparison`] compares two states of the same nodes:
//! directories, commits and cached catalogs.
//!
//! Nothing here prints: results have their log entries, as [`LogEntry`].
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod batch;
mod classifier;
mod compiler;
mod configuration;
mod data_sources;
mod environment;
mod exports;
mod facts;
mod failure;
mod log;
mod node;
mod observer;
mod options;
mod plan;
mod queries;
mod request;
mod revisions;
mod rounds;
mod server_facts;
pub mod service;
mod session;
mod standalone;
mod store;
mod version;
mod worker;

pub use batch::{BatchRequest, BatchResult, NodeSource};
pub use compiler::Compiler;
pub use configuration::{Configuration, RunMode, check_directories, check_directory};
pub use facts::{FactSource, FactsFile};
pub use failure::CompileFailure;
pub use log::LogEntry;
pub use node::trusted;
pub use observer::Observer;
pub use options::CompileOptions;
pub use plan::{NodeCatalog, NodePlan};
pub use request::{Automatic, CallOutcome, CompileResult, Explained, LookupRequest, Request};
pub use revisions::{DifferenceOptions, RevisionComparison, Revisions};
pub use server_facts::ServerFacts;
pub use session::{INTERRUPTED, Session};
pub use standalone::StandaloneCompiler;
pub use store::{NodeStore, StoredFacts};
pub use worker::serve;

// Types of this crate's interface.
pub use puppetfn_fleet::{FleetFailure, FleetSummary, Folder, Shard, StartMode, merge};
