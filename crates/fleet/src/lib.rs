//! Catalogs of many nodes.
//!
//! [`nodes`] are read from files of facts, a [`Shard`] is a part of them, and a [`ProcessPool`] has processes that each compile one after
//! the other. A [`Folder`] has the results, a catalog or an error for each node, and a [`Journal`] for each shard, from which a
//! stopped run is resumed; [`merge`] combines the shards. Catalogs of an earlier run are reused if they would be the same [`CurrentInputs`].
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

pub use failure::{FleetFailure, FleetResult};
pub use folder::{Folder, ResultFileKind};
pub use inputs::{Inputs, digest_of as digest, facts, identifier};
pub use journal::{Journal, RunInputs, StartMode};
pub use merge::merge;
pub use nodes::{FleetNode, facts_in};
pub use outcome::{NodeOutcome, NodeProblem, RecordedCollector, RecordedQuery, WorkerResponse};
pub use pool::ProcessPool;
pub use profile::{ProfileTimes, TimeProfile};
pub use reads::{JournalRead, ReadNumbers};
pub use reuse::CurrentInputs;
pub use shard::Shard;
pub use summary::FleetSummary;
