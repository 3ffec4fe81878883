//! The environment and the modules as they were found, until they are looked at again.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;

use super::metadata::MetadataFault;
use super::module::{self, ModuleLoader};
use super::typed_name::{LoadableKind, TypedName};
use super::{ENVIRONMENT, FileSystem, LocatedFile};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::Error;
use puppetfn_types::function::LogLevel;

/// By name; where two modules have the same, only the first on the path counts.
pub(super) type ByName = IndexMap<Arc<str>, ModuleLoader>;

/// The modules of an environment and on a modulepath.
pub(super) struct Modules {
    files: Arc<dyn FileSystem>,
    modulepath: Arc<[PathBuf]>,
    own: Arc<[(Arc<str>, PathBuf)]>,
    pub environment: Option<ModuleLoader>,
    strict_metadata: Option<Strict>,
    found: OnceLock<Result<FoundModules, Error>>,
    resource_types: OnceLock<Result<Arc<BTreeMap<String, PathBuf>>, Error>>,
    /// Whether the complaints have been returned.
    is_told: AtomicBool,
}

/// The result of listing the modulepath.
#[derive(Default)]
struct FoundModules {
    modules: ByName,
    /// Directories that are no modules in use: the name is taken by an earlier one, or no name of a module, or the metadata is
    /// unusable.
    unused: Vec<ModuleLoader>,
    /// Complaints about the metadata of modules.
    complaints: Vec<MetadataComplaint>,
}

/// A complaint about the metadata of a module.
struct MetadataComplaint {
    module: Arc<str>,
    message: String,
    level: LogLevel,
}

impl Modules {
    /// Creates the modules of a modulepath and `own` ones at known places.
    pub fn new(
        files: &Arc<dyn FileSystem>,
        modulepath: &Arc<[PathBuf]>,
        own: &Arc<[(Arc<str>, PathBuf)]>,
        environment: Option<&Path>,
    ) -> Self {
        let (files, modulepath, own) = (Arc::clone(files), Arc::clone(modulepath), Arc::clone(own));
        let environment = environment
            .map(|root| ModuleLoader::new(ENVIRONMENT.into(), true, root.to_owned(), Arc::clone(&files)));
        Self {
            files,
            modulepath,
            own,
            environment,
            strict_metadata: None,
            found: OnceLock::new(),
            resource_types: OnceLock::new(),
            is_told: AtomicBool::new(false),
        }
    }

    /// Sets how strict to be with metadata: see [`super::Loader::strict`].
    pub fn strict_metadata(self, strict_metadata: Option<Strict>) -> Self {
        Self { strict_metadata, ..self }
    }

    /// Returns the complaints to log: all the first time, none later.
    pub fn complaints(&self) -> impl Iterator<Item = (LogLevel, &str)> {
        let is_told = self.is_told.swap(true, Ordering::Relaxed);
        // Errors in listing modules are reported by lookups.
        let found = self.found().ok().filter(|_| !is_told);
        found
            .into_iter()
            .flat_map(|found| &found.complaints)
            .map(|MetadataComplaint { level, message, .. }| (*level, &**message))
    }

    /// Returns why a module that is there is not used.
    pub fn reason_against(&self, module: &str) -> Option<&str> {
        let complaints = &self.found().ok()?.complaints;
        let of_it =
            complaints.iter().find(|complaint| &*complaint.module == module && complaint.is_reason())?;
        Some(&of_it.message)
    }

    /// Returns all modules.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn by_name(&self) -> Result<&ByName, Error> {
        Ok(&self.found()?.modules)
    }

    fn found(&self) -> Result<&FoundModules, Error> {
        self.found.get_or_init(|| self.list()).as_ref().map_err(Error::clone)
    }

    /// Returns the environment and all modules, in the order in which they are looked into.
    ///
    /// # Errors
    /// The same errors as [`Modules::by_name`].
    pub fn all(&self) -> Result<impl Iterator<Item = &ModuleLoader>, Error> {
        Ok(self.environment.iter().chain(self.by_name()?.values()))
    }

    /// Returns [`Modules::all`], and then the directories on the modulepath that are no modules in use. Puppet's autoloader finds
    /// functions of Puppet 3, resource types and providers in the `lib` of each.
    ///
    /// # Errors
    /// The same errors as [`Modules::by_name`].
    pub fn libraries(&self) -> Result<impl Iterator<Item = &ModuleLoader>, Error> {
        Ok(self.all()?.chain(&self.found()?.unused))
    }

    /// Returns the files that define resource types, by the names of these; the first one of a name counts.
    ///
    /// # Errors
    /// The same errors as [`Modules::by_name`].
    pub fn resource_types(&self) -> Result<Arc<BTreeMap<String, PathBuf>>, Error> {
        let list = || {
            let mut found = BTreeMap::new();
            for module in self.libraries()? {
                module.each_resource_type(|name, path| _ = found.entry(name.to_owned()).or_insert(path))?;
            }
            Ok(Arc::new(found))
        };
        self.resource_types.get_or_init(list).clone()
    }

    /// Returns the file of a function of Puppet 3 in a directory that is no module in use.
    ///
    /// # Errors
    /// The same errors as [`Modules::by_name`].
    pub fn unused_legacy_function(&self, name: &TypedName) -> Result<Option<LocatedFile>, Error> {
        if name.namespace().is_some() {
            return Ok(None);
        }
        let unused = &self.found()?.unused;
        unused.iter().find_map(|module| module.legacy_function(name).transpose()).transpose()
    }

    /// Returns the first file that may define a name, and the module that it is in.
    ///
    /// # Errors
    /// The same errors as [`Modules::by_name`].
    pub fn locate(&self, name: &TypedName) -> Result<Option<LocatedFile>, Error> {
        let namespace = name.namespace();
        let named = |module: &ModuleLoader| module.locate(name);
        if let (Some(ENVIRONMENT) | None, Some(environment)) = (namespace, &self.environment)
            && let Some(found) = named(environment)?
        {
            return Ok(Some(found));
        }
        match namespace {
            Some(namespace) => self.by_name()?.get(namespace).map_or(Ok(None), named),
            None => self.by_name()?.values().find_map(|module| named(module).transpose()).transpose(),
        }
    }

    /// Returns true if there is a module of this name that has a type set.
    ///
    /// # Errors
    /// The same errors as [`Modules::by_name`].
    pub fn has_type_set(&self, module: &str) -> Result<bool, Error> {
        self.by_name()?.get(module).map_or(Ok(false), |module| Ok(module.type_set()?.is_some()))
    }

    /// Returns all names of a kind, with the files that define them.
    ///
    /// # Errors
    /// The same errors as [`Modules::by_name`].
    pub fn discover(&self, kind: LoadableKind) -> Result<BTreeMap<String, LocatedFile>, Error> {
        let mut found = BTreeMap::new();
        for module in self.all()? {
            for (name, path, format) in module.discover(kind)? {
                let located = || LocatedFile { module: Arc::clone(module.name()), path, format };
                found.entry(name).or_insert_with(located);
            }
        }
        Ok(found)
    }

    fn list(&self) -> Result<FoundModules, Error> {
        let mut found = FoundModules::default();
        for (name, root) in &*self.own {
            let module = ModuleLoader::new(Arc::clone(name), false, root.clone(), Arc::clone(&self.files));
            found.modules.entry(Arc::clone(name)).or_insert(module);
        }
        let mut seen: HashSet<Arc<str>> = found.modules.keys().cloned().collect();
        for directory in &*self.modulepath {
            for (name, root) in module::directories(&*self.files, directory)? {
                let name: Arc<str> = name.into();
                let is_used = module::is_name(&name) && seen.insert(Arc::clone(&name));
                let module = ModuleLoader::new(name, false, root, Arc::clone(&self.files));
                if is_used {
                    self.add(module, &mut found);
                } else {
                    found.unused.push(module);
                }
            }
        }
        Ok(found)
    }

    /// Adds a module, unless its metadata is not as required.
    fn add(&self, module: ModuleLoader, found: &mut FoundModules) {
        let complaint = self.strict_metadata.and_then(|strict| MetadataComplaint::of(&module, strict));
        if complaint.as_ref().is_some_and(MetadataComplaint::is_reason) {
            found.unused.push(module);
        } else {
            found.modules.insert(Arc::clone(module.name()), module);
        }
        found.complaints.extend(complaint);
    }
}

impl MetadataComplaint {
    fn of(module: &ModuleLoader, strict: Strict) -> Option<Self> {
        let (message, level) = match module.metadata().fault.as_ref()? {
            MetadataFault::Malformed(message) => match strict {
                Strict::Off => (message, LogLevel::Debug),
                Strict::Warning => (message, LogLevel::Warning),
                Strict::Error => (message, LogLevel::Err),
            },
            MetadataFault::Unusable(message) => (message, LogLevel::Err),
        };
        Some(Self { module: Arc::clone(module.name()), message: message.clone(), level })
    }

    /// Returns true if it is a reason to do without the module.
    fn is_reason(&self) -> bool {
        self.level == LogLevel::Err
    }
}
