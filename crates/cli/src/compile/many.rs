//! Catalogs of many nodes: which there are, and processes of ours that compile them.

use std::ffi::OsString;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use puppetfn_fleet::nodes::{self, Node};
use puppetfn_fleet::{Begun, Earlier, Folder, Inputs, Journal, Pool, Shard, Summary};
use puppetfn_project::{Environment, absolute, expand};
use puppetfn_types::function::LogLevel;

use super::log;
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
