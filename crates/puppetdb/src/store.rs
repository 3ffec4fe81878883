//! The exported resources of many nodes.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{ExportQuery, ExportSource, ExportedResource};
use puppetfn_types::convert::json::from_json;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::StoredResource;
use crate::condition::matches;
use crate::query::Row;

/// The characters that stand for themselves in names of files.
pub(crate) const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'_');
/// The resources of a type, by their nodes.
type NodeResources = Arc<Vec<StoredResource>>;

/// The exported resources of many nodes.
#[derive(Debug)]
pub struct Store {
    /// The directory with a file for each type; `None` where all resources are in memory.
    directory: Option<PathBuf>,
    /// Resources by their types, as far as they have been read.
    known: Mutex<HashMap<String, NodeResources>>,
    limits: Limits,
}

impl Store {
    /// Creates a store that reads the resources of a type from a directory of an [`IndexWriter`] when they are first asked for.
    pub fn of_directory(directory: impl Into<PathBuf>, limits: Limits) -> Self {
        Self { directory: Some(directory.into()), known: Mutex::default(), limits }
    }

    /// Creates a store of the exported ones among these resources.
    pub fn of_resources(resources: impl IntoIterator<Item = StoredResource>, limits: Limits) -> Self {
        let mut types: HashMap<String, Vec<StoredResource>> = HashMap::new();
        for resource in resources.into_iter().filter(|resource| resource.exported) {
            types.entry(resource.type_name.clone()).or_default().push(resource);
        }
        let known = types.into_iter().map(|(name, rows)| (name, Arc::new(rows))).collect();
        Self { directory: None, known: Mutex::new(known), limits }
    }

    /// Returns the resources that a query selects, and a digest of them: another answer has another digest.
    ///
    /// # Errors
    /// Fails if a file cannot be read, the condition is not one of a collector, or a value nests too deep.
    pub fn answer(&self, query: &ExportQuery) -> Result<(Vec<ExportedResource>, String), Error> {
        let rows = self.rows(&query.type_name)?;
        let selected = select(&rows, query)?;
        let resources = selected.iter().map(|row| exported(row, &self.limits)).collect::<Result<_, _>>()?;
        Ok((resources, digest(&selected)?))
    }

    /// Returns the digest of the answer to a query.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or the condition is not one of a collector.
    pub fn digest(&self, query: &ExportQuery) -> Result<String, Error> {
        digest(&select(&self.rows(&query.type_name)?, query)?)
    }

    fn rows(&self, type_name: &str) -> Result<NodeResources, Error> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rows) = known.get(type_name) {
            return Ok(Arc::clone(rows));
        }
        let rows = match &self.directory {
            Some(directory) => read(&directory.join(file_name(type_name)))?,
            None => Vec::new(),
        };
        let rows = Arc::new(rows);
        known.insert(type_name.to_owned(), Arc::clone(&rows));
        Ok(rows)
    }
}

impl ExportSource for Store {
    fn find(&self, query: &ExportQuery, _: &mut dyn FnMut(String)) -> Result<Vec<ExportedResource>, Error> {
        self.answer(query).map(|(resources, _)| resources)
    }
}

fn select<'r>(rows: &'r [StoredResource], query: &ExportQuery) -> Result<Vec<&'r StoredResource>, Error> {
    let mut selected = Vec::new();
    for row in rows.iter().filter(|row| *row.certname != *query.node) {
        if query.condition.as_ref().map_or(Ok(true), |condition| matches(condition, row))? {
            selected.push(row);
        }
    }
    Ok(selected)
}

fn digest(resources: &[&StoredResource]) -> Result<String, Error> {
    let mut writer = BufWriter::new(AnswerDigest(Sha256::new()));
    let written = serde_json::to_writer(&mut writer, resources).map_err(io::Error::from);
    let internal = |error: io::Error| Error::new(ErrorKind::Internal, error.to_string());
    written.and_then(|()| writer.flush()).map_err(internal)?;
    let AnswerDigest(digest) = writer.into_inner().map_err(|error| internal(error.into_error()))?;
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Digests the bytes written to it, as the text of a large answer would not fit in memory.
struct AnswerDigest(Sha256);

impl Write for AnswerDigest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn exported(row: &StoredResource, limits: &Limits) -> Result<ExportedResource, Error> {
    let parameter =
        |(name, value): (&String, &serde_json::Value)| Ok((name.as_str().into(), from_json(value, limits)?));
    Ok(ExportedResource {
        node: row.certname.as_str().into(),
        title: row.title.as_str().into(),
        parameters: row.parameters.iter().map(parameter).collect::<Result<_, Error>>()?,
    })
}

/// Writes the exported resources of many nodes into a directory for [`Store::of_directory`], with a file for each type. Resources are added in
/// the order in which queries are to find them.
#[derive(Debug)]
pub struct IndexWriter {
    directory: PathBuf,
    files: HashMap<String, BufWriter<File>>,
}

impl IndexWriter {
    /// Creates an empty directory, after an existing one was removed.
    ///
    /// # Errors
    /// Fails if the file system does. The message names the directory.
    pub fn create(directory: impl Into<PathBuf>) -> Result<Self, Error> {
        let directory = directory.into();
        if directory.exists() {
            fs::remove_dir_all(&directory).map_err(|error| failure(&directory, &error))?;
        }
        fs::create_dir_all(&directory).map_err(|error| failure(&directory, &error))?;
        Ok(Self { directory, files: HashMap::new() })
    }

    /// Adds a resource, if it is exported.
    ///
    /// # Errors
    /// Fails if the file system does. The message names the file.
    pub fn add(&mut self, resource: &StoredResource) -> Result<(), Error> {
        if !resource.exported {
            return Ok(());
        }
        self.write(&resource.type_name, resource)
    }

    fn write(&mut self, type_name: &str, row: &impl Serialize) -> Result<(), Error> {
        let path = self.directory.join(file_name(type_name));
        let file = match self.files.entry(type_name.to_owned()) {
            Entry::Occupied(file) => file.into_mut(),
            Entry::Vacant(open) => {
                let file = File::create(&path).map_err(|error| failure(&path, &error))?;
                open.insert(BufWriter::new(file))
            }
        };
        let written = serde_json::to_writer(&mut *file, row).map_err(io::Error::from);
        written.and_then(|()| file.write_all(b"\n")).map_err(|error| failure(&path, &error))
    }

    /// Adds a row of `resources`, exported or not.
    ///
    /// # Errors
    /// Fails if the file system does. The message names the file.
    pub fn add_row(&mut self, row: &Row) -> Result<(), Error> {
        let type_name = row.get("type").and_then(serde_json::Value::as_str).unwrap_or_default();
        self.write(type_name, row)
    }

    /// Writes the rest of all files.
    ///
    /// # Errors
    /// Fails if the file system does. The message names the directory.
    pub fn finish(mut self) -> Result<(), Error> {
        let flushed = self.files.values_mut().try_for_each(Write::flush);
        flushed.map_err(|error| failure(&self.directory, &error))
    }
}

/// Returns the resources in a file of an index; none if there is no such file.
fn read(path: &Path) -> Result<Vec<StoredResource>, Error> {
    let Ok(file) = File::open(path) else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|error| failure(path, &error))?;
        rows.push(serde_json::from_str(&line).map_err(|error| failure(path, &error))?);
    }
    Ok(rows)
}

pub(crate) fn file_name(type_name: &str) -> String {
    format!("{}.jsonl", utf8_percent_encode(type_name, &PLAIN))
}

fn failure(path: &Path, problem: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Load, format!("{}: {problem}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn store() -> Store {
        let row = |node: &str, title: &str, tags: &[&str], parameters: Json| -> StoredResource {
            let tags: Vec<&str> = tags.to_vec();
            serde_json::from_value(json!({
                "certname": node, "type": "Host", "title": title, "tags": tags, "exported": true, "parameters": parameters,
            }))
            .unwrap()
        };
        let rows = [
            row("web2", "b", &["host", "web"], json!({"ip": "10.0.0.2", "host_aliases": ["b", "bb"]})),
            row("web1", "a", &["host", "web"], json!({"ip": "10.0.0.1"})),
            row("db1", "d", &["host", "db"], json!({"ip": "10.0.0.3", "port": 1})),
        ];
        Store::of_resources(rows, Limits::DEFAULT)
    }

    fn titles(condition: Option<Json>) -> String {
        let query = ExportQuery { node: "web1".into(), type_name: "Host".into(), condition };
        let found = store().answer(&query).unwrap().0;
        found.iter().map(|resource| &*resource.title).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn queries_select_by_tags_titles_and_parameters_of_other_nodes() {
        assert_eq!(titles(None), "b d");
        assert_eq!(titles(Some(json!(["=", "tag", "web"]))), "b");
        assert_eq!(titles(Some(json!(["=", "title", "d"]))), "d");
        assert_eq!(titles(Some(json!(["=", ["parameter", "ip"], "10.0.0.2"]))), "b");
        assert_eq!(titles(Some(json!(["not", ["=", ["parameter", "port"], 1]]))), "b");
        assert_eq!(
            titles(Some(json!([
                "or",
                ["=", "title", "a"],
                ["and", ["=", "tag", "db"], ["=", "tag", "host"]]
            ]))),
            "d"
        );
    }

    #[test]
    fn values_are_compared_as_json() {
        assert_eq!(titles(Some(json!(["=", ["parameter", "host_aliases"], "b"]))), "");
        assert_eq!(titles(Some(json!(["=", ["parameter", "host_aliases"], ["b", "bb"]]))), "b");
        assert_eq!(titles(Some(json!(["=", ["parameter", "port"], "1"]))), "");
        assert_eq!(titles(Some(json!(["=", "title", "D"]))), "");
    }

    #[test]
    fn an_index_has_the_same_answers() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("index");
        let query = ExportQuery { node: "web1".into(), type_name: "Host".into(), condition: None };
        let mut index = IndexWriter::create(&directory).unwrap();
        store().rows("Host").unwrap().iter().for_each(|row| index.add(row).unwrap());
        index.finish().unwrap();
        let indexed = Store::of_directory(&directory, Limits::DEFAULT);
        assert_eq!(indexed.answer(&query).unwrap(), store().answer(&query).unwrap());
        assert_eq!(indexed.answer(&ExportQuery { type_name: "File".into(), ..query }).unwrap().0, Vec::new());
    }
}
