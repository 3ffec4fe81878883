//! Types that are defined by their features: `type User { attr name, String  has roles, Role }`.
//!
//! Such a type is an Object type with a [`puppetfn_types::types::Model`]. This module creates it from its
//! definition, and checks that the code in it is in the subset of the language for types. The evaluator runs that
//! code, and creates the instances.
#![allow(clippy::wildcard_enum_match_arm, reason = "searches for one kind of expression")]

mod define;
mod feature;
pub mod language;
mod setting;

pub mod ecore;
mod outline;
mod text;
pub mod xmi;
mod xml;

pub use define::{definition, only_definition};
pub use outline::{FeatureOutline, InvariantOutline, TypeOutline};
pub(crate) use text::of_json as data_of_json;

use puppetfn_base::error::{Error, ErrorKind};

/// Returns an error in the definition of a type.
#[cold]
fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Load, message)
}
