//! Stamps: the identities and times of files, by which a long-lived process notices changes without reading the files again.
#![allow(clippy::disallowed_methods, reason = "stamps are of files that the file system has answered about")]

use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{DEEPEST, Kind, MOST_FILES};

/// The coarsest granularity of a file system's clock (FAT, old NFS): a file can change twice within it and keep its times.
const GRANULARITY: Duration = Duration::from_secs(2);

/// The stamps of all files that an answer depends on.
#[derive(Debug)]
pub(super) struct Stamps {
    paths: Vec<(PathBuf, Stamp)>,
    /// Whether a file may change without another stamp.
    is_certain: bool,
}

#[derive(PartialEq, Eq, Debug)]
enum Stamp {
    Missing(io::ErrorKind),
    /// The type of the file alone.
    Type(FileType),
    /// The identity, the size and the times of the file.
    File {
        identity: (FileType, u64, u64),
        size: u64,
        times: [Duration; 2],
    },
}

impl Stamps {
    /// Returns the stamps of the files in the answer to a question. Taken before the answer, they never hide a change.
    pub fn of(kind: Kind, path: &Path) -> Self {
        let mut stamps = Self { paths: Vec::new(), is_certain: true };
        match kind {
            Kind::Unknown => {}
            Kind::Type => stamps.paths.push((path.to_owned(), Stamp::type_of(path))),
            Kind::List | Kind::Read => {
                stamps.add(path.to_owned());
            }
            Kind::Names => stamps.add_tree(path, false),
            Kind::Tree => stamps.add_tree(path, true),
        }
        stamps
    }

    /// Returns true if no file has another stamp.
    pub fn are_current(&self) -> bool {
        self.paths.iter().all(|(path, stamp)| match stamp {
            Stamp::Type(_) => Stamp::type_of(path) == *stamp,
            Stamp::Missing(_) | Stamp::File { .. } => Stamp::of(path).0 == *stamp,
        })
    }

    /// Returns true if equal stamps mean equal files: none had just been changed.
    pub fn are_certain(&self) -> bool {
        self.is_certain
    }

    /// Adds a path. Returns true if it is a directory.
    fn add(&mut self, path: PathBuf) -> bool {
        let (stamp, metadata) = Stamp::of(&path);
        self.is_certain &= !stamp.is_recent(SystemTime::now());
        self.paths.push((path, stamp));
        metadata.is_some_and(|metadata| metadata.is_dir())
    }

    /// Adds a directory and those below it, with the files if their contents count. Links are followed only then.
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

impl Stamp {
    fn of(path: &Path) -> (Self, Option<Metadata>) {
        match fs::metadata(path) {
            Ok(found) => {
                let (device, inode) = identity(&found);
                let identity = (found.file_type(), device, inode);
                (Self::File { identity, size: found.len(), times: times(&found) }, Some(found))
            }
            Err(error) => (Self::Missing(error.kind()), None),
        }
    }

    fn type_of(path: &Path) -> Self {
        fs::metadata(path)
            .map_or_else(|error| Self::Missing(error.kind()), |found| Self::Type(found.file_type()))
    }

    /// Returns true if the file was changed so shortly before that another change may leave the same times.
    fn is_recent(&self, now: SystemTime) -> bool {
        let Self::File { times, .. } = self else { return false };
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        times.iter().max().is_some_and(|last| *last >= now.saturating_sub(GRANULARITY))
    }
}

/// Returns the numbers of the device and of the file on it.
#[cfg(unix)]
fn identity(found: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (found.dev(), found.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// Returns when the content and the status of the file have changed, since 1970.
#[cfg(unix)]
fn times(found: &Metadata) -> [Duration; 2] {
    use std::os::unix::fs::MetadataExt;
    let time = |seconds, nanoseconds| {
        let seconds = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
        seconds + Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or_default())
    };
    [time(found.mtime(), found.mtime_nsec()), time(found.ctime(), found.ctime_nsec())]
}

#[cfg(not(unix))]
fn times(found: &Metadata) -> [Duration; 2] {
    let modified = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    [modified.unwrap_or_default(); 2]
}
