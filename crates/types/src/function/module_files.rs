//! The files of modules, as functions see them.

use std::io;
use std::path::{Path, PathBuf};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::file_system::{FileSystem, StdFileSystem, unreadable};
use puppetfn_base::target::Target;

/// The directories of modules, and access to their files and all others.
pub trait ModuleFiles: Send + Sync {
    /// Returns the file system.
    fn file_system(&self) -> &dyn FileSystem;

    /// Returns the directory of the module with this name, if it exists.
    ///
    /// # Errors
    /// Fails if a directory of modules cannot be listed.
    fn module_directory(&self, name: &str) -> Result<Option<PathBuf>, Error>;

    /// Returns true if encrypted data is not decrypted, but replaced by placeholders.
    fn hides_secrets(&self) -> bool {
        false
    }

    /// Returns the release whose behaviour code sees.
    fn target(&self) -> Target {
        Target::default()
    }
}

impl dyn ModuleFiles + '_ {
    /// Returns the file that `reference` denotes, if it exists: an absolute path, or `module/path` with a path below the
    /// directory `kind` of the module.
    ///
    /// # Errors
    /// The same errors as [`ModuleFiles::module_directory`].
    pub fn find(&self, reference: &str, kind: &str) -> Result<Option<PathBuf>, Error> {
        let path = Path::new(reference);
        let found = if path.is_absolute() {
            self.file_system().check(path).map_err(|error| unread(path, &error))?;
            Some(path.to_owned())
        } else if let Some((module, path)) = reference.split_once('/') {
            self.module_directory(module)?.map(|root| root.join(kind).join(path.trim_start_matches('/')))
        } else {
            None
        };
        Ok(found.filter(|path| self.file_system().exists(path)))
    }

    /// Returns the content of a file.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`] if it cannot be read.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, Error> {
        self.file_system().read(path).map_err(|error| unread(path, &error))
    }

    /// Returns the content of a file, as text.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`] if it cannot be read, or is not UTF-8.
    pub fn read_text(&self, path: &Path) -> Result<String, Error> {
        text(path, self.read(path)?)
    }

    /// Returns the content of a file that a user has named, which may be a pipe, as text.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if it is not UTF-8.
    pub fn read_named_text(&self, path: &Path) -> Result<String, Error> {
        text(path, self.file_system().read_named(path).map_err(|error| unread(path, &error))?)
    }
}

fn unread(path: &Path, reason: &io::Error) -> Error {
    unreadable(reason, format!("The file {} cannot be read: {reason}", path.display()))
}

fn text(path: &Path, content: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(content).map_err(|_| {
        let message =
            format!("The file {} is not text in UTF-8; `binary_file` reads any file", path.display());
        Error::new(ErrorKind::Load, message)
    })
}

/// The files of a machine without modules.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoModules;

impl ModuleFiles for NoModules {
    fn file_system(&self) -> &dyn FileSystem {
        &StdFileSystem::DEFAULT
    }

    fn module_directory(&self, _: &str) -> Result<Option<PathBuf>, Error> {
        Ok(None)
    }
}
