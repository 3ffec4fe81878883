//! Catalogs of many nodes.
//!
//! [`nodes`] are read from files of facts, a [`Shard`] is a part of them, and a [`Pool`] has processes that each compile one after
//! the other. A [`Folder`] has the results, a catalog or an error for each node, and a [`Journal`] for each shard, from which a
//! stopped run is resumed; [`merge`] combines the shards. Catalogs of an earlier run are reused if they would be the same [`Now`].
//! Nothing here knows how a catalog is compiled.

mod failure;
mod folder;
mod inputs;
mod journal;
mod merge;
pub mod nodes;
mod outcome;
mod pool;
mod profile;
mod reads;
mod reuse;
mod shard;
mod summary;

pub use failure::{Failure, Result};
pub use folder::{Folder, Kind};
pub use inputs::{Inputs, digest_of as digest, facts, identifier};
pub use journal::{Begun, Journal, Start};
pub use merge::merge;
pub use nodes::Node;
pub use outcome::{Answer, Collected, Outcome, Problem, Queried};
pub use pool::Pool;
pub use profile::{Profile, Times};
pub use reads::{Numbers, Question};
pub use reuse::Now;
pub use shard::Shard;
pub use summary::Summary;
