//! Exported resources as PuppetDB stores them and finds them again, without PuppetDB.
//!
//! [`exported_resources`] converts the exported resources of a catalog as Puppet's terminus for PuppetDB does. A [`Store`] has the
//! exported resources of many nodes and is a [`puppetfn_catalog::ExportSource`]: it answers the queries of collectors.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

#[cfg(feature = "client")]
pub mod client;
mod condition;
mod store;
mod stored;

pub use store::{IndexWriter, Store};
pub use stored::{StoredResource, exported_resources};
