//! The source of queries that a database is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::json::{from_json, to_json};
use puppetfn_types::function::QuerySource;
use puppetfn_types::value::Value;
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use crate::data::Database;
use crate::query::{Entity, Query, QueryProblem};

/// The number of answers that are kept, as most nodes ask the same.
const KEPT_ANSWERS: usize = 256;
/// The maximum number of rows of a cached answer.
const KEPT_ROWS: usize = 20_000;

/// Opens a database when it is first asked.
type OpenDatabase = dyn Fn() -> Result<Database, Error> + Send + Sync;

/// A database that answers queries, in PQL or PuppetDB's AST. It is opened when it is first asked.
pub struct QueryEngine {
    open: Box<OpenDatabase>,
    database: OnceLock<Result<Database, Error>>,
    answers: Mutex<HashMap<String, Arc<QueryAnswer>>>,
    limits: Limits,
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub struct QueryAnswer {
    /// The rows.
    pub rows: Vec<Json>,
    /// A digest of the rows: other rows have another one.
    pub digest: String,
    /// Whether the answer depends on catalogs.
    pub reads_catalogs: bool,
}

impl std::fmt::Debug for QueryEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueryEngine").field("database", &self.database).finish_non_exhaustive()
    }
}

impl QueryEngine {
    /// Creates an engine that opens its database when it is first asked.
    pub fn new(open: impl Fn() -> Result<Database, Error> + Send + Sync + 'static, limits: Limits) -> Self {
        Self { open: Box::new(open), database: OnceLock::new(), answers: Mutex::default(), limits }
    }

    /// Creates an engine of a database.
    pub fn of(database: Database, limits: Limits) -> Self {
        let engine = Self::new(|| Ok(Database::default()), limits);
        _ = engine.database.set(Ok(database));
        engine
    }

    /// Answers a query in JSON: a text in PQL or an array in PuppetDB's AST, or for an endpoint a condition or null.
    ///
    /// # Errors
    /// Fails if the query has problems, the database cannot be read, or lacks data of the query.
    pub fn answer(&self, query: &Json, endpoint: Option<&str>) -> Result<Arc<QueryAnswer>, Error> {
        let key = json!([endpoint, query]).to_string();
        let answers = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers().get(&key) {
            return Ok(Arc::clone(known));
        }
        let compiled = compiled(query, endpoint, &self.limits)?;
        let database = self.database.get_or_init(&self.open).as_ref().map_err(Clone::clone)?;
        let rows = compiled.run(database, &self.limits)?;
        let digest = digest(&rows)?;
        let answer = Arc::new(QueryAnswer { rows, digest, reads_catalogs: reads_catalogs(&compiled) });
        let mut answers = answers();
        if answer.rows.len() <= KEPT_ROWS && answers.len() < KEPT_ANSWERS {
            answers.insert(key, Arc::clone(&answer));
        }
        Ok(answer)
    }
}

impl QuerySource for QueryEngine {
    fn query(
        &self,
        query: &Value,
        endpoint: Option<&str>,
        _: &mut dyn FnMut(String),
    ) -> Result<Value, Error> {
        let answer = self.answer(&to_json(query, &self.limits)?, endpoint)?;
        from_json(&Json::from(answer.rows.clone()), &self.limits)
    }
}

/// Returns true if the answer of a query depends on catalogs. Queries with problems do not.
///
/// ```
/// # use puppetfn_base::limits::Limits;
/// # use serde_json::json;
/// use puppetfn_puppetdb::query_reads_catalogs;
///
/// assert!(query_reads_catalogs(&json!("nodes { resources { type = 'Class' } }"), None, &Limits::DEFAULT));
/// assert!(!query_reads_catalogs(&json!("inventory { facts.kernel = 'Linux' }"), None, &Limits::DEFAULT));
/// ```
pub fn query_reads_catalogs(query: &Json, endpoint: Option<&str>, limits: &Limits) -> bool {
    compiled(query, endpoint, limits).is_ok_and(|query| reads_catalogs(&query))
}

/// Returns the problems of a query in JSON: a text in PQL or an array in PuppetDB's AST.
///
/// ```
/// # use puppetfn_base::limits::Limits;
/// # use serde_json::json;
/// use puppetfn_puppetdb::query_problems;
///
/// let problems = query_problems(&json!("nodes[cert] {}"), &Limits::DEFAULT);
/// assert!(problems[0].message.starts_with("Can't extract unknown 'nodes' field 'cert'. Acceptable fields are "));
/// ```
pub fn query_problems(query: &Json, limits: &Limits) -> Vec<QueryProblem> {
    let compiled = match query.as_str() {
        Some(text) => Query::parse(text, limits),
        None => Query::of_ast(query.clone(), limits),
    };
    compiled.err().unwrap_or_default()
}

fn reads_catalogs(query: &Query) -> bool {
    let mut reads = false;
    query.visit(&mut |entity, column| {
        reads |= match (entity, column) {
            (Entity::Resources | Entity::Catalogs | Entity::Edges, _) => true,
            (Entity::Nodes, Some(column)) => column == "catalog_environment",
            // An answer with all columns has the environments of catalogs.
            (Entity::Nodes, None) => query.has_all_columns(),
            _ => false,
        };
    });
    reads
}

/// Compiles a query in JSON.
fn compiled(query: &Json, endpoint: Option<&str>, limits: &Limits) -> Result<Query, Error> {
    let compiled = match (endpoint, query) {
        (Some(endpoint), query) => match Entity::parse(endpoint) {
            Some(entity) => {
                let condition = Some(query.clone()).filter(|query| !query.is_null());
                Query::of_endpoint(entity, condition, limits)
            }
            None => Err(vec![QueryProblem::unknown_entity(endpoint)]),
        },
        (None, query) => match query.as_str() {
            Some(text) => Query::parse(text, limits),
            None => Query::of_ast(query.clone(), limits),
        },
    };
    compiled.map_err(|problems| {
        let messages: Vec<&str> = problems.iter().map(|problem| &*problem.message).collect();
        Error::new(ErrorKind::Evaluation, messages.join("\n"))
    })
}

fn digest(rows: &[Json]) -> Result<String, Error> {
    let json =
        serde_json::to_vec(rows).map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))?;
    Ok(Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect())
}
