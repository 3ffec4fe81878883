//! The metadata of one file.
//!
//! See Puppet's `file_serving/base.rb`, `file_serving/metadata.rb` and `file_serving/terminus_helper.rb`.
#![allow(clippy::disallowed_methods, reason = "files are served from the disk, links and modes included")]

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::file_stamp::FileStamp;
use serde::Serialize;

use crate::cache::ChecksumCache;
use crate::checksum::{ChecksumType, time_text};
use crate::error::FileError;
use crate::open::type_name;
use crate::request::{FileRequest, QueryValue};

/// The permissions of files whose permissions in the module do not matter.
const DEFAULT_MODE: u32 = 0o644;

/// Metadata of a file, as Puppet's `Puppet::FileServing::Metadata#to_data_hash` has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FileMetadata {
    /// The path on the server: of the file, or of the directory that was searched.
    pub path: Arc<str>,
    /// The path below the directory that was searched, `.` for the directory itself.
    pub relative_path: Option<Arc<str>>,
    /// The treatment of symbolic links: `manage` or `follow`.
    pub links: &'static str,
    /// The user ID of the owner.
    pub owner: u32,
    /// The group ID.
    pub group: u32,
    /// The permissions.
    pub mode: u32,
    /// The checksum.
    pub checksum: Checksum,
    /// Ruby's name for the type of the file.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The target of a symbolic link.
    pub destination: Option<String>,
    /// The address of the content, in static catalogs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_uri: Option<String>,
    /// The source that the metadata is of, in static catalogs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// A checksum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Checksum {
    /// Puppet's name of its type.
    #[serde(rename = "type")]
    pub kind: Arc<str>,
    /// The type in braces and the checksum. Links whose targets cannot be read have none.
    pub value: Option<String>,
}

impl FileMetadata {
    /// Returns the JSON that an agent gets.
    ///
    /// # Errors
    /// Fails if JSON cannot be written, which does not happen.
    pub fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
    }
}

/// The options of a request that say which metadata it is about.
pub(crate) struct MetadataOptions {
    links: &'static str,
    checksum_name: Arc<str>,
    checksum_type: ChecksumType,
    /// The permissions that all files have; `None` for their own.
    permissions: Option<Permissions>,
}

/// A user, a group and a mode.
struct Permissions {
    owner: u32,
    group: u32,
    mode: u32,
}

impl MetadataOptions {
    /// Reads the options of a request, in Puppet's order.
    pub fn new(request: &FileRequest, digest_algorithm: &str) -> Result<Self, FileError> {
        let text = |name| request.truthy(name).map(QueryValue::text);
        let links = links(request)?;
        let checksum_name = text("checksum_type").unwrap_or_else(|| digest_algorithm.to_owned());
        let checksum_type = ChecksumType::parse(&checksum_name)
            .ok_or_else(|| FileError::failed(format!("Unsupported checksum type {checksum_name}")))?;
        let permissions = match text("source_permissions").as_deref() {
            None | Some("ignore") => Some(Permissions {
                owner: rustix::process::geteuid().as_raw(),
                group: rustix::process::getegid().as_raw(),
                mode: DEFAULT_MODE,
            }),
            Some("use" | "use_when_creating") => None,
            Some(other) => {
                return Err(FileError::failed(format!("Unsupported source_permission {other}")));
            }
        };
        Ok(Self { links, checksum_name: checksum_name.into(), checksum_type, permissions })
    }

    /// Returns the metadata of a file: of `path`, or of a relative path below it.
    pub fn collect(
        &self,
        path: &Arc<str>,
        relative_path: Option<&Arc<str>>,
        cache: &ChecksumCache,
    ) -> Result<FileMetadata, FileError> {
        if !path.starts_with('/') {
            return Err(FileError::failed("Paths must be fully qualified"));
        }
        let full_path = full_path(path, relative_path.map(|path| &**path));
        let of_system = |error| FileError::of_system(&error, &full_path);
        let is_managed = self.links == "manage";
        let stat = if is_managed { full_path.symlink_metadata() } else { full_path.metadata() };
        let stat = stat.map_err(of_system)?;
        let kind = type_name(stat.file_type());
        let (checksum_name, value) = self.checksum(path, &full_path, &stat, cache)?;
        let destination = if kind == "link" {
            let target = full_path.read_link().map_err(of_system)?;
            Some(target.into_os_string().into_string().map_err(|_| malformed_name())?)
        } else {
            None
        };
        let own = || (stat.uid(), stat.gid(), stat.mode() & 0o7777);
        let same = self.permissions.as_ref();
        let (owner, group, mode) = same.map_or_else(own, |same| (same.owner, same.group, same.mode));
        Ok(FileMetadata {
            path: Arc::clone(path),
            relative_path: relative_path.cloned(),
            links: self.links,
            owner,
            group,
            mode,
            checksum: Checksum { kind: checksum_name, value },
            kind,
            destination,
            content_uri: None,
            source: None,
        })
    }

    /// Returns the type and the value of a file's checksum.
    fn checksum(
        &self,
        path: &str,
        full_path: &Path,
        stat: &Metadata,
        cache: &ChecksumCache,
    ) -> Result<(Arc<str>, Option<String>), FileError> {
        let name = Arc::clone(&self.checksum_name);
        let kind = type_name(stat.file_type());
        match kind {
            "file" => {
                let known = match self.checksum_type {
                    ChecksumType::Content(digest) => cache.get(FileStamp::new(stat), digest),
                    ChecksumType::ModificationTime | ChecksumType::ChangeTime | ChecksumType::None => None,
                };
                let checksum = known.map_or_else(|| self.checksum_type.of_file(full_path, cache), Ok)?;
                let value = format!("{{{name}}}{checksum}");
                Ok((name, Some(value)))
            }
            // Puppet takes the time of the searched directory.
            "directory" => {
                let searched = Path::new(path);
                let of_system = |error| FileError::of_system(&error, searched);
                let searched = searched.metadata().map_err(of_system)?;
                let time = time_text(searched.ctime(), searched.ctime_nsec());
                Ok(("ctime".into(), Some(format!("{{ctime}}{time}"))))
            }
            "link" => {
                let checksum = self.checksum_type.of_file(full_path, cache).ok();
                let value = checksum.map(|checksum| format!("{{{name}}}{checksum}"));
                Ok((name, value))
            }
            "fifo" | "socket" => Ok(("none".into(), Some("{none}".to_owned()))),
            other => Err(FileError::failed(format!("Cannot manage files of type {other}"))),
        }
    }
}

/// Returns the treatment of links.
pub(crate) fn links(request: &FileRequest) -> Result<&'static str, FileError> {
    match request.truthy("links").map(QueryValue::text).as_deref() {
        None | Some("manage" | "ignore") => Ok("manage"),
        Some("follow") => Ok("follow"),
        Some(_) => Err(FileError::failed(":links can only be set to :manage or :follow")),
    }
}

/// Returns the path of a file below another.
pub(crate) fn full_path(path: &str, relative_path: Option<&str>) -> PathBuf {
    let mut full = match relative_path {
        None | Some("" | ".") => path.to_owned(),
        Some(relative) => join(path, relative),
    };
    while full.contains("//") {
        full = full.replace("//", "/");
    }
    full.into()
}

/// Joins paths as Ruby's `File.join`.
pub(crate) fn join(path: &str, relative: &str) -> String {
    if relative.starts_with('/') {
        format!("{}{relative}", path.trim_end_matches('/'))
    } else if path.ends_with('/') {
        format!("{path}{relative}")
    } else {
        format!("{path}/{relative}")
    }
}

/// Returns the error about a name that is not UTF-8, which JSON cannot have.
pub(crate) fn malformed_name() -> FileError {
    FileError::failed("invalid byte sequence in UTF-8")
}

/// Returns the error about a path with a null byte.
pub(crate) fn null_byte() -> FileError {
    FileError::failed("string contains null byte")
}
