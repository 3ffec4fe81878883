//! The content of a file.
#![allow(clippy::disallowed_methods, reason = "files are served from the disk, links and modes included")]

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::error::{FileError, system_message};
use crate::open::{open_regular, type_name};

/// An open file. Reading ends after the number of bytes that it had when it was opened, and fails if it has fewer by then: a client never
/// takes a part of a file for the whole.
#[derive(Debug)]
pub struct FileContent {
    file: File,
    length: u64,
    remaining: u64,
}

impl FileContent {
    /// Opens the file of a key.
    ///
    /// # Errors
    /// Fails if the file cannot be opened or is not a regular one.
    pub fn open(path: &Path, key: &str) -> Result<Self, FileError> {
        let failed = |detail: String| {
            FileError::failed(format!(
                "Failed to serialize Puppet::FileServing::Content for '{key}': Could not render to \
                 Puppet::Network::Format[binary]: {detail}"
            ))
        };
        let opened = open_regular(path).map_err(|error| failed(system_message(&error, path)))?;
        let opened = opened.map_err(|kind| {
            if !kind.is_dir() {
                return failed(format!("Cannot read files of type {}", type_name(kind)));
            }
            // Ruby opens directories, and fails to read them.
            match path.read_dir() {
                Ok(_) => FileError::failed(format!("Is a directory - {}", path.display())),
                Err(error) => failed(system_message(&error, path)),
            }
        })?;
        let length = opened.metadata.len();
        Ok(Self { file: opened.file, length, remaining: length })
    }

    /// Returns the number of bytes.
    pub fn length(&self) -> u64 {
        self.length
    }
}

impl Read for FileContent {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = (&mut self.file).take(self.remaining).read(buffer)?;
        if read == 0 && self.remaining > 0 && !buffer.is_empty() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter"));
        }
        self.remaining = self.remaining.saturating_sub(read as u64);
        Ok(read)
    }
}
