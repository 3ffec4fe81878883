//! Finding functions and types by name, in the modules of a modulepath and in an environment.
//!
//! Nothing is read before it is needed: a directory is listed when a name may be in it, and a file is read when it
//! defines the name. Listings and contents are cached.
//!
//! See Puppet's `pops/loaders.rb`.

mod dependencies;
mod files;
mod functions;
mod hint;
mod manifests;
mod metadata;
mod module;
mod modulepath;
mod modules;
mod reload;
mod resolve;
mod texts;
mod tree;
mod typed_name;
mod warnings;

pub use hint::FunctionHint;
pub use metadata::check_module;
pub use puppetfn_base::confined::ConfinedFiles;
pub use puppetfn_base::file_system::{DirectoryEntry, EntryKind, FileSystem, StdFileSystem};
pub use reload::ReloadChanges;
pub use typed_name::{LoadableKind, TypedName};

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use indexmap::IndexMap;

use self::modules::Modules;
use self::reload::ReadFiles;
use self::resolve::Resolved;
use self::warnings::PendingWarnings;
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, HostFile, Signal};
use puppetfn_base::file_system;
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_syntax::{Tree, not_utf8, refuse_byte_order_mark};
use puppetfn_types::function::Maker;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::TypeLookup;

/// The name of the environment as a namespace.
const ENVIRONMENT: &str = "environment";

/// The functions, types and classes of an environment and of the modules on a modulepath.
pub struct Loader {
    files: Arc<dyn FileSystem>,
    modulepath: Arc<[PathBuf]>,
    /// Modules that are in no directory of modules, by name.
    own_modules: Arc<[(Arc<str>, PathBuf)]>,
    environment: Option<PathBuf>,
    /// The modules found since the last reload.
    modules: RwLock<Arc<Modules>>,
    /// The current types, then the types that had these names before reloads.
    types: RwLock<Vec<Arc<Resolved>>>,
    /// The definitions of types that the host has made of files of its own, by name in lower case.
    host_types: RwLock<HashMap<String, HostType>>,
    read_files: ReadFiles,
    /// Warnings about files of types that no evaluation has logged yet.
    warnings: PendingWarnings,
    limits: Limits,
    strict_dependencies: bool,
    strict: Option<Strict>,
    hides_secrets: bool,
    target: Target,
    spares_init: AtomicBool,
    is_settled: AtomicBool,
}

/// The definition that the host has made from a file that defines a type.
#[derive(Clone)]
pub struct HostType {
    /// A text that is one definition, `type Name = Object[{...}]`.
    pub definition: Arc<Tree>,
    /// The constructor of the objects, if the host creates them.
    pub maker: Option<Arc<dyn Maker>>,
}

/// A file that defines a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionFile {
    /// The name of the function, without a leading `::`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The language of the file.
    pub format: FileLanguage,
    /// The module that has it, or `environment`.
    pub module: Arc<str>,
}

/// The language of a file with a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileLanguage {
    /// Ruby, against the API of Puppet 4: `Puppet::Functions.create_function`.
    Ruby,
    /// Ruby, against the API of Puppet 3: `Puppet::Parser::Functions.newfunction`.
    LegacyRuby,
    /// The Puppet language.
    Puppet,
}

impl FileLanguage {
    fn extension(self) -> &'static str {
        match self {
            Self::Ruby | Self::LegacyRuby => "rb",
            Self::Puppet => "pp",
        }
    }
}

/// The location of a definition.
struct LocatedFile {
    module: Arc<str>,
    path: PathBuf,
    format: FileLanguage,
}

impl LocatedFile {
    fn function(self, name: String) -> FunctionFile {
        let Self { module, path, format } = self;
        FunctionFile { name, path, format, module }
    }
}

impl Loader {
    /// Creates a loader for the modules in the directories of `modulepath`, in order of preference, and for
    /// the directory of an environment.
    pub fn new(
        files: Arc<dyn FileSystem>,
        modulepath: Vec<PathBuf>,
        environment: Option<PathBuf>,
        limits: Limits,
    ) -> Self {
        let modulepath: Arc<[PathBuf]> = modulepath.into();
        let own_modules: Arc<[_]> = Arc::new([]);
        let modules = Modules::new(&files, &modulepath, &own_modules, environment.as_deref());
        Self {
            files,
            modulepath,
            own_modules,
            environment,
            modules: RwLock::new(Arc::new(modules)),
            types: RwLock::new(vec![Arc::default()]),
            host_types: RwLock::default(),
            read_files: ReadFiles::default(),
            warnings: PendingWarnings::default(),
            limits,
            strict_dependencies: false,
            strict: None,
            hides_secrets: false,
            target: Target::default(),
            spares_init: AtomicBool::new(false),
            is_settled: AtomicBool::default(),
        }
    }

    /// Sets whether functions of a module may only use functions of its dependencies, if its metadata lists any. By
    /// default, dependencies are only searched before other modules.
    #[must_use]
    pub fn strict_dependencies(self, strict_dependencies: bool) -> Self {
        Self { strict_dependencies, ..self }
    }

    /// Leaves out modules on the modulepath whose `metadata.json` lacks something that Puppet requires, as Puppet does. The
    /// severity of a file that is not JSON depends on `strict`, and so does the severity of questionable files of types. By
    /// default, modules are used regardless of their metadata.
    #[must_use]
    pub fn strict(self, strict: Strict) -> Self {
        Self { strict: Some(strict), ..self }.looking_again()
    }

    /// Sets whether placeholders stand for secrets: data encrypted with hiera-eyaml, and results of the functions of the
    /// module `node_encrypt`. By default, data is decrypted and the functions are called.
    #[must_use]
    pub fn hiding_secrets(self, hides_secrets: bool) -> Self {
        Self { hides_secrets, ..self }
    }

    /// Sets the release whose behaviour code sees; by default, Puppet 8.
    #[must_use]
    pub fn targeting(self, target: Target) -> Self {
        Self { target, ..self }
    }

    /// Returns the release whose behaviour code sees.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Adds modules outside of the modulepath, by their names. They precede the modules on the modulepath.
    #[must_use]
    pub fn with_modules(self, modules: impl IntoIterator<Item = (Arc<str>, PathBuf)>) -> Self {
        Self { own_modules: modules.into_iter().collect(), ..self }.looking_again()
    }

    fn looking_again(self) -> Self {
        Self { modules: RwLock::new(Arc::new(self.unlisted())), ..self }
    }

    /// Returns the modules, not yet listed.
    fn unlisted(&self) -> Modules {
        let modules =
            Modules::new(&self.files, &self.modulepath, &self.own_modules, self.environment.as_deref());
        modules.strict_metadata(self.strict)
    }

    /// Returns the directory of the environment, if there is one.
    pub fn environment(&self) -> Option<&Path> {
        self.environment.as_deref()
    }

    /// Returns the file that defines a function. A name without a namespace may be defined by the
    /// environment or by any module, `a::b` only by the module `a`.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn find_function(&self, name: &str) -> Result<Option<FunctionFile>, Error> {
        let Some(name) = TypedName::new(LoadableKind::Function, name) else { return Ok(None) };
        let modules = self.modules();
        let found = match modules.locate(&name)? {
            None => modules.unused_legacy_function(&name)?,
            found => found,
        };
        Ok(found.map(|found| found.function(name.name().to_owned())))
    }

    /// Returns all functions, sorted by name.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn functions(&self) -> Result<Vec<FunctionFile>, Error> {
        let found = self.modules().discover(LoadableKind::Function)?.into_iter();
        Ok(found.map(|(name, located)| located.function(name)).collect())
    }

    /// Returns the files of functions in Puppet's 3.x API, in the order of the modules: without a namespace, and with names
    /// that are case-sensitive.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn legacy_functions(&self) -> Result<Vec<FunctionFile>, Error> {
        let mut files = IndexMap::new();
        for module in self.modules().libraries()?.filter(|module| **module.name() != *ENVIRONMENT) {
            for (name, path) in module.legacy_functions()? {
                let module = Arc::clone(module.name());
                files.entry(name).or_insert(LocatedFile { module, path, format: FileLanguage::LegacyRuby });
            }
        }
        Ok(files.into_iter().map(|(name, located)| located.function(name)).collect())
    }

    /// Returns the names of all type aliases, sorted, each of its parts in lower case but for the first
    /// letter. Their definitions are not read.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn type_names(&self) -> Result<Vec<String>, Error> {
        Ok(self
            .modules()
            .discover(LoadableKind::Type)?
            .into_keys()
            .map(|name| typed_name::capitalize(&name))
            .collect())
    }

    /// Returns the file that defines a type alias.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn find_type_file(&self, name: &str) -> Result<Option<PathBuf>, Error> {
        let Some(name) = TypedName::new(LoadableKind::Type, name) else { return Ok(None) };
        Ok(self.modules().locate(&name)?.map(|found| found.path))
    }

    /// Returns the files that define type aliases, in the order of their names.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn type_files(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(self.modules().discover(LoadableKind::Type)?.into_values().map(|found| found.path).collect())
    }

    /// Returns the file of the resource type of this name that is written in Ruby.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn find_resource_type(&self, name: &str) -> Result<Option<PathBuf>, Error> {
        Ok(self.resource_types()?.get(name).cloned())
    }

    /// Returns the file that `puppet generate types` has made of a resource type, if the environment has one.
    fn generated_resource_type(&self, name: &str) -> Option<PathBuf> {
        let directory = self.environment()?.join(".resource_types");
        let file = format!("{name}.pp");
        let entries = self.files.list(&directory).ok()?;
        entries.iter().any(|entry| entry.name == file).then(|| directory.join(file))
    }

    /// Returns the files of modules that define resource types, by the names of these; the first one of a name counts.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn resource_types(&self) -> Result<Arc<BTreeMap<String, PathBuf>>, Error> {
        self.modules().resource_types()
    }

    /// Returns the files of modules with providers of a resource type.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn providers(&self, type_name: &str) -> Result<Vec<PathBuf>, Error> {
        let mut found = Vec::new();
        for module in self.modules().libraries()? {
            let directory = module.root().join("lib/puppet/provider").join(type_name);
            let mut entries = self.files.list(&directory).unwrap_or_default();
            entries.sort();
            let files = entries.into_iter().filter(|entry| entry.name.ends_with(".rb"));
            found.extend(files.map(|entry| directory.join(entry.name)));
        }
        Ok(found)
    }

    /// Returns the files of modules with providers of any resource type.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn all_providers(&self) -> Result<Vec<PathBuf>, Error> {
        let mut types = BTreeSet::new();
        for module in self.modules().libraries()? {
            let directory = module.root().join("lib/puppet/provider");
            types.extend(self.files.list(&directory).unwrap_or_default().into_iter().map(|entry| entry.name));
        }
        let files = types.iter().map(|type_name| self.providers(type_name)).collect::<Result<Vec<_>, _>>()?;
        Ok(files.concat())
    }

    /// Returns the names of all modules, in order of preference.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn module_names(&self) -> Result<Vec<Arc<str>>, Error> {
        Ok(self.modules().by_name()?.keys().cloned().collect())
    }

    /// Returns the files of modules that add facts of their own.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if a directory cannot be listed.
    pub fn fact_files(&self) -> Result<Vec<PathBuf>, Error> {
        let mut files = Vec::new();
        for module in self.modules().all()? {
            for directory in ["lib/facter", "facts.d"] {
                let directory = module.root().join(directory);
                let entries = self.files.list(&directory).unwrap_or_default();
                files.extend(entries.into_iter().map(|entry| directory.join(entry.name)));
            }
        }
        Ok(files)
    }

    /// Returns the modules as they are known now.
    fn modules(&self) -> Arc<Modules> {
        Arc::clone(&self.modules.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the types as they are known now.
    fn types(&self) -> Arc<Resolved> {
        let types = self.types.read().unwrap_or_else(PoisonError::into_inner);
        types.first().map(Arc::clone).unwrap_or_default()
    }

    /// Registers the definition in a file of the host, which [`Signal::Unloaded`] has asked for.
    pub fn define_host_type(&self, file: &HostFile, defined: HostType) {
        let mut types = self.host_types.write().unwrap_or_else(PoisonError::into_inner);
        types.insert(file.name.to_string(), defined);
    }

    /// Returns the definition that the host has made of a file.
    fn host_type(&self, name: &TypedName, located: &LocatedFile) -> Result<HostType, Error> {
        let types = self.host_types.read().unwrap_or_else(PoisonError::into_inner);
        types.get(name.name()).cloned().ok_or_else(|| {
            let LocatedFile { module, path, .. } = located;
            let message = format!(
                "The type '{}' is written in Ruby ({}), which this program does not run",
                typed_name::capitalize(name.name()),
                path.display()
            );
            let file = HostFile { name: name.name().into(), path: path.clone(), module: Arc::clone(module) };
            Error::signal(Signal::Unloaded(Arc::new(file)), message)
        })
    }

    /// Returns the text of a file, which is checked again when everything is reloaded.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) if it cannot be read.
    pub fn read_file(&self, path: &Path) -> Result<Vec<u8>, Error> {
        // A file that changes between the two is read again.
        let modified = self.files.modified(path).ok().flatten();
        let content = self.files.read(path).map_err(|error| {
            file_system::unreadable(&error, format!("{} cannot be read: {error}", path.display()))
        })?;
        self.read_files.note(path, modified, &content);
        Ok(content)
    }

    /// Makes all runtimes of this loader see code as it was when it was first read, until the next reload. Otherwise, runtimes
    /// that begin later see changes.
    pub fn settle(&self) {
        self.is_settled.store(true, Ordering::Relaxed);
    }

    /// Returns the text of a file of code, which is only read where it may have changed.
    fn read(&self, path: &Path) -> Result<Arc<str>, Error> {
        if let Some((known, modified)) = self.read_files.text(path) {
            let is_same = || modified.is_some() && self.files.modified(path).ok().flatten() == modified;
            if self.is_settled.load(Ordering::Relaxed) || is_same() {
                return Ok(known);
            }
        }
        let text = String::from_utf8(self.read_file(path)?).map_err(|error| {
            let marked = refuse_byte_order_mark(error.as_bytes());
            marked.err().unwrap_or_else(not_utf8)
        })?;
        let text = Arc::from(text);
        self.read_files.keep(path, &text);
        Ok(text)
    }
}

impl TypeLookup for Loader {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        self.types().find(self, name)
    }

    fn environment_file(&self, name: &str) -> Result<Option<String>, Error> {
        if self.types().is_known(name) {
            self.file_of_environment(LoadableKind::Type, name)
        } else {
            Ok(None)
        }
    }
}

impl fmt::Debug for Loader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loader")
            .field("modulepath", &self.modulepath)
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}
