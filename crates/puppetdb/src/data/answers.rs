//! Saved answers of PuppetDB's query endpoints.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::collections::BTreeMap;
use std::path::Path;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use serde_json::{Map, Value as Json};

use super::database::Database;
use super::factset::{Factset, NodeFacts};
use super::rows::NodeRows;
use crate::query::jsonb::{check_nesting, in_order};
use crate::query::{Entity, Row};

/// Entities whose answers can be saved, with a column that only their rows have.
const SAVED: [(Entity, &[&str]); 12] = [
    (Entity::Catalogs, &["resources", "edges"]),
    (Entity::Edges, &["source_type", "target_type"]),
    (Entity::Events, &["report", "resource_type"]),
    (Entity::Factsets, &["facts", "hash"]),
    (Entity::Inventory, &["facts", "trusted"]),
    (Entity::Nodes, &["deactivated", "expired"]),
    (Entity::PackageInventory, &["certname", "package_name"]),
    (Entity::Packages, &["package_name"]),
    (Entity::Reports, &["receive_time", "transaction_uuid"]),
    (Entity::Resources, &["type", "title"]),
    (Entity::Facts, &["certname", "name", "value"]),
    (Entity::Environments, &["name"]),
];

/// Reads a file with an answer of PuppetDB to `/pdb/query/v4/ENTITY`, or a directory of such files, named `ENTITY.json`.
///
/// # Errors
/// Fails if a file cannot be read, or is no such answer.
pub fn read_answers(path: &Path, limits: &Limits) -> Result<Database, Error> {
    let mut database = Database::default();
    if !path.is_dir() {
        add_file(&mut database, path, None, limits)?;
        return Ok(database);
    }
    let mut found = false;
    for entity in Entity::ALL {
        for name in [entity.name().to_owned(), entity.name().replace('_', "-")] {
            let file = path.join(format!("{name}.json"));
            if file.is_file() {
                add_file(&mut database, &file, Some(entity), limits)?;
                found = true;
                break;
            }
        }
    }
    if found {
        return Ok(database);
    }
    let message = "expected answers of PuppetDB, such as `resources.json`, `facts.json` or `inventory.json`";
    Err(wrong(path, &message))
}

fn wrong(path: &Path, problem: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Load, format!("{}: {problem}", path.display()))
}

fn add_file(
    database: &mut Database,
    path: &Path,
    named: Option<Entity>,
    limits: &Limits,
) -> Result<(), Error> {
    let text = StdFileSystem::new(limits).read_named_text(path).map_err(|error| wrong(path, &error))?;
    let not_rows = |problem: &dyn std::fmt::Display| {
        let entity = named.unwrap_or(Entity::Resources);
        wrong(
            path,
            &format_args!(
                "not an answer of PuppetDB to /pdb/query/v4/{}: {problem}",
                entity.name().replace('_', "-")
            ),
        )
    };
    let rows: Vec<Row> = serde_json::from_str(&text).map_err(|error| not_rows(&error))?;
    let entity = match (rows.first(), named) {
        (Some(first), _) => {
            entity_of(first).or(named).ok_or_else(|| not_rows(&"its rows are of no known entity"))?
        }
        (None, Some(named)) => named,
        (None, None) => Entity::Resources,
    };
    if named.is_some_and(|named| named != entity) {
        return Err(not_rows(&format_args!("its rows are of {entity}")));
    }
    for row in &rows {
        row.values()
            .try_for_each(|value| check_nesting(value, limits))
            .map_err(|error| wrong(path, &error.message()))?;
    }
    database.add_answer(entity, rows).map_err(|problem| not_rows(&problem))
}

/// Returns the entity that a row is of.
fn entity_of(row: &Row) -> Option<Entity> {
    let has_all = |columns: &&[&str]| columns.iter().all(|column| row.contains_key(*column));
    SAVED.into_iter().find(|(_, columns)| has_all(columns)).map(|(entity, _)| entity)
}

fn certname(row: &Row) -> Result<String, String> {
    let name = row.get("certname").and_then(Json::as_str);
    name.map(str::to_owned).ok_or_else(|| "a row has no certname".to_owned())
}

impl Database {
    /// Adds the rows of an answer of PuppetDB to a query for an entity.
    ///
    /// # Errors
    /// Fails if the rows are not the entity's.
    pub fn add_answer(&mut self, entity: Entity, rows: Vec<Row>) -> Result<(), String> {
        match entity {
            Entity::Facts => self.add_facts(rows),
            Entity::Factsets | Entity::Inventory => {
                rows.into_iter().try_for_each(|row| self.add_facts_of_node(row))
            }
            Entity::Catalogs => {
                self.add_entity(Entity::Catalogs);
                rows.into_iter().try_for_each(|row| self.add_catalog(row))
            }
            Entity::FactContents | Entity::FactNames | Entity::FactPaths => {
                Err(format!("{entity} are derived from facts: save the inventory"))
            }
            entity if entity.names_nodes() => self.add_rows_of_nodes(entity, rows),
            entity => {
                self.add_rows(entity, rows);
                Ok(())
            }
        }
    }

    fn add_facts(&mut self, rows: Vec<Row>) -> Result<(), String> {
        let mut nodes: BTreeMap<String, NodeFacts> = BTreeMap::new();
        for mut row in rows {
            let node = certname(&row)?;
            let Some(Json::String(name)) = row.remove("name") else {
                return Err("a row has no name".to_owned());
            };
            let value = row.remove("value").ok_or("a row has no value")?;
            let facts = nodes.entry(node).or_default();
            facts.values.insert(name, value);
            if let Some(environment) = row.remove("environment") {
                facts.columns.insert("environment".to_owned(), environment);
            }
        }
        for (node, facts) in nodes {
            self.add_factset(node, Factset::new(facts));
        }
        self.add_entity(Entity::Factsets);
        Ok(())
    }

    /// Adds a row of `factsets`, of `inventory`, or of an archive.
    pub(super) fn add_facts_of_node(&mut self, mut row: Row) -> Result<(), String> {
        let node = certname(&row)?;
        let values = facts_in(&mut row).ok_or("a row has no facts")?;
        row.remove("certname");
        if let Some(known) = self.factsets.get_mut(&node) {
            known.add_columns(&row);
        }
        self.add_factset(node, Factset::new(NodeFacts { values, columns: row }));
        self.add_entity(Entity::Factsets);
        Ok(())
    }

    fn add_catalog(&mut self, mut row: Row) -> Result<(), String> {
        let node = certname(&row)?;
        let environment = row.get("environment").cloned();
        for (column, entity) in [("resources", Entity::Resources), ("edges", Entity::Edges)] {
            let mut rows = match row.get(column).and_then(|part| part.get("data")) {
                Some(Json::Array(rows)) => rows.iter().filter_map(Json::as_object).cloned().collect(),
                _ => Vec::new(),
            };
            for own in &mut rows {
                own.insert("certname".to_owned(), node.clone().into());
                if entity == Entity::Resources {
                    own.insert("environment".to_owned(), environment.clone().unwrap_or_default());
                }
            }
            self.add_node_rows(entity, &*node, NodeRows::Memory(rows.into_iter().map(ordered).collect()));
        }
        row.insert("certname".to_owned(), node.clone().into());
        self.add_node_rows(Entity::Catalogs, node, NodeRows::Memory(vec![row]));
        Ok(())
    }

    fn add_rows_of_nodes(&mut self, entity: Entity, rows: Vec<Row>) -> Result<(), String> {
        if entity == Entity::Resources
            && !rows.is_empty()
            && rows.iter().all(|row| row.get("exported") == Some(&Json::Bool(true)))
        {
            self.set_only_exported();
        }
        let mut nodes: BTreeMap<String, Vec<Row>> = BTreeMap::new();
        for row in rows {
            nodes.entry(certname(&row)?).or_default().push(ordered(row));
        }
        self.add_entity(entity);
        for (node, rows) in nodes {
            self.add_node_rows(entity, node, NodeRows::Memory(rows));
        }
        Ok(())
    }
}

/// Returns a row with its parameters in the order of `jsonb`.
pub(super) fn ordered(mut row: Row) -> Row {
    if let Some(parameters) = row.get_mut("parameters") {
        *parameters = in_order(std::mem::take(parameters));
    }
    row
}

/// Takes the facts out of a row, with the trusted facts among them.
pub(super) fn facts_in(row: &mut Row) -> Option<Map<String, Json>> {
    let facts = row.remove("facts").or_else(|| row.remove("values"))?;
    let Json::Object(mut facts) = facts else { return None };
    if let Some(Json::Array(data)) = facts.get("data")
        && facts.contains_key("href")
    {
        let named = data
            .iter()
            .map(|fact| Some((fact.get("name")?.as_str()?.to_owned(), fact.get("value")?.clone())));
        facts = named.collect::<Option<_>>()?;
    }
    if let Some(trusted) = row.remove("trusted").filter(|trusted| !trusted.is_null()) {
        facts.entry("trusted").or_insert(trusted);
    }
    Some(facts)
}
