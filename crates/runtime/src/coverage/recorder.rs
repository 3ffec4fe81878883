//! Counters of evaluations.
#![allow(
    clippy::disallowed_methods,
    reason = "links to counted files are resolved: the user names these files"
)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::points::{Counter, CoveragePoints, points};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_syntax::{Mode, parse_with};

/// A file and the numbers of its evaluations.
#[derive(Debug)]
pub struct Counters {
    path: PathBuf,
    text: Arc<str>,
    points: CoveragePoints,
    counts: Box<[AtomicU64]>,
}

impl Counters {
    /// Returns the path of the file, without links in it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the text of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the counted parts of the file.
    pub fn points(&self) -> &CoveragePoints {
        &self.points
    }

    /// Returns how often a part was evaluated.
    pub fn count(&self, counter: Counter) -> u64 {
        self.counts.get(counter as usize).map_or(0, |count| count.load(Ordering::Relaxed))
    }

    /// Counts an evaluation.
    #[inline]
    pub(crate) fn hit(&self, counter: Counter) {
        if let Some(count) = self.counts.get(counter as usize) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The files whose evaluation is counted.
#[derive(Default, Debug)]
pub struct Recorder {
    files: Vec<Arc<Counters>>,
    by_path: HashMap<PathBuf, usize>,
    /// Paths that code was loaded from, with links in them; `None` for files that are not counted.
    seen: RwLock<HashMap<Box<str>, Option<usize>>>,
}

impl Recorder {
    /// Returns a recorder that counts nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, which is a template if its name ends in `.epp`.
    ///
    /// # Errors
    /// Fails if the text is not Puppet. Such a file is not counted.
    pub fn add(&mut self, path: PathBuf, text: impl Into<Arc<str>>, limits: &Limits) -> Result<(), Error> {
        let text = text.into();
        let is_template = path.extension().is_some_and(|extension| extension == "epp");
        let mode = Mode { tasks: false, template: is_template };
        let program = parse_with(&text, mode, limits);
        let points = points(&program.map_err(|error| error.in_file(&*path.to_string_lossy()))?, limits);
        let counts = (0..points.count()).map(|_| AtomicU64::new(0)).collect();
        self.by_path.insert(path.clone(), self.files.len());
        self.files.push(Arc::new(Counters { path, text, points, counts }));
        Ok(())
    }

    /// Returns the files in the order in which they were added.
    pub fn files(&self) -> &[Arc<Counters>] {
        &self.files
    }

    /// Returns the counters of a file that code is loaded from, if it is counted. A text that differs from the counted one,
    /// which only tests write, has other lines and is not counted.
    pub(crate) fn counters(&self, path: &str, text: &str) -> Option<&Arc<Counters>> {
        let file = self.files.get(self.index(path)?)?;
        (*file.text == *text).then_some(file)
    }

    fn index(&self, path: &str) -> Option<usize> {
        if let Some(known) = self.seen.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return *known;
        }
        let found = Path::new(path).canonicalize().ok().and_then(|real| self.by_path.get(&real).copied());
        self.seen.write().unwrap_or_else(PoisonError::into_inner).insert(path.into(), found);
        found
    }

    /// Returns the counts since the last call, by file, for another process that counts the same files.
    pub fn take(&self) -> Vec<Vec<u64>> {
        let take = |file: &Arc<Counters>| {
            file.counts.iter().map(|count| count.swap(0, Ordering::Relaxed)).collect::<Vec<_>>()
        };
        self.files.iter().map(take).collect()
    }

    /// Adds the counts of another process.
    pub fn merge(&self, counts: &[Vec<u64>]) {
        for (file, counts) in self.files.iter().zip(counts) {
            for (count, added) in file.counts.iter().zip(counts) {
                count.fetch_add(*added, Ordering::Relaxed);
            }
        }
    }
}
