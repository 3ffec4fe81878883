//! Catalogs of many nodes.

use std::collections::BTreeSet;
use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use puppetfn_compile::{BatchRequest, FleetSummary, LogEntry, Observer};
use puppetfn_types::function::LogLevel;

use crate::args::compile::CompileArgs;
use crate::{CommandFailure, CommandHost, FAILED, OK, advice, complain};

/// The interval at which the progress bar is drawn while no node is finished.
const TICK: Duration = Duration::from_millis(500);

/// Compiles the catalogs of many nodes in processes.
pub(super) fn run(
    compile: &CompileArgs,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let many = &compile.many;
    let missing =
        |option: &str, expected: &str| CommandFailure::Usage(format!("{option}: expected {expected}"));
    let request = BatchRequest {
        configuration: compile.configuration()?,
        nodes: many.nodes.source().ok_or_else(|| missing("--nodes", "facts of nodes, or their names"))?,
        out: compile.out.clone().ok_or_else(|| missing("--out", "the directory for the catalogs"))?,
        shard: many.shard.clone(),
        jobs: many.nodes.jobs,
        resume: many.resume,
    };
    let mut progress = Progress::new(host.terminals().err, err);
    let result = request.compile(&host.worker()?, &mut progress)?;
    progress.log(LogEntry::new(LogLevel::Notice, result.to_string()));
    progress.failed(&result.summary);
    write!(out, "{}", result.summary)?;
    Ok(if result.summary.failed == 0 { OK } else { FAILED })
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

    fn failed(&mut self, summary: &FleetSummary) {
        let problems = summary.problems.iter();
        let advice: BTreeSet<_> =
            problems.filter_map(|affected| advice::of_message(&affected.problem.message)).collect();
        advice.into_iter().for_each(|advice| complain(self.err, &format!("help: {advice}")));
    }
}
