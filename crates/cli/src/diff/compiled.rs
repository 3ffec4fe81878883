//! Sides that have to be compiled.
#![allow(clippy::disallowed_methods, reason = "the user names the directory of kept catalogs")]

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use puppetfn_fleet::{Folder, Node, Shard, Start};

use super::side::arguments;
use crate::args::diff::Diff;
use crate::compile::many::{self, Basis, Run};
use crate::{Failure, Host};

/// In how many states that are kept it is looked for catalogs that would be the same, the latest first.
const LOOKED_INTO: usize = 8;

/// Has the nodes of one side after the other compiled.
pub(super) struct Compiler<'a> {
    diff: &'a Diff,
    given: &'a [OsString],
    nodes: Vec<Node>,
    /// Catalogs of other states, those first that are likely to have most in common.
    known: Vec<Folder>,
}

impl<'a> Compiler<'a> {
    pub fn new(diff: &'a Diff, given: &'a [OsString], nodes: Vec<Node>) -> Self {
        let known = diff.cache.as_deref().map(kept).unwrap_or_default();
        Self { diff, given, nodes, known }
    }

    /// Returns the catalogs of a side, those that are kept and those that are compiled now, and where its modules are.
    pub fn compile(
        &mut self,
        environment: &Path,
        modulepath: Option<Vec<PathBuf>>,
        scratch: PathBuf,
        host: &mut dyn Host,
        err: &mut dyn Write,
    ) -> Result<(Folder, Vec<PathBuf>), Failure> {
        let Self { diff, nodes, known, .. } = self;
        let mut given = diff.given.in_environment(environment);
        let modulepath = modulepath.map(|paths| env::join_paths(paths).unwrap_or_default());
        if let Some(modulepath) = &modulepath {
            given.settings.modulepath = vec![modulepath.clone()];
        }
        let basis = Basis::of(&given, &[diff.nodes.nodes.as_deref(), diff.cache.as_deref()])?;
        let directory = match &diff.cache {
            Some(cache) => cache.join(basis.inputs.get(..32).unwrap_or(&basis.inputs)),
            None => scratch,
        };
        let folder = Folder::create(directory)?;
        let others = known.iter().filter(|known| !diff.compile_all && **known != folder);
        let run = Run {
            others: others.take(LOOKED_INTO).cloned().collect(),
            folder,
            shard: Shard::ALL,
            basis,
            is_terminal: host.terminals().err,
            jobs: diff.nodes.jobs,
            start: if diff.compile_all { Start::Again } else { Start::Resumed },
        };
        let program = host.command()?;
        let name = given.environment_name.as_deref().unwrap_or_default();
        let arguments = arguments(self.given, name, environment, modulepath.as_ref());
        run.compile(nodes, &|| many::worker(&program, &arguments, run.folder.root()), err)?;
        known.insert(0, run.folder.clone());
        Ok((run.folder, run.basis.modulepath))
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
