//! Reuse of catalogs whose inputs have not changed.

use std::collections::HashMap;
use std::path::Path;

use puppetfn_base::file_system::FileSystem;

use crate::NodeOutcome;
use crate::reads::ReadTable;

/// The current inputs of catalogs, besides options.
#[derive(Clone, Copy)]
pub struct CurrentInputs<'a> {
    /// The digests of facts by the names of nodes.
    pub facts: &'a HashMap<String, String>,
    /// The files of the environment and of modules.
    pub files: &'a dyn FileSystem,
    /// The directory of the environment, which paths of questions are relative to; empty if there is none.
    pub root: &'a Path,
}

/// The questions of earlier catalogs, compared with the current inputs.
pub(crate) struct ReadComparison<'a> {
    now: CurrentInputs<'a>,
    /// The numbers of questions with another answer now, in order.
    different: Vec<usize>,
    /// The numbers of questions that may have another answer.
    unknown: Vec<usize>,
}

impl<'a> ReadComparison<'a> {
    pub fn new(reads: &ReadTable, now: CurrentInputs<'a>) -> Self {
        Self { now, different: reads.different(now.files, now.root), unknown: reads.unknown() }
    }

    /// Returns true unless a catalog's facts or files have changed. A node without a catalog is never the same.
    pub fn may_be_same(&self, outcome: &NodeOutcome) -> bool {
        let has_same_facts = self.now.facts.get(&outcome.node) == outcome.facts.as_ref();
        let is_different = outcome.reads.as_ref().is_some_and(|reads| reads.has_any(&self.different));
        outcome.error.is_none() && has_same_facts && !is_different
    }

    /// Returns true if none of the catalog's inputs changed.
    pub fn is_same(&self, outcome: &NodeOutcome) -> bool {
        self.may_be_same(outcome) && outcome.reads.as_ref().is_some_and(|reads| !reads.has_any(&self.unknown))
    }
}
