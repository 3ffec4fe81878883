//! The lookup of data by key, as functions see it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::Caller;
use crate::types::Type;
use crate::value::{Hash, Value};
use puppetfn_base::error::Error;

/// The implementation of `lookup`: data by keys.
pub trait DataLookup: Send + Sync {
    /// Returns the value of the first key that has one.
    ///
    /// # Errors
    /// Fails if no key has a value and the query has no fallback; otherwise with the errors of the data, of its
    /// configuration, and of data functions.
    fn lookup(self: Arc<Self>, query: &LookupQuery<'_>, caller: &dyn Caller) -> Result<Value, Error>;

    /// Returns the value of a key, if it has one.
    ///
    /// # Errors
    /// The same errors as [`DataLookup::lookup`].
    fn find(self: Arc<Self>, key: &str, caller: &dyn Caller) -> Result<Option<Value>, Error>;

    /// Returns an explanation of how the answer to a query is found, in Puppet's words; with `only_options`, an explanation
    /// of the lookup options of its keys.
    ///
    /// # Errors
    /// Fails with errors that are not about data. An error of the data ends the explanation.
    fn explain(
        self: Arc<Self>,
        query: &LookupQuery<'_>,
        only_options: bool,
        caller: &dyn Caller,
    ) -> Result<LookupExplanation, Error>;
}

/// How the answer to a query is found.
#[derive(Clone, PartialEq, Debug)]
pub struct LookupExplanation {
    /// The text of `puppet lookup --explain`.
    pub text: String,
    /// The data that Puppet's command renders as YAML or JSON: keys and events are Symbols.
    pub data: Value,
}

/// An ongoing lookup, opaque to functions, which only pass it on.
#[derive(Clone)]
pub struct OngoingLookup(pub Arc<dyn Any + Send + Sync>);

impl fmt::Debug for OngoingLookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OngoingLookup")
    }
}

/// A query for data: the keys, the merge strategy and the fallback.
#[derive(Clone, Copy, Debug)]
pub struct LookupQuery<'q> {
    /// The key, or an array of keys.
    pub name: &'q Value,
    /// The type that the value must have.
    pub value_type: Option<&'q Type>,
    /// The merge strategy for values found in several places: its name, or a hash with the name and options. Without it,
    /// the data's own options apply.
    pub merge: Option<&'q Value>,
    /// Values by key that come before all others.
    pub overrides: Option<&'q Arc<Hash>>,
    /// Values by key where none is found.
    pub default_values: Option<&'q Arc<Hash>>,
    /// The result if no value is found.
    pub fallback: Fallback<'q>,
    /// Whether it is for one of the functions that are named for Hiera: they look only into the global
    /// layer where the environment does not configure its data.
    pub is_for_hiera: bool,
}

/// Result of a query whose keys have no value.
#[derive(Clone, Copy, Debug)]
pub enum Fallback<'q> {
    /// Nothing: it is an error.
    None,
    /// This value.
    Value(&'q Value),
    /// The result of a block called with the key or keys.
    Block(&'q Value),
}

impl<'q> LookupQuery<'q> {
    /// Creates a query for a key or several.
    pub fn new(name: &'q Value) -> Self {
        Self {
            name,
            value_type: None,
            merge: None,
            overrides: None,
            default_values: None,
            fallback: Fallback::None,
            is_for_hiera: false,
        }
    }
}
