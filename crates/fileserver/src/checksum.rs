//! Checksums of files.
//!
//! See Puppet's `util/checksums.rb`.
#![allow(clippy::disallowed_methods, reason = "files are served from the disk, links and modes included")]

use std::io::{self, Seek};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::cache::ChecksumCache;
use crate::digest::ContentDigest;
use crate::error::FileError;
use crate::open::{RegularFile, open_regular, type_name};
use puppetfn_base::file_stamp::FileStamp;

/// The names of all checksum types, in Puppet's order.
pub const CHECKSUM_TYPES: [&str; 12] = [
    "sha256",
    "sha256lite",
    "md5",
    "md5lite",
    "sha1",
    "sha1lite",
    "sha512",
    "sha384",
    "sha224",
    "mtime",
    "ctime",
    "none",
];

/// The number of attempts to read a file that changes meanwhile.
const ATTEMPTS: usize = 3;

/// A checksum type of Puppet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChecksumType {
    /// A digest of the content.
    Content(ContentDigest),
    /// The time of the last change of the content.
    ModificationTime,
    /// The time of the last change of the content or the status.
    ChangeTime,
    /// Nothing.
    None,
}

impl ChecksumType {
    /// Returns the type of a name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "mtime" => Some(Self::ModificationTime),
            "ctime" => Some(Self::ChangeTime),
            "none" => Some(Self::None),
            name => ContentDigest::parse(name).map(Self::Content),
        }
    }

    /// Returns the checksum of a file, which links are followed to.
    ///
    /// # Errors
    /// Fails if the file is missing, cannot be read, or keeps changing.
    pub fn of_file(self, path: &Path, cache: &ChecksumCache) -> Result<Arc<str>, FileError> {
        let stat = || path.metadata().map_err(|error| FileError::of_system(&error, path));
        match self {
            Self::Content(digest) => of_regular(digest, path, cache),
            Self::ModificationTime => stat().map(|stat| time_text(stat.mtime(), stat.mtime_nsec())),
            Self::ChangeTime => stat().map(|stat| time_text(stat.ctime(), stat.ctime_nsec())),
            Self::None => Ok("".into()),
        }
    }
}

/// Returns the digest of a regular file.
fn of_regular(digest: ContentDigest, path: &Path, cache: &ChecksumCache) -> Result<Arc<str>, FileError> {
    let failed = |error: io::Error| FileError::of_system(&error, path);
    let opened = open_regular(path).map_err(failed)?;
    let RegularFile { mut file, metadata } = opened.map_err(|kind| {
        if kind.is_dir() {
            FileError::failed(format!("Is a directory - {}", path.display()))
        } else {
            FileError::failed(format!("Cannot read files of type {}", type_name(kind)))
        }
    })?;
    let mut before = FileStamp::new(&metadata);
    if let Some(known) = cache.get(before, digest) {
        return Ok(known);
    }
    for _ in 0..ATTEMPTS {
        let start = SystemTime::now();
        let checksum: Arc<str> = digest.of_content(&mut file).map_err(failed)?.into();
        let after = FileStamp::new(&file.metadata().map_err(failed)?);
        if after == before {
            cache.put(before, digest, &checksum, start);
            return Ok(checksum);
        }
        before = after;
        file.rewind().map_err(failed)?;
    }
    Err(FileError::failed(format!("The file {} changes while it is read", path.display())))
}

/// Returns a time as Ruby's `Time#to_s` shows it, in the zone of the machine.
pub(crate) fn time_text(seconds: i64, nanoseconds: i64) -> Arc<str> {
    let nanoseconds = i32::try_from(nanoseconds).unwrap_or_default();
    let time = Timestamp::new(seconds, nanoseconds).unwrap_or_default();
    time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S %z").to_string().into()
}
