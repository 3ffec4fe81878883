//! Queries to PuppetDB, for the evaluator of a Ruby runtime.

use std::sync::Arc;

use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::function::QuerySource;
use puppetfn_puppetdb::{Database, Entity, QueryEngine, Row};
use serde_json::{Map, Value as Json};

use super::limits;

/// Returns the source of rows by their entities.
///
/// # Errors
/// Fails if the text is not a JSON object of arrays, an entity does not exist, or rows are not the entity's.
pub fn source(tables: &str) -> Result<Arc<dyn QuerySource>, CoreError> {
    let wrong = |problem: String| CoreError::new(ErrorKind::Load, format!("PuppetDB's data: {problem}"));
    let tables: Map<String, Json> = serde_json::from_str(tables).map_err(|error| wrong(error.to_string()))?;
    let mut database = Database::default();
    for (name, rows) in tables {
        let entity = Entity::parse(&name).ok_or_else(|| wrong(format!("there is no entity '{name}'")))?;
        let rows: Vec<Row> =
            serde_json::from_value(rows).map_err(|error| wrong(format!("{name}: {error}")))?;
        database.add_answer(entity, rows).map_err(|problem| wrong(format!("{name}: {problem}")))?;
    }
    Ok(Arc::new(QueryEngine::of(database, limits::current())))
}

/// Returns the error of a query without a source.
pub fn no_source() -> CoreError {
    CoreError::new(
        ErrorKind::Evaluation,
        "there is no source of PuppetDB's data; the option --exports names one, `compile --nodes` has the data of its nodes, and specs have `let(:puppetdb_data)`",
    )
}
