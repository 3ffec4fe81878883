//! Compiles nodes again until the exported resources that they collect from each other no longer change.
#![allow(clippy::disallowed_methods, reason = "the user names the folder that the index is in")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use puppetfn_fleet::{Answer, Folder, Node, Outcome, Pool, Profile, Shard, Summary};
use puppetfn_puppetdb::{IndexWriter, Store};

use crate::exports::{self, is_stale};
use crate::worker::Job;
use crate::{Configuration, Failure, Observer};

/// The number of times that the nodes are compiled at most.
const MOST_ROUNDS: usize = 10;
/// The number of nodes that a message names.
const NAMED: usize = 3;

/// The origin of exported resources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exports {
    /// There are none: Puppet's setting `storeconfigs` is off.
    Off,
    /// [`Configuration::exports`].
    Kept,
    /// A live PuppetDB.
    Live,
    /// The other nodes.
    Nodes,
}

impl Exports {
    /// Returns the origin for a shard. The nodes of other shards are not there, so nothing is collected from a part of the nodes.
    pub fn of(configuration: &Configuration, shard: Shard) -> Self {
        match &configuration.exports {
            Some(_) => Self::Kept,
            None if configuration.uses_live_puppetdb() => Self::Live,
            None if shard == Shard::ALL => Self::Nodes,
            None => Self::Off,
        }
    }
}

/// A directory that is removed in the end. One that a killed process leaves behind is removed by `merge`.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // It may not have been made.
        _ = fs::remove_dir_all(&self.0);
    }
}

/// The outcomes so far, by the names of the nodes. A node that is compiled again has its last one.
#[derive(Default)]
pub(crate) struct Done(BTreeMap<String, Outcome>);

impl Extend<Outcome> for Done {
    fn extend<I: IntoIterator<Item = Outcome>>(&mut self, outcomes: I) {
        // Questions about files can be many, and are in the journal.
        let outcomes = outcomes.into_iter().map(|outcome| Outcome { reads: None, ..outcome });
        self.0.extend(outcomes.map(|outcome| (outcome.node.clone(), outcome)));
    }
}

impl Done {
    pub fn into_summary(self) -> Summary {
        let mut summary = Summary::default();
        self.0.into_values().for_each(|outcome| summary.add(outcome));
        summary
    }

    /// Returns true if a node has collected exported resources.
    fn has_collected(&self, node: &Node) -> bool {
        self.0.get(&node.name).is_some_and(|outcome| !outcome.collected.is_empty())
    }

    /// Returns the nodes whose collectors would get other answers now.
    fn stale(&self, nodes: &[Node], store: &Store) -> Result<Vec<Node>, Failure> {
        let mut stale = Vec::new();
        for node in nodes {
            if let Some(outcome) = self.0.get(&node.name)
                && is_stale(outcome, store)?
            {
                stale.push(node.clone());
            }
        }
        Ok(stale)
    }
}

/// The compilation of the nodes of a batch in worker processes.
///
/// All nodes of a round collect the resources exported in earlier rounds, so that catalogs do not depend on the order of compilation. In the
/// first round these are the exports of catalogs from an earlier run.
pub(crate) struct Rounds<'a> {
    pub folder: &'a Folder,
    pub exports: Exports,
    pub job: Job,
    pub processes: usize,
    pub worker: &'a Command,
}

impl Rounds<'_> {
    /// Compiles the open nodes, then again the nodes whose collectors would get other answers. `record` gets each answer with the number
    /// of its process, and returns the outcome. Returns the times of all processes.
    ///
    /// # Errors
    /// Fails if a process cannot be started, a file cannot be read or written, or nodes are still to be compiled again after
    /// [`MOST_ROUNDS`] rounds.
    pub fn run(
        mut self,
        nodes: &[Node],
        open: Vec<Node>,
        done: &mut Done,
        observer: &mut dyn Observer,
        record: &mut dyn FnMut(usize, Answer) -> puppetfn_fleet::Result<Outcome>,
    ) -> Result<Profile, Failure> {
        let _index = Temporary(self.folder.export_index());
        let mut profile = Profile::default();
        let mut open = open;
        let limits = self.job.configuration.limits;
        let mut index = match self.exports {
            Exports::Off | Exports::Live => None,
            Exports::Kept => {
                let mut writer = IndexWriter::create(self.folder.export_index())?;
                let resources = self.job.configuration.export_resources()?.unwrap_or_default();
                resources.iter().try_for_each(|resource| writer.add(resource))?;
                writer.finish()?;
                Some(Store::of_directory(self.folder.export_index(), limits))
            }
            Exports::Nodes => Some(exports::index(self.folder, limits)?),
        };
        self.job.exports = index.as_ref().map(|_| self.folder.export_index());
        if let Some(store) = &index {
            let known = done.stale(nodes, store)?;
            open.extend(known);
        } else if self.exports == Exports::Live {
            // A mistake in the settings is one error, not one of each process.
            self.job.configuration.puppetdb_client()?;
            // What PuppetDB has now is not known of kept catalogs.
            open.extend(nodes.iter().filter(|node| done.has_collected(node)).cloned());
        }
        for _ in 0..MOST_ROUNDS {
            profile.merge(self.round(&open, done, observer, record)?);
            if self.exports == Exports::Nodes {
                index = Some(exports::index(self.folder, limits)?);
            }
            let Some(store) = &index else { return Ok(profile) };
            open = done.stale(nodes, store)?;
            if open.is_empty() {
                return Ok(profile);
            }
        }
        let named: Vec<&str> = open.iter().take(NAMED).map(|node| &*node.name).collect();
        Err(Failure::setting(
            "",
            format!(
                "exported resources do not settle: after {MOST_ROUNDS} rounds, {} of {} nodes still collect others than in the round before: {}",
                open.len(),
                nodes.len(),
                named.join(", ")
            ),
        ))
    }

    fn round(
        &self,
        nodes: &[Node],
        done: &mut Done,
        observer: &mut dyn Observer,
        record: &mut dyn FnMut(usize, Answer) -> puppetfn_fleet::Result<Outcome>,
    ) -> Result<Profile, Failure> {
        let job = serde_json::to_string(&self.job).map_err(std::io::Error::from)?;
        let start = || again(self.worker);
        let ran = Pool::new(self.processes).run(&start, &job, nodes, &mut |answer| {
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
