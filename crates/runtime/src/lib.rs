//! Runs Puppet code: built-in functions, evaluation, catalogs, lookup of data, loading from modules.
//!
//! Programs use these through the crate `puppetfn`.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod builtin;
pub mod coverage;
pub mod entity;
pub mod eval;
pub mod loader;
pub mod settings;
