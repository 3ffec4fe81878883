//! Queries of a small database. The expectations are PuppetDB's answers, which follow from its source and its own tests.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod agreement;
mod answers;
mod conditions;
mod database;
mod pql;
mod problems;
