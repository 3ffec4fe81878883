//! Catalogs of many nodes.

use std::collections::BTreeSet;
use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use puppetfn_compile::{Batch, LogEntry, Observer};
use puppetfn_fleet::{Folder, Shard, Start, Summary};
use puppetfn_types::function::LogLevel;

use crate::args::compile::Compile;
use crate::args::fleet::Many;
use crate::{FAILED, Failure, Host, OK, advice, complain};

/// How often the bar of a terminal is drawn while nothing is done.
const TICK: Duration = Duration::from_millis(500);

/// Compiles the catalogs of many nodes in processes.
pub(super) fn run(
    compile: &Compile,
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    let Some(directory) = &compile.out else {
        return Err(Failure::Usage("--out: expected the directory that catalogs are put into".to_owned()));
    };
    let (configuration, many) = (compile.given.configuration(), &compile.many);
    let folder = Folder::create(directory)?;
    let shard = shard(many)?;
    let Some(source) = many.nodes.source() else {
        return Err(Failure::Usage("--nodes: expected facts of nodes, or their names".to_owned()));
    };
    let mut nodes = source.read(&folder.root().join("facts"), &configuration.limits)?;
    nodes.retain(|node| shard.contains(&node.name));
    let mut batch = Batch::new(&configuration, folder, Some(&source.source))?;
    batch.shard = shard;
    batch.jobs = many.nodes.jobs;
    batch.start = if many.resume { Start::Resumed } else { Start::New };
    let mut progress = Progress::new(host.terminals().err, err);
    let result = batch.compile(&configuration, &nodes, host, &mut progress)?;
    progress.log(LogEntry::new(LogLevel::Notice, result.to_string()));
    progress.failed(&result.summary);
    write!(out, "{}", result.summary)?;
    Ok(if result.summary.failed == 0 { OK } else { FAILED })
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

/// Prints messages, and on a terminal how many nodes are done.
pub(crate) struct Progress<'a> {
    is_terminal: bool,
    bar: ProgressBar,
    err: &'a mut dyn Write,
}

impl<'a> Progress<'a> {
    /// Returns one that has not begun.
    pub fn new(is_terminal: bool, err: &'a mut dyn Write) -> Self {
        Self { is_terminal, bar: ProgressBar::hidden(), err }
    }
}

impl Observer for Progress<'_> {
    fn log(&mut self, entry: LogEntry) {
        complain(self.err, &entry.to_string());
    }

    fn begin(&mut self, nodes: usize) {
        if !self.is_terminal {
            return;
        }
        self.bar = ProgressBar::new(nodes as u64);
        self.bar.enable_steady_tick(TICK);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} nodes, {eta} left") {
            self.bar.set_style(style);
        }
    }

    fn advance(&mut self) {
        self.bar.inc(1);
    }

    fn end(&mut self) {
        self.bar.finish_and_clear();
    }

    fn failed(&mut self, summary: &Summary) {
        let problems = summary.problems.iter();
        let advice: BTreeSet<_> =
            problems.filter_map(|affected| advice::of_message(&affected.problem.message)).collect();
        advice.into_iter().for_each(|advice| complain(self.err, &format!("help: {advice}")));
    }
}
