//! Queries of functions to PuppetDB.

use std::fmt;

use crate::value::Value;
use puppetfn_base::error::Error;

/// PuppetDB, or a stand-in for it, as the source that answers the queries of functions.
pub trait QuerySource: fmt::Debug + Send + Sync {
    /// Answers a query: a text in PQL, or an array in PuppetDB's abstract syntax. `endpoint` is the entity of the queried
    /// endpoint, such as `nodes`, for a query that does not name its entity; undef selects all its rows. `warn` receives
    /// warnings about the source.
    ///
    /// # Errors
    /// Fails if the query is malformed, or the source cannot answer it.
    fn query(
        &self,
        query: &Value,
        endpoint: Option<&str>,
        warn: &mut dyn FnMut(String),
    ) -> Result<Value, Error>;
}
