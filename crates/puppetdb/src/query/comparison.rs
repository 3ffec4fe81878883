//! Compiles comparisons of fields by the types of their columns.

use std::collections::HashSet;

use serde_json::{Value as Json, json};

use super::entity::{Column, ColumnType, Entity};
use super::field::{Field, FieldPart};
use super::instant::Instant;
use super::jsonb::{canonical, serialized};
use super::plan::{
    ColumnTest, ComparisonOp, MemberCondition, MemberTest, PathKind, PathPattern, PathStep, RowFilter,
    decimal,
};
use super::problem::{QueryProblem, printed};
use super::regexp::Regexp;

/// Compiles a comparison of a field and a value, which is no object.
pub(crate) fn compare(
    operator: &str,
    field: &str,
    value: &Json,
    entity: Entity,
) -> Result<RowFilter, QueryProblem> {
    if field == "tag" && entity == Entity::Resources {
        let value = value.as_str().map_or_else(|| printed(value), str::to_owned).to_lowercase();
        return compare(operator, "tags", &value.into(), entity);
    }
    if operator == "=" && value.is_null() {
        return null(field, true, entity);
    }
    if matches!(field, "new_value" | "old_value") && entity == Entity::Events {
        let column = column(field, entity)?;
        return text(operator, column, &serialized(value).into());
    }
    if let Some(column) = entity.column(field) {
        return of_column(operator, column, value, entity);
    }
    let parsed = Field::parse(field).map_err(QueryProblem::new)?;
    member(operator, field, parsed, value, entity)
}

fn column(name: &str, entity: Entity) -> Result<&'static Column, QueryProblem> {
    entity.column(name).ok_or_else(|| QueryProblem::new(format!("'{name}' is not a field of {entity}")))
}

fn of_column(
    operator: &str,
    column: &'static Column,
    value: &Json,
    entity: Entity,
) -> Result<RowFilter, QueryProblem> {
    let is_ordered = matches!(operator, "<" | ">" | "<=" | ">=");
    match column.column_type {
        ColumnType::Text if !is_ordered => text(operator, column, value),
        ColumnType::Boolean if operator == "=" => match value {
            Json::Bool(value) => Ok(RowFilter::Column(column, ColumnTest::Boolean(*value))),
            _ => Err(incomparable(column, "boolean", value)),
        },
        ColumnType::Integer if operator == "=" || is_ordered => number(operator, column, value),
        ColumnType::Timestamp if operator == "=" || is_ordered => time(operator, column, value),
        ColumnType::TextArray if operator == "=" => {
            Ok(RowFilter::Column(column, ColumnTest::Contains(array_text(value))))
        }
        ColumnType::TextArray if operator == "~" => {
            Ok(RowFilter::Column(column, ColumnTest::Matches(regexp(value)?)))
        }
        ColumnType::FactValue if operator != "~>" => fact_value(operator, column, value),
        ColumnType::Document if operator != "~>" => document(operator, column, Vec::new(), value),
        ColumnType::Path if operator == "=" => {
            Ok(RowFilter::Column(column, ColumnTest::Path(HashSet::from([path(value)?]))))
        }
        ColumnType::Path if operator == "~>" && entity == Entity::FactPaths => encoded_path(column, value),
        ColumnType::Path if operator == "~>" => path_patterns(column, value),
        _ => Err(not_allowed(operator, column.name)),
    }
}

fn not_allowed(operator: &str, field: &str) -> QueryProblem {
    QueryProblem::new(match operator {
        "<" | ">" | "<=" | ">=" => format!("Query operators >,>=,<,<= are not allowed on field {field}"),
        _ => format!("Query operator {operator} is not allowed on field {field}"),
    })
}

fn incomparable(column: &Column, kind: &str, value: &Json) -> QueryProblem {
    QueryProblem::new(format!("the field '{}' is a {kind}, which {} is not", column.name, printed(value)))
}

fn text(operator: &str, column: &'static Column, value: &Json) -> Result<RowFilter, QueryProblem> {
    match (operator, value) {
        ("=", Json::String(value)) => Ok(RowFilter::Column(column, ColumnTest::Text(value.clone()))),
        ("~", Json::String(_)) => Ok(RowFilter::Column(column, ColumnTest::Matches(regexp(value)?))),
        ("=" | "~", _) => Err(incomparable(column, "text", value)),
        _ => Err(not_allowed(operator, column.name)),
    }
}

fn number(operator: &str, column: &'static Column, value: &Json) -> Result<RowFilter, QueryProblem> {
    match (ComparisonOp::parse(operator), value) {
        (Some(comparison), Json::Number(value)) => {
            Ok(RowFilter::Column(column, ColumnTest::Number(comparison, decimal(value))))
        }
        (_, Json::String(value)) if operator == "=" => Err(QueryProblem::new(format!(
            "Argument \"{value}\" is incompatible with numeric field \"{}\".",
            column.name
        ))),
        _ if operator == "=" => Err(incomparable(column, "number", value)),
        _ => Err(incompatible(operator, value)),
    }
}

fn incompatible(operator: &str, value: &Json) -> QueryProblem {
    let value = value.as_str().map_or_else(|| printed(value), str::to_owned);
    QueryProblem::new(format!("Argument \"{value}\" and operator \"{operator}\" have incompatible types."))
}

fn time(operator: &str, column: &'static Column, value: &Json) -> Result<RowFilter, QueryProblem> {
    let time = value.as_str().and_then(Instant::parse);
    match (ComparisonOp::parse(operator), time) {
        (Some(comparison), Some(time)) => Ok(RowFilter::Column(column, ColumnTest::Time(comparison, time))),
        _ => {
            let value = value.as_str().map_or_else(|| printed(value), str::to_owned);
            Err(QueryProblem::new(format!("'{value}' is not a valid timestamp value")))
        }
    }
}

/// Returns a value as the text that an element of a list would be.
fn array_text(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn regexp(value: &Json) -> Result<Regexp, QueryProblem> {
    match value {
        Json::String(source) => Ok(Regexp::new(source)?),
        _ => {
            Err(QueryProblem::new(format!("a regular expression is a text, which {} is not", printed(value))))
        }
    }
}

fn fact_value(operator: &str, column: &'static Column, value: &Json) -> Result<RowFilter, QueryProblem> {
    match (ComparisonOp::parse(operator), value) {
        (None, value) => {
            let source = Json::from(array_text(value));
            Ok(RowFilter::Column(column, ColumnTest::Matches(regexp(&source)?)))
        }
        (Some(comparison), Json::Number(value)) => {
            Ok(RowFilter::Column(column, ColumnTest::JsonNumber(comparison, decimal(value))))
        }
        (Some(ComparisonOp::Equal), value) => Ok(RowFilter::Column(column, ColumnTest::Json(value.clone()))),
        _ => Err(incompatible(operator, value)),
    }
}

/// Compiles a comparison of a member of a document.
fn member(
    operator: &str,
    field: &str,
    parsed: Field,
    value: &Json,
    entity: Entity,
) -> Result<RowFilter, QueryProblem> {
    let own = entity.column(&parsed.column).filter(|column| column.dotted);
    let own = own.ok_or_else(|| QueryProblem::new(format!("'{field}' is not a field of {entity}")))?;
    if operator == "~>" {
        return Err(not_allowed(operator, field));
    }
    if parsed.path.iter().any(|part| matches!(part, FieldPart::Match(_))) {
        return Err(QueryProblem::new(format!("match() is not supported in fields: {field}")));
    }
    // Trusted facts are a fact.
    let (column, prefix) = match entity.column("facts") {
        Some(facts) if own.name == "trusted" => (facts, Some("trusted")),
        _ => (own, None),
    };
    let is_indexed = parsed.path.iter().any(|part| matches!(part, FieldPart::Indexed(..)));
    let names = Field::plain_names(field);
    let is_number = |name: &String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    if operator == "=" && !is_indexed && names.iter().any(is_number) {
        let path = prefix.map(str::to_owned).into_iter().chain(names).map(PathStep::NameOrIndex).collect();
        let condition = MemberCondition::Equal(value.clone());
        return Ok(RowFilter::Member(MemberTest { column, path, condition }));
    }
    if operator == "=" && !is_indexed {
        let names: Vec<String> = prefix.map(str::to_owned).into_iter().chain(names).collect();
        let nested = names.into_iter().rev().fold(value.clone(), |value, name| json!({ name: value }));
        let condition = MemberCondition::Contains(nested);
        return Ok(RowFilter::Member(MemberTest { column, path: Vec::new(), condition }));
    }
    let mut path: Vec<PathStep> = prefix.map(|name| PathStep::Name(name.to_owned())).into_iter().collect();
    for part in parsed.path {
        match part {
            FieldPart::Indexed(name, index) => path.extend([PathStep::Name(name), PathStep::Index(index)]),
            FieldPart::Name(name) | FieldPart::Match(name) => path.push(PathStep::Name(name)),
        }
    }
    document(operator, column, path, value)
}

fn document(
    operator: &str,
    column: &'static Column,
    path: Vec<PathStep>,
    value: &Json,
) -> Result<RowFilter, QueryProblem> {
    let condition = match (operator, ComparisonOp::parse(operator)) {
        ("=", _) if path.is_empty() => MemberCondition::Contains(value.clone()),
        ("=", _) => MemberCondition::Equal(value.clone()),
        (_, Some(comparison)) if !path.is_empty() => MemberCondition::Order(comparison, value.clone()),
        ("~", _) if !path.is_empty() => {
            let source = Json::from(array_text(value));
            MemberCondition::Matches(regexp(&source)?)
        }
        _ => return Err(not_allowed(operator, column.name)),
    };
    Ok(RowFilter::Member(MemberTest { column, path, condition }))
}

/// Compiles `null?`.
pub(crate) fn null(field: &str, is_null: bool, entity: Entity) -> Result<RowFilter, QueryProblem> {
    if let Some(column) = entity.column(field).filter(|column| column.is_queryable()) {
        if column.column_type == ColumnType::Document {
            let condition = MemberCondition::Null(is_null);
            return Ok(RowFilter::Member(MemberTest { column, path: Vec::new(), condition }));
        }
        return Ok(RowFilter::Column(column, ColumnTest::Null(is_null)));
    }
    let name = field.split('.').next().unwrap_or_default();
    let column = entity.column(name).filter(|column| column.dotted);
    let column = column.ok_or_else(|| QueryProblem::new(format!("'{field}' is not a field of {entity}")))?;
    let path = Field::plain_names(field).into_iter().map(PathStep::Name).collect();
    Ok(RowFilter::Member(MemberTest { column, path, condition: MemberCondition::Null(is_null) }))
}

/// Returns the canonical JSON of a path.
pub(crate) fn path(value: &Json) -> Result<String, QueryProblem> {
    elements(value)?;
    Ok(canonical(value))
}

fn elements(value: &Json) -> Result<&[Json], QueryProblem> {
    let wrong =
        || QueryProblem::new(format!("Path array element wasn't string or integer in {}", printed(value)));
    let Json::Array(elements) = value else { return Err(wrong()) };
    let fits = |element: &Json| element.is_string() || element.is_u64() || element.is_i64();
    if elements.iter().all(fits) { Ok(elements) } else { Err(wrong()) }
}

/// Compiles patterns for the elements of a path: see `ast-rx-path-type-pattern` in `scf/storage_utils.clj`.
fn path_patterns(column: &'static Column, value: &Json) -> Result<RowFilter, QueryProblem> {
    let mut patterns = Vec::new();
    for element in elements(value)? {
        let (source, kind) = match element {
            Json::String(source) => {
                let is_number = !source.is_empty() && source.bytes().all(|byte| byte.is_ascii_digit());
                (source.clone(), is_number.then_some(PathKind::Name))
            }
            index => (index.to_string(), Some(PathKind::Index)),
        };
        patterns.push(PathPattern { regexp: Regexp::new(&source)?, kind });
    }
    Ok(RowFilter::Column(column, ColumnTest::PathMatches(patterns)))
}

/// Compiles patterns for a path that PuppetDB has as one text: see `factpath-regexp-to-regexp` in `facts.clj`.
fn encoded_path(column: &'static Column, value: &Json) -> Result<RowFilter, QueryProblem> {
    let mut patterns = Vec::new();
    for element in elements(value)? {
        patterns.push(match element {
            Json::String(source) if source.bytes().all(|byte| byte.is_ascii_digit()) => {
                format!("\"{source}\"")
            }
            // No pattern for any text goes beyond an element.
            Json::String(source) => {
                let within = source.replace(".*", "(?:((?!#~).)+|.?)");
                within.replace(".+", "(?:(?!#~).)+").replace(".{", "(?:(?!#~).){")
            }
            index => index.to_string(),
        });
    }
    let regexp = Regexp::new(&format!("^{}$", patterns.join("#~")))?;
    Ok(RowFilter::Column(column, ColumnTest::EncodedPathMatches(regexp)))
}
