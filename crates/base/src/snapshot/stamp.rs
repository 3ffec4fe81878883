//! Stamps: the identities and times of files, by which a long-lived process notices changes without reading the files again.
#![allow(clippy::disallowed_methods, reason = "only existing files have stamps")]

use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{DEEPEST, MOST_FILES, ReadKind};
use crate::file_stamp::FileStamp;

/// The stamps of all files that an answer depends on.
#[derive(Debug)]
pub(super) struct Stamps {
    paths: Vec<(PathBuf, PathStamp)>,
    /// Whether a file may change without another stamp.
    is_certain: bool,
}

#[derive(PartialEq, Eq, Debug)]
enum PathStamp {
    Missing(io::ErrorKind),
    /// The type of the file alone.
    Type(FileType),
    File(FileType, FileStamp),
}

impl Stamps {
    /// Returns the stamps of the files in the answer to a question. Taken before the answer, they never hide a change.
    pub fn of(kind: ReadKind, path: &Path) -> Self {
        let mut stamps = Self { paths: Vec::new(), is_certain: true };
        match kind {
            ReadKind::Unknown => {}
            ReadKind::Type => stamps.paths.push((path.to_owned(), PathStamp::type_of(path))),
            ReadKind::List | ReadKind::Read => {
                stamps.add(path.to_owned());
            }
            ReadKind::Names => stamps.add_tree(path, false),
            ReadKind::Tree => stamps.add_tree(path, true),
        }
        stamps
    }

    /// Returns true if no file has another stamp.
    pub fn are_current(&self) -> bool {
        self.paths.iter().all(|(path, stamp)| match stamp {
            PathStamp::Type(_) => PathStamp::type_of(path) == *stamp,
            PathStamp::Missing(_) | PathStamp::File(..) => PathStamp::of(path).0 == *stamp,
        })
    }

    /// Returns true if equal stamps mean equal files: none had just been changed.
    pub fn are_certain(&self) -> bool {
        self.is_certain
    }

    /// Adds a path. Returns true if it is a directory.
    fn add(&mut self, path: PathBuf) -> bool {
        let (stamp, metadata) = PathStamp::of(&path);
        if let PathStamp::File(_, file) = &stamp {
            self.is_certain &= file.is_settled(SystemTime::now());
        }
        self.paths.push((path, stamp));
        metadata.is_some_and(|metadata| metadata.is_dir())
    }

    /// Adds a directory and its descendants, including files if their contents count. Links are followed only then.
    fn add_tree(&mut self, root: &Path, with_files: bool) {
        let mut left = vec![(root.to_owned(), DEEPEST)];
        while let Some((path, depth)) = left.pop() {
            if self.paths.len() > MOST_FILES {
                self.is_certain = false;
                return;
            }
            if !self.add(path.clone()) || depth == 0 {
                continue;
            }
            let Ok(entries) = fs::read_dir(&path) else { continue };
            for entry in entries.flatten() {
                let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if (with_files || is_directory) && !(is_directory && entry.file_name() == ".git") {
                    left.push((entry.path(), depth.saturating_sub(1)));
                }
            }
        }
    }
}

impl PathStamp {
    fn of(path: &Path) -> (Self, Option<Metadata>) {
        match fs::metadata(path) {
            Ok(found) => (Self::File(found.file_type(), FileStamp::new(&found)), Some(found)),
            Err(error) => (Self::Missing(error.kind()), None),
        }
    }

    fn type_of(path: &Path) -> Self {
        fs::metadata(path)
            .map_or_else(|error| Self::Missing(error.kind()), |found| Self::Type(found.file_type()))
    }
}
