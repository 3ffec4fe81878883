//! Catalogs of many nodes: processes of ours that each compile one after the other.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use puppetfn_base::error::Error;
use puppetfn_base::snapshot::{self, Snapshot};
use puppetfn_fleet::nodes::{self, Node};
use puppetfn_fleet::{
    Answer, Begun, Earlier, Folder, Inputs, Journal, Kind, Numbers, Outcome, Pool, Problem, Profile,
    Question, Shard, Summary, Times, identifier,
};
use puppetfn_project::{Environment, absolute, expand};
use puppetfn_runtime::catalog::data::Identity;
use puppetfn_runtime::eval::profile::{self, Part, Timing};
use puppetfn_types::convert::to_json_text;
use puppetfn_types::function::LogLevel;
use puppetfn_types::value::Value;
use serde_json::Value as Json;

use super::{Plan, Read, catalog, data, log, version};
use crate::args::compile::{Compile, Given};
use crate::args::fleet::{Many, Nodes};
use crate::{FAILED, Failure, Host, OK, Options};

/// How often the bar of a terminal is drawn while nothing is done.
const TICK: Duration = Duration::from_millis(500);

/// Has the catalogs of many nodes compiled by processes that are started with the same arguments.
pub(super) fn run(
    compile: &Compile,
    arguments: &[OsString],
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    let Some(directory) = &compile.out else {
        return Err(Failure::Usage("--out: expected the directory that catalogs are put into".to_owned()));
    };
    let folder = Folder::create(directory)?;
    let shard = shard(&compile.many)?;
    let mut nodes = nodes(&compile.many.nodes, &compile.given, &folder.root().join("facts"))?;
    nodes.retain(|node| shard.contains(&node.name));
    let run = Run {
        inputs: inputs(&compile.given, &[compile.many.nodes.nodes.as_deref(), compile.out.as_deref()])?,
        earlier: Vec::new(),
        is_terminal: host.terminals().err,
        jobs: compile.many.nodes.jobs,
        resume: compile.many.resume,
        folder,
        shard,
    };
    let program = host.command()?;
    let summary = run.compile(&nodes, &|| worker(&program, arguments, run.folder.root()), err)?;
    write!(out, "{summary}")?;
    Ok(if summary.failed == 0 { OK } else { FAILED })
}

/// Returns what starts a process that compiles nodes.
pub(crate) fn worker(program: &Command, arguments: &[OsString], folder: &Path) -> Command {
    let mut command = Command::new(program.get_program());
    command.args(program.get_args()).args(arguments).arg("--worker").arg(folder);
    command
}

fn bar(is_terminal: bool, length: usize) -> ProgressBar {
    if !is_terminal {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length as u64);
    bar.enable_steady_tick(TICK);
    match ProgressStyle::with_template("{bar:40} {pos}/{len} nodes, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Reads which nodes there are. Of an export, facts are put into the directory `split`.
pub(crate) fn nodes(many: &Nodes, given: &Given, split: &Path) -> Result<Vec<Node>, Failure> {
    let Some(source) = &many.nodes else {
        return Err(Failure::Usage("--nodes: expected facts of nodes, or their names".to_owned()));
    };
    Ok(nodes::read(&nodes::Given {
        source,
        facts_for: many.facts_for.as_deref(),
        named_by_facts: many.named_by_facts,
        split,
        limits: &given.settings.bounds.limits(),
    })?)
}

/// How nodes are compiled.
pub(crate) struct Run {
    pub folder: Folder,
    pub shard: Shard,
    /// What all catalogs depend on.
    pub inputs: Digests,
    /// Catalogs that are taken over where they would be the same.
    pub earlier: Vec<Earlier>,
    pub is_terminal: bool,
    pub jobs: Option<usize>,
    pub resume: bool,
}

impl Run {
    /// Compiles the nodes that are not done yet.
    pub fn compile(
        &self,
        nodes: &[Node],
        command: &(dyn Fn() -> Command + Sync),
        err: &mut dyn Write,
    ) -> Result<Summary, Failure> {
        let started = Instant::now();
        let facts = puppetfn_fleet::facts(nodes);
        let Digests { all, options } = self.inputs.clone();
        let begun = Begun { nodes: nodes.len(), inputs: all, options };
        let mut journal = Journal::begin(&self.folder, self.shard, &begun, self.resume, &facts)?;
        let bar = bar(self.is_terminal, nodes.len());
        let mut summary = Summary::default();
        for outcome in journal.take_done() {
            bar.inc(1);
            summary.add(outcome);
        }
        let open = |journal: &Journal| -> Vec<Node> {
            nodes.iter().filter(|node| !journal.has(&node.name)).cloned().collect()
        };
        let mut same = 0;
        for earlier in &self.earlier {
            for outcome in journal.take_over(&self.folder, earlier, &open(&journal), &facts)? {
                same += 1;
                bar.inc(1);
                summary.add(outcome);
            }
        }
        let open = open(&journal);
        let processes = self.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get));
        let profile = Pool::new(processes).run(command, &open, &mut |process, answer| {
            let digest = facts.get(&answer.outcome.node);
            summary.add(journal.add(process, answer, digest)?);
            bar.inc(1);
            Ok(())
        })?;
        summary.profile = profile;
        bar.finish_and_clear();
        let seconds = started.elapsed().as_secs_f64();
        journal.end(seconds, summary.profile.clone())?;
        let (now, before) = (open.len(), nodes.len() - open.len() - same);
        let mut done = format!("Compiled {now} nodes in {seconds:.1} seconds in {processes} processes");
        if before > 0 {
            done += &format!("; {before} had been compiled before");
        }
        if same > 0 {
            done += &format!("; {same} have read nothing that is different");
        }
        log(err, LogLevel::Notice, &done);
        Ok(summary.finish())
    }
}

fn shard(many: &Many) -> Result<Shard, Failure> {
    let found = match many.shard.as_deref() {
        None => return Ok(Shard::ALL),
        Some("auto") => Shard::of_environment(&variable),
        Some(named) => named.parse(),
    };
    found.map_err(|failure| Failure::Usage(format!("--shard: {failure}")))
}

#[allow(
    clippy::disallowed_methods,
    reason = "what starts processes says there which part of the work each has"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Digests of what all catalogs depend on.
#[derive(Clone, Debug)]
pub(crate) struct Digests {
    /// Of code, data and options.
    pub all: String,
    /// Of the options, and what they name outside of the environment.
    pub options: String,
}

/// Returns digests of what all catalogs depend on. Facts and catalogs may be in the environment, which are neither code nor data.
pub(crate) fn inputs(given: &Given, others: &[Option<&Path>]) -> Result<Digests, Failure> {
    // What is wrong for all nodes is said once.
    given.refuse_nothing()?;
    let environment = given.environment(None)?;
    let mut inputs = options(given, &environment)?;
    let options = inputs.clone().finish();
    let directories = environment.directory.iter().chain(&environment.modulepath);
    let skipped: Vec<PathBuf> = others.iter().flatten().map(|path| expand(&absolute(path))).collect();
    // Modules are often in the environment.
    let is_apart = |path: &&PathBuf| {
        environment
            .directory
            .as_ref()
            .is_none_or(|directory| *path == directory || !path.starts_with(directory))
    };
    for directory in directories.filter(is_apart) {
        inputs.add_directory(directory, &skipped)?;
    }
    if let Some(manifest) = &given.manifest {
        inputs.add_file(manifest)?;
    }
    Ok(Digests { all: inputs.finish(), options })
}

fn options(given: &Given, environment: &Environment) -> Result<Inputs, Failure> {
    let mut inputs = Inputs::default();
    let settings = &given.settings;
    let options =
        (&given.classes, &given.enc, &settings.strict, settings.no_strict_variables, settings.no_ruby);
    inputs.add(&format!("{} {:?} {options:?}", env!("CARGO_PKG_VERSION"), environment.name));
    // Where an environment is makes no difference, and where modules are in it does.
    let place = |path: &PathBuf| {
        let within = environment.directory.as_ref().and_then(|directory| path.strip_prefix(directory).ok());
        within.unwrap_or(path).to_string_lossy().into_owned()
    };
    let paths = environment.modulepath.iter().chain(&environment.manifest).map(place);
    paths.for_each(|path| inputs.add(&path));
    inputs.add(&settings.no_outside_files.to_string());
    let enc = given.enc.as_ref().map(PathBuf::from);
    for file in [&enc, &settings.hiera_config, &settings.trusted].into_iter().flatten() {
        inputs.add_file(file)?;
    }
    Ok(inputs)
}

/// Compiles the nodes that are named on standard input, a line of JSON each, and says in another what came of it.
pub(crate) fn work(
    given: &Given,
    folder: &Path,
    paths: Paths,
    host: &mut dyn Host,
    out: &mut dyn Write,
) -> Result<i32, Failure> {
    let folder = Folder::open(folder)?;
    profile::start();
    let mut profile = Profile::default();
    let mut worker = Worker { given, folder, paths, host, environments: HashMap::new(), told: 0 };
    for line in io::stdin().lock().lines() {
        let node: Node = serde_json::from_str(&line?).map_err(io::Error::from)?;
        let answer = worker.answer(&node)?;
        serde_json::to_writer(&mut *out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
        for Timing { part, name, count, time } in profile::take() {
            let kind = match part {
                Part::Class => "class",
                Part::DefinedType => "defined type",
                Part::Function => "function",
            };
            profile.add(format!("{kind} {name}"), Times { count, seconds: time.as_secs_f64() });
        }
    }
    serde_json::to_writer(&mut *out, &profile).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(OK)
}

/// How catalogs name files of the environment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paths {
    /// As Puppet does.
    Absolute,
    /// By their places in the environment: the same wherever that is.
    OfEnvironment,
}

/// A process that compiles nodes.
struct Worker<'a> {
    given: &'a Given,
    folder: Folder,
    paths: Paths,
    host: &'a mut dyn Host,
    /// What is known of environments, by their directories: that of all nodes, unless their classifier names others.
    environments: HashMap<Option<PathBuf>, Known>,
    /// How many questions about files were told of.
    told: usize,
}

/// An environment as it was when it was first read.
struct Known {
    read: Read,
    /// What a program says of it, which is run once.
    version: Option<Result<Value, Error>>,
    files: Option<Arc<Snapshot>>,
}

/// A catalog as it is kept.
struct Made {
    json: String,
    resources: usize,
}

impl Worker<'_> {
    /// Compiles a node, writes what came of it, and says on which files that depends.
    fn answer(&mut self, node: &Node) -> Result<Answer, Failure> {
        let mut directory = None;
        let mut outcome = self.outcome(node, &mut directory)?;
        let (_, usual) = self.given.name_and_directory(None)?;
        let is_usual = directory == usual;
        let known = self.environments.get(&directory).filter(|_| is_usual);
        let Some(files) = known.and_then(|known| known.files.as_ref()) else {
            return Ok(Answer { outcome, asked: Vec::new() });
        };
        outcome.reads = Some(Numbers::of(files.asked()));
        let asked: Vec<Question> = files.questions(self.told).into_iter().map(Question).collect();
        self.told += asked.len();
        Ok(Answer { outcome, asked })
    }

    /// Compiles a node, and writes what came of it. `directory` becomes that of its environment.
    fn outcome(&mut self, node: &Node, directory: &mut Option<PathBuf>) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let mut messages = Vec::new();
        let made = self.make(node, directory, &mut messages);
        let messages = String::from_utf8_lossy(&messages);
        let warnings = messages.lines().filter(|line| line.starts_with("Warning: ")).count();
        let seconds = || started.elapsed().as_secs_f64();
        let outcome = match made {
            Ok(Made { json, resources }) => {
                self.keep(Kind::Catalog, node, &json)?;
                self.folder.remove(Kind::Error, &node.name)?;
                let digest = Some(puppetfn_fleet::digest(json.as_bytes()));
                Outcome {
                    node: node.name.clone(),
                    facts: None,
                    seconds: seconds(),
                    resources,
                    digest,
                    warnings,
                    error: None,
                    reads: None,
                }
            }
            Err(failure) => {
                let mut problem = problem(&failure, &node.name);
                if let (Paths::OfEnvironment, Some(directory)) =
                    (self.paths, &self.given.settings.environment)
                {
                    problem.message = problem.message.replace(&format!("{}/", directory.display()), "");
                }
                self.keep(Kind::Error, node, &serde_json::to_string(&problem).map_err(io::Error::from)?)?;
                self.folder.remove(Kind::Catalog, &node.name)?;
                Outcome { warnings, ..Outcome::failed(&*node.name, seconds(), problem) }
            }
        };
        if messages.is_empty() {
            self.folder.remove(Kind::Messages, &node.name)?;
        } else {
            self.keep(Kind::Messages, node, &messages)?;
        }
        Ok(outcome)
    }

    fn keep(&self, kind: Kind, node: &Node, text: &str) -> Result<(), Failure> {
        Ok(self.folder.write(kind, &node.name, text.as_bytes())?)
    }

    fn make(
        &mut self,
        node: &Node,
        directory: &mut Option<PathBuf>,
        messages: &mut Vec<u8>,
    ) -> Result<Made, Failure> {
        let (given, environments) = (self.given, &mut self.environments);
        let plan = given.plan_in(&node.name, node.facts.as_deref(), messages, &mut |classified| {
            let (_, place) = given.name_and_directory(classified)?;
            directory.clone_from(&place);
            let known = match environments.entry(place) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(open) => {
                    open.insert(Known { read: given.read(classified)?, version: None, files: None })
                }
            };
            Ok(known.read.clone())
        })?;
        let Plan { options, mut request, environment } = plan;
        let mut version = 0.into();
        if let Some(known) = self.environments.get_mut(directory) {
            request.files = Some(known.files(&options));
            version = known.version(self.paths == Paths::Absolute && !self.given.no_config_version)?;
        }
        let (catalog, _) = catalog(self.host, &options, &request, messages)?;
        let uuid = identifier(&[&node.name, &environment.name]);
        let identity = Identity { environment: environment.name.clone(), version, code_id: None, uuid };
        let data = data(&catalog, &identity, &options, messages)?;
        let mut json = to_json_text(&data, &options.limits)?;
        if let (Paths::OfEnvironment, Some(directory)) = (self.paths, &environment.directory) {
            json = without_directory(&json, directory);
        }
        Ok(Made { json, resources: catalog.resources().count() })
    }
}

impl Known {
    /// Returns the files of the environment for one more catalog. All depend on the main manifest, which was read before.
    fn files(&mut self, options: &Options) -> Arc<Snapshot> {
        let directory = self.read.environment.directory.clone().unwrap_or_default();
        let files =
            self.files.get_or_insert_with(|| Arc::new(Snapshot::new(options.file_system(), directory)));
        files.begin();
        if let Some(manifest) = &self.read.environment.manifest {
            files.note(snapshot::Kind::Tree, manifest);
        }
        Arc::clone(files)
    }

    /// Returns the version of the code. Where no command says it, it is always the same: catalogs of the same code are.
    fn version(&mut self, may_ask: bool) -> Result<Value, Error> {
        if !may_ask || self.read.environment.config_version.as_deref().is_none_or(str::is_empty) {
            return Ok(0.into());
        }
        self.version.get_or_insert_with(|| version(&self.read.environment, may_ask)).clone()
    }
}

/// Returns the JSON of a catalog that does not say where the environment was.
fn without_directory(json: &str, directory: &Path) -> String {
    let directory = Json::from(directory.to_string_lossy()).to_string();
    let directory = directory.trim_matches('"');
    json.replace(&format!("\"file\":\"{directory}/"), "\"file\":\"")
        .replace(directory, "$environment_directory")
}

/// Returns why a node has no catalog, without its name, so that the same reason is known again on another node.
fn problem(failure: &Failure, node: &str) -> Problem {
    let message = match failure {
        Failure::Function(error) | Failure::Advised(error, _) => error.to_string(),
        Failure::Usage(message) => message.clone(),
        Failure::Output(error) => error.to_string(),
    };
    Problem { message: message.strip_suffix(&format!(" on node {node}")).unwrap_or(&message).to_owned() }
}
