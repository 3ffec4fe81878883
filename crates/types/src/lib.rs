//! Puppet's values and types, conversions between them, and functions with their signatures.
//!
//! Programs use these through the crate `puppetfn`.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod convert;
pub mod function;
pub mod subject;
#[cfg(test)]
mod testing;
pub mod types;
pub mod value;
