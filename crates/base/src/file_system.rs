//! Access to files. The core reads files only through [`FileSystem`].

use std::io;
use std::path::Path;
use std::time::SystemTime;

/// What a loader needs of a file system.
pub trait FileSystem: Send + Sync {
    /// Returns what is in a directory, in any order. Names that are not UTF-8 are left out.
    ///
    /// # Errors
    /// Those of the file system.
    fn list(&self, directory: &Path) -> io::Result<Vec<Entry>>;

    /// Returns true if a path leads to a directory, maybe through links.
    fn is_directory(&self, path: &Path) -> bool;

    /// Returns true if a path leads to something, maybe through links.
    fn exists(&self, path: &Path) -> bool;

    /// Returns the content of a file.
    ///
    /// # Errors
    /// Those of the file system.
    fn read(&self, file: &Path) -> io::Result<Vec<u8>>;

    /// When the content of a file was last changed; `None` if that is not known.
    ///
    /// # Errors
    /// Those of the file system.
    fn modified(&self, file: &Path) -> io::Result<Option<SystemTime>> {
        let _ = file;
        Ok(None)
    }
}

/// An entry of a directory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

/// What an entry of a directory is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EntryKind {
    /// A file, or anything else that is read as one.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, wherever it leads.
    Link,
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct StdFileSystem;

#[allow(clippy::disallowed_methods, reason = "this is the place for it")]
impl FileSystem for StdFileSystem {
    fn list(&self, directory: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let file_type = entry.file_type()?;
            let kind = if file_type.is_symlink() {
                EntryKind::Link
            } else if file_type.is_dir() {
                EntryKind::Directory
            } else {
                EntryKind::File
            };
            if let Ok(name) = entry.file_name().into_string() {
                entries.push(Entry { name, kind });
            }
        }
        Ok(entries)
    }

    fn is_directory(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(file)
    }

    fn modified(&self, file: &Path) -> io::Result<Option<SystemTime>> {
        std::fs::metadata(file)?.modified().map(Some)
    }
}
