//! Puppet's file server: mounts, metadata, checksums and contents of files, without HTTP.
//!
//! Agents ask for files by keys such as `modules/ntp/ntp.conf` and `plugins`. [`FileServer`] answers with the JSON and the errors of
//! Puppet's indirections `file_metadata` and `file_content` with their terminus `file_server`. Keys are decoded already.
//!
//! Symbolic links are followed wherever they lead, as Puppet does: who can write a module can serve any file anyway. Names in requests
//! never lead out of a mount, and only regular files are opened. Unlike Puppet's, keys are never absolute paths or addresses.
#![cfg(unix)]
#![forbid(unsafe_code)]

mod cache;
mod checksum;
mod configuration;
mod content;
mod digest;
mod error;
mod fileset;
mod log;
mod metadata;
mod modules;
mod mount;
mod open;
mod request;
mod server;

pub use self::checksum::CHECKSUM_TYPES;
pub use self::content::FileContent;
pub use self::digest::ContentDigest;
pub use self::error::FileError;
pub use self::log::LogMessage;
pub use self::metadata::{Checksum, FileMetadata};
pub use self::modules::ServedModule;
pub use self::request::{FileRequest, QueryValue, query_options};
pub use self::server::{FileLimits, FileServer, FileServerSettings};
