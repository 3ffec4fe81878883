//! Hiera: looks up data by key. Version 5, and its support for files of versions 3 and 4.
//!
//! [`Hiera`] looks into three layers: a global one, that of the environment, and that of the module that a
//! key names. What a `hiera.yaml` says of a layer is a [`config::Config`]; it becomes a hierarchy of
//! [`source::Source`]s, each a function that returns data and the places that it reads. A lookup goes
//! through them with an [`invocation::Invocation`], which knows what the lookup is for, and tells an
//! [`explain::Explainer`] what it finds.
//!
//! A module uses none of those that use it. What data refers to is looked up through [`invocation::Data`], which
//! [`Hiera`] is to what is below it.
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
mod version3;
mod version4;

pub use self::error::{LOOKUP, LOOKUP_CONFIGURATION, is_of_data};
pub use self::glob::braces;
pub use self::hiera::Hiera;
pub use self::survey::{Survey, check_merge, survey};
