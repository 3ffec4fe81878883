//! Queries to PuppetDB: the data of the nodes of a batch, and saved data.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_fleet::nodes::{self, FleetNode};
use puppetfn_fleet::{Folder, RecordedQuery, ResultFileKind};
use puppetfn_puppetdb::client::PuppetDbClient;
use puppetfn_puppetdb::{
    Database, Entity, FactReader, Factset, IndexWriter, NodeFacts, NodeRows, QueryEngine, Row, is_archive,
    is_unpacked, query_reads_catalogs, read_answers, unpack,
};
use puppetfn_types::convert::json::{from_json, to_json};
use puppetfn_types::function::QuerySource;
use puppetfn_types::value::Value;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::facts::{FactSource, FactsFile, read_hash};
use crate::{CompileFailure, Configuration, node};

/// The data that queries are answered with.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct QueryData {
    /// Saved data. Its facts and resources replace the data of the run.
    pub sources: Vec<PathBuf>,
    /// A file with the nodes of the run, a line of JSON each.
    nodes: Option<PathBuf>,
    /// The folder whose catalogs count, as far as they have been compiled.
    folder: Option<PathBuf>,
    /// The index of the resources in the folder. Without one, no resources are known yet.
    index: Option<PathBuf>,
    /// The directory of unpacked archives, which is removed with the last clone that has it.
    #[serde(skip)]
    _unpacked: Option<Arc<TempDir>>,
}

impl QueryData {
    /// Returns the saved data that the user names. Archives are unpacked into a temporary directory.
    ///
    /// # Errors
    /// Fails if an archive cannot be unpacked.
    pub fn saved(configuration: &Configuration) -> Result<Self, CompileFailure> {
        let Configuration { exports: sources, limits, .. } = configuration;
        if !sources.iter().any(|source| is_archive(source)) {
            return Ok(Self { sources: sources.clone(), ..Self::default() });
        }
        let unpacked = TempDir::with_prefix("puppetfn-")?;
        let data = Self::of_sources(sources, unpacked.path(), limits)?;
        Ok(Self { _unpacked: Some(Arc::new(unpacked)), ..data })
    }

    /// Returns saved data. Archives are unpacked into a directory, from which other processes read them, too.
    ///
    /// # Errors
    /// Fails if an archive cannot be unpacked.
    pub fn of_sources(sources: &[PathBuf], directory: &Path, limits: &Limits) -> Result<Self, Error> {
        let each = sources.iter().enumerate().map(|(number, source)| {
            if !is_archive(source) {
                return Ok(source.clone());
            }
            let unpacked = directory.join(number.to_string());
            unpack(source, &unpacked, limits)?;
            Ok(unpacked)
        });
        Ok(Self { sources: each.collect::<Result<_, Error>>()?, ..Self::default() })
    }

    /// Adds the nodes of a run, and the folder of their catalogs if it counts.
    pub fn with_run(self, nodes: PathBuf, folder: Option<PathBuf>) -> Self {
        Self { nodes: Some(nodes), folder, ..self }
    }

    /// Returns the data with an index of the resources in the folder.
    pub fn with_index(&self, index: Option<PathBuf>) -> Self {
        Self { index, ..self.clone() }
    }

    /// Returns the saved data alone.
    pub fn without_run(&self) -> Self {
        Self { nodes: None, folder: None, index: None, ..self.clone() }
    }

    /// Returns an engine, which opens the data when it is first asked.
    pub fn engine(self, configuration: &Configuration) -> QueryEngine {
        let (limits, configuration) = (configuration.limits, configuration.clone());
        QueryEngine::new(move || self.open(&configuration), limits)
    }

    /// Opens the data.
    pub fn open(&self, configuration: &Configuration) -> Result<Database, Error> {
        let mut database = Database::default();
        for source in &self.sources {
            database.merge(open_source(source, configuration)?);
        }
        if let Some(nodes) = &self.nodes
            && !database.has_facts()
        {
            add_facts(&mut database, &read_nodes(nodes)?, configuration)?;
        }
        if let Some(folder) = &self.folder
            && !database.has_resources()
        {
            database.add_entity(Entity::Resources);
            if let Some(index) = &self.index {
                add_resources(&mut database, folder)?;
                database.set_resource_index(index.clone());
            }
        }
        Ok(database)
    }
}

/// Opens saved data.
fn open_source(source: &Path, configuration: &Configuration) -> Result<Database, Error> {
    let limits = &configuration.limits;
    if is_unpacked(source) {
        return Database::of_unpacked(source);
    }
    if !source.is_dir() {
        return read_answers(source, limits);
    }
    if let Ok(folder) = Folder::open(source) {
        return open_folder(&folder);
    }
    let given =
        nodes::NodeListOptions { source, facts_for: None, named_by_facts: false, split: source, limits };
    let is_answer = |entity: Entity| source.join(format!("{entity}.json")).is_file();
    if Entity::ALL.into_iter().any(is_answer) {
        return read_answers(source, limits);
    }
    let mut database = Database::default();
    let found = nodes::read(&given).map_err(|failure| Error::new(ErrorKind::Load, failure.to_string()))?;
    add_facts(&mut database, &found, configuration)?;
    Ok(database)
}

/// Opens a folder of an earlier run.
fn open_folder(folder: &Folder) -> Result<Database, Error> {
    let mut database = Database::default();
    database.add_entity(Entity::Resources);
    if add_resources(&mut database, folder.root())? {
        return Ok(database);
    }
    // Code that queries no resources has only exported ones stored.
    let exports = folder.exports().map_err(|failure| Error::new(ErrorKind::Load, failure.to_string()))?;
    for path in exports {
        let rows = read_rows(&path)?;
        if let Some(node) = rows.first().and_then(|row| row.get("certname")).and_then(Json::as_str) {
            database.add_node_rows(Entity::Resources, node, NodeRows::Memory(rows.clone()));
        }
    }
    database.set_only_exported();
    Ok(database)
}

/// Adds the resources of the catalogs in a folder. Returns false if it has none.
fn add_resources(database: &mut Database, folder: &Path) -> Result<bool, Error> {
    let directory = folder.join(ResultFileKind::Resources.directory());
    let has_files = fs::read_dir(&directory).is_ok_and(|mut files| files.next().is_some());
    if has_files {
        database.add_files(Entity::Resources, &directory)?;
    }
    Ok(has_files)
}

fn wrong(path: &Path, problem: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Load, format!("{}: {problem}", path.display()))
}

fn read_rows(path: &Path) -> Result<Vec<Row>, Error> {
    let text = fs::read(path).map_err(|error| wrong(path, &error))?;
    serde_json::from_slice(&text).map_err(|error| wrong(path, &error))
}

/// Writes the nodes of a run into a file for [`QueryData::nodes`].
pub(crate) fn write_nodes(path: &Path, nodes: &[FleetNode]) -> Result<(), Error> {
    let write = || -> std::io::Result<()> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = BufWriter::new(File::create(path)?);
        for node in nodes {
            serde_json::to_writer(&mut file, node)?;
            writeln!(file)?;
        }
        file.flush()
    };
    write().map_err(|error| wrong(path, &error))
}

fn read_nodes(path: &Path) -> Result<Vec<FleetNode>, Error> {
    let file = File::open(path).map_err(|error| wrong(path, &error))?;
    let lines = BufReader::new(file).lines();
    lines
        .map(|line| {
            serde_json::from_str(&line.map_err(|error| wrong(path, &error))?)
                .map_err(|error| wrong(path, &error))
        })
        .collect()
}

/// Adds the facts of nodes, which are read when a query needs them.
fn add_facts(
    database: &mut Database,
    nodes: &[FleetNode],
    configuration: &Configuration,
) -> Result<(), Error> {
    let trusted = match &configuration.trusted {
        Some(path) => {
            let trusted = read_hash("trusted", path, &configuration.limits)
                .map_err(|failure| Error::new(ErrorKind::Load, failure.to_string()))?;
            Some(to_json(&trusted.into(), &configuration.limits)?)
        }
        None => None,
    };
    // A node classifier may name another environment for each node.
    let environment = match (&configuration.enc, configuration.name_and_directory(None)) {
        (None, Ok((name, _))) => Some(name),
        _ => None,
    };
    let limits = configuration.limits;
    let target = configuration.effective_target();
    let target = target.map_err(|failure| Error::new(ErrorKind::Load, failure.to_string()))?;
    for FleetNode { name, facts } in nodes {
        let reader = FactFile {
            path: facts.clone(),
            trusted: trusted.clone(),
            environment: environment.clone(),
            target,
            limits,
        };
        database.add_factset(name, Factset::deferred(Arc::new(reader)));
    }
    Ok(())
}

/// Reads the facts of a node from its file.
#[derive(Debug)]
struct FactFile {
    path: Option<PathBuf>,
    trusted: Option<Json>,
    environment: Option<String>,
    target: Target,
    limits: Limits,
}

impl FactReader for FactFile {
    fn read(&self, name: &str) -> Result<NodeFacts, Error> {
        let Self { path, trusted, environment, target, limits } = self;
        let read = FactSource::of_file(path.as_deref()).read(Some(name), limits);
        let FactsFile { mut values, trusted: own, .. } =
            read.map_err(|failure| Error::new(ErrorKind::Load, failure.to_string()))?;
        let local = node::local_facts(name, &values, false, *target);
        node::add_local_facts(&mut values, &local);
        let trusted = match trusted {
            Some(trusted) => trusted.clone(),
            None => to_json(&own.unwrap_or_else(|| node::trusted(name, &values)).into(), limits)?,
        };
        let Json::Object(mut values) = to_json(&values.into(), limits)? else {
            return Ok(NodeFacts::default());
        };
        values.insert("trusted".to_owned(), trusted);
        let environment =
            environment.iter().map(|name| ("environment".to_owned(), Json::from(name.as_str())));
        let columns = match path {
            // PuppetDB's export is more complete.
            Some(path) => saved_columns(path, name, limits).unwrap_or_else(|| environment.collect()),
            None => environment.collect(),
        };
        Ok(NodeFacts { values, columns })
    }
}

/// Returns the columns of a factset of PuppetDB in a file; `None` if it is none.
fn saved_columns(path: &Path, node: &str, limits: &Limits) -> Option<Row> {
    const COLUMNS: [&str; 5] = ["environment", "timestamp", "producer", "producer_timestamp", "hash"];
    let size = fs::metadata(path).ok()?.len();
    if usize::try_from(size).ok()? > limits.file
        || path.extension().is_none_or(|extension| extension != "json")
    {
        return None;
    }
    let data: Json = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    let is_own = |row: &&Json| row.get("certname").and_then(Json::as_str) == Some(node);
    let rows = data.as_array().map_or(std::slice::from_ref(&data), Vec::as_slice);
    let row = rows.iter().find(is_own)?;
    let known = COLUMNS.into_iter().filter_map(|name| Some((name.to_owned(), row.get(name)?.clone())));
    let columns: Row = known.collect();
    (!columns.is_empty()).then_some(columns)
}

/// Writes the index of the resources of all nodes of a folder.
pub(crate) fn index_resources(folder: &Folder) -> Result<PathBuf, CompileFailure> {
    let directory = folder.resource_index();
    let mut index = IndexWriter::create(&directory)?;
    let mut nodes = folder.nodes()?;
    nodes.sort_unstable();
    nodes.dedup();
    for node in nodes {
        let path = folder.path(ResultFileKind::Resources, &node);
        if path.is_file() {
            read_rows(&path)?.iter().try_for_each(|row| index.add_row(row))?;
        }
    }
    index.finish()?;
    Ok(directory)
}

/// A source of answers to the queries of a batch.
#[derive(Clone, Debug)]
pub(crate) enum BatchQueries {
    /// Facts, catalogs and saved data.
    Stored(Arc<QueryEngine>),
    /// A live PuppetDB.
    Live(Arc<PuppetDbClient>),
}

/// The answers that the queries of one catalog have got.
#[derive(Debug)]
pub(crate) struct RecordedQueries {
    source: BatchQueries,
    queried: Mutex<Vec<RecordedQuery>>,
    limits: Limits,
}

impl RecordedQueries {
    pub fn new(source: BatchQueries, limits: Limits) -> Self {
        Self { source, queried: Mutex::default(), limits }
    }

    /// Returns the answers so far.
    pub fn take(&self) -> Vec<RecordedQuery> {
        std::mem::take(&mut self.queried.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl QuerySource for RecordedQueries {
    fn query(
        &self,
        query: &Value,
        endpoint: Option<&str>,
        warn: &mut dyn FnMut(String),
    ) -> Result<Value, Error> {
        let query = to_json(query, &self.limits)?;
        let (answer, digest) = match &self.source {
            BatchQueries::Stored(engine) => {
                let answer = engine.answer(&query, endpoint);
                let digest = digest(&answer);
                (answer.and_then(|answer| from_json(&Json::from(answer.rows.clone()), &self.limits)), digest)
            }
            // A later answer may be another: catalogs with a live answer are never kept.
            BatchQueries::Live(client) => (client.query(&query, endpoint, warn), String::new()),
        };
        let reads_catalogs = query_reads_catalogs(&query, endpoint, &self.limits);
        let endpoint = endpoint.map(str::to_owned);
        let mut queried = self.queried.lock().unwrap_or_else(PoisonError::into_inner);
        queried.push(RecordedQuery { query, endpoint, digest, reads_catalogs });
        drop(queried);
        answer
    }
}

/// Returns a digest of an answer, or the error.
fn digest(answer: &Result<Arc<puppetfn_puppetdb::QueryAnswer>, Error>) -> String {
    match answer {
        Ok(answer) => answer.digest.clone(),
        Err(error) => error.message().to_owned(),
    }
}

/// Returns true if a query of a catalog would get another answer now.
pub(crate) fn is_stale(queried: &[RecordedQuery], engine: &QueryEngine) -> bool {
    queried.iter().any(|RecordedQuery { query, endpoint, digest: known, .. }| {
        digest(&engine.answer(query, endpoint.as_deref())) != *known
    })
}
