//! The modules of an environment.
//!
//! See `modules` in Puppet's `node/environment.rb`.
#![allow(clippy::disallowed_methods, reason = "files are served from the disk, links and modes included")]

use std::collections::HashSet;
use std::path::Path;

use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_project::Environment;
use puppetfn_runtime::loader::check_module;

use crate::error::FileError;
use crate::metadata::{join, malformed_name, null_byte};

/// The modules of an environment, as they are on the disk now.
pub(crate) struct EnvironmentModules<'e> {
    environment: &'e Environment,
    /// Whether a module with a malformed `metadata.json` is ignored.
    is_strict: bool,
    limits: Limits,
    faults: &'e dyn ModuleFaults,
}

/// A module of an environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServedModule {
    /// The name of its directory.
    pub name: String,
    /// The path of its directory.
    pub root: String,
}

/// A log of modules that have no files because of their metadata.
pub(crate) trait ModuleFaults {
    /// Writes the message about a module, unless it was written before.
    fn write_fault(&self, message: String);
}

impl<'e> EnvironmentModules<'e> {
    pub fn new(
        environment: &'e Environment,
        is_strict: bool,
        limits: Limits,
        faults: &'e dyn ModuleFaults,
    ) -> Self {
        Self { environment, is_strict, limits, faults }
    }

    /// Returns the directories with modules.
    pub fn modulepath(&self) -> Result<Vec<&'e str>, FileError> {
        let paths = self.environment.modulepath.iter();
        paths.map(|path| path.to_str().ok_or_else(malformed_name)).collect()
    }

    /// Returns the directory of a module.
    pub fn module(&self, name: &str) -> Result<Option<String>, FileError> {
        if !is_module_name(name) {
            return Ok(None);
        }
        let roots = self.modulepath()?.into_iter().map(|path| join(path, name));
        let first = roots.into_iter().find(|root| Path::new(root).is_dir());
        Ok(first.filter(|root| self.is_usable(root)))
    }

    /// Returns the paths of a file or directory in all modules that have it: in the order of the modulepath, then of the file system.
    ///
    /// # Errors
    /// Fails if a directory of the modulepath cannot be read, or if the path has a null byte.
    pub fn with_file(&self, relative: &str) -> Result<Vec<String>, FileError> {
        self.find(relative, usize::MAX)
    }

    /// Returns the path of a file or directory of the first module that has it.
    ///
    /// # Errors
    /// The same errors as [`Self::with_file`].
    pub fn first_with_file(&self, relative: &str) -> Result<Option<String>, FileError> {
        Ok(self.find(relative, 1)?.pop())
    }

    /// Returns all modules, in the order of the modulepath and by name.
    ///
    /// # Errors
    /// Fails if a directory of the modulepath cannot be read.
    pub fn all(&self) -> Result<Vec<ServedModule>, FileError> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for path in self.modulepath()? {
            let of_system = |error| FileError::of_system(&error, Path::new(path));
            let mut names = Vec::new();
            for entry in Path::new(path).read_dir().map_err(of_system)? {
                names.extend(entry.map_err(of_system)?.file_name().into_string());
            }
            names.sort();
            for name in names {
                let root = join(path, &name);
                if is_module_name(&name) && Path::new(&root).is_dir() && seen.insert(name.clone()) {
                    found.push(ServedModule { name, root });
                }
            }
        }
        found.retain(|module| self.is_usable(&module.root));
        Ok(found)
    }

    /// Returns the paths of a file in the modules that have it, `most` at the most.
    fn find(&self, relative: &str, most: usize) -> Result<Vec<String>, FileError> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for path in self.modulepath()? {
            let of_system = |error| FileError::of_system(&error, Path::new(path));
            for entry in Path::new(path).read_dir().map_err(of_system)? {
                let Ok(name) = entry.map_err(of_system)?.file_name().into_string() else { continue };
                let root = join(path, &name);
                if !is_module_name(&name) || seen.contains(&name) || !Path::new(&root).is_dir() {
                    continue;
                }
                seen.insert(name);
                let file = join(&root, relative);
                let has_null = relative.contains('\0');
                if (has_null || Path::new(&file).exists()) && self.is_usable(&root) {
                    if has_null {
                        return Err(null_byte());
                    }
                    found.push(file);
                    if found.len() >= most {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns true unless Puppet ignores the module because of its metadata.
    fn is_usable(&self, root: &str) -> bool {
        let root = Path::new(root);
        let name = root.file_name().unwrap_or_default().to_string_lossy();
        let checked = check_module(&StdFileSystem::new(&self.limits), root, &name, self.is_strict);
        checked.map_err(|message| self.faults.write_fault(message)).is_ok()
    }
}

/// Returns true if a directory of this name can be a module.
fn is_module_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}
