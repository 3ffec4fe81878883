//! Finding functions and types by name, in the modules of a modulepath and in an environment.
//!
//! Nothing is read before it is asked for: a directory is listed when a name may be in it, a file
//! is read when it defines what is looked for. What was listed or read is kept.

mod dependencies;
mod files;
mod functions;
mod manifests;
mod module;
mod resolve;
mod tree;
mod typed_name;

pub use crate::file_system::{Entry, EntryKind, FileSystem, StdFileSystem};
pub use typed_name::{Kind, TypedName};

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;

use self::module::ModuleLoader;
use self::resolve::Resolved;
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::types::Type;
use crate::types::parse::TypeLookup;

/// The name of the environment as a namespace.
const ENVIRONMENT: &str = "environment";

/// What an environment and the modules on a modulepath define.
pub struct Loader {
    files: Arc<dyn FileSystem>,
    modulepath: Vec<PathBuf>,
    environment: Option<ModuleLoader>,
    /// By name; where two modules have the same, only the first on the path counts.
    modules: OnceLock<Result<IndexMap<Arc<str>, ModuleLoader>, Error>>,
    types: Resolved,
    limits: Limits,
    strict_dependencies: bool,
}

/// A file that defines a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionFile {
    /// The name of the function, without a leading `::`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// What the file is written in.
    pub format: Format,
    /// The module that has it, or `environment`.
    pub module: Arc<str>,
}

/// What a file that defines something is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Ruby, against the API of Puppet 4: `Puppet::Functions.create_function`.
    Ruby,
    /// Ruby, against the API of Puppet 3: `Puppet::Parser::Functions.newfunction`.
    LegacyRuby,
    /// The Puppet language.
    Puppet,
}

impl Format {
    fn extension(self) -> &'static str {
        match self {
            Self::Ruby | Self::LegacyRuby => "rb",
            Self::Puppet => "pp",
        }
    }
}

/// Where something is defined.
struct Located {
    module: Arc<str>,
    path: PathBuf,
    format: Format,
}

impl Located {
    fn function(self, name: String) -> FunctionFile {
        let Self { module, path, format } = self;
        FunctionFile { name, path, format, module }
    }
}

impl Loader {
    /// A loader for the modules in the directories of `modulepath`, in order of preference, and for
    /// the directory of an environment.
    pub fn new(
        files: Arc<dyn FileSystem>,
        modulepath: Vec<PathBuf>,
        environment: Option<PathBuf>,
        limits: Limits,
    ) -> Self {
        let environment =
            environment.map(|root| ModuleLoader::new(ENVIRONMENT.into(), true, root, Arc::clone(&files)));
        let (modules, types) = (OnceLock::new(), Resolved::default());
        Self { files, modulepath, environment, modules, types, limits, strict_dependencies: false }
    }

    /// Says whether functions of modules may only use those of modules that are their dependencies, as
    /// far as they name any. Without that, dependencies are only looked into before others.
    #[must_use]
    pub fn strict_dependencies(self, strict_dependencies: bool) -> Self {
        Self { strict_dependencies, ..self }
    }

    /// The file that defines a function. A name without a namespace may be defined by the
    /// environment or by any module, `a::b` only by the module `a`.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed.
    pub fn find_function(&self, name: &str) -> Result<Option<FunctionFile>, Error> {
        let Some(name) = TypedName::new(Kind::Function, name) else { return Ok(None) };
        Ok(self.locate(&name)?.map(|found| found.function(name.name().to_owned())))
    }

    /// All functions, sorted by name.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed.
    pub fn functions(&self) -> Result<Vec<FunctionFile>, Error> {
        let found = self.discover(Kind::Function)?.into_iter();
        Ok(found.map(|(name, located)| located.function(name)).collect())
    }

    /// The files that functions of Puppet 3 find, in the order of the modules: those of functions without
    /// a namespace in modules, by names in which case counts.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed.
    pub fn legacy_functions(&self) -> Result<Vec<FunctionFile>, Error> {
        let mut files = IndexMap::new();
        for module in self.modules()?.values() {
            for (name, path) in module.legacy_functions()? {
                let module = Arc::clone(module.name());
                files.entry(name).or_insert(Located { module, path, format: Format::LegacyRuby });
            }
        }
        Ok(files.into_iter().map(|(name, located)| located.function(name)).collect())
    }

    /// The names of all type aliases, sorted, each of its parts in lower case but for the first
    /// letter. Their definitions are not read.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed.
    pub fn type_names(&self) -> Result<Vec<String>, Error> {
        Ok(self.discover(Kind::Type)?.into_keys().map(|name| typed_name::capitalize(&name)).collect())
    }

    /// The file that defines a type alias.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed.
    pub fn find_type_file(&self, name: &str) -> Result<Option<PathBuf>, Error> {
        let Some(name) = TypedName::new(Kind::Type, name) else { return Ok(None) };
        Ok(self.locate(&name)?.map(|found| found.path))
    }

    /// The files that define type aliases, in the order of their names.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed.
    pub fn type_files(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(self.discover(Kind::Type)?.into_values().map(|found| found.path).collect())
    }

    /// The names of all modules, in order of preference.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed.
    pub fn module_names(&self) -> Result<impl Iterator<Item = &Arc<str>>, Error> {
        Ok(self.modules()?.keys())
    }

    /// The first file that may define a name, and the module that it is in.
    fn locate(&self, name: &TypedName) -> Result<Option<Located>, Error> {
        let namespace = name.namespace();
        let named = |module: &ModuleLoader| module.locate(name);
        if let (Some(ENVIRONMENT) | None, Some(environment)) = (namespace, &self.environment)
            && let Some(found) = named(environment)?
        {
            return Ok(Some(found));
        }
        match namespace {
            Some(namespace) => self.modules()?.get(namespace).map_or(Ok(None), named),
            None => self.modules()?.values().find_map(|module| named(module).transpose()).transpose(),
        }
    }

    /// All names of a kind, with the files that define them.
    fn discover(&self, kind: Kind) -> Result<BTreeMap<String, Located>, Error> {
        let mut found = BTreeMap::new();
        for module in self.environment.iter().chain(self.modules()?.values()) {
            for (name, path, format) in module.discover(kind)? {
                let located = || Located { module: Arc::clone(module.name()), path, format };
                found.entry(name).or_insert_with(located);
            }
        }
        Ok(found)
    }

    fn modules(&self) -> Result<&IndexMap<Arc<str>, ModuleLoader>, Error> {
        self.modules.get_or_init(|| self.list_modules()).as_ref().map_err(Error::clone)
    }

    fn list_modules(&self) -> Result<IndexMap<Arc<str>, ModuleLoader>, Error> {
        let mut modules = IndexMap::new();
        for directory in &self.modulepath {
            for Entry { name, kind } in tree::list(&*self.files, directory)? {
                let root = directory.join(&name);
                let is_directory =
                    kind == EntryKind::Directory || kind == EntryKind::Link && self.files.is_directory(&root);
                if is_directory && module::is_name(&name) {
                    let name: Arc<str> = name.into();
                    modules
                        .entry(Arc::clone(&name))
                        .or_insert_with(|| ModuleLoader::new(name, false, root, Arc::clone(&self.files)));
                }
            }
        }
        Ok(modules)
    }

    fn read(&self, path: &Path) -> Result<String, Error> {
        let load_error = |problem: &dyn fmt::Display| {
            Error::new(ErrorKind::Load, format!("{} cannot be read: {problem}", path.display()))
        };
        let content = self.files.read(path).map_err(|error| load_error(&error))?;
        String::from_utf8(content).map_err(|error| load_error(&error.utf8_error()))
    }
}

impl TypeLookup for Loader {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        self.types.find(self, name)
    }

    fn environment_file(&self, name: &str) -> Result<Option<String>, Error> {
        if self.types.is_known(name) { self.file_of_environment(Kind::Type, name) } else { Ok(None) }
    }
}

impl fmt::Debug for Loader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loader")
            .field("modulepath", &self.modulepath)
            .field("environment", &self.environment.as_ref().map(ModuleLoader::root))
            .finish_non_exhaustive()
    }
}
