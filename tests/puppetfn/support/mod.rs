//! Helpers of the tests of recorded cases.
#![allow(clippy::unwrap_used, clippy::panic, dead_code, missing_docs)]

pub mod entity;
pub mod files;
pub mod report;
