//! Puppet functions without Puppet: the type system, dispatch and (step by step) the language.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod builtin;
pub mod cli;
pub mod convert;
pub mod error;
pub mod function;
pub mod host;
pub mod limits;
pub mod loader;
pub mod source;
pub mod subject;
pub mod syntax;
#[cfg(test)]
mod testing;
pub mod types;
pub mod value;
