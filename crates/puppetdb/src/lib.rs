//! PuppetDB's data and the answers to its queries, without PuppetDB.
//!
//! A [`Query`] in PQL or in PuppetDB's AST is run on [`QueryTables`]: a [`Database`] of facts, catalogs, saved answers or an archive.
//! [`exported_resources`] converts the exported resources of a catalog as Puppet's terminus for PuppetDB does. A [`Store`] has the
//! exported resources of many nodes and is a [`puppetfn_catalog::ExportSource`]: it answers the queries of collectors.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

#[cfg(feature = "client")]
pub mod client;
pub mod commands;
mod condition;
mod data;
mod engine;
mod query;
mod store;
mod stored;

pub use data::{
    Database, FactReader, Factset, NodeFacts, NodeRows, is_archive, is_unpacked, read_answers, unpack,
};
pub use engine::{QueryAnswer, QueryEngine, query_problems, query_reads_catalogs};
pub use query::{
    Column, ColumnType, Entity, EntityRelationship, Query, QueryProblem, QueryTables, Row, RowVisitor,
    TableScan, UnknownName,
};
pub use store::{IndexWriter, Store};
pub use stored::{StoredResource, exported_resources, stored_rows};
