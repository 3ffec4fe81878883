//! Checks the fields of queries, before they are compiled.
//!
//! See `push-down-context` in `query_eng/engine.clj` of PuppetDB.

use serde_json::Value as Json;

use super::clojure_order::names_in_order;
use super::entity::Entity;
use super::field::Field;
use super::plan::QueryFunction;
use super::problem::{QueryProblem, enumeration, printed};

/// The prefix of the operators for subqueries.
pub(crate) const SELECT: &str = "select_";
/// Operators that a condition within `extract` may have, besides subqueries.
const OPERATORS: [&str; 17] = [
    "from", "in", "extract", "subquery", "and", "or", "not", "function", "group_by", "null?", "=", ">", "<",
    ">=", "<=", "~", "~>",
];

/// Returns the entity of an operator such as `select_facts`.
pub(crate) fn selected(operator: &str) -> Option<Entity> {
    let name = operator.strip_prefix(SELECT)?;
    Entity::parse(name).filter(|entity| entity.name() == name && *entity != Entity::FactNames)
}

/// Adds the problems of the fields in a query of an entity.
pub(crate) fn check_fields(node: &Json, entity: Entity, problems: &mut Vec<QueryProblem>) {
    let Json::Array(parts) = node else { return };
    match parts.as_slice() {
        [Json::String(operator), Json::String(name), query, ..] if operator == "from" => {
            match Entity::parse(name) {
                Some(other) => check_fields(query, other, problems),
                None => problems.push(invalid_entity(name)),
            }
            return;
        }
        [Json::String(operator), columns, Json::Array(subquery)] if operator == "extract" => {
            if let [Json::String(select), query] = subquery.as_slice() {
                if let Some(other) = selected(select) {
                    let acceptable = names_in_order(other.queryable());
                    problems.extend(unknown_columns(columns, other, &acceptable, true, "Can't extract", ""));
                    check_fields(query, other, problems);
                    return;
                }
                if !matches!(&*select.to_lowercase(), "not" | "group_by" | "or" | "and") {
                    problems.push(unsupported_subquery(select));
                    return;
                }
            }
        }
        [Json::String(operator), Json::String(name), query] if operator == "subquery" => {
            if let Some(other) = Entity::parse(name) {
                check_fields(query, other, problems);
            }
            return;
        }
        _ => {}
    }
    problems.extend(own_problem(parts, entity));
    parts.iter().for_each(|part| check_fields(part, entity, problems));
}

/// Returns the problem of the fields that an operator itself names.
fn own_problem(parts: &[Json], entity: Entity) -> Option<QueryProblem> {
    match parts {
        [Json::String(operator), Json::String(field), _]
            if matches!(&**operator, "=" | "~" | ">" | "<" | "<=" | ">=") =>
        {
            (field != "node_state").then(|| unknown_field(field, entity)).flatten()
        }
        [Json::String(operator), Json::String(field), _] if operator == "null?" => {
            unknown_field(field, entity)
        }
        [Json::String(operator), columns, conditions @ ..] if operator == "extract" => {
            let acceptable = names_in_order(entity.projectable().collect());
            unknown_columns(columns, entity, &acceptable, true, "Can't extract", "")
                .or_else(|| conditions.iter().find_map(invalid_operator))
        }
        [Json::String(operator), field, Json::Array(values), ..]
            if operator == "in" && values.first().is_some_and(|first| first == "array") =>
        {
            field.as_str().and_then(|field| unknown_field(field, entity))
        }
        [Json::String(operator), columns, ..] if operator == "in" => {
            let acceptable = entity.queryable();
            unknown_columns(columns, entity, &acceptable, false, "Can't match on", " for 'in'")
        }
        _ => None,
    }
}

pub(crate) fn invalid_entity(name: &str) -> QueryProblem {
    let known = Entity::ALL.into_iter().map(Entity::name).collect();
    QueryProblem::unknown(format!("Invalid entity '{}' in query", name.replace('-', "_")), name, known)
}

fn unsupported_subquery(operator: &str) -> QueryProblem {
    let underscored = operator.replace('-', "_");
    if selected(&underscored).is_some() {
        let message = format!("Unsupported subquery `{operator}` - did you mean `{underscored}`?");
        return QueryProblem::new(message);
    }
    QueryProblem::new(format!("Unsupported subquery `{operator}`"))
}

/// Returns the problem of a field that conditions cannot name.
fn unknown_field(field: &str, entity: Entity) -> Option<QueryProblem> {
    let is_dotted = || {
        let (column, rest) = field.split_once('.')?;
        entity.column(column).filter(|column| column.dotted && !rest.is_empty())
    };
    if entity.column(field).is_some_and(super::entity::Column::is_queryable) || is_dotted().is_some() {
        return None;
    }
    let (alias, known) = (entity.alias(), entity.queryable());
    let message = format!(
        "'{field}' is not a queryable object for {alias}. Known queryable objects are {}",
        enumeration(&known)
    );
    Some(QueryProblem::unknown(message, field, known))
}

fn unknown_columns(
    columns: &Json,
    entity: Entity,
    acceptable: &[&'static str],
    allows_members: bool,
    action: &str,
    context: &str,
) -> Option<QueryProblem> {
    let columns = match columns {
        Json::Array(columns) => columns.as_slice(),
        column => std::slice::from_ref(column),
    };
    let is_member = |name: &str| {
        let field = Field::parse(name).ok();
        field.is_some_and(|field| {
            !field.path.is_empty() && entity.column(&field.column).is_some_and(|column| column.dotted)
        })
    };
    let is_known = |column: &&Json| match column {
        Json::String(name) => acceptable.contains(&&**name) || (allows_members && is_member(name)),
        Json::Array(call) => match call.as_slice() {
            [Json::String(function), Json::String(name), ..] => {
                function == "function" && QueryFunction::parse(name).is_some()
            }
            _ => false,
        },
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => false,
    };
    let unknown: Vec<String> = columns
        .iter()
        .filter(|column| !is_known(column))
        .map(|column| column.as_str().map_or_else(|| printed(column), str::to_owned))
        .collect();
    let first = unknown.first()?;
    let message = format!(
        "{action} unknown '{}' {} {}{context}. Acceptable fields are {}",
        entity.alias(),
        if unknown.len() > 1 { "fields" } else { "field" },
        enumeration(&unknown),
        enumeration(acceptable)
    );
    Some(QueryProblem::unknown(message, first, acceptable.to_vec()))
}

/// Returns the problem of an operator that a condition within `extract` cannot have.
fn invalid_operator(condition: &Json) -> Option<QueryProblem> {
    let Json::Array(parts) = condition else { return None };
    let operator = parts.first().and_then(Json::as_str).unwrap_or("");
    if matches!(operator, "or" | "and") {
        return parts.iter().find_map(invalid_operator);
    }
    if OPERATORS.contains(&operator) || selected(operator).is_some() {
        return None;
    }
    Some(QueryProblem::new(format!("{} is not a valid expression for \"extract\"", printed(condition))))
}
