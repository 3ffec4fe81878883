//! What one module, or the environment, defines.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::tree::Directory;
use super::typed_name::{Kind, TypedName, is_word};
use super::{ENVIRONMENT, FileSystem};
use crate::error::Error;

/// Finds the files of one module. The environment is a module, too, that can also define types
/// without a namespace.
pub(super) struct ModuleLoader {
    name: Arc<str>,
    is_environment: bool,
    root: PathBuf,
    functions: Autoload,
    types: Autoload,
}

/// Where the files of a kind are.
struct Autoload {
    directory: Directory,
    extension: &'static str,
    /// Whether the namespace of the module is a part of the paths.
    has_namespace: bool,
}

impl ModuleLoader {
    pub fn new(name: Arc<str>, is_environment: bool, root: PathBuf, files: Arc<dyn FileSystem>) -> Self {
        Self {
            functions: Autoload {
                directory: Directory::new(root.join("lib/puppet/functions"), Arc::clone(&files)),
                extension: "rb",
                has_namespace: true,
            },
            types: Autoload {
                directory: Directory::new(root.join("types"), files),
                extension: "pp",
                has_namespace: is_environment,
            },
            name,
            is_environment,
            root,
        }
    }

    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file that defines a name, if it is in this module.
    ///
    /// # Errors
    /// [`crate::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn find(&self, name: &TypedName) -> Result<Option<PathBuf>, Error> {
        let may_have_it = match name.namespace() {
            Some(namespace) => namespace == &*self.name,
            None => self.defines_global(name.kind()),
        };
        if !may_have_it {
            return Ok(None);
        }
        let autoload = self.autoload(name.kind());
        let skipped = if name.namespace().is_some() && !autoload.has_namespace { 1 } else { 0 };
        autoload.directory.find(name.parts().skip(skipped), autoload.extension)
    }

    /// All names of a kind that this module defines, with their files.
    ///
    /// # Errors
    /// [`crate::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn discover(&self, kind: Kind) -> Result<Vec<(String, PathBuf)>, Error> {
        let autoload = self.autoload(kind);
        let mut found = Vec::new();
        if self.defines_global(kind) {
            autoload.directory.each_file(autoload.extension, |stem, path| {
                if is_word(stem) {
                    found.push((stem.to_owned(), path));
                }
            })?;
        }
        let namespaced = if autoload.has_namespace {
            autoload.directory.directory(&self.name)?
        } else {
            Some(&autoload.directory)
        };
        if let Some(directory) = namespaced {
            autoload.discover(directory, &self.name, &mut found)?;
        }
        Ok(found)
    }

    fn autoload(&self, kind: Kind) -> &Autoload {
        match kind {
            Kind::Function => &self.functions,
            Kind::Type => &self.types,
        }
    }

    /// Tells if names of a kind may be without a namespace.
    fn defines_global(&self, kind: Kind) -> bool {
        match kind {
            Kind::Function => true,
            Kind::Type => self.is_environment,
        }
    }
}

impl Autoload {
    fn discover(
        &self,
        directory: &Directory,
        namespace: &str,
        found: &mut Vec<(String, PathBuf)>,
    ) -> Result<(), Error> {
        directory.each_file(self.extension, |stem, path| {
            if is_word(stem) {
                found.push((format!("{namespace}::{stem}"), path));
            }
        })?;
        for (name, inner) in directory.directories()? {
            if is_word(name) {
                self.discover(inner, &format!("{namespace}::{name}"), found)?;
            }
        }
        Ok(())
    }
}

/// Tells if a module can have this name.
pub(super) fn is_name(name: &str) -> bool {
    is_word(name) && name.starts_with(|c: char| c.is_ascii_lowercase()) && name != ENVIRONMENT
}
