//! Catalogs that need not be compiled again.

use std::collections::HashMap;
use std::path::Path;

use puppetfn_base::file_system::FileSystem;

use crate::reads::{Changed, Reads};
use crate::{Folder, Outcome, Result, Shard, journal};

/// Catalogs of another state of the same code and data. What a node has read there says whether its catalog is the same now.
#[derive(Debug)]
pub struct Earlier {
    folder: Folder,
    done: HashMap<String, Outcome>,
    reads: Reads,
    changed: Changed,
}

impl Earlier {
    /// Finds out which catalogs of a folder would be the same with other files, in which the environment is in the directory `root`.
    /// There are none if they were compiled with other options than those of which `options` is the digest.
    ///
    /// # Errors
    /// When the folder has a journal that cannot be read.
    pub fn of(folder: Folder, options: &str, files: &dyn FileSystem, root: &Path) -> Result<Option<Self>> {
        let written = journal::read(&folder, Shard::ALL)?;
        let written = written.filter(|written| written.begun.options == options);
        Ok(written.map(|written| {
            let changed = Changed::of(&written.reads, files, root);
            let done = written.done.into_iter().map(|outcome| (outcome.node.clone(), outcome)).collect();
            Self { folder, done, reads: written.reads, changed }
        }))
    }

    /// Returns where the catalogs are.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(crate) fn reads(&self) -> &Reads {
        &self.reads
    }

    /// Returns what came of a node, if it has a catalog and nothing that this depends on is another now. `facts` is the digest of its
    /// facts.
    pub fn outcome(&self, node: &str, facts: Option<&String>) -> Option<&Outcome> {
        let outcome = self.done.get(node)?;
        let is_known = outcome.error.is_none() && outcome.facts.as_ref() == facts;
        let reads = outcome.reads.as_ref().filter(|_| is_known)?;
        (!self.changed.concerns(reads)).then_some(outcome)
    }
}
