//! Hiera: looks up data by key. Version 5, and its support for files of versions 3 and 4.
//!
//! [`Hiera`] searches three layers: the global one, the environment's, and the one of the module that a
//! key names. The `hiera.yaml` of a layer is a `config::HieraConfig`, which becomes a hierarchy of
//! `source::DataSource`s, each a function that returns data and the places that it reads. A lookup goes
//! through them with an `invocation::Invocation`, which knows the purpose of the lookup, and reports its findings to
//! an `explain::Explainer`.
//!
//! Modules do not depend on each other in circles. References in data are looked up through the trait
//! `invocation::LookupData`, which [`Hiera`] implements.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "data is asked for a few kinds of values, and treats all others alike"
)]

mod config;
mod context;
mod deep_merge;
mod dig;
mod error;
mod explain;
mod glob;
mod hiera;
mod hiera_yaml;
mod hierarchy;
mod interpolation;
mod invocation;
mod key;
mod key_options;
mod layer;
mod location;
mod lock;
mod merge;
mod options;
mod path;
mod provider;
mod query;
mod scope;
mod search;
mod source;
mod survey;
mod upgrade;
mod version3;
mod version4;

pub use self::error::{LOOKUP, LOOKUP_CONFIGURATION, is_of_data};
pub use self::glob::{braces, matches as name_matches};
pub use self::hiera::Hiera;
pub use self::survey::{Survey, SurveyedLayer, check_merge, survey};
pub use self::upgrade::{HieraUpgrade, upgrade};
