//! Files with changes that are not written yet.
#![allow(clippy::disallowed_methods, reason = "the user has these files changed")]

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::time::SystemTime;

use super::ProjectFailure;
use super::paths::absolute;
use puppetfn_base::file_system::{DirectoryEntry, FileSystem, StdFileSystem};
use puppetfn_base::limits::Limits;

/// The machine's files, some with another text.
#[derive(Debug)]
pub struct EditedFiles {
    base: StdFileSystem,
    /// The changes, by absolute paths.
    changes: RwLock<BTreeMap<PathBuf, FileChange>>,
}

/// The change of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileChange {
    /// The path, as it was given.
    pub name: String,
    /// The text of the file.
    pub before: String,
    /// The text that replaces it.
    pub after: String,
}

impl EditedFiles {
    /// Creates a view of the machine's files without changes.
    pub fn new(limits: &Limits) -> Self {
        Self { base: StdFileSystem::new(limits), changes: RwLock::default() }
    }

    /// Replaces the current text of a file.
    pub fn set(&self, name: &str, current: &str, text: &str) {
        let mut changes = self.changes.write().unwrap_or_else(PoisonError::into_inner);
        let path = absolute(Path::new(name));
        let change = changes.entry(path.clone()).or_insert_with(|| FileChange {
            name: name.to_owned(),
            before: current.to_owned(),
            after: String::new(),
        });
        text.clone_into(&mut change.after);
        if change.after == change.before {
            changes.remove(&path);
        }
    }

    /// Returns the changes, in the order of the paths.
    pub fn changes(&self) -> Vec<FileChange> {
        self.changes.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Writes the changed files.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write(&self) -> Result<(), ProjectFailure> {
        for FileChange { name, after, .. } in self.changes() {
            fs::write(&name, after).map_err(|error| ProjectFailure::Setting(format!("{name}: {error}")))?;
        }
        Ok(())
    }

    fn changed(&self, file: &Path) -> Option<Vec<u8>> {
        let changes = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        if changes.is_empty() {
            return None;
        }
        changes.get(&absolute(file)).map(|change| change.after.clone().into_bytes())
    }
}

impl FileSystem for EditedFiles {
    fn list(&self, directory: &Path) -> io::Result<Vec<DirectoryEntry>> {
        self.base.list(directory)
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.base.is_directory(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.base.is_file(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.base.exists(path)
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        self.changed(file).map_or_else(|| self.base.read(file), Ok)
    }

    fn read_named(&self, file: &Path) -> io::Result<Vec<u8>> {
        self.changed(file).map_or_else(|| self.base.read_named(file), Ok)
    }

    fn modified(&self, file: &Path) -> io::Result<Option<SystemTime>> {
        self.base.modified(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read_and_written_only_on_request() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a");
        fs::write(&path, "1").unwrap();
        let (files, name) = (EditedFiles::new(&Limits::DEFAULT), path.to_str().unwrap());
        files.set(name, "1", "2");
        files.set(name, "2", "3");
        assert_eq!((files.read(&path).unwrap(), fs::read(&path).unwrap()), (b"3".to_vec(), b"1".to_vec()));
        assert_eq!(files.changes().len(), 1);
        files.write().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"3");
        files.set(name, "3", "1");
        assert_eq!((files.changes(), files.read(&path).unwrap()), (Vec::new(), b"3".to_vec()));
    }
}
