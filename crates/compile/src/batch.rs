//! The catalogs of many nodes, compiled by processes.
#![allow(
    clippy::disallowed_methods,
    reason = "the user names these files and directories, and schedulers of jobs set variables"
)]

use std::fmt;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use puppetfn_base::file_system::FileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_fleet::nodes::{self, FleetNode};
use puppetfn_fleet::{
    CurrentInputs, FleetSummary, Folder, Inputs, Journal, NodeOutcome, RunInputs, Shard, StartMode,
};
use puppetfn_project::{Environment, absolute, expand};
use puppetfn_types::value::Hash;
use serde::{Deserialize, Serialize};

use crate::configuration::SettingSources;
use crate::rounds::{CompileRounds, ExportOrigin, OutcomesByNode};
use crate::worker::{PathStyle, WorkerJob};
use crate::{CompileFailure, Configuration, Observer};

/// The shard that the variables of the process name.
const AUTO: &str = "auto";

/// A source of nodes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeSource {
    /// A directory with a file of facts for each node, an export of PuppetDB, or a list of names.
    pub source: PathBuf,
    /// The path of the facts of listed nodes, with `{}` for the name.
    #[serde(default)]
    pub facts_for: Option<String>,
    /// Whether nodes are named by their facts instead of their files.
    #[serde(default)]
    pub named_by_facts: bool,
}

impl NodeSource {
    /// Returns the nodes. The facts of an export are written to the directory `split`.
    ///
    /// # Errors
    /// Fails if the source cannot be read, names a node twice or names none.
    pub fn read(&self, split: &Path, limits: &Limits) -> Result<Vec<FleetNode>, CompileFailure> {
        let Self { source, facts_for, named_by_facts } = self;
        let given = nodes::NodeListOptions {
            source,
            facts_for: facts_for.as_deref(),
            named_by_facts: *named_by_facts,
            split,
            limits,
        };
        Ok(nodes::read(&given)?)
    }
}

/// A request to compile the catalogs of many nodes into a directory.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchRequest {
    /// The configuration of every node.
    pub configuration: Configuration,
    /// The nodes.
    pub nodes: NodeSource,
    /// The directory of the catalogs.
    pub out: PathBuf,
    /// The shard of the nodes: `1/8`, or `auto` for [`Shard::of_environment`]. All nodes if it is `None`.
    #[serde(default)]
    pub shard: Option<String>,
    /// The number of processes, instead of one for each processor.
    #[serde(default)]
    pub jobs: Option<NonZero<usize>>,
    /// Whether catalogs of an earlier run are kept.
    #[serde(default)]
    pub resume: bool,
}

impl BatchRequest {
    /// Compiles the nodes in worker processes, which `worker` starts: see [`crate::Compiler::worker`].
    ///
    /// # Errors
    /// Fails if a setting is wrong, the directory cannot be written, or no process can be started.
    pub fn compile(
        &self,
        worker: &Command,
        observer: &mut dyn Observer,
    ) -> Result<BatchResult, CompileFailure> {
        let Self { configuration, nodes: source, out, jobs, resume, .. } = self;
        let folder = Folder::create(out)?;
        let shard = self.shard()?;
        let mut nodes = source.read(&folder.root().join("facts"), &configuration.limits)?;
        let all_nodes = (shard != Shard::ALL).then(|| nodes.clone());
        nodes.retain(|node| shard.contains(&node.name));
        let batch = Batch {
            basis: SharedInputs::of(configuration, &[Some(&*source.source), Some(folder.root())])?,
            folder,
            shard,
            start: if *resume { StartMode::Resumed } else { StartMode::New },
            jobs: *jobs,
            paths: PathStyle::Absolute,
            others: Vec::new(),
            all_nodes,
        };
        batch.compile(configuration, &nodes, worker, observer)
    }

    fn shard(&self) -> Result<Shard, CompileFailure> {
        let shard = match self.shard.as_deref() {
            None => return Ok(Shard::ALL),
            Some(AUTO) => Shard::of_environment(&|name| std::env::var(name).ok()),
            Some(named) => named.parse(),
        };
        shard.map_err(|failure| CompileFailure::setting("shard", failure.to_string()))
    }
}

/// The compilation of many nodes into a directory.
#[derive(Debug)]
pub(crate) struct Batch {
    /// The directory of the catalogs.
    pub folder: Folder,
    /// The shard of the nodes.
    pub shard: Shard,
    /// Whether catalogs of an earlier run are kept.
    pub start: StartMode,
    /// The number of processes, instead of one for each processor.
    pub jobs: Option<NonZero<usize>>,
    /// How catalogs name files of the environment.
    pub paths: PathStyle,
    /// Inputs of all catalogs.
    pub basis: SharedInputs,
    /// Catalogs of other states, for reuse. States that have most in common come first.
    pub others: Vec<Folder>,
    /// The nodes of all shards, if the compiled nodes are one.
    pub all_nodes: Option<Vec<FleetNode>>,
}

/// The result of a batch.
#[derive(Debug)]
pub struct BatchResult {
    /// The outcomes of all nodes together.
    pub summary: FleetSummary,
    compiled: usize,
    before: usize,
    same: usize,
    processes: usize,
    seconds: f64,
}

impl fmt::Display for BatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { compiled, before, same, processes, seconds, .. } = self;
        let counted =
            |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        write!(f, "Compiled {} in {seconds:.1} s", counted(*compiled, "node", "nodes"))?;
        if *processes > 1 {
            write!(f, " with {processes} processes")?;
        }
        if *before > 0 {
            write!(f, "; {before} compiled by earlier runs")?;
        }
        if *same > 0 {
            write!(f, "; {same} reused with unchanged inputs")?;
        }
        Ok(())
    }
}

impl Batch {
    /// Compiles the nodes that are not done yet.
    ///
    /// # Errors
    /// Fails if the directory cannot be written, or no process can be started.
    pub fn compile(
        &self,
        configuration: &Configuration,
        nodes: &[FleetNode],
        worker: &Command,
        observer: &mut dyn Observer,
    ) -> Result<BatchResult, CompileFailure> {
        let started = Instant::now();
        let SharedInputs { inputs, options, files, root, .. } = &self.basis;
        let facts = puppetfn_fleet::facts(nodes);
        let now = CurrentInputs { facts: &facts, files: &**files, root };
        let begun = RunInputs { nodes: nodes.len(), inputs: inputs.clone(), options: options.clone() };
        let mut journal = Journal::begin(&self.folder, self.shard, &begun, self.start, now)?;
        observer.begin(nodes.len());
        let mut done = OutcomesByNode::default();
        let mut add = |outcomes: Vec<NodeOutcome>| {
            outcomes.iter().for_each(|_| observer.advance());
            done.extend(outcomes);
        };
        add(journal.take_done());
        let open = |journal: &Journal| -> Vec<FleetNode> {
            nodes.iter().filter(|node| !journal.has(&node.name)).cloned().collect()
        };
        let before = nodes.len() - open(&journal).len();
        for other in &self.others {
            let open = open(&journal);
            if open.is_empty() {
                break;
            }
            add(journal.take_over(&self.folder, other, &open, now)?);
        }
        let open = open(&journal);
        let (compiled, same) = (open.len(), nodes.len() - open.len() - before);
        let processes = self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
        let rounds = CompileRounds {
            folder: &self.folder,
            exports: ExportOrigin::of(configuration, self.shard),
            job: WorkerJob {
                configuration: configuration.clone(),
                folder: self.folder.root().to_owned(),
                paths: self.paths,
                exports: None,
                queries: None,
                keeps_resources: false,
            },
            processes,
            worker,
            all_nodes: self.all_nodes.as_deref().unwrap_or(nodes),
            shard: self.shard,
        };
        let profile = rounds.run(nodes, open, &mut done, observer, &mut |process, answer| {
            let digest = facts.get(&answer.outcome.node);
            journal.add(process, answer, digest)
        })?;
        observer.end();
        let mut summary = done.into_summary();
        summary.profile = profile;
        let seconds = started.elapsed().as_secs_f64();
        journal.end(seconds, summary.profile.clone())?;
        Ok(BatchResult { summary: summary.finish(), compiled, before, same, processes, seconds })
    }
}

/// Inputs of all catalogs.
pub(crate) struct SharedInputs {
    /// The fingerprint of code, data and options.
    pub inputs: String,
    /// The fingerprint of the options, and of the files outside of the environment that they name.
    pub options: String,
    pub files: Arc<dyn FileSystem>,
    /// The directory of the environment, empty if there is none.
    pub root: PathBuf,
    pub modulepath: Vec<PathBuf>,
}

impl fmt::Debug for SharedInputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Basis")
            .field("inputs", &self.inputs)
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

impl SharedInputs {
    /// Reads the environment with all its files. `others` are paths in it with facts and catalogs, which are neither code nor data.
    pub fn of(configuration: &Configuration, others: &[Option<&Path>]) -> Result<Self, CompileFailure> {
        // A mistake that affects every node is reported once.
        configuration.refuse_nothing()?;
        let environment = configuration.environment(None)?;
        let mut inputs = options(configuration, &environment)?;
        let options = inputs.clone().finish();
        let files = configuration.file_system(&environment)?;
        let Environment { directory, modulepath, .. } = environment;
        let skipped: Vec<PathBuf> = others.iter().flatten().map(|path| expand(&absolute(path))).collect();
        // Modules are often in the environment.
        let is_apart = |path: &&PathBuf| directory.as_ref().is_none_or(|root| !path.starts_with(root));
        let modules = modulepath.iter().filter(is_apart);
        for path in directory.iter().chain(modules).chain(&configuration.manifest) {
            if path.is_dir() {
                inputs.add_directory(path, &skipped)?;
            } else {
                inputs.add_file(path)?;
            }
        }
        let root = directory.unwrap_or_default();
        Ok(Self { inputs: inputs.finish(), options, files, root, modulepath })
    }
}

fn options(configuration: &Configuration, environment: &Environment) -> Result<Inputs, CompileFailure> {
    let mut inputs = Inputs::default();
    let Configuration { classes, enc, strict, no_strict_variables, no_ruby, .. } = configuration;
    let options = (classes, enc, strict, no_strict_variables, no_ruby);
    inputs.add(&format!("{} {:?} {options:?}", env!("CARGO_PKG_VERSION"), environment.name));
    // Where an environment is makes no difference, and where modules are in it does.
    let place = |path: &PathBuf| {
        let within = environment.directory.as_ref().and_then(|directory| path.strip_prefix(directory).ok());
        within.unwrap_or(path).to_string_lossy().into_owned()
    };
    let paths = environment.modulepath.iter().chain(&environment.manifest).map(place);
    paths.for_each(|path| inputs.add(&path));
    inputs.add(&configuration.no_outside_files.to_string());
    let sources = configuration.sources()?;
    let SettingSources { may_execute, hides_secrets, .. } = sources;
    inputs.add(&format!("{:?} {may_execute} {hides_secrets}", sources.with(&Hash::default())));
    inputs.add(&format!("{:?}", configuration.server_facts));
    for file in [enc, &configuration.hiera_config, &configuration.trusted].into_iter().flatten() {
        inputs.add_file(file)?;
    }
    let Configuration { puppetdb_urls, puppetdb_conf, stores, .. } = configuration;
    inputs.add(&format!("{puppetdb_urls:?} {puppetdb_conf:?} {stores}"));
    for path in &configuration.exports {
        if !path.is_dir() {
            inputs.add_file(path)?;
        } else if let Ok(folder) = Folder::open(path) {
            folder.exports()?.iter().try_for_each(|file| inputs.add_file(file))?;
        } else {
            inputs.add_directory(path, &[])?;
        }
    }
    Ok(inputs)
}
