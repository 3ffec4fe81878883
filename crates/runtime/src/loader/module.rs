//! The definitions of one module, or of the environment.
//!
//! See Puppet's `pops/loader/module_loaders.rb` and `pops/loader/loader_paths.rb`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::metadata::Metadata;
use super::tree::{self, LazyDirectory};
use super::typed_name::{LoadableKind, TypedName, is_word};
use super::{DirectoryEntry, ENVIRONMENT, EntryKind, FileLanguage, FileSystem, LocatedFile};
use puppetfn_base::error::Error;

/// The name of the file that defines the type set of a module.
const TYPE_SET: &str = "init_typeset";

/// Finds the files of one module. The environment is a module, too, that can also define types
/// without a namespace.
pub(super) struct ModuleLoader {
    name: Arc<str>,
    root: PathBuf,
    /// Directories in the order in which they are searched, as are the ones of `types`.
    functions: Vec<Autoload>,
    types: Vec<Autoload>,
    manifests: LazyDirectory,
    plans: LazyDirectory,
    /// Resource types that are written in Ruby.
    resource_types: LazyDirectory,
    files: Arc<dyn FileSystem>,
    metadata: OnceLock<Metadata>,
}

/// The directory of files in one format.
struct Autoload {
    directory: LazyDirectory,
    format: FileLanguage,
    /// Whether the namespace of the module is a part of the paths. Only then there are names without
    /// one.
    has_namespace: bool,
}

impl ModuleLoader {
    pub fn new(name: Arc<str>, is_environment: bool, root: PathBuf, files: Arc<dyn FileSystem>) -> Self {
        let autoload = |path: &str, format, has_namespace| Autoload {
            directory: LazyDirectory::new(root.join(path), Arc::clone(&files)),
            format,
            has_namespace,
        };
        Self {
            functions: vec![
                autoload("lib/puppet/functions", FileLanguage::Ruby, true),
                autoload("functions", FileLanguage::Puppet, is_environment),
                autoload("lib/puppet/parser/functions", FileLanguage::LegacyRuby, true),
            ],
            types: vec![
                autoload("lib/puppet/datatypes", FileLanguage::Ruby, true),
                autoload("types", FileLanguage::Puppet, is_environment),
            ],
            manifests: LazyDirectory::new(root.join("manifests"), Arc::clone(&files)),
            plans: LazyDirectory::new(root.join("plans"), Arc::clone(&files)),
            resource_types: LazyDirectory::new(root.join("lib/puppet/type"), Arc::clone(&files)),
            name,
            root,
            files,
            metadata: OnceLock::new(),
        }
    }

    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the file that defines a name, if it is in this module.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn find(&self, name: &TypedName) -> Result<Option<(PathBuf, FileLanguage)>, Error> {
        let may_have_it = match name.namespace() {
            Some(namespace) => namespace == &*self.name,
            None => true,
        };
        if !may_have_it {
            return Ok(None);
        }
        if name.kind() == LoadableKind::Type && name.name() == &*self.name {
            return self.type_set();
        }
        self.autoloads(name.kind()).iter().find_map(|autoload| autoload.find(name).transpose()).transpose()
    }

    /// Returns the same, with the name of the module.
    ///
    /// # Errors
    /// The same errors as [`ModuleLoader::find`].
    pub fn locate(&self, name: &TypedName) -> Result<Option<LocatedFile>, Error> {
        let located = |(path, format)| LocatedFile { module: Arc::clone(&self.name), path, format };
        Ok(self.find(name)?.map(located))
    }

    /// Returns the names of the modules that this one depends on; `None` if it does not say.
    pub fn dependencies(&self) -> Option<&[Arc<str>]> {
        self.metadata().dependencies.as_deref()
    }

    /// Returns the metadata.
    pub fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| Metadata::read(&*self.files, &self.root, &self.name))
    }

    /// Returns the manifest at a path of names.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn manifest(&self, parts: &[&str]) -> Result<Option<PathBuf>, Error> {
        self.manifests.find(parts.iter().copied(), "pp")
    }

    /// Returns the file of the plan at a path of names.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn plan(&self, parts: &[&str]) -> Result<Option<PathBuf>, Error> {
        self.plans.find(parts.iter().copied(), "pp")
    }

    /// Returns the names that the definitions in the manifests should have.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn manifest_names(&self) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        let mut left = vec![(self.name.to_string(), &self.manifests)];
        while let Some((prefix, directory)) = left.pop() {
            let is_top = *prefix == *self.name;
            directory.each_file("pp", |stem, _| {
                names.push(if is_top && stem == "init" {
                    prefix.clone()
                } else {
                    format!("{prefix}::{stem}")
                });
            })?;
            let inner = directory.directories()?;
            left.extend(inner.map(|(name, directory)| (format!("{prefix}::{name}"), directory)));
        }
        Ok(names)
    }

    /// Calls `visit` with the name and the file of each resource type that is written in Ruby.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn each_resource_type(&self, visit: impl FnMut(&str, PathBuf)) -> Result<(), Error> {
        self.resource_types.each_file("rb", visit)
    }

    /// Returns the file that defines the type set that has the name of the module.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn type_set(&self) -> Result<Option<(PathBuf, FileLanguage)>, Error> {
        let directories = self.types.iter().filter(|autoload| autoload.format == FileLanguage::Puppet);
        let find =
            |autoload: &Autoload| autoload.directory.find([TYPE_SET], FileLanguage::Puppet.extension());
        let found = directories.map(find).find_map(Result::transpose).transpose()?;
        Ok(found.map(|path| (path, FileLanguage::Puppet)))
    }

    /// Returns all names of a kind that this module defines, with their files.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn discover(&self, kind: LoadableKind) -> Result<Vec<(String, PathBuf, FileLanguage)>, Error> {
        let mut found = Vec::new();
        for autoload in self.autoloads(kind) {
            autoload.discover_global(&mut found)?;
            autoload.discover_namespace(&self.name, &mut found)?;
        }
        if kind == LoadableKind::Type
            && let Some((path, format)) = self.type_set()?
        {
            found.retain(|(_, known, _)| *known != path);
            found.push((self.name.to_string(), path, format));
        }
        Ok(found)
    }

    /// Returns the files of functions of Puppet 3 that are found by their exact names, whatever these are.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn legacy_functions(&self) -> Result<Vec<(String, PathBuf)>, Error> {
        let mut found = Vec::new();
        for Autoload { directory, format, .. } in &self.functions {
            if *format == FileLanguage::LegacyRuby {
                directory.each_file(format.extension(), |stem, path| found.push((stem.to_owned(), path)))?;
            }
        }
        Ok(found)
    }

    /// Returns the file of a function of Puppet 3.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn legacy_function(&self, name: &TypedName) -> Result<Option<LocatedFile>, Error> {
        let mut legacy = self.functions.iter().filter(|autoload| autoload.format == FileLanguage::LegacyRuby);
        let located = |(path, format)| LocatedFile { module: Arc::clone(&self.name), path, format };
        Ok(legacy.find_map(|autoload| autoload.find(name).transpose()).transpose()?.map(located))
    }

    /// Returns where files of a kind may be.
    fn autoloads(&self, kind: LoadableKind) -> &[Autoload] {
        match kind {
            LoadableKind::Function => &self.functions,
            LoadableKind::Type => &self.types,
        }
    }
}

impl Autoload {
    fn find(&self, name: &TypedName) -> Result<Option<(PathBuf, FileLanguage)>, Error> {
        if name.namespace().is_none() && !self.has_namespace {
            return Ok(None);
        }
        let skipped = if self.has_namespace { 0 } else { 1 };
        let found = self.directory.find(name.parts().skip(skipped), self.format.extension())?;
        Ok(found.map(|path| (path, self.format)))
    }

    fn discover_global(&self, found: &mut Vec<(String, PathBuf, FileLanguage)>) -> Result<(), Error> {
        if !self.has_namespace {
            return Ok(());
        }
        self.directory.each_file(self.format.extension(), |stem, path| {
            if is_word(stem) {
                found.push((stem.to_owned(), path, self.format));
            }
        })
    }

    fn discover_namespace(
        &self,
        module: &str,
        found: &mut Vec<(String, PathBuf, FileLanguage)>,
    ) -> Result<(), Error> {
        let directory =
            if self.has_namespace { self.directory.directory(module)? } else { Some(&self.directory) };
        directory.map_or(Ok(()), |directory| self.discover(directory, module, found))
    }

    fn discover(
        &self,
        directory: &LazyDirectory,
        namespace: &str,
        found: &mut Vec<(String, PathBuf, FileLanguage)>,
    ) -> Result<(), Error> {
        directory.each_file(self.format.extension(), |stem, path| {
            if is_word(stem) {
                found.push((format!("{namespace}::{stem}"), path, self.format));
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

/// Returns true if a module can have this name.
pub(super) fn is_name(name: &str) -> bool {
    is_word(name) && name.starts_with(|c: char| c.is_ascii_lowercase()) && name != ENVIRONMENT
}

/// Returns the modules in a directory: their names and their own directories.
///
/// # Errors
/// [`puppetfn_base::error::ErrorKind::Load`] when the directory cannot be listed.
pub(super) fn list(files: &dyn FileSystem, directory: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let mut found = directories(files, directory)?;
    found.retain(|(name, _)| is_name(name));
    Ok(found)
}

/// Returns the directories in a directory of modules, also ones whose names no module can have.
///
/// # Errors
/// The same errors as [`list`].
pub(super) fn directories(files: &dyn FileSystem, directory: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let module = |DirectoryEntry { name, kind }: DirectoryEntry| {
        let root = directory.join(&name);
        let is_directory = || match kind {
            EntryKind::Directory => true,
            EntryKind::Link => files.is_directory(&root),
            EntryKind::File => false,
        };
        (!name.starts_with('.') && is_directory()).then(|| (name, root.clone()))
    };
    Ok(tree::list(files, directory)?.into_iter().filter_map(module).collect())
}
