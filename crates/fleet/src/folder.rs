//! The folder of results.
#![allow(clippy::disallowed_methods, reason = "the user names this folder")]

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::{FleetFailure, FleetResult};

/// Characters that file names may contain on every system.
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_').remove(b'@').remove(b'+');
/// The directory of files that are not complete yet.
const UNFINISHED: &str = "unfinished";

/// A folder of results. Several processes on several machines may write into it: each file is written under another name and
/// then renamed, so that readers see it complete or not at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    root: PathBuf,
}

/// The kinds of files that a folder has for a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultFileKind {
    /// The catalog, in JSON.
    Catalog,
    /// The reason for a missing catalog, in JSON.
    Error,
    /// The logged messages.
    Messages,
    /// The resources that it exports, in JSON, as PuppetDB has them.
    Exports,
    /// All resources of the catalog, in JSON, as PuppetDB has them, where code queries them.
    Resources,
}

impl ResultFileKind {
    /// Returns the name of the directory in a folder.
    pub fn directory(self) -> &'static str {
        match self {
            Self::Catalog => "catalogs",
            Self::Error => "errors",
            Self::Messages => "messages",
            Self::Exports => "exports",
            Self::Resources => "resources",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Catalog | Self::Error | Self::Exports | Self::Resources => "json",
            Self::Messages => "txt",
        }
    }
}

impl Folder {
    /// Creates the folder and its directories, unless they exist.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub fn create(root: impl Into<PathBuf>) -> FleetResult<Self> {
        let folder = Self { root: root.into() };
        for name in ["catalogs", "errors", "messages", "exports", "parts", UNFINISHED] {
            let directory = folder.root.join(name);
            fs::create_dir_all(&directory).map_err(FleetFailure::at(&directory))?;
        }
        Ok(folder)
    }

    /// Returns the folder of this path, which is there.
    ///
    /// # Errors
    /// Fails if it is no folder that [`create`](Self::create) made.
    pub fn open(root: impl Into<PathBuf>) -> FleetResult<Self> {
        let folder = Self { root: root.into() };
        if folder.parts().is_dir() {
            return Ok(folder);
        }
        Err(FleetFailure::of_file(
            &folder.root,
            "it has no folder `parts`: expected an output directory of `puppetfn compile --nodes`",
        ))
    }

    /// Returns where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the directory of the journals.
    pub(crate) fn parts(&self) -> PathBuf {
        self.root.join("parts")
    }

    /// Returns the path of a node's file.
    pub fn path(&self, kind: ResultFileKind, node: &str) -> PathBuf {
        self.root.join(kind.directory()).join(format!("{}.{}", file_name(node), kind.extension()))
    }

    /// Returns the names of the nodes that have a catalog or an error.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub fn nodes(&self) -> FleetResult<Vec<String>> {
        let mut nodes = Vec::new();
        for kind in [ResultFileKind::Catalog, ResultFileKind::Error] {
            let directory = self.root.join(kind.directory());
            for entry in fs::read_dir(&directory).map_err(FleetFailure::at(&directory))? {
                let name = entry.map_err(FleetFailure::at(&directory))?.file_name();
                let name = name.to_string_lossy();
                let Some(encoded) = name.strip_suffix(&format!(".{}", kind.extension())) else { continue };
                nodes.push(percent_decode_str(encoded).decode_utf8_lossy().into_owned());
            }
        }
        Ok(nodes)
    }

    /// Returns the files with the exported resources of nodes, in the order of their names.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub fn exports(&self) -> FleetResult<Vec<PathBuf>> {
        let directory = self.root.join(ResultFileKind::Exports.directory());
        // Folders of earlier versions have none.
        if !directory.is_dir() {
            return Ok(Vec::new());
        }
        let entries = fs::read_dir(&directory).map_err(FleetFailure::at(&directory))?;
        let paths = entries.map(|entry| Ok(entry.map_err(FleetFailure::at(&directory))?.path()));
        let mut paths: Vec<PathBuf> = paths.collect::<FleetResult<_>>()?;
        paths.sort_unstable();
        Ok(paths)
    }

    /// Returns the directory for this process's index of exported resources.
    pub fn export_index(&self) -> PathBuf {
        self.root.join(UNFINISHED).join(format!("{}-exports", process::id()))
    }

    /// Returns the directory for this process's index of all resources.
    pub fn resource_index(&self) -> PathBuf {
        self.root.join(UNFINISHED).join(format!("{}-resources", process::id()))
    }

    /// Returns the directory for other data of this process.
    pub fn scratch(&self) -> PathBuf {
        self.root.join(UNFINISHED).join(format!("{}-data", process::id()))
    }

    /// Writes a file of a node.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub fn write(&self, kind: ResultFileKind, node: &str, content: &[u8]) -> FleetResult<()> {
        if kind == ResultFileKind::Resources {
            // Few runs have them.
            let directory = self.root.join(kind.directory());
            fs::create_dir_all(&directory).map_err(FleetFailure::at(&directory))?;
        }
        self.write_file(&self.path(kind, node), content)
    }

    /// Writes a file of the folder.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub fn write_file(&self, path: &Path, content: &[u8]) -> FleetResult<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let aside = self.root.join(UNFINISHED).join(format!("{}-{name}", process::id()));
        let written = fs::File::create(&aside).and_then(|mut file| file.write_all(content));
        written.and_then(|()| fs::rename(&aside, path)).map_err(FleetFailure::at(path))
    }

    /// Takes over the catalog, the messages and the resources of a node from another folder. Returns false if that has no catalog.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub fn take(&self, other: &Self, node: &str) -> FleetResult<bool> {
        for kind in [
            ResultFileKind::Messages,
            ResultFileKind::Exports,
            ResultFileKind::Resources,
            ResultFileKind::Catalog,
        ] {
            let (from, to) = (other.path(kind, node), self.path(kind, node));
            if from.is_file() {
                if let Some(directory) = to.parent() {
                    fs::create_dir_all(directory).map_err(FleetFailure::at(directory))?;
                }
                self.link(&from, &to)?;
            } else if kind == ResultFileKind::Catalog {
                return Ok(false);
            } else {
                self.remove(kind, node)?;
            }
        }
        self.remove(ResultFileKind::Error, node)?;
        Ok(true)
    }

    /// Links a file to an existing one, or copies it where the file system has no links. No file is ever changed in place.
    fn link(&self, from: &Path, to: &Path) -> FleetResult<()> {
        let name = to.file_name().unwrap_or_default().to_string_lossy();
        let aside = self.root.join(UNFINISHED).join(format!("{}-{name}", process::id()));
        let linked = fs::hard_link(from, &aside).or_else(|_| fs::copy(from, &aside).map(drop));
        linked.and_then(|()| fs::rename(&aside, to)).map_err(FleetFailure::at(to))?;
        // It is still there if both were the same file already.
        _ = fs::remove_file(&aside);
        Ok(())
    }

    /// Removes a file of a node, if it exists.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub fn remove(&self, kind: ResultFileKind, node: &str) -> FleetResult<()> {
        let path = self.path(kind, node);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FleetFailure::of_file(&path, error)),
            _ => Ok(()),
        }
    }

    /// Removes the unfinished files of stopped processes.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub(crate) fn tidy(&self) -> FleetResult<()> {
        let unfinished = self.root.join(UNFINISHED);
        match fs::remove_dir_all(&unfinished) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(FleetFailure::of_file(&unfinished, error))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the base name of a node's files: the node's name, with characters escaped that file names may lack.
fn file_name(node: &str) -> String {
    let name = utf8_percent_encode(node, &PLAIN).to_string();
    // A file that begins with a dot is hidden, and `..` is none.
    if let Some(rest) = name.strip_prefix('.') { format!("%2E{rest}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_nodes_are_names_of_files() {
        assert_eq!(file_name("web-1.example.com"), "web-1.example.com");
        assert_eq!(file_name("../etc/passwd"), "%2E.%2Fetc%2Fpasswd");
        assert_eq!(file_name("a b\nü"), "a%20b%0A%C3%BC");
    }
}
