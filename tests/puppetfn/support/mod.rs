//! What the tests of recorded cases share.
#![allow(clippy::unwrap_used, clippy::panic, dead_code, missing_docs)]

pub mod entity;
pub mod files;
pub mod report;
