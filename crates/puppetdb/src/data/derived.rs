//! Rows that are derived from facts and catalogs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use puppetfn_base::error::Error;
use serde_json::{Value as Json, json};

use super::database::{Database, lacking, of_nodes};
use super::factset::{Factset, NodeFacts};
use crate::query::{Entity, Row, RowVisitor, TableScan};

/// Calls `visit` with rows until it breaks off.
pub(super) fn each<'r>(
    rows: impl IntoIterator<Item = &'r Row>,
    visit: &mut RowVisitor<'_>,
) -> Result<(), Error> {
    for row in rows {
        if visit(row)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Calls `visit` with the rows of an entity that consists of facts.
pub(super) fn of_facts(
    database: &Database,
    scan: &TableScan<'_>,
    visit: &mut RowVisitor<'_>,
) -> Result<(), Error> {
    match scan.entity {
        Entity::FactNames => return names(database, visit),
        Entity::FactPaths => return paths(database, visit),
        _ => {}
    }
    let factsets: Vec<(&String, &Factset)> = match scan.node {
        Some(node) => database.factsets.get_key_value(node).into_iter().collect(),
        None => database.factsets.iter().collect(),
    };
    for (node, factset) in factsets {
        let facts = factset.facts(node, &database.kept)?;
        let values = &facts.values;
        let flow = match scan.entity {
            Entity::Facts => each_fact(node, &facts, scan, visit)?,
            Entity::FactContents => contents(node, &facts, scan, visit)?,
            Entity::Factsets => {
                let data: Vec<Json> =
                    values.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
                let document = json!({"data": data, "href": format!("/pdb/query/v4/factsets/{node}/facts")});
                let mut row = facts.columns.clone();
                row.extend([("certname".to_owned(), json!(node)), ("facts".to_owned(), document)]);
                visit(&row)?
            }
            _ => {
                let mut row = columns(&facts, &["timestamp", "environment"]);
                row.insert("certname".to_owned(), json!(node));
                row.insert("trusted".to_owned(), values.get("trusted").cloned().unwrap_or_default());
                row.insert("facts".to_owned(), Json::Object(values.clone()));
                visit(&row)?
            }
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

/// Returns some columns of facts, as far as they are known.
fn columns(facts: &NodeFacts, names: &[&str]) -> Row {
    let known = names.iter().filter_map(|name| Some(((*name).to_owned(), facts.columns.get(*name)?.clone())));
    known.collect()
}

fn each_fact(
    node: &str,
    facts: &NodeFacts,
    scan: &TableScan<'_>,
    visit: &mut RowVisitor<'_>,
) -> Result<ControlFlow<()>, Error> {
    for (name, value) in facts.values.iter().filter(|(name, _)| scan.fact.is_none_or(|only| only == *name)) {
        let mut row = columns(facts, &["environment"]);
        row.insert("certname".to_owned(), json!(node));
        row.insert("name".to_owned(), json!(name));
        row.insert("value".to_owned(), value.clone());
        if visit(&row)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn contents(
    node: &str,
    facts: &NodeFacts,
    scan: &TableScan<'_>,
    visit: &mut RowVisitor<'_>,
) -> Result<ControlFlow<()>, Error> {
    let mut row = columns(facts, &["environment"]);
    row.insert("certname".to_owned(), json!(node));
    for (name, value) in facts.values.iter().filter(|(name, _)| scan.fact.is_none_or(|only| only == *name)) {
        row.insert("name".to_owned(), json!(name));
        let flow = leaves(value, &mut vec![json!(name)], &mut |path, value| {
            row.insert("path".to_owned(), Json::Array(path.to_vec()));
            row.insert("value".to_owned(), value.clone());
            visit(&row)
        })?;
        if flow.is_break() {
            return Ok(flow);
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Called with each leaf and its path.
type VisitLeaf<'v> = dyn FnMut(&[Json], &Json) -> Result<ControlFlow<()>, Error> + 'v;

/// Visits the values in a fact that are neither arrays nor objects.
fn leaves(value: &Json, path: &mut Vec<Json>, visit: &mut VisitLeaf<'_>) -> Result<ControlFlow<()>, Error> {
    let children: Vec<(Json, &Json)> = match value {
        Json::Object(members) => members.iter().map(|(name, value)| (json!(name), value)).collect(),
        Json::Array(items) => items.iter().enumerate().map(|(index, item)| (json!(index), item)).collect(),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => return visit(path, value),
    };
    for (step, child) in children {
        path.push(step);
        let flow = leaves(child, path, visit)?;
        path.pop();
        if flow.is_break() {
            return Ok(flow);
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn names(database: &Database, visit: &mut RowVisitor<'_>) -> Result<(), Error> {
    let mut names = BTreeSet::new();
    for (node, factset) in &database.factsets {
        names.extend(factset.facts(node, &database.kept)?.values.keys().cloned());
    }
    let rows: Vec<Row> =
        names.into_iter().map(|name| Row::from_iter([("name".to_owned(), json!(name))])).collect();
    each(&rows, visit)
}

fn paths(database: &Database, visit: &mut RowVisitor<'_>) -> Result<(), Error> {
    let mut paths: BTreeMap<(String, &'static str), Vec<Json>> = BTreeMap::new();
    for (node, factset) in &database.factsets {
        for (name, value) in &factset.facts(node, &database.kept)?.values {
            _ = leaves(value, &mut vec![json!(name)], &mut |path, value| {
                let kind = match value {
                    Json::Null => "null",
                    Json::Bool(_) => "boolean",
                    Json::Number(number) if number.is_i64() || number.is_u64() => "integer",
                    Json::Number(_) => "float",
                    Json::String(_) | Json::Array(_) | Json::Object(_) => "string",
                };
                paths.entry((Json::from(path).to_string(), kind)).or_insert_with(|| path.to_vec());
                Ok(ControlFlow::Continue(()))
            })?;
        }
    }
    for ((_, kind), path) in paths {
        let depth = path.len().saturating_sub(1);
        let row = json!({"type": kind, "name": path.first(), "path": path, "depth": depth});
        let Json::Object(row) = row else { continue };
        if visit(&row)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Calls `visit` with the nodes that PuppetDB has, or that have facts or catalogs. Without rows of PuppetDB, nothing is known of
/// times and reports.
pub(super) fn nodes(
    database: &Database,
    scan: &TableScan<'_>,
    visit: &mut RowVisitor<'_>,
) -> Result<(), Error> {
    if let Some(nodes) = database.of_nodes.get(&Entity::Nodes) {
        return of_nodes(nodes, scan, visit);
    }
    let catalogs = database.of_catalogs();
    let with_catalog = catalogs.into_iter().flat_map(BTreeMap::keys);
    let names: BTreeSet<&String> = database.factsets.keys().chain(with_catalog).collect();
    if names.is_empty() {
        return Err(lacking(Entity::Nodes));
    }
    for name in names.into_iter().filter(|name| scan.node.is_none_or(|only| only == *name)) {
        let mut row = Row::from_iter([
            ("certname".to_owned(), json!(name)),
            ("deactivated".to_owned(), Json::Null),
            ("expired".to_owned(), Json::Null),
        ]);
        let facts =
            database.factsets.get(name).map(|factset| factset.facts(name, &database.kept)).transpose()?;
        let known = [("environment", "facts_environment"), ("timestamp", "facts_timestamp")];
        for (column, name) in known {
            if let Some(value) = facts.as_ref().and_then(|facts| facts.columns.get(column)) {
                row.insert(name.to_owned(), value.clone());
            }
        }
        if let Some(rows) = catalogs.and_then(|catalogs| catalogs.get(name)) {
            rows.visit(|rows| {
                if let Some(environment) = rows.first().and_then(|row| row.get("environment")) {
                    row.insert("catalog_environment".to_owned(), environment.clone());
                }
                Ok(())
            })?;
        }
        if visit(&row)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Calls `visit` with the environments that are named anywhere.
pub(super) fn environments(database: &Database, visit: &mut RowVisitor<'_>) -> Result<(), Error> {
    distinct(database, "environment", Entity::Environments, visit)
}

/// Calls `visit` with the producers that are named anywhere.
pub(super) fn producers(database: &Database, visit: &mut RowVisitor<'_>) -> Result<(), Error> {
    distinct(database, "producer", Entity::Producers, visit)
}

fn distinct(
    database: &Database,
    column: &str,
    entity: Entity,
    visit: &mut RowVisitor<'_>,
) -> Result<(), Error> {
    if let Some(rows) = database.rows.get(&entity) {
        return each(rows, visit);
    }
    let mut names = BTreeSet::new();
    let mut add = |row: &Row| names.extend(row.get(column).and_then(Json::as_str).map(str::to_owned));
    for (node, factset) in &database.factsets {
        add(&factset.facts(node, &database.kept)?.columns);
    }
    for rows in database.of_nodes.get(&Entity::Catalogs).into_iter().flat_map(BTreeMap::values) {
        rows.visit(|rows| {
            rows.iter().for_each(&mut add);
            Ok(())
        })?;
    }
    if names.is_empty() {
        return Err(lacking(entity));
    }
    let rows: Vec<Row> =
        names.into_iter().map(|name| Row::from_iter([("name".to_owned(), json!(name))])).collect();
    each(&rows, visit)
}
