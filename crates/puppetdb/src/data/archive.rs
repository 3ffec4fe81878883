//! Archives of `puppet db export`.
//!
//! An archive is unpacked into a directory, with a file of facts, of resources and of edges for each node, so that it need not be in
//! memory. See `export.clj` of PuppetDB.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use percent_encoding::{percent_decode_str, utf8_percent_encode};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use serde_json::{Value as Json, json};

use super::answers::{facts_in, ordered};
use super::database::Database;
use super::factset::{FactReader, Factset, NodeFacts};
use super::rows::NodeRows;
use crate::query::jsonb::check_nesting;
use crate::query::{Entity, Row};
use crate::store::PLAIN;

/// The first bytes of a file that gzip compressed.
const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// The parts of an unpacked archive: directories with a file for each node.
const PARTS: [&str; 4] = ["facts", "catalogs", "resources", "edges"];
/// The file that marks an unpacked archive.
const UNPACKED: &str = "puppetdb-export";

/// Returns true if a file is compressed, as archives are.
pub fn is_archive(path: &Path) -> bool {
    let mut start = [0; 2];
    path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == MAGIC
}

fn wrong(path: &Path, problem: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Load, format!("{}: {problem}", path.display()))
}

/// Unpacks an archive into a directory, for [`Database::of_unpacked`].
///
/// # Errors
/// Fails if the file is not an archive of PuppetDB, or a part of it is larger than [`Limits::file`].
pub fn unpack(archive: &Path, directory: &Path, limits: &Limits) -> Result<(), Error> {
    let file = File::open(archive).map_err(|error| wrong(archive, &error))?;
    let mut archive_entries = tar::Archive::new(MultiGzDecoder::new(BufReader::new(file)));
    for part in PARTS {
        fs::create_dir_all(directory.join(part)).map_err(|error| wrong(directory, &error))?;
    }
    let unpacking = ArchiveUnpacker { directory, limits };
    let mut is_export = false;
    for entry in archive_entries.entries().map_err(|error| wrong(archive, &error))? {
        let mut entry = entry.map_err(|error| wrong(archive, &error))?;
        let path = entry.path().map_err(|error| wrong(archive, &error))?.into_owned();
        is_export |= path.file_name().is_some_and(|name| name.to_string_lossy().ends_with("metadata.json"));
        let parent = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let kind = parent.filter(|kind| matches!(&**kind, "facts" | "catalogs"));
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        let Some(kind) = kind.filter(|_| is_json && entry.header().entry_type().is_file()) else { continue };
        let within =
            |problem: &dyn std::fmt::Display| wrong(archive, &format_args!("{}: {problem}", path.display()));
        if usize::try_from(entry.size()).unwrap_or(usize::MAX) > limits.file {
            return Err(within(&format_args!("has more than {} bytes (limit 'file')", limits.file)));
        }
        let row: Row = serde_json::from_reader(BufReader::new(&mut entry)).map_err(|error| within(&error))?;
        unpacking.add(&kind, row).map_err(|error| within(&error.message()))?;
        is_export = true;
    }
    if is_export {
        let mark = directory.join(UNPACKED);
        return fs::write(&mark, "").map_err(|error| wrong(&mark, &error));
    }
    Err(wrong(archive, &"not an archive of `puppet db export`: it has neither facts nor catalogs"))
}

struct ArchiveUnpacker<'a> {
    directory: &'a Path,
    limits: &'a Limits,
}

impl ArchiveUnpacker<'_> {
    fn add(&self, kind: &str, mut row: Row) -> Result<(), Error> {
        row.values().try_for_each(|value| check_nesting(value, self.limits))?;
        let Some(node) = row.get("certname").and_then(Json::as_str).map(str::to_owned) else {
            return Err(Error::new(ErrorKind::Load, "there is no certname"));
        };
        if kind == "facts" {
            let values =
                facts_in(&mut row).ok_or_else(|| Error::new(ErrorKind::Load, "there are no facts"))?;
            row.remove("package_inventory");
            row.remove("certname");
            return self.write("facts", &node, &json!(NodeFacts { values, columns: row }));
        }
        let environment = row.get("environment").cloned().unwrap_or_default();
        let resources = rows(row.remove("resources")).map(|mut resource| {
            resource.insert("certname".to_owned(), json!(node));
            resource.insert("environment".to_owned(), environment.clone());
            resource.entry("file").or_insert(Json::Null);
            resource.entry("line").or_insert(Json::Null);
            Json::Object(ordered(resource))
        });
        self.write("resources", &node, &Json::Array(resources.collect()))?;
        let edges = rows(row.remove("edges")).map(|edge| edge_row(&node, &edge));
        self.write("edges", &node, &Json::Array(edges.collect()))?;
        self.write("catalogs", &node, &json!([row]))
    }

    fn write(&self, part: &str, node: &str, content: &Json) -> Result<(), Error> {
        let path = self.directory.join(part).join(format!("{}.json", utf8_percent_encode(node, &PLAIN)));
        fs::write(&path, content.to_string()).map_err(|error| wrong(&path, &error))
    }
}

fn rows(value: Option<Json>) -> impl Iterator<Item = Row> {
    let items = match value {
        Some(Json::Array(items)) => items,
        _ => Vec::new(),
    };
    items.into_iter().filter_map(|item| match item {
        Json::Object(row) => Some(row),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Array(_) => None,
    })
}

/// Returns the row of an edge, which archives have with references.
fn edge_row(node: &str, edge: &Row) -> Json {
    let end =
        |end: &str, part: &str| edge.get(end).and_then(|end| end.get(part)).cloned().unwrap_or_default();
    json!({
        "certname": node,
        "relationship": edge.get("relationship"),
        "source_title": end("source", "title"),
        "source_type": end("source", "type"),
        "target_title": end("target", "title"),
        "target_type": end("target", "type"),
    })
}

/// Reads the facts of an unpacked archive.
#[derive(Debug)]
struct UnpackedFacts(PathBuf);

impl FactReader for UnpackedFacts {
    fn read(&self, node: &str) -> Result<NodeFacts, Error> {
        let path = self.0.join(format!("{}.json", utf8_percent_encode(node, &PLAIN)));
        let text = fs::read(&path).map_err(|error| wrong(&path, &error))?;
        serde_json::from_slice(&text).map_err(|error| wrong(&path, &error))
    }
}

impl Database {
    /// Opens the directory of an unpacked archive.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    pub fn of_unpacked(directory: &Path) -> Result<Self, Error> {
        let mut database = Self::default();
        let facts = directory.join("facts");
        let reader: Arc<dyn FactReader> = Arc::new(UnpackedFacts(facts.clone()));
        for (node, _) in files_of_nodes(&facts)? {
            database.add_factset(node, Factset::deferred(Arc::clone(&reader)));
        }
        database.add_entity(Entity::Factsets);
        for entity in [Entity::Catalogs, Entity::Resources, Entity::Edges] {
            database.add_entity(entity);
            database.add_files(entity, &directory.join(entity.name()))?;
        }
        Ok(database)
    }

    /// Adds the rows in a directory with a JSON file for each node.
    ///
    /// # Errors
    /// Fails if the directory cannot be read.
    pub fn add_files(&mut self, entity: Entity, directory: &Path) -> Result<(), Error> {
        for (node, path) in files_of_nodes(directory)? {
            self.add_node_rows(entity, node, NodeRows::File(path));
        }
        Ok(())
    }
}

/// Returns true if a directory is one of [`unpack`].
pub fn is_unpacked(directory: &Path) -> bool {
    directory.join(UNPACKED).is_file()
}

/// Returns the nodes that have files in a directory, with these files.
fn files_of_nodes(directory: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let entries = fs::read_dir(directory).map_err(|error| wrong(directory, &error))?;
    entries
        .map(|entry| {
            let path = entry.map_err(|error| wrong(directory, &error))?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Ok((percent_decode_str(&name).decode_utf8_lossy().into_owned(), path))
        })
        .collect()
}
