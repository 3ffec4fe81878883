//! A database of facts, catalogs and saved rows.
#![allow(clippy::disallowed_methods, reason = "the user names these files")]

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use puppetfn_base::error::{Error, ErrorKind};
use serde_json::Value as Json;

use super::derived;
use super::factset::{Factset, KeptSize};
use super::rows::{NodeRows, RowsByNode};
use crate::query::{Entity, QueryTables, Row, RowVisitor, TableScan};
use crate::store::file_name;

/// The data of PuppetDB, or of whatever stands in for it.
///
/// Rows of nodes come in the order of the nodes' names.
#[derive(Debug, Default)]
pub struct Database {
    pub(super) factsets: BTreeMap<String, Factset>,
    pub(super) kept: KeptSize,
    /// Rows of entities that belong to nodes.
    pub(super) of_nodes: BTreeMap<Entity, RowsByNode>,
    /// Rows of the other entities.
    pub(super) rows: BTreeMap<Entity, Vec<Row>>,
    /// A directory with a file for each type of resources.
    resource_index: Option<PathBuf>,
    /// Whether resources are exported ones only.
    only_exported: bool,
    /// Nodes that are deactivated or expired.
    inactive: HashSet<String>,
}

impl Database {
    /// Adds the facts of a node, unless they are known.
    pub fn add_factset(&mut self, node: impl Into<String>, factset: Factset) {
        self.factsets.entry(node.into()).or_insert(factset);
    }

    /// Returns true if there are facts of a node.
    pub fn has_facts(&self) -> bool {
        !self.factsets.is_empty()
    }

    /// Returns true if there are resources.
    pub fn has_resources(&self) -> bool {
        self.of_nodes.contains_key(&Entity::Resources)
    }

    /// Adds an entity, which has no rows yet: its queries are answered with none.
    pub fn add_entity(&mut self, entity: Entity) {
        if entity.names_nodes() {
            self.of_nodes.entry(entity).or_default();
        } else {
            self.rows.entry(entity).or_default();
        }
    }

    /// Adds the rows of a node, unless rows of it are known.
    pub fn add_node_rows(&mut self, entity: Entity, node: impl Into<String>, rows: NodeRows) {
        let node = node.into();
        if entity == Entity::Nodes
            && let NodeRows::Memory(rows) = &rows
        {
            let is_set = |row: &Row, column: &str| row.get(column).is_some_and(|value| !value.is_null());
            if rows.iter().any(|row| is_set(row, "deactivated") || is_set(row, "expired")) {
                self.inactive.insert(node.clone());
            }
        }
        self.of_nodes.entry(entity).or_default().entry(node).or_insert(rows);
    }

    /// Adds rows of an entity that belongs to no nodes.
    pub fn add_rows(&mut self, entity: Entity, rows: Vec<Row>) {
        self.rows.entry(entity).or_default().extend(rows);
    }

    /// Names a directory of a [`crate::IndexWriter`] with all resources.
    pub fn set_resource_index(&mut self, directory: PathBuf) {
        self.resource_index = Some(directory);
    }

    /// States that resources are exported ones only, as PuppetDB answers a query for these.
    pub fn set_only_exported(&mut self) {
        self.only_exported = true;
    }

    /// Adds the data of another database, as far as nothing is known of its nodes.
    pub fn merge(&mut self, other: Self) {
        let Self { factsets, of_nodes, rows, resource_index, only_exported, inactive, .. } = other;
        self.only_exported = match (self.has_resources(), of_nodes.contains_key(&Entity::Resources)) {
            (false, true) => only_exported,
            (true, true) => self.only_exported || only_exported,
            (_, false) => self.only_exported,
        };
        for (node, factset) in factsets {
            self.add_factset(node, factset);
        }
        for (entity, nodes) in of_nodes {
            let known = self.of_nodes.entry(entity).or_default();
            for (node, rows) in nodes {
                known.entry(node).or_insert(rows);
            }
        }
        for (entity, rows) in rows {
            self.add_rows(entity, rows);
        }
        self.resource_index = self.resource_index.take().or(resource_index);
        self.inactive.extend(inactive);
    }

    fn resources(&self, scan: &TableScan<'_>, visit: &mut RowVisitor<'_>) -> Result<(), Error> {
        let nodes = self.saved(Entity::Resources)?;
        if self.only_exported && !scan.exported {
            let message = "the source of PuppetDB's data has exported resources only: a query for others needs an answer of \
                           /pdb/query/v4/resources, an archive, or the directory of a run whose code queries resources";
            return Err(Error::new(ErrorKind::Evaluation, message));
        }
        if let (Some(directory), Some(type_name), None) = (&self.resource_index, scan.type_name, scan.node) {
            return of_file(&directory.join(file_name(type_name)), visit);
        }
        of_nodes(nodes, scan, visit)
    }

    /// Returns rows of catalogs, which have their environments; resources do as well.
    pub(super) fn of_catalogs(&self) -> Option<&RowsByNode> {
        let resources = self.of_nodes.get(&Entity::Resources).filter(|_| !self.only_exported);
        self.of_nodes.get(&Entity::Catalogs).or(resources)
    }

    /// Returns the rows of an entity by their nodes.
    pub(super) fn saved(&self, entity: Entity) -> Result<&RowsByNode, Error> {
        self.of_nodes.get(&entity).ok_or_else(|| lacking(entity))
    }
}

#[cold]
pub(super) fn lacking(entity: Entity) -> Error {
    let message = format!("the source of PuppetDB's data does not have the entity '{entity}'");
    Error::new(ErrorKind::Evaluation, message)
}

/// Calls `visit` with the rows of nodes.
pub(super) fn of_nodes(
    nodes: &RowsByNode,
    scan: &TableScan<'_>,
    visit: &mut RowVisitor<'_>,
) -> Result<(), Error> {
    let mut each = |rows: &NodeRows| {
        rows.visit(|rows| {
            for row in rows {
                let is_other =
                    scan.type_name.is_some_and(|name| row.get("type").and_then(Json::as_str) != Some(name));
                if !is_other && visit(row)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        })
    };
    if let Some(node) = scan.node {
        return nodes.get(node).map_or(Ok(()), |rows| each(rows).map(drop));
    }
    for rows in nodes.values() {
        if each(rows)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Calls `visit` with the rows in a file of an index; there are none if there is no such file.
fn of_file(path: &Path, visit: &mut RowVisitor<'_>) -> Result<(), Error> {
    let wrong = |problem: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Load, format!("{}: {problem}", path.display()))
    };
    let Ok(file) = File::open(path) else { return Ok(()) };
    for line in BufReader::new(file).lines() {
        let row: Row =
            serde_json::from_str(&line.map_err(|error| wrong(&error))?).map_err(|error| wrong(&error))?;
        if visit(&row)?.is_break() {
            break;
        }
    }
    Ok(())
}

impl QueryTables for Database {
    fn scan(&self, scan: &TableScan<'_>, visit: &mut RowVisitor<'_>) -> Result<(), Error> {
        match scan.entity {
            Entity::Resources => self.resources(scan, visit),
            Entity::Facts
            | Entity::FactContents
            | Entity::FactNames
            | Entity::FactPaths
            | Entity::Factsets
            | Entity::Inventory => {
                if self.factsets.is_empty() && !self.of_nodes.contains_key(&Entity::Factsets) {
                    return Err(lacking(scan.entity));
                }
                derived::of_facts(self, scan, visit)
            }
            Entity::Nodes => derived::nodes(self, scan, visit),
            Entity::Environments => derived::environments(self, visit),
            Entity::Producers => derived::producers(self, visit),
            entity if entity.names_nodes() => of_nodes(self.saved(entity)?, scan, visit),
            entity => derived::each(self.rows.get(&entity).ok_or_else(|| lacking(entity))?, visit),
        }
    }

    fn is_active(&self, node: &str) -> bool {
        !self.inactive.contains(node)
    }
}
