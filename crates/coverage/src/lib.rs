//! Reports which lines and branches of Puppet code were evaluated.
//!
//! A [`CoverageReport`] is made from the counts of a [`Recorder`](puppetfn_runtime::coverage::Recorder). It is rendered as a table
//! for terminals, and in the formats that other tools read: see [`ReportFormat`]. Nothing but source code and counts is in it.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod ratio;
mod render;
mod report;

pub use ratio::{CoverageKind, Ratio};
pub use render::{ReportFile, ReportFormat};
pub use report::{CoverageReport, CoveredBranch, CoveredFile};
