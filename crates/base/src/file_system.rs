//! Access to files. The core reads files only through [`FileSystem`].

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use crate::error::{Error, ErrorKind};
use crate::limits::{Limits, exceeded};

/// File system operations that a loader needs.
pub trait FileSystem: Send + Sync {
    /// Returns the entries of a directory, in any order. Names that are not UTF-8 are left out.
    ///
    /// # Errors
    /// Fails if the file system does.
    fn list(&self, directory: &Path) -> io::Result<Vec<DirectoryEntry>>;

    /// Returns true if a path leads to a directory, maybe through links.
    fn is_directory(&self, path: &Path) -> bool;

    /// Returns true if a path leads to a regular file, maybe through links.
    fn is_file(&self, path: &Path) -> bool;

    /// Returns true if a path leads to something, maybe through links.
    fn exists(&self, path: &Path) -> bool;

    /// Returns the content of a regular file. Reading anything else, such as a pipe, could block forever.
    ///
    /// # Errors
    /// Fails if the file system does, the file is not a regular one, or it is larger than [`Limits::file`].
    fn read(&self, file: &Path) -> io::Result<Vec<u8>>;

    /// Returns the content of a file that the user has named, which may be a pipe or a terminal.
    ///
    /// # Errors
    /// Fails if the file system does, or the content is larger than [`Limits::file`].
    fn read_named(&self, file: &Path) -> io::Result<Vec<u8>> {
        self.read(file)
    }

    /// Checks that a path may be read, whether or not it exists.
    ///
    /// # Errors
    /// Fails with [`io::ErrorKind::PermissionDenied`] and the reason if it may not.
    fn check(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Ok(())
    }

    /// Returns the time when the content of a file was last changed; `None` if unknown.
    ///
    /// # Errors
    /// Fails if the file system does.
    fn modified(&self, file: &Path) -> io::Result<Option<SystemTime>> {
        let _ = file;
        Ok(None)
    }
}

/// An entry of a directory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DirectoryEntry {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: EntryKind,
}

/// Type of an entry of a directory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EntryKind {
    /// A file, or anything else that is read as one.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, whatever its target.
    Link,
}

/// Returns the error for a file that cannot be read, in these words.
#[cold]
pub fn unreadable(reason: &io::Error, message: String) -> Error {
    let is_too_large = reason.kind() == io::ErrorKind::FileTooLarge;
    Error::new(if is_too_large { ErrorKind::Limit } else { ErrorKind::Load }, message)
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug)]
pub struct StdFileSystem {
    limit: usize,
}

impl StdFileSystem {
    /// The file system with the limits that hold when none are given.
    pub const DEFAULT: Self = Self::new(&Limits::DEFAULT);

    /// The file system, which reads files of up to [`Limits::file`] bytes.
    pub const fn new(limits: &Limits) -> Self {
        Self { limit: limits.file }
    }

    /// Returns the content of a file that the user has named, as text.
    ///
    /// # Errors
    /// The same errors as [`FileSystem::read_named`]. Fails too if the content is not UTF-8.
    pub fn read_named_text(&self, file: &Path) -> io::Result<String> {
        text(self.read_named(file)?)
    }

    /// Returns the content of a regular file, as text.
    ///
    /// # Errors
    /// The same errors as [`FileSystem::read`]. Fails too if the content is not UTF-8.
    pub fn read_text(&self, file: &Path) -> io::Result<String> {
        text(self.read(file)?)
    }

    /// Reads a source to its end.
    ///
    /// # Errors
    /// Fails if reading does, or if the source has more bytes than [`Limits::file`].
    pub fn read_all(&self, source: impl Read) -> io::Result<Vec<u8>> {
        self.content(source, 0)
    }

    fn content(&self, source: impl Read, expected: u64) -> io::Result<Vec<u8>> {
        let limit = self.limit as u64;
        let mut content = Vec::new();
        if expected <= limit {
            content.try_reserve_exact(usize::try_from(expected).unwrap_or(usize::MAX))?;
            source.take(limit.saturating_add(1)).read_to_end(&mut content)?;
        }
        if expected.max(content.len() as u64) > limit {
            let error = exceeded(format_args!("it has more than {limit} bytes"), "file");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, error.message().to_owned()));
        }
        Ok(content)
    }
}

impl Default for StdFileSystem {
    fn default() -> Self {
        Self::DEFAULT
    }
}

fn text(content: Vec<u8>) -> io::Result<String> {
    let invalid = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not valid UTF-8");
    String::from_utf8(content).map_err(invalid)
}

#[allow(clippy::disallowed_methods, reason = "this is the place for it")]
impl FileSystem for StdFileSystem {
    fn list(&self, directory: &Path) -> io::Result<Vec<DirectoryEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(directory)? {
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
                entries.push(DirectoryEntry { name, kind });
            }
        }
        Ok(entries)
    }

    fn is_directory(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        // Opening a device may have side effects, and opening a FIFO blocks until it has a writer, so the type is checked
        // before. It is checked again after, as the file may have been replaced in between.
        check(&fs::metadata(file)?)?;
        let opened = special::open_without_waiting(file)?;
        let metadata = opened.metadata()?;
        check(&metadata)?;
        self.content(&opened, metadata.len())
    }

    fn read_named(&self, file: &Path) -> io::Result<Vec<u8>> {
        self.content(&File::open(file)?, 0)
    }

    fn modified(&self, file: &Path) -> io::Result<Option<SystemTime>> {
        fs::metadata(file)?.modified().map(Some)
    }
}

/// Checks that a file can be read from beginning to end: a regular file, or the null device, which counts as an empty one.
fn check(metadata: &fs::Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    if kind.is_file() || special::is_null(metadata) {
        return Ok(());
    }
    Err(io::Error::other(format!("it is {}, not a regular file", special::name(kind))))
}

#[cfg(unix)]
#[allow(clippy::disallowed_methods, reason = "this is the place for it")]
mod special {
    use std::fs::{File, FileType, Metadata, OpenOptions, metadata};
    use std::io;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
    use std::path::Path;

    /// Miri does not support this flag.
    const WITHOUT_WAITING: libc::c_int = if cfg!(miri) { 0 } else { libc::O_NONBLOCK };

    pub fn open_without_waiting(file: &Path) -> io::Result<File> {
        OpenOptions::new().read(true).custom_flags(WITHOUT_WAITING).open(file)
    }

    pub fn is_null(given: &Metadata) -> bool {
        given.file_type().is_char_device()
            && metadata("/dev/null").is_ok_and(|null| null.rdev() == given.rdev())
    }

    pub fn name(kind: FileType) -> &'static str {
        if kind.is_dir() {
            "a directory"
        } else if kind.is_fifo() {
            "a FIFO"
        } else if kind.is_socket() {
            "a socket"
        } else if kind.is_char_device() {
            "a character device"
        } else {
            "a block device"
        }
    }
}

#[cfg(not(unix))]
#[allow(clippy::disallowed_methods, reason = "this is the place for it")]
mod special {
    use std::fs::{File, FileType, Metadata};
    use std::io;
    use std::path::Path;

    pub fn open_without_waiting(file: &Path) -> io::Result<File> {
        File::open(file)
    }

    pub fn is_null(_: &Metadata) -> bool {
        false
    }

    pub fn name(kind: FileType) -> &'static str {
        if kind.is_dir() { "a directory" } else { "a device" }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "to Miri, all devices have the same number")]
    fn only_regular_files_are_read_and_the_null_device_is_an_empty_one() {
        let read =
            |path: &str| StdFileSystem::DEFAULT.read(Path::new(path)).map_err(|error| error.to_string());
        assert_eq!(read("/dev/null"), Ok(Vec::new()));
        assert_eq!(read("/dev/zero"), Err("it is a character device, not a regular file".to_owned()));
        assert_eq!(read("/"), Err("it is a directory, not a regular file".to_owned()));
    }

    #[test]
    fn no_more_is_read_than_the_limit_allows() {
        let files = StdFileSystem::new(&Limits { file: 3, ..Limits::DEFAULT });
        assert_eq!(files.read_all(&b"abc"[..]).unwrap(), b"abc");
        let error = files.read_all(io::repeat(1)).unwrap_err();
        assert!(error.to_string().starts_with("it has more than 3 bytes (limit 'file'; raise it"), "{error}");
        let error = unreadable(&error, "too large".to_owned());
        assert_eq!((error.kind(), error.message()), (&ErrorKind::Limit, "too large"));
        assert!(files.read_named(Path::new("/dev/zero")).is_err());
    }
}
