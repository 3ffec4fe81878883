//! The command in a directory of files.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests may take the short way")]

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Creates a directory with files.
pub fn directory(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

/// Runs the command in a directory. Returns its output, its errors and its exit code.
pub fn puppetfn(root: &Path, arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puppetfn"));
    let output = command.args(arguments).current_dir(root).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}
