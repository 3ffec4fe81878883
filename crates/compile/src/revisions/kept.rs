//! Sides that have to be compiled.
#![allow(clippy::disallowed_methods, reason = "the user names the directory of cached catalogs")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use puppetfn_fleet::{FleetNode, Folder, Shard, StartMode};
use puppetfn_types::function::LogLevel;

use super::Revisions;
use crate::batch::{Batch, SharedInputs};
use crate::worker::PathStyle;
use crate::{CompileFailure, LogEntry, Observer};

/// Number of cached revisions searched for reusable catalogs, newest first.
const LOOKED_INTO: usize = 8;

/// Compiles the nodes of one side after the other.
pub(super) struct SideCompiler<'a> {
    revisions: &'a Revisions,
    nodes: Vec<FleetNode>,
    /// Catalogs of other revisions, beginning with the ones that are likely to have most in common.
    known: Vec<Folder>,
}

impl<'a> SideCompiler<'a> {
    pub fn new(revisions: &'a Revisions, nodes: Vec<FleetNode>) -> Self {
        let known = revisions.cache.as_deref().map(kept).unwrap_or_default();
        Self { revisions, nodes, known }
    }

    /// Returns the catalogs of a side, cached and newly compiled ones, and the modulepath of its environment.
    pub fn compile(
        &mut self,
        environment: &Path,
        modulepath: Option<Vec<PathBuf>>,
        scratch: PathBuf,
        worker: &Command,
        observer: &mut dyn Observer,
    ) -> Result<(Folder, Vec<PathBuf>), CompileFailure> {
        let Self { revisions, nodes, known } = self;
        let mut configuration = revisions.configuration.in_environment(environment);
        if let Some(modulepath) = modulepath {
            configuration.modulepath = modulepath;
        }
        let source = revisions.nodes.as_ref().map(|nodes| &*nodes.source);
        let basis = SharedInputs::of(&configuration, &[source, revisions.cache.as_deref()])?;
        let directory = match &revisions.cache {
            Some(cache) => cache.join(basis.inputs.get(..32).unwrap_or(&basis.inputs)),
            None => scratch,
        };
        let folder = Folder::create(directory)?;
        let others = known.iter().filter(|known| !revisions.compile_all && **known != folder);
        let batch = Batch {
            others: others.take(LOOKED_INTO).cloned().collect(),
            all_nodes: None,
            folder,
            shard: Shard::ALL,
            basis,
            jobs: revisions.jobs,
            start: if revisions.compile_all { StartMode::Again } else { StartMode::Resumed },
            paths: PathStyle::OfEnvironment,
        };
        let result = batch.compile(&configuration, nodes, worker, observer)?;
        observer.log(LogEntry::new(LogLevel::Notice, result.to_string()));
        observer.failed(&result.summary);
        known.insert(0, batch.folder.clone());
        Ok((batch.folder, batch.basis.modulepath))
    }
}

/// Returns the folders of catalogs that are kept in a directory, the latest first.
fn kept(cache: &Path) -> Vec<Folder> {
    let folders = fs::read_dir(cache).into_iter().flatten().filter_map(|entry| {
        let path = entry.ok()?.path();
        let changed = fs::metadata(path.join("parts")).and_then(|parts| parts.modified());
        Some((changed.unwrap_or(SystemTime::UNIX_EPOCH), Folder::open(path).ok()?))
    });
    let mut folders: Vec<(SystemTime, Folder)> = folders.collect();
    folders.sort_by_key(|(changed, _)| std::cmp::Reverse(*changed));
    folders.into_iter().map(|(_, folder)| folder).collect()
}
