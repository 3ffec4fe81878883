//! Evaluates conditions on rows. A condition is true, false or, as with nulls in SQL, neither.

use puppetfn_base::error::{Error, ErrorKind};
use serde_json::Value as Json;

use super::decimal::Decimal;
use super::entity::{Column, ColumnType, Entity};
use super::instant::Instant;
use super::jsonb::{canonical, compare, contains, equal, serialized, text};
use super::plan::{
    ColumnTest, InSubquery, MemberCondition, MemberTest, ParameterTest, PathKind, PathPattern, PathStep,
    RowFilter,
};
use super::run::{QueryTables, Row};

/// Evaluates a condition.
pub(crate) fn holds(
    filter: &RowFilter,
    row: &Row,
    entity: Entity,
    tables: &dyn QueryTables,
) -> Result<Option<bool>, Error> {
    match filter {
        RowFilter::All(filters) => {
            let mut result = Some(true);
            for filter in filters {
                match holds(filter, row, entity, tables)? {
                    Some(false) => return Ok(Some(false)),
                    None => result = None,
                    Some(true) => {}
                }
            }
            Ok(result)
        }
        RowFilter::Any(filters) => {
            let mut result = Some(false);
            for filter in filters {
                match holds(filter, row, entity, tables)? {
                    Some(true) => return Ok(Some(true)),
                    None => result = None,
                    Some(false) => {}
                }
            }
            Ok(result)
        }
        RowFilter::Not(filter) => Ok(holds(filter, row, entity, tables)?.map(|holds| !holds)),
        RowFilter::Column(column, test) => column_holds(column, test, value_of(row, column, entity)?),
        RowFilter::Member(test) => member_holds(test, value_of(row, test.column, entity)?),
        RowFilter::TypeOf(column, kind) => Ok(Some(type_of(value_of(row, column, entity)?) == kind)),
        RowFilter::Parameter(name, test) => {
            let parameter = row.get("parameters").and_then(|parameters| parameters.get(name));
            let Some(parameter) = parameter else { return Ok(Some(false)) };
            let text = serialized(parameter);
            match test {
                ParameterTest::Equal(value) => Ok(Some(text == *value)),
                ParameterTest::Matches(regexp) => regexp.is_match(&text).map(Some),
            }
        }
        RowFilter::Subquery(subquery) => is_member(subquery, row, entity),
        RowFilter::Active(active) => {
            let node = row.get("certname").and_then(Json::as_str).unwrap_or_default();
            Ok(Some(tables.is_active(node) == *active))
        }
    }
}

/// Returns the value of a column.
///
/// # Errors
/// Fails if the source does not know the column.
pub(crate) fn value_of<'r>(row: &'r Row, column: &Column, entity: Entity) -> Result<&'r Json, Error> {
    row.get(column.name).ok_or_else(|| {
        let message =
            format!("the source of PuppetDB's data does not have the field '{}' of {entity}", column.name);
        Error::new(ErrorKind::Evaluation, message)
    })
}

/// Returns the type of JSON, as PostgreSQL names it.
pub(crate) fn type_of(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

fn column_holds(column: &Column, test: &ColumnTest, value: &Json) -> Result<Option<bool>, Error> {
    if let ColumnTest::Null(is_null) = test {
        return Ok(Some(value.is_null() == *is_null));
    }
    // The value of a fact that is null is a value for SQL, except as a text.
    if value.is_null() && column.column_type != ColumnType::FactValue {
        let is_regexp = matches!(test, ColumnTest::Matches(_)) && column.column_type == ColumnType::Text;
        return Ok(is_regexp.then_some(false));
    }
    Ok(match test {
        ColumnTest::Text(expected) => Some(value.as_str() == Some(expected)),
        ColumnTest::Boolean(expected) => Some(value.as_bool() == Some(*expected)),
        ColumnTest::Number(comparison, expected) | ColumnTest::JsonNumber(comparison, expected) => {
            let number = value.as_number().map(Decimal::of);
            Some(number.is_some_and(|number| comparison.holds(number.cmp(expected))))
        }
        ColumnTest::Time(comparison, expected) => {
            let time = value.as_str().and_then(Instant::parse);
            time.map(|time| comparison.holds(time.cmp(expected)))
        }
        ColumnTest::Json(expected) => Some(equal(value, expected)),
        ColumnTest::Contains(expected) => {
            Some(value.as_array().is_some_and(|items| items.iter().any(|item| item == expected.as_str())))
        }
        ColumnTest::Matches(regexp) => match value {
            Json::Array(items) if column.column_type == ColumnType::TextArray => {
                for item in items.iter().filter_map(Json::as_str) {
                    if regexp.is_match(item)? {
                        return Ok(Some(true));
                    }
                }
                Some(false)
            }
            value => text(value).map(|text| regexp.is_match(&text)).transpose()?,
        },
        ColumnTest::OneOf(values) => Some(match value {
            Json::String(text) if column.column_type == ColumnType::Text => values.contains(text),
            value => values.contains(&canonical(value)),
        }),
        ColumnTest::Path(paths) => Some(paths.contains(&canonical(value))),
        ColumnTest::PathMatches(patterns) => Some(path_matches(patterns, value)?),
        ColumnTest::EncodedPathMatches(regexp) => Some(regexp.is_match(&encoded(value))?),
        ColumnTest::Null(_) => None,
    })
}

fn path_matches(patterns: &[PathPattern], path: &Json) -> Result<bool, Error> {
    let Json::Array(elements) = path else { return Ok(false) };
    if elements.len() != patterns.len() {
        return Ok(false);
    }
    for (pattern, element) in patterns.iter().zip(elements) {
        let kind = if element.is_string() { PathKind::Name } else { PathKind::Index };
        let fits = pattern.kind.is_none_or(|expected| expected == kind);
        if !fits || !pattern.regexp.is_match(&text(element).unwrap_or_default())? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns a path as PuppetDB encodes it: see `factpath-to-string` in `facts.clj`.
fn encoded(path: &Json) -> String {
    let element = |element: &Json| match element {
        Json::String(name) if name.bytes().all(|byte| byte.is_ascii_digit()) => format!("\"{name}\""),
        Json::String(name) => name.replace("#~", "\\#\\~"),
        index => index.to_string(),
    };
    let elements: Vec<String> = path.as_array().into_iter().flatten().map(element).collect();
    elements.join("#~")
}

fn member_holds(test: &MemberTest, document: &Json) -> Result<Option<bool>, Error> {
    // A document that is null is one that there is not.
    if document.is_null() {
        return Ok(None);
    }
    let found = test.path.iter().try_fold(document, step);
    // In SQL, a comparison with a member that does not exist is unknown.
    Ok(match &test.condition {
        MemberCondition::Contains(part) => Some(contains(document, part)),
        MemberCondition::Equal(value) => found.map(|found| equal(found, value)),
        MemberCondition::Order(comparison, value) => {
            found.map(|found| comparison.holds(compare(found, value)))
        }
        MemberCondition::Matches(regexp) => {
            let text = found.and_then(text);
            text.map(|text| regexp.is_match(&text)).transpose()?
        }
        MemberCondition::Null(is_null) => found.map(|found| found.is_null() == *is_null),
    })
}

fn step<'v>(value: &'v Json, step: &PathStep) -> Option<&'v Json> {
    match (step, value) {
        (PathStep::Name(name) | PathStep::NameOrIndex(name), Json::Object(members)) => members.get(name),
        (PathStep::Index(index), Json::Array(items)) => items.get(*index),
        (PathStep::NameOrIndex(index), Json::Array(items)) => items.get(index.parse::<usize>().ok()?),
        _ => None,
    }
}

fn is_member(subquery: &InSubquery, row: &Row, entity: Entity) -> Result<Option<bool>, Error> {
    let Some(members) = subquery.members.get() else {
        return Err(Error::new(ErrorKind::Internal, "a subquery was not run"));
    };
    let mut key = Vec::new();
    for column in &subquery.columns {
        let value = value_of(row, column, entity)?;
        if value.is_null() && column.column_type != ColumnType::FactValue {
            // Nothing is unknown about an empty list.
            return Ok((members.rows.is_empty() && !members.has_null).then_some(false));
        }
        key.push(value.clone());
    }
    let is_found = members.rows.contains(&canonical(&Json::Array(key)));
    Ok(if is_found || !members.has_null { Some(is_found) } else { None })
}
