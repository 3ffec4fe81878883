//! Queries in PQL and in PuppetDB's AST.
//!
//! A [`Query`] is compiled once, with the problems that PuppetDB would answer, and run on [`QueryTables`].
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "operators and functions are for a few entities and types of columns, and treat all others alike"
)]

mod aggregate;
mod clojure_order;
mod comparison;
mod compile;
mod condition;
mod decimal;
mod entity;
mod evaluate;
mod field;
mod instant;
pub(crate) mod jsonb;
mod plan;
mod pql;
mod problem;
mod regexp;
mod run;
mod validate;

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use serde_json::{Value as Json, json};

pub(crate) use self::clojure_order::texts_in_order;
pub use self::entity::{Column, ColumnType, Entity, EntityRelationship};
use self::plan::QueryPlan;
pub use self::problem::{QueryProblem, UnknownName};
pub use self::run::{QueryTables, Row, RowVisitor, TableScan};

/// A query that was compiled.
#[derive(Clone, Debug)]
pub struct Query {
    ast: Json,
    plan: QueryPlan,
}

impl Query {
    /// Compiles a query in PQL, or in the JSON of PuppetDB's AST if it begins with a bracket.
    ///
    /// # Errors
    /// Returns the problems of the query, in PuppetDB's words where PuppetDB has some.
    pub fn parse(text: &str, limits: &Limits) -> Result<Self, Vec<QueryProblem>> {
        let one = |problem| vec![problem];
        if !text.trim_start().starts_with('[') {
            return Self::of_ast(pql::parse(text, limits).map_err(one)?, limits);
        }
        let ast: Json = bounded_json(text, limits).map_err(one)?;
        Self::of_ast(ast, limits)
    }

    /// Compiles a query in PuppetDB's AST.
    ///
    /// # Errors
    /// Returns the problems of the query.
    pub fn of_ast(ast: Json, limits: &Limits) -> Result<Self, Vec<QueryProblem>> {
        let plan = compile::compile(&ast, limits)?;
        Ok(Self { ast, plan })
    }

    /// Compiles a query for the endpoint of an entity, such as `/pdb/query/v4/nodes`; without a condition, of all its rows.
    ///
    /// # Errors
    /// Returns the problems of the query.
    pub fn of_endpoint(
        entity: Entity,
        condition: Option<Json>,
        limits: &Limits,
    ) -> Result<Self, Vec<QueryProblem>> {
        let from = [json!("from"), json!(entity.name())];
        Self::of_ast(Json::Array(from.into_iter().chain(condition).collect()), limits)
    }

    /// Returns the AST.
    pub fn ast(&self) -> &Json {
        &self.ast
    }

    /// Returns true if rows of the answer have all columns.
    pub fn has_all_columns(&self) -> bool {
        self.plan.projections.is_empty()
    }

    /// Calls `visit` with each entity that the query reads, and with the names of the columns that it uses.
    pub fn visit(&self, visit: &mut dyn FnMut(Entity, Option<&'static str>)) {
        self.plan.visit(&mut |entity, column| visit(entity, column.map(|column| column.name)));
    }

    /// Runs the query, and returns the rows.
    ///
    /// # Errors
    /// Fails if the tables lack data of the query, or a limit is reached.
    pub fn run(&self, tables: &dyn QueryTables, limits: &Limits) -> Result<Vec<Json>, Error> {
        // Answers of subqueries are kept in the plan.
        run::run(&self.plan.clone(), tables, limits)
    }
}

/// Returns JSON that nests within the limit.
fn bounded_json(text: &str, limits: &Limits) -> Result<Json, QueryProblem> {
    let mut depth = 0_u32;
    let (mut in_text, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            b'"' if !escaped => in_text = !in_text,
            b'[' | b'{' if !in_text => depth = depth.saturating_add(1),
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = in_text && byte == b'\\' && !escaped;
        if depth > limits.nesting {
            let message = format!("the query nests more than {} deep (limit 'nesting')", limits.nesting);
            return Err(QueryProblem::new(message));
        }
    }
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let shown = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        let marker = " ".repeat(column.saturating_sub(1));
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        QueryProblem::new(format!(
            "Json parse error at line {line}, column {column}:\n\n{shown}\n{marker}^\n\n{reason}"
        ))
    })
}
