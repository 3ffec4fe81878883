//! Access to the files of a few directories only.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use crate::file_system::{DirectoryEntry, FileSystem, StdFileSystem};

/// The file system of the machine, confined to a few directories and the targets of links directly in them, as modules may
/// be links. Paths outside seem not to exist, and reading them is an error.
#[derive(Debug)]
pub struct ConfinedFiles {
    files: StdFileSystem,
    roots: Vec<PathBuf>,
}

impl ConfinedFiles {
    /// Returns the files in some directories.
    pub fn new(files: StdFileSystem, roots: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { files, roots: roots.into_iter().map(|root| normalized(&root)).collect() }
    }

    /// Returns true if a path leads to where files may be read: neither its `..` nor its links lead out.
    #[allow(clippy::disallowed_methods, reason = "resolves links")]
    fn has(&self, path: &Path) -> bool {
        let path = normalized(path);
        let Ok(real) = path.canonicalize() else {
            return self.roots.iter().any(|root| path.starts_with(root));
        };
        let is_in = |directory: &Path| directory.canonicalize().is_ok_and(|place| real.starts_with(place));
        self.roots.iter().any(|root| {
            let Ok(within) = path.strip_prefix(root) else { return false };
            is_in(root) || within.components().next().is_some_and(|module| is_in(&root.join(module)))
        })
    }
}

/// Returns a path without `.` and `..`, regardless of links.
fn normalized(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => normal.push(part),
        }
    }
    normal
}

impl FileSystem for ConfinedFiles {
    fn list(&self, directory: &Path) -> io::Result<Vec<DirectoryEntry>> {
        self.check(directory)?;
        self.files.list(directory)
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.has(path) && self.files.is_directory(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.has(path) && self.files.is_file(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.has(path) && self.files.exists(path)
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        self.check(file)?;
        self.files.read(file)
    }

    fn read_named(&self, file: &Path) -> io::Result<Vec<u8>> {
        self.files.read_named(file)
    }

    fn modified(&self, file: &Path) -> io::Result<Option<SystemTime>> {
        self.check(file)?;
        self.files.modified(file)
    }

    fn check(&self, path: &Path) -> io::Result<()> {
        if self.has(path) {
            return Ok(());
        }
        let message = "it is outside of the modulepath and the environment, and nothing else is to be read \
                       (--no-outside-files, Puppetfn::Runtime.new(outside_files: false))";
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::disallowed_methods, reason = "makes the files that the tests are about")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// Calls `run` with a new directory, which is removed afterwards.
    fn in_a_directory(name: &str, run: impl FnOnce(&Path)) {
        let directory = std::env::temp_dir().join(format!("puppetfn-confined-{name}-{}", std::process::id()));
        fs::create_dir_all(directory.join("modules/m")).unwrap();
        fs::create_dir_all(directory.join("elsewhere")).unwrap();
        run(&directory);
        fs::remove_dir_all(&directory).unwrap();
    }

    fn confined(directory: &Path) -> ConfinedFiles {
        ConfinedFiles::new(StdFileSystem::DEFAULT, [directory.join("modules")])
    }

    #[test]
    fn files_elsewhere_are_as_if_they_were_not_there() {
        in_a_directory("elsewhere", |directory| {
            let (inside, outside) = (directory.join("modules/m/f"), directory.join("elsewhere/f"));
            fs::write(&inside, "a").unwrap();
            fs::write(&outside, "b").unwrap();
            let files = confined(directory);
            assert_eq!(files.read(&inside).unwrap(), b"a");
            for path in [outside, directory.join("modules/m/../../elsewhere/f")] {
                assert!(!files.exists(&path) && !files.is_file(&path), "{}", path.display());
                assert_eq!(files.read(&path).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
            }
            assert!(files.list(directory).is_err());
            assert_eq!(files.list(&directory.join("modules")).unwrap().len(), 1);
        });
    }

    #[test]
    fn modules_may_be_links_and_files_in_them_may_not_lead_out() {
        in_a_directory("links", |directory| {
            fs::write(directory.join("elsewhere/f"), "b").unwrap();
            symlink("../elsewhere", directory.join("modules/linked")).unwrap();
            symlink("../../elsewhere/f", directory.join("modules/m/link")).unwrap();
            symlink("link", directory.join("modules/m/further")).unwrap();
            let files = confined(directory);
            assert_eq!(files.read(&directory.join("modules/linked/f")).unwrap(), b"b");
            assert!(files.read(&directory.join("modules/m/link")).is_err());
            assert!(files.read(&directory.join("modules/m/further")).is_err());
            assert!(!files.exists(&directory.join("modules/m/none")));
        });
    }
}
