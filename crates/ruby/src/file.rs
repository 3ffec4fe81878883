//! Files that the one that is read requires.

use std::path::{Component, Path, PathBuf};

/// The size that a file may have, in bytes. One that declares types has a few thousand.
const LARGEST: u64 = 1 << 20;

/// Returns the path of a file that is named by its place beside another, with `..` or without.
pub fn beside(path: &Path, name: &str) -> PathBuf {
    let mut found = path.parent().map(Path::to_path_buf).unwrap_or_default();
    for part in Path::new(name.strip_suffix(".rb").unwrap_or(name)).components() {
        match part {
            Component::ParentDir => _ = found.pop(),
            Component::CurDir => {}
            other => found.push(other),
        }
    }
    found.as_mut_os_string().push(".rb");
    found
}

/// Returns the text of a file; none if it is no regular file, or cannot be read.
#[allow(
    clippy::disallowed_methods,
    reason = "the file is beside a requested one, and its size is bounded here"
)]
pub fn read(path: &Path) -> Option<String> {
    let file = std::fs::metadata(path).ok()?;
    let is_read = file.is_file() && file.len() <= LARGEST;
    is_read.then(|| std::fs::read_to_string(path).ok()).flatten()
}
