//! The data that queries are run on: facts, catalogs and saved answers of PuppetDB.
#![allow(clippy::wildcard_enum_match_arm, reason = "few entities are derived, and all others are alike")]

mod answers;
mod archive;
mod database;
mod derived;
mod factset;
mod rows;

pub use self::answers::read_answers;
pub use self::archive::{is_archive, is_unpacked, unpack};
pub use self::database::Database;
pub use self::factset::{FactReader, Factset, NodeFacts};
pub use self::rows::NodeRows;
