//! Trees of directories that are listed as they are walked.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::{DirectoryEntry, EntryKind, FileSystem};
use puppetfn_base::error::{Error, ErrorKind};

/// A directory that may or may not exist. It is listed once, when that is needed.
pub(super) struct LazyDirectory {
    path: PathBuf,
    files: Arc<dyn FileSystem>,
    content: OnceLock<Result<BTreeMap<String, DirectoryNode>, Error>>,
}

enum DirectoryNode {
    File,
    Directory(LazyDirectory),
}

impl LazyDirectory {
    pub fn new(path: PathBuf, files: Arc<dyn FileSystem>) -> Self {
        Self { path, files, content: OnceLock::new() }
    }

    /// Returns the file at a path of names, the last one without its extension.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed.
    pub fn find<'n>(
        &self,
        parts: impl IntoIterator<Item = &'n str>,
        extension: &str,
    ) -> Result<Option<PathBuf>, Error> {
        let mut parts = parts.into_iter();
        let Some(mut name) = parts.next() else { return Ok(None) };
        let mut directory = self;
        for next in parts {
            let Some(DirectoryNode::Directory(inner)) = directory.content()?.get(name) else {
                return Ok(None);
            };
            directory = inner;
            name = next;
        }
        let file_name = format!("{name}.{extension}");
        let is_file = matches!(directory.content()?.get(&file_name), Some(DirectoryNode::File));
        Ok(is_file.then(|| directory.path.join(file_name)))
    }

    /// Returns the directory of this name in this one.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when the directory cannot be listed.
    pub fn directory(&self, name: &str) -> Result<Option<&Self>, Error> {
        match self.content()?.get(name) {
            Some(DirectoryNode::Directory(directory)) => Ok(Some(directory)),
            Some(DirectoryNode::File) | None => Ok(None),
        }
    }

    /// Calls `visit` with the name, without extension, and the path of each file with an extension
    /// in this directory.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when the directory cannot be listed.
    pub fn each_file(&self, extension: &str, mut visit: impl FnMut(&str, PathBuf)) -> Result<(), Error> {
        for (name, node) in self.content()? {
            if let DirectoryNode::File = node
                && let Some((stem, found)) = name.rsplit_once('.')
                && found == extension
            {
                visit(stem, self.path.join(name));
            }
        }
        Ok(())
    }

    /// Returns the directories in this one, by name.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when the directory cannot be listed.
    pub fn directories(&self) -> Result<impl Iterator<Item = (&str, &Self)>, Error> {
        Ok(self.content()?.iter().filter_map(|(name, node)| match node {
            DirectoryNode::Directory(directory) => Some((name.as_str(), directory)),
            DirectoryNode::File => None,
        }))
    }

    fn content(&self) -> Result<&BTreeMap<String, DirectoryNode>, Error> {
        self.content.get_or_init(|| self.list()).as_ref().map_err(Error::clone)
    }

    fn list(&self) -> Result<BTreeMap<String, DirectoryNode>, Error> {
        let node = |DirectoryEntry { name, kind }: DirectoryEntry| {
            let node = match kind {
                // As in Puppet, links to directories are not followed.
                EntryKind::File | EntryKind::Link => DirectoryNode::File,
                EntryKind::Directory => {
                    DirectoryNode::Directory(Self::new(self.path.join(&name), Arc::clone(&self.files)))
                }
            };
            (name, node)
        };
        Ok(list(&*self.files, &self.path)?.into_iter().map(node).collect())
    }
}

/// Returns the entries of a directory, by name; none if there is no such directory.
pub(super) fn list(files: &dyn FileSystem, directory: &Path) -> Result<Vec<DirectoryEntry>, Error> {
    match files.list(directory) {
        Ok(mut entries) => {
            entries.sort_unstable();
            Ok(entries)
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(Vec::new())
        }
        Err(error) => Err(Error::new(
            ErrorKind::Load,
            format!("the directory {} cannot be listed: {error}", directory.display()),
        )),
    }
}
