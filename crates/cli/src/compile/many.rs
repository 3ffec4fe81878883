//! Catalogs of many nodes: which there are, and processes of ours that compile them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use puppetfn_base::file_system::FileSystem;
use puppetfn_fleet::nodes::{self, Node};
use puppetfn_fleet::{Begun, Folder, Inputs, Journal, Now, Pool, Shard, Start, Summary};
use puppetfn_project::{Environment, absolute, expand};
use puppetfn_types::function::LogLevel;
use puppetfn_types::value::Hash;

use super::log;
use crate::args::compile::{Compile, Given};
use crate::args::fleet::{Many, Nodes};
use crate::settings::SettingSources;
use crate::{FAILED, Failure, Host, OK, advice, complain};

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
        basis: Basis::of(&compile.given, &[compile.many.nodes.nodes.as_deref(), compile.out.as_deref()])?,
        others: Vec::new(),
        is_terminal: host.terminals().err,
        jobs: compile.many.nodes.jobs,
        start: if compile.many.resume { Start::Resumed } else { Start::New },
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
    pub basis: Basis,
    /// Catalogs of other states, which are taken over where they would be the same: those first that have most in common.
    pub others: Vec<Folder>,
    pub is_terminal: bool,
    pub jobs: Option<NonZero<usize>>,
    pub start: Start,
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
        let Basis { inputs, options, files, root, .. } = &self.basis;
        let facts = puppetfn_fleet::facts(nodes);
        let now = Now { facts: &facts, files: &**files, root };
        let begun = Begun { nodes: nodes.len(), inputs: inputs.clone(), options: options.clone() };
        let mut journal = Journal::begin(&self.folder, self.shard, &begun, self.start, now)?;
        let bar = bar(self.is_terminal, nodes.len());
        let mut summary = Summary::default();
        let mut add = |outcome| {
            bar.inc(1);
            summary.add(outcome);
        };
        journal.take_done().into_iter().for_each(&mut add);
        let open = |journal: &Journal| -> Vec<Node> {
            nodes.iter().filter(|node| !journal.has(&node.name)).cloned().collect()
        };
        let before = nodes.len() - open(&journal).len();
        for other in &self.others {
            let open = open(&journal);
            if open.is_empty() {
                break;
            }
            journal.take_over(&self.folder, other, &open, now)?.into_iter().for_each(&mut add);
        }
        let open = open(&journal);
        let processes = self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
        let profile = Pool::new(processes).run(command, &open, &mut |process, answer| {
            let digest = facts.get(&answer.outcome.node);
            add(journal.add(process, answer, digest)?);
            Ok(())
        })?;
        summary.profile = profile;
        bar.finish_and_clear();
        let seconds = started.elapsed().as_secs_f64();
        journal.end(seconds, summary.profile.clone())?;
        let (now, same) = (open.len(), nodes.len() - open.len() - before);
        let mut done = format!("Compiled {now} nodes in {seconds:.1} seconds in {processes} processes");
        if before > 0 {
            done += &format!("; {before} had been compiled before");
        }
        if same > 0 {
            done += &format!("; {same} have read nothing that is different");
        }
        log(err, LogLevel::Notice, &done);
        let summary = summary.finish();
        let advice =
            summary.problems.iter().filter_map(|affected| advice::of_message(&affected.problem.message));
        for advice in advice.collect::<BTreeSet<_>>() {
            complain(err, &format!("help: {advice}"));
        }
        Ok(summary)
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

/// What all catalogs depend on.
pub(crate) struct Basis {
    /// The digest of code, data and options.
    pub inputs: String,
    /// That of the options, and of what they name outside of the environment.
    pub options: String,
    pub files: Arc<dyn FileSystem>,
    /// The directory of the environment, empty if there is none.
    pub root: PathBuf,
    pub modulepath: Vec<PathBuf>,
}

impl Basis {
    /// Reads the environment, and all that is in it. Facts and catalogs may be there, which are neither code nor data: `others`.
    pub fn of(given: &Given, others: &[Option<&Path>]) -> Result<Self, Failure> {
        // What is wrong for all nodes is said once.
        given.refuse_nothing()?;
        let environment = given.environment(None)?;
        let mut inputs = options(given, &environment)?;
        let options = inputs.clone().finish();
        let files = given.file_system(&environment)?;
        let Environment { directory, modulepath, .. } = environment;
        let skipped: Vec<PathBuf> = others.iter().flatten().map(|path| expand(&absolute(path))).collect();
        // Modules are often in the environment.
        let is_apart = |path: &&PathBuf| directory.as_ref().is_none_or(|root| !path.starts_with(root));
        for path in directory.iter().chain(modulepath.iter().filter(is_apart)).chain(&given.manifest) {
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
    let sources = settings.sources()?;
    let SettingSources { may_execute, hides_secrets, .. } = sources;
    inputs.add(&format!("{:?} {may_execute} {hides_secrets}", sources.with(&Hash::default())));
    let enc = given.enc.as_ref().map(PathBuf::from);
    for file in [&enc, &settings.hiera_config, &settings.trusted].into_iter().flatten() {
        inputs.add_file(file)?;
    }
    Ok(inputs)
}
