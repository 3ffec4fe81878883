//! The basis of all of puppetfn: errors, limits, source texts and positions in them.
//!
//! Programs use these through the crate `puppetfn`.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod confined;
pub mod diagnostic;
pub mod error;
pub mod file_stamp;
pub mod file_system;
pub mod framing;
mod handle;
pub mod host;
pub mod limits;
pub mod name;
pub mod number;
pub mod recognize;
pub mod snapshot;
pub mod source;
pub mod stack;
pub mod target;
