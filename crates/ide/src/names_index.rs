//! The index of names. It is updated lazily, as diagnostics do not need it.

use std::collections::BTreeMap;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::source::AnalyzedText;
use puppetfn_index::{FileIndex, Index};

/// An index of the names in all texts.
#[derive(Debug, Default)]
pub(crate) struct NamesIndex {
    /// The current index; unset after a change, until the next request.
    current: OnceLock<Index>,
    /// The index before the changes.
    previous: Mutex<Index>,
    changes: BTreeMap<PathBuf, IndexUpdate>,
}

/// A change of a text since the last update.
#[derive(Debug)]
enum IndexUpdate {
    Code(Arc<AnalyzedText>),
    /// The names of a text that is not code.
    Names(Arc<FileIndex>),
    Removed,
}

impl NamesIndex {
    /// Records a text of code.
    pub fn set_code(&mut self, path: &Path, source: Arc<AnalyzedText>) {
        self.change(path, IndexUpdate::Code(source));
    }

    /// Records the names in a text that is not code.
    pub fn set(&mut self, path: &Path, names: Arc<FileIndex>) {
        self.change(path, IndexUpdate::Names(names));
    }

    /// Removes a text.
    pub fn remove(&mut self, path: &Path) {
        self.change(path, IndexUpdate::Removed);
    }

    fn change(&mut self, path: &Path, change: IndexUpdate) {
        if let Some(index) = self.current.take() {
            *self.previous.get_mut().unwrap_or_else(PoisonError::into_inner) = index;
            self.changes.clear();
        }
        self.changes.insert(path.to_owned(), change);
    }

    /// Returns the current index.
    pub fn get(&self) -> &Index {
        self.current.get_or_init(|| {
            let mut index = mem::take(&mut *self.previous.lock().unwrap_or_else(PoisonError::into_inner));
            for (path, change) in &self.changes {
                match change {
                    IndexUpdate::Code(source) => index.set(path, Arc::clone(source.index())),
                    IndexUpdate::Names(names) => index.set(path, Arc::clone(names)),
                    IndexUpdate::Removed => index.remove(path),
                }
            }
            index
        })
    }
}
