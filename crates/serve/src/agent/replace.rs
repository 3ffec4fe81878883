//! Files that are replaced as a whole.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file in place of another, which may be being read. See `replace_file` in Puppet's `file_system/posix.rb`.
pub(super) fn replace_file(path: &Path, mode: u32, content: &[u8]) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let unfinished = path.with_extension(format!("{}-{number}.new", process::id()));
    let write = || {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&unfinished)?;
        file.write_all(content)?;
        file.set_permissions(Permissions::from_mode(mode))?;
        fs::rename(&unfinished, path)
    };
    write().inspect_err(|_| _ = fs::remove_file(&unfinished))
}
