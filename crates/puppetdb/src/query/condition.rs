//! Compiles conditions of queries.
//!
//! See `expand-query-node` and `user-node->plan-node` in `query_eng/engine.clj` of PuppetDB.

use std::collections::HashSet;
use std::sync::OnceLock;

use puppetfn_base::stack::StackBudget;
use serde_json::{Value as Json, json};

use super::comparison::{compare, null};
use super::compile::{compiled_filter, extract, extract_parts, from_entity, function_column};
use super::entity::{Column, ColumnType, Entity};
use super::instant::Instant;
use super::jsonb::{canonical, serialized};
use super::plan::{ColumnTest, ComparisonOp, InSubquery, ParameterTest, Projection, QueryPlan, RowFilter};
use super::problem::{QueryProblem, printed};
use super::regexp::Regexp;
use super::validate::{SELECT, selected};

/// Compiles a condition; `None` if it holds for all rows.
pub(crate) fn condition(query: &Json, entity: Entity) -> Result<Option<RowFilter>, QueryProblem> {
    StackBudget::check()?;
    let Json::Array(parts) = query else { return Err(not_a_condition(query)) };
    let [Json::String(operator), arguments @ ..] = parts.as_slice() else {
        return Err(not_a_condition(query));
    };
    match (&**operator, arguments) {
        ("and", sides) => junction("and", sides, entity),
        ("or", sides) => junction("or", sides, entity),
        ("not", [side]) => Ok(condition(side, entity)?.map(|filter| RowFilter::Not(Box::new(filter)))),
        ("not", sides) => {
            let message = format!("'not' takes exactly one argument, but {} were supplied", sides.len());
            Err(QueryProblem::new(message))
        }
        ("null?", [Json::String(field), Json::Bool(is_null)]) => null(field, *is_null, entity).map(Some),
        ("in", [columns, values]) => member_of(columns, values, entity).map(Some),
        ("subquery", [Json::String(name), query]) => implicit_subquery(name, query, entity).map(Some),
        ("subquery", [Json::String(name)]) => Err(QueryProblem::new(format!(
            "the subquery of '{name}' has no condition: name one that its rows meet"
        ))),
        ("=" | "~" | "~>" | "<" | ">" | "<=" | ">=", [field, value]) => {
            binary(operator, field, value, entity)
        }
        ("=" | "~" | "~>" | "<" | ">" | "<=" | ">=", _) => {
            Err(QueryProblem::new(format!("{operator} requires exactly two arguments")))
        }
        _ => Err(not_a_condition(query)),
    }
}

fn not_a_condition(query: &Json) -> QueryProblem {
    QueryProblem::new(format!("not a condition of a query: {}", printed(query)))
}

fn junction(operator: &str, sides: &[Json], entity: Entity) -> Result<Option<RowFilter>, QueryProblem> {
    if sides.is_empty() {
        let message = format!("'{operator}' takes at least one argument, but none were supplied");
        return Err(QueryProblem::new(message));
    }
    let mut filters = Vec::new();
    for side in sides {
        filters.extend(compiled_filter(side, entity)?);
    }
    Ok(match (filters.len(), operator) {
        (0, _) => None,
        (1, _) => filters.pop(),
        (_, "and") => Some(RowFilter::All(filters)),
        _ => Some(RowFilter::Any(filters)),
    })
}

/// Compiles a comparison of a field and a value.
fn binary(
    operator: &str,
    field: &Json,
    value: &Json,
    entity: Entity,
) -> Result<Option<RowFilter>, QueryProblem> {
    if matches!(value, Json::Object(_)) || (value.is_null() && operator != "=") {
        return Err(QueryProblem::new(format!("Invalid {operator} clause")));
    }
    match field {
        Json::String(name) if name == "node_state" && operator == "=" => node_state(value),
        Json::String(name) if name == "type" && operator == "=" && value == "any" => Ok(None),
        Json::String(name) => compare(operator, name, value, entity).map(Some),
        Json::Array(parts) => match parts.as_slice() {
            [Json::String(kind), Json::String(name)] => match &**kind {
                "node" if name == "active" && operator == "=" => {
                    Ok(Some(RowFilter::Active(value.as_bool() == Some(true))))
                }
                "parameter" => parameter(operator, name, value, entity).map(Some),
                "fact" => fact(operator, name, value, entity).map(Some),
                "function" => function(operator, name, &[], value, entity).map(Some),
                _ => Err(QueryProblem::new(format!("{} is not a field", printed(field)))),
            },
            [Json::String(kind), Json::String(name), arguments @ ..] if kind == "function" => {
                function(operator, name, arguments, value, entity).map(Some)
            }
            _ => Err(QueryProblem::new(format!("{} is not a field", printed(field)))),
        },
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => {
            Err(QueryProblem::new(format!("Invalid {operator} clause")))
        }
    }
}

fn node_state(value: &Json) -> Result<Option<RowFilter>, QueryProblem> {
    match value.as_str().map(str::to_lowercase).as_deref() {
        Some("active") => Ok(Some(RowFilter::Active(true))),
        Some("inactive") => Ok(Some(RowFilter::Active(false))),
        Some("any") => Ok(None),
        _ => {
            Err(QueryProblem::new(format!("'node_state' is active, inactive or any, not {}", printed(value))))
        }
    }
}

/// A condition of a parameter, whose JSON PuppetDB compares as a text.
fn parameter(operator: &str, name: &str, value: &Json, entity: Entity) -> Result<RowFilter, QueryProblem> {
    if entity != Entity::Resources {
        return Err(QueryProblem::new(format!("[\"parameter\" \"{name}\"] is a field of resources only")));
    }
    let text = serialized(value);
    let test = match operator {
        "=" => ParameterTest::Equal(text),
        "~" => ParameterTest::Matches(Regexp::new(&text)?),
        _ => {
            return Err(QueryProblem::new(format!("Query operator {operator} is not allowed on parameters")));
        }
    };
    Ok(RowFilter::Parameter(name.to_owned(), test))
}

/// A condition of a fact, which PuppetDB asks the inventory.
fn fact(operator: &str, name: &str, value: &Json, entity: Entity) -> Result<RowFilter, QueryProblem> {
    let is_allowed = match operator {
        "=" => value.is_string() || value.is_boolean() || value.is_number(),
        "~" => value.is_string() || value.is_boolean(),
        "<" | ">" | "<=" | ">=" => value.is_number(),
        _ => false,
    };
    if !is_allowed {
        let value = value.as_str().map_or_else(|| printed(value), str::to_owned);
        return Err(QueryProblem::new(format!("Operator '{operator}' not allowed on value '{value}'")));
    }
    let inventory =
        json!(["extract", "certname", ["select_inventory", [operator, format!("facts.{name}"), value]]]);
    member_of(&json!("certname"), &inventory, entity)
}

fn function(
    operator: &str,
    name: &str,
    arguments: &[Json],
    value: &Json,
    entity: Entity,
) -> Result<RowFilter, QueryProblem> {
    match (name, arguments, operator, value) {
        ("jsonb_typeof", [field], "=", Json::String(kind)) => {
            let column = function_column(entity, field)?;
            if !matches!(column.column_type, ColumnType::FactValue | ColumnType::Document) {
                return Err(QueryProblem::new(format!(
                    "the function jsonb_typeof is not for the field '{}'",
                    column.name
                )));
            }
            Ok(RowFilter::TypeOf(column, kind.clone()))
        }
        ("avg" | "count" | "max" | "min" | "sum", ..) => {
            Err(QueryProblem::new("aggregate functions are not allowed in WHERE"))
        }
        ("jsonb_typeof" | "to_string", ..) => {
            Err(QueryProblem::new(format!("the function {name} is not supported in such a condition")))
        }
        _ => Err(QueryProblem::new(format!("\"{name}\" is not a valid function"))),
    }
}

fn implicit_subquery(name: &str, query: &Json, entity: Entity) -> Result<RowFilter, QueryProblem> {
    let related = Entity::parse(name).filter(|other| other.name() == name);
    let Some((other, relationship)) = related.and_then(|other| Some((other, entity.relationship(other)?)))
    else {
        return Err(QueryProblem::new(format!("No implicit relationship for entity '{name}'")));
    };
    let subquery = json!(["extract", relationship.foreign, [format!("{SELECT}{other}"), query]]);
    member_of(&json!(relationship.local), &subquery, entity)
}

/// Compiles `in`.
fn member_of(columns: &Json, values: &Json, entity: Entity) -> Result<RowFilter, QueryProblem> {
    if let Json::Array(parts) = values
        && let [Json::String(operator), list] = parts.as_slice()
        && operator == "array"
    {
        let Json::Array(list) = list else {
            return Err(QueryProblem::new("Operator 'array' requires a vector argument"));
        };
        return one_of(columns, list, entity);
    }
    let names = match columns {
        Json::Array(names) => names.as_slice(),
        name => std::slice::from_ref(name),
    };
    let columns = names.iter().map(|name| function_column(entity, name)).collect::<Result<Vec<_>, _>>()?;
    let mut plan = subquery(values)?;
    // PuppetDB compares as many columns as there are on the left.
    plan.projections.truncate(columns.len());
    check_columns(&columns, &plan)?;
    Ok(RowFilter::Subquery(Box::new(InSubquery { columns, plan, members: OnceLock::new() })))
}

/// Compiles the query of `in`.
fn subquery(query: &Json) -> Result<QueryPlan, QueryProblem> {
    let unsupported = || QueryProblem::new(format!("not a subquery: {}", printed(query)));
    if let Json::Array(parts) = query
        && let [Json::String(operator), Json::String(name), rest @ ..] = parts.as_slice()
        && operator == "from"
    {
        let entity = Entity::parse(name).ok_or_else(|| super::validate::invalid_entity(name))?;
        let (condition, clauses) = match rest.split_first() {
            Some((condition, clauses)) => (Some(condition), clauses),
            None => (None, rest),
        };
        return from_entity(entity, condition, clauses);
    }
    let (columns, Some(Json::Array(select)), None) = extract_parts(query).ok_or_else(unsupported)? else {
        return Err(unsupported());
    };
    let (operator, condition) = match select.as_slice() {
        [Json::String(operator)] => (operator, None),
        [Json::String(operator), condition] => (operator, Some(condition)),
        _ => return Err(unsupported()),
    };
    let entity = selected(operator).ok_or_else(unsupported)?;
    if let Some((inventory, condition)) = as_inventory(columns, entity, condition) {
        return extract(inventory, columns, Some(&condition), None);
    }
    extract(entity, columns, condition, None)
}

/// Returns the query of the inventory that PuppetDB asks in place of a query for the name and the value of a fact: see
/// `optimize-user-query-node`. Values of different types are compared there.
fn as_inventory(columns: &Json, entity: Entity, condition: Option<&Json>) -> Option<(Entity, Json)> {
    if entity != Entity::Facts || !matches!(columns.as_str(), Some("certname" | "environment")) {
        return None;
    }
    let [and, name, value] = condition?.as_array()?.as_slice() else { return None };
    let [is, field, Json::String(fact)] = name.as_array()?.as_slice() else { return None };
    let [Json::String(operator), compared, value] = value.as_array()?.as_slice() else { return None };
    let fits = and == "and" && is == "=" && field == "name" && compared == "value";
    let is_single = !matches!(value, Json::Array(_) | Json::Null | Json::Object(_)) && operator != "in";
    (fits && is_single).then(|| (Entity::Inventory, json!([operator, format!("facts.{fact}"), value])))
}

/// Checks that the columns of both sides of `in` can be compared.
fn check_columns(columns: &[&'static Column], plan: &QueryPlan) -> Result<(), QueryProblem> {
    if plan.projections.len() != columns.len() {
        let message = format!(
            "'in' compares {} columns, but its subquery of {} extracts {}",
            columns.len(),
            plan.entity,
            plan.projections.len()
        );
        return Err(QueryProblem::new(message));
    }
    for (outer, inner) in columns.iter().zip(&plan.projections) {
        let (name, inner) = match inner {
            Projection::Column(column) => (column.name, column.column_type),
            Projection::Member { name, .. } => (&**name, ColumnType::Opaque),
            Projection::Function(call) => (call.function.name(), ColumnType::Opaque),
        };
        let fits = match (outer.column_type, inner) {
            (ColumnType::Opaque | ColumnType::TextArray | ColumnType::Document, _) => false,
            (ColumnType::Text, ColumnType::FactValue | ColumnType::Boolean | ColumnType::Integer) => true,
            (ColumnType::FactValue, ColumnType::Text) => true,
            (outer, inner) => outer == inner,
        };
        if !fits {
            return Err(QueryProblem::new(format!(
                "the field '{}' cannot be compared with '{name}' by 'in'",
                outer.name
            )));
        }
    }
    Ok(())
}

/// Compiles `in` with a list of values.
fn one_of(columns: &Json, values: &[Json], entity: Entity) -> Result<RowFilter, QueryProblem> {
    let name = match columns {
        Json::String(name) => name,
        Json::Array(parts) => match parts.as_slice() {
            [Json::String(kind), Json::String(name)] if kind == "fact" => {
                return fact_in(name, values, entity);
            }
            _ => {
                return Err(QueryProblem::new(format!(
                    "{} cannot be compared with an array by 'in'",
                    printed(columns)
                )));
            }
        },
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => {
            return Err(QueryProblem::new(format!("{} is not a field", printed(columns))));
        }
    };
    let Some(column) = entity.column(name) else {
        // PuppetDB 7 answers with an internal error here.
        let message =
            format!("'in' with an array is not supported on '{name}': compare with = for each value");
        return Err(QueryProblem::new(message));
    };
    let test = match column.column_type {
        ColumnType::TextArray => {
            return Err(QueryProblem::new("Operator 'in'...'array' is not supported on array types"));
        }
        ColumnType::Text => ColumnTest::OneOf(values.iter().map(as_text).collect()),
        ColumnType::FactValue => ColumnTest::OneOf(values.iter().map(canonical).collect()),
        ColumnType::Path => {
            ColumnTest::Path(values.iter().map(super::comparison::path).collect::<Result<HashSet<_>, _>>()?)
        }
        ColumnType::Timestamp => {
            let times = values.iter().map(|value| {
                let time = Instant::parse(value.as_str().unwrap_or_default());
                time.ok_or_else(|| {
                    QueryProblem::new(format!("'{}' is not a valid timestamp value", as_text(value)))
                })
            });
            let equal = |time| RowFilter::Column(column, ColumnTest::Time(ComparisonOp::Equal, time));
            return Ok(RowFilter::Any(times.map(|time| time.map(equal)).collect::<Result<_, _>>()?));
        }
        ColumnType::Boolean | ColumnType::Integer | ColumnType::Document | ColumnType::Opaque => {
            return Err(QueryProblem::new(format!("'in' with an array is not supported on '{name}'")));
        }
    };
    Ok(RowFilter::Column(column, test))
}

fn fact_in(name: &str, values: &[Json], entity: Entity) -> Result<RowFilter, QueryProblem> {
    let kind = |value: &Json| match value {
        Json::Null => 0,
        Json::Bool(_) => 1,
        Json::Number(number) if number.is_i64() || number.is_u64() => 2,
        Json::Number(_) => 3,
        Json::String(_) => 4,
        Json::Array(_) => 5,
        Json::Object(_) => 6,
    };
    let kinds: HashSet<u8> = values.iter().map(kind).collect();
    if kinds.len() != 1 {
        return Err(QueryProblem::new("All values in array must be the same type."));
    }
    let condition = json!(["and", ["=", "name", name], ["in", "value", ["array", values]]]);
    member_of(&json!("certname"), &json!(["extract", "certname", ["select_facts", condition]]), entity)
}

fn as_text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => printed(value),
    }
}
