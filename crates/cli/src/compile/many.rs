//! Catalogs of many nodes: processes of ours that each compile one after the other.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use puppetfn_base::error::Error;
use puppetfn_fleet::nodes::{self, Node};
use puppetfn_fleet::{
    Begun, Folder, Inputs, Journal, Kind, Outcome, Pool, Problem, Profile, Shard, Summary, Times, identifier,
};
use puppetfn_project::{Environment, absolute, expand};
use puppetfn_runtime::catalog::data::Identity;
use puppetfn_runtime::eval::profile::{self, Part, Timing};
use puppetfn_types::convert::to_json_text;
use puppetfn_types::function::LogLevel;
use puppetfn_types::value::Value;
use serde_json::Value as Json;

use super::{Plan, catalog, data, log, version};
use crate::args::compile::{Compile, Given};
use crate::args::fleet::{Many, Nodes};
use crate::{FAILED, Failure, Host, OK};

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
    /// The digest of what all catalogs depend on.
    pub inputs: String,
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
        let begun = Begun { nodes: nodes.len(), inputs: self.inputs.clone() };
        let mut journal = Journal::begin(&self.folder, self.shard, &begun, self.resume, &facts)?;
        let bar = bar(self.is_terminal, nodes.len());
        let mut summary = Summary::default();
        for outcome in journal.take_done() {
            bar.inc(1);
            summary.add(outcome);
        }
        let open: Vec<Node> = nodes.iter().filter(|node| !journal.has(&node.name)).cloned().collect();
        let processes = self.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get));
        let profile = Pool::new(processes).run(command, &open, &mut |mut outcome| {
            outcome.facts = facts.get(&outcome.node).cloned();
            journal.add(&outcome)?;
            bar.inc(1);
            summary.add(outcome);
            Ok(())
        })?;
        summary.profile = profile;
        bar.finish_and_clear();
        let seconds = started.elapsed().as_secs_f64();
        journal.end(seconds, summary.profile.clone())?;
        let (now, before) = (open.len(), nodes.len() - open.len());
        let mut done = format!("Compiled {now} nodes in {seconds:.1} seconds in {processes} processes");
        if before > 0 {
            done += &format!("; {before} had been compiled before");
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

/// Returns a digest of what all catalogs depend on: code, data and options. Facts and catalogs may be in the environment, which are
/// neither.
pub(crate) fn inputs(given: &Given, others: &[Option<&Path>]) -> Result<String, Failure> {
    // What is wrong for all nodes is said once.
    given.refuse_nothing()?;
    let environment = given.environment(None)?;
    let mut inputs = Inputs::default();
    let settings = &given.settings;
    let options =
        (&given.classes, &given.enc, &settings.strict, settings.no_strict_variables, settings.no_ruby);
    inputs.add(&format!("{} {:?} {options:?}", env!("CARGO_PKG_VERSION"), environment.name));
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
    let enc = given.enc.as_ref().map(PathBuf::from);
    for file in [&enc, &given.manifest, &settings.hiera_config, &settings.trusted].into_iter().flatten() {
        inputs.add_file(file)?;
    }
    Ok(inputs.finish())
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
    let mut worker = Worker { given, folder, paths, host, versions: HashMap::new() };
    for line in io::stdin().lock().lines() {
        let node: Node = serde_json::from_str(&line?).map_err(io::Error::from)?;
        let outcome = worker.outcome(&node)?;
        serde_json::to_writer(&mut *out, &outcome).map_err(io::Error::from)?;
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
    /// The versions of environments, which a program is asked for once.
    versions: HashMap<Option<PathBuf>, Result<Value, Error>>,
}

/// A catalog as it is kept.
struct Made {
    json: String,
    resources: usize,
}

impl Worker<'_> {
    /// Compiles a node, and writes what came of it.
    fn outcome(&mut self, node: &Node) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let mut messages = Vec::new();
        let made = self.make(node, &mut messages);
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

    fn make(&mut self, node: &Node, messages: &mut Vec<u8>) -> Result<Made, Failure> {
        let Plan { options, request, environment } =
            self.given.plan(&node.name, node.facts.as_deref(), messages)?;
        let version = self.version(&environment)?;
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

    /// Returns the version of the code. Where no command says it, it is always the same: catalogs of the same code are.
    fn version(&mut self, environment: &Environment) -> Result<Value, Error> {
        let may_ask = !self.given.no_config_version;
        if !may_ask || environment.config_version.as_deref().is_none_or(str::is_empty) {
            return Ok(0.into());
        }
        let known = self.versions.entry(environment.directory.clone());
        known.or_insert_with(|| version(environment, may_ask)).clone()
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
