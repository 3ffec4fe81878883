//! Compiles queries in PuppetDB's AST to query trees.
//!
//! See `query_eng/engine.clj` of PuppetDB.

use puppetfn_base::limits::Limits;
use puppetfn_base::stack::StackBudget;
use serde_json::{Value as Json, json};

use super::condition::condition;
use super::entity::{Column, ColumnType, Entity};
use super::field::{Field, FieldPart};
use super::jsonb::check_nesting;
use super::plan::{AggregateCall, GroupKey, OrderKey, Projection, QueryFunction, QueryPlan, RowFilter};
use super::problem::{QueryProblem, enumeration, printed};
use super::validate::{check_fields, invalid_entity};

/// The greatest length of a projected field, as PostgreSQL's names have.
const NAME_LENGTH: usize = 63;

/// Compiles a query: `["from", ENTITY, CONDITION, ...]`.
///
/// # Errors
/// Returns the problems of the query.
pub(crate) fn compile(query: &Json, limits: &Limits) -> Result<QueryPlan, Vec<QueryProblem>> {
    let one = |problem: QueryProblem| vec![problem];
    let _evaluation = StackBudget::begin(limits);
    check_nesting(query, limits).map_err(|error| one(error.into()))?;
    let form =
        || QueryProblem::new("This query must be of the form [\"from\", <entity>, (<optional-query>)].");
    let Json::Array(parts) = query else { return Err(one(form())) };
    let [Json::String(from), Json::String(name), rest @ ..] = parts.as_slice() else {
        return Err(one(form()));
    };
    if from != "from" {
        return Err(one(form()));
    }
    let entity = Entity::parse(name).ok_or_else(|| one(invalid_entity(name)))?;
    let (condition, clauses) = split_clauses(rest).map_err(one)?;
    if let Some(condition) = condition {
        let mut problems = Vec::new();
        check_fields(condition, entity, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
    }
    let mut plan = from_entity(entity, condition, clauses).map_err(one)?;
    if entity.names_nodes() && !condition.is_some_and(names_node_state) {
        let active = RowFilter::Active(true);
        plan.filter = Some(match plan.filter.take() {
            Some(filter) => RowFilter::All(vec![filter, active]),
            None => active,
        });
    }
    Ok(plan)
}

/// Splits the rest of a `from` after its entity.
fn split_clauses(rest: &[Json]) -> Result<(Option<&Json>, &[Json]), QueryProblem> {
    match rest {
        [] => Ok((None, &[])),
        [Json::Array(clause), ..] if is_paging(clause) => Ok((None, rest)),
        [condition @ Json::Array(_), clauses @ ..] => Ok((Some(condition), clauses)),
        _ => Err(QueryProblem::new("`from` only accepts a query as an optional second argument.")),
    }
}

fn is_paging(clause: &[Json]) -> bool {
    matches!(clause.first().and_then(Json::as_str), Some("limit" | "order_by" | "offset"))
}

/// Returns true if a condition is about deactivated nodes, which PuppetDB leaves out otherwise.
fn names_node_state(query: &Json) -> bool {
    let Json::Array(parts) = query else { return false };
    match parts.as_slice() {
        [operator, Json::String(field), _] if operator == "=" && field == "node_state" => true,
        [operator, field, _] if operator == "=" && *field == json!(["node", "active"]) => true,
        parts => parts.iter().any(names_node_state),
    }
}

/// Compiles a query of an entity.
pub(crate) fn from_entity(
    entity: Entity,
    condition: Option<&Json>,
    clauses: &[Json],
) -> Result<QueryPlan, QueryProblem> {
    let mut plan = match condition.and_then(extract_parts) {
        Some((columns, condition, group_by)) => extract(entity, columns, condition, group_by)?,
        None => QueryPlan {
            entity,
            filter: condition.map_or(Ok(None), |condition| compiled_filter(condition, entity))?,
            projections: Vec::new(),
            group_by: None,
            order_by: Vec::new(),
            limit: None,
            offset: 0,
        },
    };
    if let Some(value) = clause("limit", clauses)? {
        let message = || {
            QueryProblem::new(format!(
                "Illegal value '{}' for :limit; expected a positive non-zero integer.",
                printed(value)
            ))
        };
        plan.limit = Some(count(value).filter(|limit| *limit > 0).ok_or_else(message)?);
    }
    if let Some(value) = clause("offset", clauses)? {
        let message = || {
            QueryProblem::new(format!(
                "Illegal value '{}' for :offset; expected a non-negative integer.",
                printed(value)
            ))
        };
        plan.offset = count(value).ok_or_else(message)?;
    }
    if let Some(value) = clause("order_by", clauses)? {
        plan.order_by = order_keys(entity, value)?;
    }
    check_order(&plan)?;
    Ok(plan)
}

fn count(value: &Json) -> Option<usize> {
    value.as_u64().and_then(|count| usize::try_from(count).ok())
}

/// Returns the argument of a clause.
fn clause<'q>(name: &str, clauses: &'q [Json]) -> Result<Option<&'q Json>, QueryProblem> {
    let mut found = clauses.iter().filter(|clause| clause.get(0).and_then(Json::as_str) == Some(name));
    let Some(first) = found.next() else { return Ok(None) };
    if found.next().is_some() {
        return Err(QueryProblem::new(format!("Multiple '{name}' clauses are not permitted")));
    }
    match first.get(1) {
        None | Some(Json::Null | Json::Bool(false)) => {
            Err(QueryProblem::new(format!("Received '{name}' clause without an argument")))
        }
        argument => Ok(argument),
    }
}

fn order_keys(entity: Entity, keys: &Json) -> Result<Vec<OrderKey>, QueryProblem> {
    let illegal = || {
        QueryProblem::new(format!(
            "Illegal value '{}' for :order_by; expected fields, or fields with 'asc' or 'desc'.",
            printed(keys)
        ))
    };
    let Json::Array(keys) = keys else { return Err(illegal()) };
    let mut order = Vec::new();
    for key in keys {
        let (name, descending) = match key {
            Json::String(name) => (name, false),
            Json::Array(parts) => match parts.as_slice() {
                [Json::String(name)] => (name, false),
                [Json::String(name), Json::String(direction)] if direction == "asc" => (name, false),
                [Json::String(name), Json::String(direction)] if direction == "desc" => (name, true),
                _ => return Err(illegal()),
            },
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => return Err(illegal()),
        };
        let Some(column) = entity.column(name).filter(|column| column.is_queryable()) else {
            let known = entity.queryable();
            let message = format!(
                "Unrecognized column '{name}' specified in :order_by; Supported columns are '{}'",
                known.join("', '")
            );
            return Err(QueryProblem::unknown(message, name, known));
        };
        order.push(OrderKey { column, descending });
    }
    Ok(order)
}

/// Grouped rows can only be sorted by the columns of the group.
fn check_order(plan: &QueryPlan) -> Result<(), QueryProblem> {
    let is_aggregated = plan.group_by.is_some() || plan.projections.iter().any(is_aggregate);
    let keys = plan.group_by.as_deref().unwrap_or_default();
    let mut ungrouped = plan.order_by.iter().filter(|key| !keys.contains(&GroupKey::Column(key.column)));
    match ungrouped.next() {
        Some(key) if is_aggregated => Err(not_grouped(key.column.name)),
        _ => Ok(()),
    }
}

fn not_grouped(name: &str) -> QueryProblem {
    QueryProblem::new(format!(
        "column \"{name}\" must appear in the GROUP BY clause or be used in an aggregate function"
    ))
}

fn is_aggregate(projection: &Projection) -> bool {
    matches!(projection, Projection::Function(call) if call.function.is_aggregate())
}

/// The parts of an `extract`: columns, condition, grouping.
type ExtractParts<'q> = (&'q Json, Option<&'q Json>, Option<&'q [Json]>);

/// Splits an `extract`; `None` for other operators.
pub(crate) fn extract_parts(query: &Json) -> Option<ExtractParts<'_>> {
    let Json::Array(parts) = query else { return None };
    let (operator, rest) = parts.split_first()?;
    if !operator.as_str().is_some_and(|operator| operator.eq_ignore_ascii_case("extract")) {
        return None;
    }
    let grouping = |part: &'_ Json| -> bool { part.get(0).and_then(Json::as_str) == Some("group_by") };
    fn keys(part: &Json) -> Option<&[Json]> {
        part.as_array().and_then(|parts| parts.get(1..))
    }
    match rest {
        [columns] | [columns, Json::Null] => Some((columns, None, None)),
        [columns, group] if grouping(group) => Some((columns, None, keys(group))),
        [columns, condition] => Some((columns, Some(condition), None)),
        [columns, Json::Null, group] if grouping(group) => Some((columns, None, keys(group))),
        [columns, condition, group] if grouping(group) => Some((columns, Some(condition), keys(group))),
        _ => None,
    }
}

/// Compiles a condition; `None` if it holds for all rows.
pub(crate) fn compiled_filter(query: &Json, entity: Entity) -> Result<Option<RowFilter>, QueryProblem> {
    if query.as_array().is_some_and(Vec::is_empty) {
        let message = "[] is not well-formed: queries must contain at least one operator";
        return Err(QueryProblem::new(message));
    }
    condition(query, entity)
}

/// Compiles an `extract`.
pub(crate) fn extract(
    entity: Entity,
    columns: &Json,
    query: Option<&Json>,
    group_by: Option<&[Json]>,
) -> Result<QueryPlan, QueryProblem> {
    let columns = match columns {
        Json::Array(columns) => columns.as_slice(),
        column => std::slice::from_ref(column),
    };
    let (mut functions, mut fields) = (Vec::new(), Vec::new());
    for column in columns {
        match projection(entity, column)? {
            function @ Projection::Function(_) => functions.push(function),
            field => fields.push(field),
        }
    }
    let filter = query.map_or(Ok(None), |query| compiled_filter(query, entity))?;
    functions.append(&mut fields);
    let group_by = group_by.map(|keys| group_keys(entity, keys)).transpose()?;
    check_grouping(&functions, group_by.as_deref())?;
    Ok(QueryPlan {
        entity,
        filter,
        projections: functions,
        group_by,
        order_by: Vec::new(),
        limit: None,
        offset: 0,
    })
}

/// Compiles a column of an answer.
fn projection(entity: Entity, column: &Json) -> Result<Projection, QueryProblem> {
    match column {
        Json::String(name) => field_projection(entity, name),
        Json::Array(parts) => match parts.as_slice() {
            [_, Json::String(name), arguments @ ..] => {
                let function = QueryFunction::parse(name)
                    .ok_or_else(|| QueryProblem::new(format!("\"{name}\" is not a valid function")))?;
                Ok(Projection::Function(call(entity, function, arguments)?))
            }
            _ => Err(QueryProblem::new(format!("{} is not a valid function", printed(column)))),
        },
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => {
            Err(QueryProblem::new(format!("{} is not a field", printed(column))))
        }
    }
}

fn field_projection(entity: Entity, name: &str) -> Result<Projection, QueryProblem> {
    if let Some(column) = entity.column(name) {
        return Ok(Projection::Column(column));
    }
    let field = Field::parse(name).map_err(QueryProblem::new)?;
    if name.len() > NAME_LENGTH {
        let message =
            format!("Projected field name '{}' exceeds current maximum length of 63 characters", name.len());
        return Err(QueryProblem::new(message));
    }
    let column = entity.column(&field.column).filter(|column| column.dotted);
    let Some(column) = column else {
        let known: Vec<_> = entity.projectable().collect();
        let message = format!(
            "Can't extract unknown '{}' field '{name}'. Acceptable fields are {}",
            entity.alias(),
            enumeration(&known)
        );
        return Err(QueryProblem::unknown(message, name, known));
    };
    let mut path = Vec::new();
    for part in field.path {
        match part {
            FieldPart::Name(part) => path.push(part),
            FieldPart::Indexed(..) | FieldPart::Match(_) => {
                let message = format!(
                    "'{name}' cannot be extracted: only names of members can, without indexes and match()"
                );
                return Err(QueryProblem::new(message));
            }
        }
    }
    Ok(Projection::Member { name: name.to_owned(), column, path })
}

/// Compiles a call of a function.
fn call(entity: Entity, function: QueryFunction, arguments: &[Json]) -> Result<AggregateCall, QueryProblem> {
    let name = function.name();
    let expected: &[usize] = match function {
        QueryFunction::Count => &[0, 1],
        QueryFunction::ToString => &[2],
        QueryFunction::Avg
        | QueryFunction::Sum
        | QueryFunction::Min
        | QueryFunction::Max
        | QueryFunction::JsonbTypeof => &[1],
    };
    if !expected.contains(&arguments.len()) {
        let message = format!("wrong number of arguments ({}) provided for function {name}", arguments.len());
        return Err(QueryProblem::new(message));
    }
    let argument = arguments.first().map(|field| function_column(entity, field)).transpose()?;
    let format = arguments.get(1).map(|format| {
        format
            .as_str()
            .map(str::to_owned)
            .ok_or_else(|| QueryProblem::new("the format of to_string has to be a text"))
    });
    if let Some(column) = argument {
        let is_numeric = matches!(column.column_type, ColumnType::Integer | ColumnType::FactValue);
        let is_sorted = is_numeric || matches!(column.column_type, ColumnType::Text | ColumnType::Timestamp);
        let accepts = match function {
            QueryFunction::Count => true,
            QueryFunction::Avg | QueryFunction::Sum => is_numeric,
            QueryFunction::Min | QueryFunction::Max => is_sorted,
            QueryFunction::ToString => is_numeric || column.column_type == ColumnType::Timestamp,
            QueryFunction::JsonbTypeof => {
                matches!(column.column_type, ColumnType::FactValue | ColumnType::Document)
            }
        };
        if !accepts {
            let message = format!("the function {name} is not for the field '{}'", column.name);
            return Err(QueryProblem::new(message));
        }
    }
    Ok(AggregateCall { function, argument, format: format.transpose()? })
}

/// Returns the column that an argument of a function names.
pub(crate) fn function_column(entity: Entity, field: &Json) -> Result<&'static Column, QueryProblem> {
    let name = field.as_str().unwrap_or_default();
    entity.column(name).filter(|column| column.is_queryable()).ok_or_else(|| {
        let message = format!("field {} is not a valid queryable field", printed(field));
        QueryProblem::unknown(message, name, entity.queryable())
    })
}

fn group_keys(entity: Entity, keys: &[Json]) -> Result<Vec<GroupKey>, QueryProblem> {
    let mut found = Vec::new();
    for key in keys {
        let name = match key {
            Json::Array(call) => call.get(1).and_then(Json::as_str).unwrap_or_default(),
            key => key.as_str().unwrap_or_default(),
        };
        let is_member = || {
            let field = Field::parse(name).ok().filter(|field| !field.path.is_empty())?;
            entity.column(&field.column).filter(|column| column.dotted)
        };
        found.push(if let Some(column) = entity.column(name) {
            GroupKey::Column(column)
        } else if is_member().is_some() {
            GroupKey::Member(name.to_owned())
        } else if let Some(function) = QueryFunction::parse(name) {
            GroupKey::Function(function)
        } else {
            let message =
                format!("{} is niether a valid column name nor function name", printed(&Json::from(name)));
            return Err(QueryProblem::unknown(message, name, entity.queryable()));
        });
    }
    Ok(found)
}

/// Checks that columns beside aggregates are grouped by, as PostgreSQL requires.
fn check_grouping(projections: &[Projection], group_by: Option<&[GroupKey]>) -> Result<(), QueryProblem> {
    if group_by.is_none() && !projections.iter().any(is_aggregate) {
        return Ok(());
    }
    let keys = group_by.unwrap_or_default();
    if projections.is_empty() {
        return Err(QueryProblem::new(
            "rows that are grouped need an extract of fields that they are grouped by",
        ));
    }
    for projection in projections {
        let (name, key) = match projection {
            Projection::Column(column) => (column.name, GroupKey::Column(column)),
            Projection::Member { name, .. } => (&**name, GroupKey::Member(name.clone())),
            Projection::Function(call) if call.function.is_aggregate() => continue,
            Projection::Function(call) => (call.function.name(), GroupKey::Function(call.function)),
        };
        if !keys.contains(&key) {
            return Err(not_grouped(name));
        }
    }
    Ok(())
}
