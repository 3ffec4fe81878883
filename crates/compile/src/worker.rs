//! A process that compiles one node after the other.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use puppetfn_base::error::Error;
use puppetfn_base::snapshot::{self, Snapshot};
use puppetfn_catalog::{Identity, Selection};
use puppetfn_fleet::{
    FleetNode, Folder, JournalRead, NodeOutcome, NodeProblem, ProfileTimes, ReadNumbers, ResultFileKind,
    TimeProfile, WorkerResponse, identifier,
};
use puppetfn_project::{absolute, expand};
use puppetfn_puppetdb::{Store, StoredResource, exported_resources, stored_rows};
use puppetfn_runtime::eval::profile::{self, ProfiledCode, Timing};
use puppetfn_types::function::LogLevel;
use puppetfn_types::value::Value;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::environment::ReadEnvironment;
use crate::exports::{BatchExports, RecordedExports};
use crate::facts::FactSource;
use crate::plan::{NodePlan, finish_text};
use crate::queries::{BatchQueries, QueryData, RecordedQueries};
use crate::store::store;
use crate::version::version;
use crate::{CompileFailure, CompileOptions, Compiler, Configuration, LogEntry};

/// The job of a worker process: the first line of its input, in JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WorkerJob {
    pub configuration: Configuration,
    /// The directory of the catalogs.
    pub folder: PathBuf,
    pub paths: PathStyle,
    /// The index of the resources that other nodes export. Without one, collectors of exported resources collect nothing.
    #[serde(default)]
    pub exports: Option<PathBuf>,
    /// The data that queries are answered with; without it, they fail.
    #[serde(default)]
    pub queries: Option<QueryData>,
    /// Whether all resources of catalogs are kept for queries.
    #[serde(default)]
    pub keeps_resources: bool,
}

/// Compiles the nodes that an input names after the job, a line of JSON each, and answers each with the outcome in another: the work of
/// a process that a [`crate::BatchRequest`] starts.
///
/// # Errors
/// Fails if the input is not a job, or a file cannot be read or written.
pub fn serve(
    compiler: &mut dyn Compiler,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), CompileFailure> {
    let mut lines = input.lines();
    let Some(job) = lines.next().transpose()? else { return Ok(()) };
    let WorkerJob { configuration, folder, paths, exports, queries, keeps_resources } =
        serde_json::from_str(&job).map_err(io::Error::from)?;
    let folder = Folder::open(folder)?;
    profile::start();
    let mut profile = TimeProfile::default();
    let limits = configuration.limits;
    let live = configuration.puppetdb_client()?.map(Arc::new);
    let mut worker = NodeWorker {
        queries: match (&live, queries) {
            (Some(client), _) => Some(BatchQueries::Live(Arc::clone(client))),
            (None, data) => data.map(|data| BatchQueries::Stored(Arc::new(data.engine(&configuration)))),
        },
        exports: match exports {
            Some(directory) => Some(BatchExports::Stored(Arc::new(Store::of_directory(directory, limits)))),
            None => live.map(BatchExports::Live),
        },
        keeps_resources,
        configuration: &configuration,
        folder,
        paths,
        compiler,
        environments: HashMap::new(),
        told: 0,
    };
    for line in lines {
        let node: FleetNode = serde_json::from_str(&line?).map_err(io::Error::from)?;
        let answer = worker.answer(&node)?;
        serde_json::to_writer(&mut *out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
        for Timing { part, name, count, time } in profile::take() {
            let kind = match part {
                ProfiledCode::Class => "class",
                ProfiledCode::DefinedType => "defined type",
                ProfiledCode::Function => "function",
            };
            profile.add(format!("{kind} {name}"), ProfileTimes { count, seconds: time.as_secs_f64() });
        }
    }
    serde_json::to_writer(&mut *out, &profile).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// The notation of the environment's files in catalogs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum PathStyle {
    /// As Puppet does.
    Absolute,
    /// By their places in the environment: the same wherever that is.
    OfEnvironment,
}

/// A process that compiles nodes.
struct NodeWorker<'a> {
    configuration: &'a Configuration,
    exports: Option<BatchExports>,
    queries: Option<BatchQueries>,
    keeps_resources: bool,
    folder: Folder,
    paths: PathStyle,
    compiler: &'a mut dyn Compiler,
    /// State of environments, by their directories: the environment of all nodes, unless their classifier names others.
    environments: HashMap<Option<PathBuf>, WorkerEnvironment>,
    /// The number of file questions that were reported.
    told: usize,
}

/// An environment as it was when it was first read.
struct WorkerEnvironment {
    read: ReadEnvironment,
    /// The version of its code by `config_version`, whose program is run once.
    version: Option<Result<Value, Error>>,
    files: Option<Arc<Snapshot>>,
}

/// The sources of the data of other nodes, for one catalog.
struct RecordedSources {
    exports: Option<Arc<RecordedExports>>,
    queries: Option<Arc<RecordedQueries>>,
}

/// A catalog as it is kept.
struct SerializedCatalog {
    json: String,
    resources: usize,
    cycles: Vec<String>,
    exports: Vec<StoredResource>,
    /// All resources as PuppetDB has them, where they are kept for queries.
    rows: Option<String>,
}

impl NodeWorker<'_> {
    /// Compiles a node, writes the result, and returns its dependencies on files.
    fn answer(&mut self, node: &FleetNode) -> Result<WorkerResponse, CompileFailure> {
        let mut directory = None;
        let mut outcome = self.outcome(node, &mut directory)?;
        let (_, usual) = self.configuration.name_and_directory(None)?;
        let is_usual = directory == usual;
        let known = self.environments.get(&directory).filter(|_| is_usual);
        let Some(files) = known.and_then(|known| known.files.as_ref()) else {
            return Ok(WorkerResponse { outcome, asked: Vec::new() });
        };
        outcome.reads = Some(ReadNumbers::of(files.asked()));
        let asked: Vec<JournalRead> = files.questions(self.told).into_iter().map(JournalRead).collect();
        self.told += asked.len();
        Ok(WorkerResponse { outcome, asked })
    }

    /// Compiles a node, and writes the result. `directory` becomes the directory of its environment.
    fn outcome(
        &mut self,
        node: &FleetNode,
        directory: &mut Option<PathBuf>,
    ) -> Result<NodeOutcome, CompileFailure> {
        let started = Instant::now();
        let mut messages = Vec::new();
        let exports = self.exports.clone().map(RecordedExports::new).map(Arc::new);
        let limits = self.configuration.limits;
        let queries = self.queries.clone().map(|source| Arc::new(RecordedQueries::new(source, limits)));
        let sources = RecordedSources { exports: exports.clone(), queries: queries.clone() };
        let made = self.make(node, directory, sources, &mut messages);
        let collected = exports.map(|exports| exports.take()).unwrap_or_default();
        let queried = queries.map(|queries| queries.take()).unwrap_or_default();
        let warnings = messages.iter().filter(|entry| entry.level == LogLevel::Warning).count();
        let seconds = || started.elapsed().as_secs_f64();
        let outcome = match made {
            Ok(SerializedCatalog { json, resources, cycles, exports, rows }) => {
                self.keep(ResultFileKind::Catalog, node, &json)?;
                self.keep_exports(node, &exports)?;
                self.keep_rows(node, rows.as_deref())?;
                self.folder.remove(ResultFileKind::Error, &node.name)?;
                let digest = Some(puppetfn_fleet::digest(json.as_bytes()));
                NodeOutcome {
                    node: node.name.clone(),
                    facts: None,
                    seconds: seconds(),
                    resources,
                    digest,
                    warnings,
                    cycles,
                    error: None,
                    reads: None,
                    collected,
                    queried,
                }
            }
            Err(failure) => {
                let mut problem = problem(&failure, &node.name);
                if let (PathStyle::OfEnvironment, Some(directory)) =
                    (self.paths, &self.configuration.environment)
                {
                    // Messages name files by whole paths, also where the environment was given as `.`.
                    let directory = expand(&absolute(directory));
                    problem.message = problem.message.replace(&format!("{}/", directory.display()), "");
                }
                self.keep(
                    ResultFileKind::Error,
                    node,
                    &serde_json::to_string(&problem).map_err(io::Error::from)?,
                )?;
                self.folder.remove(ResultFileKind::Catalog, &node.name)?;
                self.keep_exports(node, &[])?;
                self.keep_rows(node, None)?;
                NodeOutcome {
                    warnings,
                    collected,
                    queried,
                    ..NodeOutcome::failed(&*node.name, seconds(), problem)
                }
            }
        };
        let shown = messages.iter().filter(|entry| entry.is_shown());
        let shown: String = shown.map(|entry| format!("{entry}\n")).collect();
        if shown.is_empty() {
            self.folder.remove(ResultFileKind::Messages, &node.name)?;
        } else {
            self.keep(ResultFileKind::Messages, node, &shown)?;
        }
        Ok(outcome)
    }

    fn keep(&self, kind: ResultFileKind, node: &FleetNode, text: &str) -> Result<(), CompileFailure> {
        Ok(self.folder.write(kind, &node.name, text.as_bytes())?)
    }

    fn keep_exports(&self, node: &FleetNode, exports: &[StoredResource]) -> Result<(), CompileFailure> {
        if exports.is_empty() {
            return Ok(self.folder.remove(ResultFileKind::Exports, &node.name)?);
        }
        self.keep(ResultFileKind::Exports, node, &serde_json::to_string(exports).map_err(io::Error::from)?)
    }

    fn keep_rows(&self, node: &FleetNode, rows: Option<&str>) -> Result<(), CompileFailure> {
        match rows {
            Some(rows) => self.keep(ResultFileKind::Resources, node, rows),
            None => Ok(self.folder.remove(ResultFileKind::Resources, &node.name)?),
        }
    }

    fn make(
        &mut self,
        node: &FleetNode,
        directory: &mut Option<PathBuf>,
        sources: RecordedSources,
        messages: &mut Vec<LogEntry>,
    ) -> Result<SerializedCatalog, CompileFailure> {
        let (configuration, environments) = (self.configuration, &mut self.environments);
        let facts = FactSource::of_file(node.facts.as_deref());
        let mut plan = configuration.plan_in(&node.name, &facts, messages, &mut |classified| {
            let (_, place) = configuration.name_and_directory(classified)?;
            directory.clone_from(&place);
            let known = match environments.entry(place) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(open) => open.insert(WorkerEnvironment {
                    read: configuration.read_environment(classified)?,
                    version: None,
                    files: None,
                }),
            };
            Ok(known.read.clone())
        })?;
        plan.check()?;
        if let Some(exports) = sources.exports {
            plan.collect_from(exports);
        }
        if let Some(queries) = sources.queries {
            plan.request.queries = Some(queries);
        }
        let NodePlan { options, mut request, environment, .. } = plan;
        let mut version = 0.into();
        if let Some(known) = self.environments.get_mut(directory) {
            request.files = Some(known.files(&options));
            version =
                known.version(self.paths == PathStyle::Absolute && !self.configuration.no_config_version)?;
        }
        let mut compiled = self.compiler.compile(&options, &request);
        messages.append(&mut compiled.log);
        let draft = compiled.result?;
        let uuid = identifier(&[&node.name, &environment.name]);
        let identity = Identity { environment: environment.name.clone(), version, code_id: None, uuid };
        if let Some(BatchExports::Live(client)) = self.exports.as_ref().filter(|_| configuration.stores) {
            store(client, &draft, &identity, &options, messages)?;
        }
        let json = finish_text(&draft, identity, Selection::Real, &options, messages)?;
        let cycles = options.cycle_texts(&draft.cycles(&[]));
        messages.extend(cycles.iter().map(LogEntry::warning));
        let portable = |json: String| match (self.paths, &environment.directory) {
            (PathStyle::OfEnvironment, Some(directory)) => without_directory(&json, directory),
            _ => json,
        };
        let resources = draft.resources().count();
        let exports = exported_resources(&draft, &options.limits)?;
        let rows = if self.keeps_resources {
            let rows = stored_rows(&draft, &environment.name, &options.limits)?;
            Some(portable(serde_json::to_string(&rows).map_err(io::Error::from)?))
        } else {
            None
        };
        Ok(SerializedCatalog { json: portable(json), resources, cycles, exports, rows })
    }
}

impl WorkerEnvironment {
    /// Returns the files of the environment for one more catalog. All depend on the main manifest, which was read before.
    fn files(&mut self, options: &CompileOptions) -> Arc<Snapshot> {
        let directory = self.read.environment.directory.clone().unwrap_or_default();
        let files =
            self.files.get_or_insert_with(|| Arc::new(Snapshot::new(options.file_system(), directory)));
        files.begin();
        if let Some(manifest) = &self.read.environment.manifest {
            files.note(snapshot::ReadKind::Tree, manifest);
        }
        Arc::clone(files)
    }

    /// Returns the version of the code. Without a command it is always the same: catalogs of the same code are equal.
    fn version(&mut self, may_ask: bool) -> Result<Value, Error> {
        if !may_ask || self.read.environment.config_version.as_deref().is_none_or(str::is_empty) {
            return Ok(0.into());
        }
        self.version.get_or_insert_with(|| version(&self.read.environment, may_ask)).clone()
    }
}

/// Returns the JSON of a catalog without the directory of the environment.
fn without_directory(json: &str, directory: &Path) -> String {
    let directory = Json::from(directory.to_string_lossy()).to_string();
    let directory = directory.trim_matches('"');
    json.replace(&format!("\"file\":\"{directory}/"), "\"file\":\"")
        .replace(directory, "$environment_directory")
}

/// Returns the error of a node without its name, so that the same error is recognized on other nodes.
fn problem(failure: &CompileFailure, node: &str) -> NodeProblem {
    let message = failure.to_string();
    NodeProblem { message: message.strip_suffix(&format!(" on node {node}")).unwrap_or(&message).to_owned() }
}
