//! Paths of files.

use std::path::{Path, PathBuf};

/// Returns an absolute path.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns true if a file's name is a data file's.
pub fn is_data(path: &Path) -> bool {
    path.extension().is_some_and(|end| ["yaml", "yml", "eyaml", "json"].iter().any(|data| end == *data))
}
