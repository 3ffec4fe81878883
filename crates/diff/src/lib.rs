//! Compares compiled catalogs: added, removed and changed resources, relationships and containers.
//!
//! A [`Catalog`] is read from the JSON that `puppetfn compile` and Puppet write. [`compare`] finds the [`Differences`]
//! of two; [`DiffOptions`] select the kinds of differences, and [`IgnoreRules`] ignore some. [`group`] groups the changes of many nodes
//! by the nodes that they concern, and [`render`] shows the [`DiffReport`].
//!
//! ```
//! use puppetfn_diff::{Catalog, DiffOptions, compare, group, render};
//!
//! let catalog = |mode: &str| {
//!     let parameters = format!(r#"{{"mode": "{mode}"}}"#);
//!     let file = format!(r#"{{"type": "File", "title": "/etc/motd", "parameters": {parameters}}}"#);
//!     Catalog::of_json(&format!(r#"{{"name": "web1", "resources": [{file}]}}"#))
//! };
//! let differences = compare(&catalog("0644")?, &catalog("0600")?, &DiffOptions::default());
//! let report = group([("web1".to_owned(), differences)]);
//! let mut shown = Vec::new();
//! render::human(&report, &render::TerminalReport::default(), &mut shown)?;
//! assert!(String::from_utf8(shown)?.contains("mode: '0644' -> '0600'"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sensitive values are compared and never shown: a [`DiffValue`] for display does not contain them.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod change;
mod compare;
mod compared;
mod detail;
mod difference;
mod failure;
mod filter;
mod group;
mod ignore;
mod items;
mod options;
mod own_values;
mod redact;
pub mod render;
mod sources;
mod surroundings;
mod value;
mod words;

pub use compare::compare;
pub use detail::{Hunk, HunkLine, ValueDetail};
pub use difference::{
    AttributeDifference, ChangeKind, ContainmentDifference, Counts, CycleDifference, Differences,
    OrderDifference, OrderKind, PathSegment, ResourceDifference, SharedChange, ValuePath,
};
pub use failure::FailureGroup;
pub use filter::DifferenceFilter;
pub use group::{DiffReport, DifferenceGroup, group, group_by_values};
pub use ignore::IgnoreRules;
pub use items::{ArrayDetail, ItemDifference};
pub use options::DiffOptions;
pub use own_values::NodeValues;
pub use puppetfn_catalog::{Catalog, FileLine, ReadError, Reference};
pub use sources::{Sources, read_sources};
pub use value::{DiffValue, REDACTED, Secret};
