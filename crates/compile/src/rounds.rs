//! Compiles nodes again until the exported resources that they collect, and the answers to their queries, no longer change.
#![allow(clippy::disallowed_methods, reason = "the user names the folder that the index is in")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use puppetfn_fleet::{
    FleetNode, FleetSummary, Folder, NodeOutcome, ProcessPool, ResultFileKind, Shard, TimeProfile,
    WorkerResponse,
};
use puppetfn_puppetdb::{IndexWriter, QueryEngine, Store};

use crate::exports::{self, export_resources, is_stale};
use crate::queries::{self, QueryData, index_resources, write_nodes};
use crate::worker::WorkerJob;
use crate::{CompileFailure, Configuration, Observer};

/// The number of times that the nodes are compiled at most.
const MOST_ROUNDS: usize = 10;
/// The number of nodes that a message names.
const NAMED: usize = 3;

/// The origin of exported resources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExportOrigin {
    /// There are none: Puppet's setting `storeconfigs` is off.
    Off,
    /// [`Configuration::exports`].
    Kept,
    /// A live PuppetDB.
    Live,
    /// The other nodes.
    Nodes,
}

impl ExportOrigin {
    /// Returns the origin for a shard. The nodes of other shards are not there, so nothing is collected from a part of the nodes.
    pub fn of(configuration: &Configuration, shard: Shard) -> Self {
        if !configuration.exports.is_empty() {
            Self::Kept
        } else if configuration.uses_live_puppetdb() {
            Self::Live
        } else if shard == Shard::ALL {
            Self::Nodes
        } else {
            Self::Off
        }
    }
}

/// A directory that is removed in the end. One that a killed process leaves behind is removed by `merge`.
struct TemporaryDirectory(PathBuf);

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        // It may not have been made.
        _ = fs::remove_dir_all(&self.0);
    }
}

/// The outcomes so far, by the names of the nodes. A node that is compiled again has its last one.
#[derive(Default)]
pub(crate) struct OutcomesByNode(BTreeMap<String, NodeOutcome>);

impl Extend<NodeOutcome> for OutcomesByNode {
    fn extend<I: IntoIterator<Item = NodeOutcome>>(&mut self, outcomes: I) {
        // Questions about files can be many, and are in the journal.
        let outcomes = outcomes.into_iter().map(|outcome| NodeOutcome { reads: None, ..outcome });
        self.0.extend(outcomes.map(|outcome| (outcome.node.clone(), outcome)));
    }
}

impl OutcomesByNode {
    pub fn into_summary(self) -> FleetSummary {
        let mut summary = FleetSummary::default();
        self.0.into_values().for_each(|outcome| summary.add(outcome));
        summary
    }

    /// Returns true if a node has collected exported resources, or queried PuppetDB.
    fn has_asked(&self, node: &FleetNode) -> bool {
        let asked = |outcome: &NodeOutcome| !outcome.collected.is_empty() || !outcome.queried.is_empty();
        self.0.get(&node.name).is_some_and(asked)
    }

    /// Returns the nodes whose collectors or queries would get other answers now.
    fn stale(&self, nodes: &[FleetNode], answers: &Answers) -> Result<Vec<FleetNode>, CompileFailure> {
        let mut stale = Vec::new();
        for node in nodes {
            let Some(outcome) = self.0.get(&node.name) else { continue };
            let collects_others = match &answers.exports {
                Some(store) => is_stale(outcome, store)?,
                None => false,
            };
            if collects_others
                || answers.queries.as_ref().is_some_and(|engine| queries::is_stale(&outcome.queried, engine))
            {
                stale.push(node.clone());
            }
        }
        Ok(stale)
    }

    /// Returns true if a query of a node reads catalogs.
    fn queries_catalogs(&self) -> bool {
        self.0.values().any(|outcome| outcome.queried.iter().any(|query| query.reads_catalogs))
    }
}

/// The sources of answers to collectors and queries.
struct Answers {
    exports: Option<Store>,
    /// `None` for a live PuppetDB, whose answers are taken as they come.
    queries: Option<QueryEngine>,
}

/// The compilation of the nodes of a batch in worker processes.
///
/// All nodes of a round collect the resources exported in earlier rounds, so that catalogs do not depend on the order of compilation. In the
/// first round these are the exports of catalogs from an earlier run.
pub(crate) struct CompileRounds<'a> {
    pub folder: &'a Folder,
    pub exports: ExportOrigin,
    pub job: WorkerJob,
    pub processes: usize,
    pub worker: &'a Command,
    /// The nodes of all shards.
    pub all_nodes: &'a [FleetNode],
    pub shard: Shard,
}

impl CompileRounds<'_> {
    /// Compiles the open nodes, then again the nodes whose collectors or queries would get other answers. `record` gets each answer with
    /// the number of its process, and returns the outcome. Returns the times of all processes.
    ///
    /// # Errors
    /// Fails if a process cannot be started, a file cannot be read or written, or nodes are still to be compiled again after
    /// [`MOST_ROUNDS`] rounds.
    pub fn run(
        mut self,
        nodes: &[FleetNode],
        open: Vec<FleetNode>,
        done: &mut OutcomesByNode,
        observer: &mut dyn Observer,
        record: &mut dyn FnMut(usize, WorkerResponse) -> puppetfn_fleet::FleetResult<NodeOutcome>,
    ) -> Result<TimeProfile, CompileFailure> {
        let _temporary = [self.folder.export_index(), self.folder.resource_index(), self.folder.scratch()]
            .map(TemporaryDirectory);
        let mut profile = TimeProfile::default();
        let mut open = open;
        if self.exports == ExportOrigin::Live {
            // A mistake in the settings is one error, not one of each process.
            self.job.configuration.puppetdb_client()?;
            // PuppetDB may have other resources than when the kept catalogs were compiled.
            open.extend(nodes.iter().filter(|node| done.has_asked(node)).cloned());
        }
        let data = self.prepare(done)?;
        let mut answers = self.answers(&data)?;
        open.extend(done.stale(nodes, &answers)?);
        if self.job.keeps_resources {
            open.extend(nodes.iter().filter(|node| self.lacks_resources(node, done)).cloned());
        }
        open.sort_by(|a, b| a.name.cmp(&b.name));
        open.dedup_by(|a, b| a.name == b.name);
        for _ in 0..MOST_ROUNDS {
            profile.merge(self.round(&open, done, observer, record)?);
            let begins_to_keep =
                self.exports == ExportOrigin::Nodes && !self.job.keeps_resources && done.queries_catalogs();
            if begins_to_keep {
                // Only now is it known that code queries resources.
                self.job.keeps_resources = true;
                open = nodes.to_vec();
                continue;
            }
            answers = self.answers(&data)?;
            open = done.stale(nodes, &answers)?;
            if open.is_empty() {
                return Ok(profile);
            }
        }
        let named: Vec<&str> = open.iter().take(NAMED).map(|node| &*node.name).collect();
        let queries =
            |node: &FleetNode| done.0.get(&node.name).is_some_and(|outcome| !outcome.queried.is_empty());
        let subject = if open.iter().any(queries) { "answers to queries" } else { "exported resources" };
        Err(CompileFailure::setting(
            "",
            format!(
                "{subject} do not settle: after {MOST_ROUNDS} rounds, they still change for {} of {} nodes: {}",
                open.len(),
                nodes.len(),
                named.join(", ")
            ),
        ))
    }

    /// Returns the data of queries before the first round, with the sources that the user names.
    fn prepare(&mut self, done: &OutcomesByNode) -> Result<QueryData, CompileFailure> {
        let scratch = self.folder.scratch();
        let configuration = &self.job.configuration;
        let saved = QueryData::of_sources(&configuration.exports, &scratch, &configuration.limits)?;
        let file = scratch.join("nodes.jsonl");
        write_nodes(&file, self.all_nodes)?;
        if self.exports == ExportOrigin::Kept && !saved.open(configuration)?.has_resources() {
            self.exports = if self.shard == Shard::ALL { ExportOrigin::Nodes } else { ExportOrigin::Off };
        }
        let folder = (self.exports == ExportOrigin::Nodes).then(|| self.folder.root().to_owned());
        self.job.keeps_resources = self.exports == ExportOrigin::Nodes && done.queries_catalogs();
        Ok(saved.with_run(file, folder))
    }

    /// Returns true if a catalog was compiled by a run that kept no resources.
    fn lacks_resources(&self, node: &FleetNode, done: &OutcomesByNode) -> bool {
        let has_catalog = done.0.get(&node.name).is_some_and(|outcome| outcome.error.is_none());
        has_catalog && !self.folder.path(ResultFileKind::Resources, &node.name).is_file()
    }

    /// Writes the indexes of the catalogs so far, and returns their answers.
    fn answers(&mut self, data: &QueryData) -> Result<Answers, CompileFailure> {
        let configuration = &self.job.configuration;
        let limits = configuration.limits;
        let exports = match self.exports {
            ExportOrigin::Off | ExportOrigin::Live => None,
            // Saved resources do not change between rounds.
            ExportOrigin::Kept if self.job.exports.is_some() => {
                Some(Store::of_directory(self.folder.export_index(), limits))
            }
            ExportOrigin::Kept => match export_resources(&data.without_run(), configuration)? {
                Some(resources) => {
                    let mut writer = IndexWriter::create(self.folder.export_index())?;
                    resources.iter().try_for_each(|resource| writer.add(resource))?;
                    writer.finish()?;
                    Some(Store::of_directory(self.folder.export_index(), limits))
                }
                None => None,
            },
            ExportOrigin::Nodes => Some(exports::index(self.folder, limits)?),
        };
        let index = if self.job.keeps_resources { Some(index_resources(self.folder)?) } else { None };
        let data = data.with_index(index);
        let queries = (self.exports != ExportOrigin::Live).then(|| data.clone().engine(configuration));
        self.job.exports = exports.as_ref().map(|_| self.folder.export_index());
        self.job.queries = Some(data);
        Ok(Answers { exports, queries })
    }

    fn round(
        &self,
        nodes: &[FleetNode],
        done: &mut OutcomesByNode,
        observer: &mut dyn Observer,
        record: &mut dyn FnMut(usize, WorkerResponse) -> puppetfn_fleet::FleetResult<NodeOutcome>,
    ) -> Result<TimeProfile, CompileFailure> {
        let job = serde_json::to_string(&self.job).map_err(std::io::Error::from)?;
        let start = || again(self.worker);
        let ran = ProcessPool::new(self.processes).run(&start, &job, nodes, &mut |answer| {
            if let Some((process, answer)) = answer {
                observer.advance();
                done.extend([record(process, answer)?]);
            }
            observer.poll()
        });
        Ok(ran?)
    }
}

/// Returns the same command once more.
fn again(command: &Command) -> Command {
    let mut again = Command::new(command.get_program());
    again.args(command.get_args());
    again
}
