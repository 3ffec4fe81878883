//! Opens regular files only: reading any other may never end.
#![allow(clippy::disallowed_methods, reason = "files are served from the disk, links and modes included")]

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// A regular file that is open, with its metadata at that time.
pub(crate) struct RegularFile {
    pub file: File,
    pub metadata: Metadata,
}

/// Opens a regular file, or the null device, which is an empty one; `Ok(Err(_))` has the type of any other. Opening a device may have it
/// do something, and opening a FIFO waits for a writer, so these are never opened.
pub(crate) fn open_regular(path: &Path) -> io::Result<Result<RegularFile, FileType>> {
    let found = path.metadata()?;
    if !is_readable(&found) {
        return Ok(Err(found.file_type()));
    }
    let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    // It may be another by now.
    let metadata = file.metadata()?;
    if !is_readable(&metadata) {
        return Ok(Err(metadata.file_type()));
    }
    Ok(Ok(RegularFile { file, metadata }))
}

fn is_readable(metadata: &Metadata) -> bool {
    let is_null = || Path::new("/dev/null").metadata().is_ok_and(|null| null.rdev() == metadata.rdev());
    metadata.is_file() || (metadata.file_type().is_char_device() && is_null())
}

/// Returns Ruby's name for a type of files, as `File::Stat#ftype` has it.
pub(crate) fn type_name(kind: FileType) -> &'static str {
    if kind.is_file() {
        "file"
    } else if kind.is_dir() {
        "directory"
    } else if kind.is_symlink() {
        "link"
    } else if kind.is_fifo() {
        "fifo"
    } else if kind.is_socket() {
        "socket"
    } else if kind.is_char_device() {
        "characterSpecial"
    } else if kind.is_block_device() {
        "blockSpecial"
    } else {
        "unknown"
    }
}
