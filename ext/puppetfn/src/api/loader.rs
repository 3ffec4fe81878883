//! `Puppetfn::Loader`: where functions and types are found by name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

use magnus::gc::Marker;
use magnus::typed_data::Obj;
use magnus::value::{Opaque, ReprValue};
use magnus::{
    Class, DataTypeFunctions, Error, Exception, Module, Object, RArray, RHash, RModule, RString, Ruby,
    Symbol, TypedData, Value, function, method,
};
use puppetfn::builtin;
use puppetfn::diagnostic::Strict;
use puppetfn::error::{Error as CoreError, ErrorKind, Signal};
use puppetfn::eval::FunctionLookup;
use puppetfn::loader::{
    ConfinedFiles, FileLanguage, FileSystem, FunctionFile, HostType, Loader as Core, ReloadChanges,
    StdFileSystem,
};
use puppetfn::lookup::Hiera;
use puppetfn::syntax::{Mode, Tree};
use puppetfn::types::Type;
use puppetfn::types::parse::{NoAliases, ParseCache, TypeLookup};

use super::local_types::LocalTypes;
use super::{limits, native_function, snapshot, target, types};
use crate::ruby::classes::define_class;
use crate::ruby::error::{guarded, to_core, to_ruby};
use crate::ruby::explained;
use crate::ruby::implementation::RubyMaker;
use crate::ruby::raw::{TypedClass, TypedRef, once};

/// The modules and the environment of a runtime, and the types that are defined on top of theirs.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Loader", free_immediately, mark)]
pub struct RubyLoader {
    core: Arc<Core>,
    hiera: Arc<Hiera>,
    /// The loader's `local_types`, which no other loader sees.
    local: Arc<LocalTypes>,
    parsed: RwLock<Arc<ParseCache>>,
    /// The loader of the environment, which runs files in Ruby.
    root: LoaderRoot,
}

/// A loader object that lives as long as the loaders created from it.
type LoaderRoot = Arc<OnceLock<Opaque<Value>>>;

impl DataTypeFunctions for RubyLoader {
    /// The loader of the environment also marks itself, so that it is not moved.
    fn mark(&self, marker: &Marker) {
        if let Some(root) = self.root.get() {
            marker.mark(*root);
        }
    }
}

impl TypedRef for RubyLoader {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<RubyLoader> = TypedClass::new();
        &TYPED
    }
}

impl TypeLookup for RubyLoader {
    fn find(&self, name: &str) -> Result<Option<Type>, CoreError> {
        self.find_local(name)?.map_or_else(
            || with_host_types(&self.core, &self.root, || TypeLookup::find(&*self.core, name)),
            |t| Ok(Some(t)),
        )
    }

    fn find_local(&self, name: &str) -> Result<Option<Type>, CoreError> {
        with_host_types(&self.core, &self.root, || self.local.find(name, &self.core))
    }
}

/// The types of a runtime for its evaluator.
pub struct HostTypes {
    core: Arc<Core>,
    root: LoaderRoot,
}

impl TypeLookup for HostTypes {
    fn find(&self, name: &str) -> Result<Option<Type>, CoreError> {
        with_host_types(&self.core, &self.root, || TypeLookup::find(&*self.core, name))
    }

    fn environment_file(&self, name: &str) -> Result<Option<String>, CoreError> {
        TypeLookup::environment_file(&*self.core, name)
    }
}

/// Looks for a type. Files in Ruby that define types it needs are run first: the core holds a lock
/// while it resolves types, so that none can be run meanwhile.
fn with_host_types<T>(
    core: &Core,
    root: &LoaderRoot,
    find: impl Fn() -> Result<T, CoreError>,
) -> Result<T, CoreError> {
    let mut makers: Vec<(Box<str>, Arc<RubyMaker>)> = Vec::new();
    loop {
        let error = match find() {
            Err(error) if matches!(error.as_signal(), Some(Signal::Unloaded(_))) => error,
            found => {
                let defined = found?;
                makers.iter().try_for_each(|(name, maker)| tell_type(core, name, maker))?;
                return Ok(defined);
            }
        };
        let (Some(Signal::Unloaded(file)), Some(root), Ok(ruby)) =
            (error.as_signal(), root.get(), Ruby::get())
        else {
            return Err(error);
        };
        let path = file.path.to_string_lossy();
        let defined: Result<(String, Option<i64>, bool), Error> =
            once(|| ruby.get_inner(*root).funcall("host_type", (&*file.name, &*path, &*file.module)));
        let (definition, id, takes_hash) = defined.map_err(|error| to_core(&ruby, &error))?;
        let definition =
            Tree::parse(definition, Some(path.as_ref().into()), Mode::default(), &limits::current())
                .map_err(|error| error.in_file(&*path))?;
        let maker = id.map(|id| Arc::new(RubyMaker { id, takes_hash }));
        makers.extend(maker.clone().map(|maker| (file.name.clone(), maker)));
        let maker = maker.map(|maker| maker as Arc<_>);
        core.define_host_type(file, HostType { definition, maker });
    }
}

/// Tells the maker of a type's objects about the type, once that is resolved.
fn tell_type(core: &Core, name: &str, maker: &RubyMaker) -> Result<(), CoreError> {
    let (Some(t), Ok(ruby)) = (TypeLookup::find(core, name)?, Ruby::get()) else { return Ok(()) };
    maker.define(&ruby, types::wrap(&ruby, t)).map_err(|error| to_core(&ruby, &error))
}

/// Parses types for a loader object, whose type aliases they may name; for nil, with nothing but
/// Puppet's own types.
pub struct TypeParser<'a>(Option<&'a RubyLoader>);

impl<'a> TypeParser<'a> {
    /// Returns the parser for a loader object or nil.
    pub fn new(ruby: &Ruby, loader: &'a Value) -> Result<Self, Error> {
        let found = RubyLoader::of(loader);
        if found.is_some() || loader.is_nil() {
            return Ok(Self(found));
        }
        Err(Error::new(
            ruby.exception_type_error(),
            format!("expected a Puppetfn::Loader or nil, got {}", loader.class()),
        ))
    }

    /// Returns the type of a text.
    pub fn parse(&self, text: &str) -> Result<Type, CoreError> {
        static WITHOUT_LOADER: LazyLock<ParseCache> = LazyLock::new(ParseCache::default);
        match self.0 {
            Some(loader) => loader.parsed().parse(text, loader, &limits::current()),
            None => WITHOUT_LOADER.parse(text, &NoAliases, &limits::current()),
        }
    }
}

/// Returns how strict evaluation is to be, which Ruby names.
pub fn strictness(ruby: &Ruby, given: Value) -> Result<Strict, Error> {
    Strict::named(&given.to_r_string()?.to_string()?).ok_or_else(|| {
        let message = format!("strict: expected :off, :warning or :error, got {}", given.inspect());
        Error::new(ruby.exception_arg_error(), message)
    })
}

impl RubyLoader {
    /// Creates a loader that finds only built-in functions and types.
    pub fn empty() -> Self {
        let core =
            Core::new(Arc::new(StdFileSystem::new(&limits::current())), Vec::new(), None, limits::current());
        Self::of_core(Arc::new(core), |hiera| hiera)
    }

    /// Returns the loader of an environment, with the data sources that `configured` sets.
    fn of_core(core: Arc<Core>, configured: impl FnOnce(Hiera) -> Hiera) -> Self {
        let hiera = Arc::new(configured(Hiera::new(Arc::clone(&core) as Arc<_>)));
        Self { core, hiera, local: Arc::default(), parsed: RwLock::default(), root: LoaderRoot::default() }
    }

    /// Returns the data of the environment and its modules.
    pub fn hiera(&self) -> Arc<Hiera> {
        Arc::clone(&self.hiera)
    }

    fn parsed(&self) -> Arc<ParseCache> {
        Arc::clone(&self.parsed.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the types of modules and of the environment.
    pub fn types(&self) -> HostTypes {
        HostTypes { core: Arc::clone(&self.core), root: Arc::clone(&self.root) }
    }

    /// Returns the core's loader.
    pub fn core(&self) -> Arc<Core> {
        Arc::clone(&self.core)
    }

    /// @yard
    /// @def new(modulepath, environment, environment_name, hiera_config, strict, strict_dependencies, outside_files, secrets, target)
    /// @param modulepath [Array<String>] directories with modules
    /// @param environment [String, nil] the directory of the environment
    /// @param environment_name [String]
    /// @param hiera_config [String, nil] the `hiera.yaml` of the global layer of data
    /// @param strict [Symbol, String] the severity of a module's `metadata.json` that is not JSON
    /// @param strict_dependencies [Boolean] whether modules see their dependencies only
    /// @param outside_files [Boolean] whether files outside of modules and the environment may be read
    /// @param secrets [Boolean] whether encrypted data is decrypted
    /// @param target [String] the name of the release whose behaviour code sees
    /// @raise [ArgumentError] when there is no such `strict` or `target`
    #[allow(clippy::too_many_arguments)] // as Ruby gives them
    fn new(
        ruby: &Ruby,
        modulepath: Vec<PathBuf>,
        environment: Option<PathBuf>,
        environment_name: String,
        hiera_config: Option<PathBuf>,
        strict: Value,
        strict_dependencies: bool,
        outside_files: bool,
        secrets: bool,
        target: String,
    ) -> Result<Obj<Self>, Error> {
        let strict = strictness(ruby, strict)?;
        let limits = limits::current();
        let files = StdFileSystem::new(&limits);
        let files: Arc<dyn FileSystem> = if let Some(files) = snapshot::files() {
            files
        } else if outside_files {
            Arc::new(files)
        } else {
            let data = hiera_config.as_deref().and_then(Path::parent).map(Path::to_path_buf);
            Arc::new(ConfinedFiles::new(files, modulepath.iter().chain(&environment).cloned().chain(data)))
        };
        let core = Core::new(files, modulepath, environment.clone(), limits);
        let core = core.strict_dependencies(strict_dependencies).strict(strict).hiding_secrets(!secrets);
        let core = Arc::new(core.targeting(target::named(ruby, &target)?));
        let configured = |hiera: Hiera| hiera.environment(environment_name, environment).global(hiera_config);
        Ok(Self::of_core(core, configured).root(ruby))
    }

    fn root(self, ruby: &Ruby) -> Obj<Self> {
        let made = ruby.obj_wrap(self);
        made.root.get_or_init(|| made.as_value().into());
        made
    }

    /// @yard
    /// @def twin(environment_name, hiera_config, module_configs)
    /// @param environment_name [String]
    /// @param hiera_config [String, nil] the `hiera.yaml` of the global layer of data
    /// @param module_configs [Hash{String=>String, nil}] the `hiera.yaml` files of modules that keep them elsewhere
    /// @return [Puppetfn::Loader] a loader for another runtime, which shares this one's cache of files, and the types of modules
    fn twin(
        ruby: &Ruby,
        this: &Self,
        environment_name: String,
        hiera_config: Option<PathBuf>,
        module_configs: HashMap<String, Option<PathBuf>>,
    ) -> Obj<Self> {
        let environment = this.core.environment().map(Path::to_path_buf);
        let configured = |hiera: Hiera| {
            let hiera = hiera.environment(environment_name, environment).global(hiera_config);
            hiera.module_configs(module_configs)
        };
        Self::of_core(Arc::clone(&this.core), configured).root(ruby)
    }

    /// @yard
    /// @def spare_init
    /// Stops reading `init.pp` along with the file named for a class; this loader and its twins then read it only if
    /// there is no such file.
    fn spare_init(&self) {
        self.core.spare_init();
    }

    /// @yard
    /// @def complaints
    /// @return [Array<String>] errors in the metadata of modules that have not been reported; later, and if code is
    ///   evaluated first, they are logged
    fn complaints(&self) -> Vec<String> {
        self.core.complaints().into_iter().map(|(_, message)| message).collect()
    }

    /// @yard
    /// @def settle
    /// Has this one and its twins see code as it was when one of them first read it.
    fn settle(&self) {
        self.core.settle();
    }

    /// @yard
    /// @def child
    /// @return [Puppetfn::Loader] sees everything that this one sees, and its own definitions
    fn child(ruby: &Ruby, this: &Self) -> Value {
        let local = LocalTypes::within(&this.local);
        ruby.obj_wrap(Self {
            core: Arc::clone(&this.core),
            hiera: Arc::clone(&this.hiera),
            local: Arc::new(local),
            parsed: RwLock::default(),
            root: Arc::clone(&this.root),
        })
        .as_value()
    }

    /// @yard
    /// @def find_function(name, in_module)
    /// @param name [String] without leading `::`
    /// @param in_module [String, nil] the module of the calling code
    /// @return [Puppetfn::NativeFunction, Array(Symbol, String, String), nil] a built-in function or a placeholder; or
    ///   the API of the function, `:func_4x` or `:func_3x`, the path of its file, and the module that has it
    fn find_function(
        ruby: &Ruby,
        this: &Self,
        name: String,
        module: Option<String>,
    ) -> Result<Option<Value>, Error> {
        guarded(ruby, || {
            let native =
                builtin::function(&name, this.core.target()).map_err(|error| to_ruby(ruby, &error))?;
            if let Some(function) = native {
                return Ok(Some(native_function::wrap(ruby, function)));
            }
            let file = this.core.find_function_for(&name, module.as_deref());
            let Some(file) = file.map_err(|error| to_ruby(ruby, &error))? else { return Ok(None) };
            let placeholder = this.core.placeholder_function(&file).map_err(|error| to_ruby(ruby, &error))?;
            if let Some(placeholder) = placeholder {
                return Ok(Some(native_function::wrap(ruby, placeholder)));
            }
            Ok(api(ruby, file.format).map(|api| {
                let (path, module) = (file.path.to_string_lossy(), &*file.module);
                let found = [api.as_value(), ruby.str_new(&path).as_value(), ruby.str_new(module).as_value()];
                ruby.ary_new_from_values(&found).as_value()
            }))
        })
    }

    /// @yard
    /// @def termini_function(name)
    /// @param name [String] without leading `::`
    /// @return [Puppetfn::NativeFunction, nil] a function of PuppetDB's termini, unless a module has it in the Puppet language
    fn termini_function(ruby: &Ruby, this: &Self, name: String) -> Result<Option<Value>, Error> {
        guarded(ruby, || {
            let find = || match this.core.find_function(&name)? {
                Some(file) if file.format == FileLanguage::Puppet => Ok(None),
                _ => builtin::termini().get(&name),
            };
            let found = find().map_err(|error: CoreError| to_ruby(ruby, &error))?;
            Ok(found.map(|function| native_function::wrap(ruby, function)))
        })
    }

    /// @yard
    /// @def placeholder(name)
    /// @param name [String] of a function, without leading `::`
    /// @return [Puppetfn::NativeFunction, nil] replacement for a module's function, if secrets are hidden
    fn placeholder(ruby: &Ruby, this: &Self, name: String) -> Result<Option<Value>, Error> {
        guarded(ruby, || {
            let find = || match this.core.find_function(&name)? {
                Some(file) => this.core.placeholder_function(&file),
                None => Ok(None),
            };
            let found = find().map_err(|error| to_ruby(ruby, &error))?;
            Ok(found.map(|function| native_function::wrap(ruby, function)))
        })
    }

    /// @yard
    /// @def depends_on_module(name)
    /// @param name [String] of a function, without leading `::`
    /// @return [Boolean] whether the name may refer to another function in each module
    fn depends_on_module(ruby: &Ruby, this: &Self, name: String) -> Result<bool, Error> {
        guarded(ruby, || Ok(this.core.depends_on_module(&name)))
    }

    /// @yard
    /// @def unknown_function(message, name, in_module)
    /// @param message [String]
    /// @param name [String] of the unknown function
    /// @param in_module [String, nil] the module of the calling code
    /// @return [ArgumentError] an {UnknownFunctionError}
    fn unknown_function(
        ruby: &Ruby,
        this: &Self,
        message: String,
        name: String,
        module: Option<String>,
    ) -> Result<Exception, Error> {
        guarded(ruby, || {
            let class = ruby.exception_arg_error();
            match this.core.hint(&name, module.as_deref()) {
                Some(hint) => {
                    let error = CoreError::new(ErrorKind::NotFound, message);
                    explained::exception(ruby, class, &error, &hint)
                }
                None => class.new_instance((message,)),
            }
        })
    }

    /// @yard
    /// @def read_file(path)
    /// @param path [String]
    /// @return [String] the content; a reload checks whether the file has changed
    fn read_file(ruby: &Ruby, this: &Self, path: PathBuf) -> Result<RString, Error> {
        guarded(ruby, || {
            let content = this.core.read_file(&path).map_err(|error| to_ruby(ruby, &error))?;
            Ok(ruby.str_from_slice(&content))
        })
    }

    /// @yard
    /// @def reload_files
    /// Checks directories and files for changes, and invalidates the affected cache entries.
    /// @return [Array(Array<String>, Boolean)] the files that were read and have changed, and whether names
    ///   of types may stand for other types
    fn reload_files(ruby: &Ruby, this: &Self) -> Result<(RArray, bool), Error> {
        guarded(ruby, || {
            let ReloadChanges { files, types } = this.core.reload().map_err(|error| to_ruby(ruby, &error))?;
            Ok((ruby.ary_from_iter(files.iter().map(|path| ruby.str_new(&path.to_string_lossy()))), types))
        })
    }

    /// @yard
    /// @def forget_types
    /// Drops the cache of parsed types.
    /// @return [void]
    fn forget_types(this: &Self) {
        *this.parsed.write().unwrap_or_else(PoisonError::into_inner) = Arc::default();
    }

    /// @yard
    /// @def legacy_functions
    /// @return [Hash{String=>String}] the paths of the files that functions of the 3.x API find, by the
    ///   names of the functions
    fn legacy_functions(ruby: &Ruby, this: &Self) -> Result<RHash, Error> {
        guarded(ruby, || paths(ruby, this.core.legacy_functions()))
    }

    /// @yard
    /// @def find_type(name)
    /// @return [Puppetfn::Type, nil] the type alias of this name
    fn find_type(ruby: &Ruby, this: &Self, name: String) -> Result<Option<Value>, Error> {
        guarded(ruby, || {
            let found = this.find(&name).map_err(|error| to_ruby(ruby, &error))?;
            Ok(found.map(|t| types::wrap(ruby, t)))
        })
    }

    /// @yard
    /// @def function_names
    /// @return [Array<String>] the names of all functions, sorted
    fn function_names(ruby: &Ruby, this: &Self) -> Result<Vec<String>, Error> {
        guarded(ruby, || {
            let files = this.core.functions().map_err(|error| to_ruby(ruby, &error))?;
            let mut names: Vec<String> = files.into_iter().map(|file| file.name).collect();
            names.extend(builtin::registry().names().map(str::to_owned));
            names.sort_unstable();
            names.dedup();
            Ok(names)
        })
    }

    /// @yard
    /// @def function_files
    /// @return [Hash{String=>String}] the paths of the files that functions are in, by the names of these
    fn function_files(ruby: &Ruby, this: &Self) -> Result<RHash, Error> {
        guarded(ruby, || paths(ruby, this.core.functions()))
    }

    /// @yard
    /// @def type_names
    /// @return [Array<String>] the names of all type aliases, sorted
    fn type_names(ruby: &Ruby, this: &Self) -> Result<Vec<String>, Error> {
        guarded(ruby, || this.core.type_names().map_err(|error| to_ruby(ruby, &error)))
    }

    /// @yard
    /// @def unknown_type(name)
    /// @api private
    /// @param name [String]
    /// @return [String] the message for an unknown type, with a suggestion
    fn unknown_type(ruby: &Ruby, this: &Self, name: String) -> Result<String, Error> {
        guarded(ruby, || this.core.unknown_type(&name).map_err(|error| to_ruby(ruby, &error)))
    }

    /// @yard
    /// @def define_type(definition)
    /// Defines a named type that this loader and its children see. It is resolved at the first lookup, so that
    /// definitions may use each other in any order.
    /// @param definition [String] the part after the keyword `type`: `Name = Type`
    /// @return [String] the name
    /// @raise [Puppet::ParseError] when it is not a definition
    /// @raise [ArgumentError] when this loader has a type of this name
    fn define_type(ruby: &Ruby, this: &Self, definition: String) -> Result<String, Error> {
        guarded(ruby, || {
            let name = this.local.define(&format!("type {definition}"));
            let name = name.map_err(|error| to_ruby(ruby, &error))?;
            // A text that was parsed before may have meant another type.
            this.parsed().clear();
            Ok(name)
        })
    }

    /// @yard
    /// @def resolved_type(name)
    /// @param name [String]
    /// @return [Puppetfn::Type, nil] the type defined by this name, if a lookup has resolved it
    fn resolved_type(ruby: &Ruby, this: &Self, name: String) -> Option<Value> {
        this.local.resolved(&name).map(|t| types::wrap(ruby, t))
    }
}

/// Returns where functions are, by their names.
fn paths(ruby: &Ruby, files: Result<Vec<FunctionFile>, CoreError>) -> Result<RHash, Error> {
    let paths = ruby.hash_new();
    for file in files.map_err(|error| to_ruby(ruby, &error))? {
        paths.aset(file.name, file.path.to_string_lossy().as_ref())?;
    }
    Ok(paths)
}

/// Returns Puppet's name for the API of a function in Ruby; `None` for other functions.
fn api(ruby: &Ruby, format: FileLanguage) -> Option<Symbol> {
    match format {
        FileLanguage::Ruby => Some(ruby.to_symbol("func_4x")),
        FileLanguage::LegacyRuby => Some(ruby.to_symbol("func_3x")),
        FileLanguage::Puppet => None,
    }
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<RubyLoader>(ruby, puppetfn, "Loader", ruby.class_object())?;
    class.define_singleton_method("new", function!(RubyLoader::new, 9))?;
    class.define_method("twin", method!(RubyLoader::twin, 3))?;
    class.define_method("complaints", method!(RubyLoader::complaints, 0))?;
    class.define_method("settle", method!(RubyLoader::settle, 0))?;
    class.define_method("spare_init", method!(RubyLoader::spare_init, 0))?;
    class.define_method("read_file", method!(RubyLoader::read_file, 1))?;
    class.define_method("reload_files", method!(RubyLoader::reload_files, 0))?;
    class.define_method("forget_types", method!(RubyLoader::forget_types, 0))?;
    class.define_method("child", method!(RubyLoader::child, 0))?;
    class.define_method("find_function", method!(RubyLoader::find_function, 2))?;
    class.define_method("termini_function", method!(RubyLoader::termini_function, 1))?;
    class.define_method("placeholder", method!(RubyLoader::placeholder, 1))?;
    class.define_method("unknown_function", method!(RubyLoader::unknown_function, 3))?;
    class.define_method("depends_on_module?", method!(RubyLoader::depends_on_module, 1))?;
    class.define_method("find_type", method!(RubyLoader::find_type, 1))?;
    class.define_method("legacy_functions", method!(RubyLoader::legacy_functions, 0))?;
    class.define_method("function_names", method!(RubyLoader::function_names, 0))?;
    class.define_method("function_files", method!(RubyLoader::function_files, 0))?;
    class.define_method("type_names", method!(RubyLoader::type_names, 0))?;
    class.define_method("unknown_type", method!(RubyLoader::unknown_type, 1))?;
    class.define_method("define_type", method!(RubyLoader::define_type, 1))?;
    class.define_method("resolved_type", method!(RubyLoader::resolved_type, 1))?;
    RubyLoader::typed().learn(ruby, RubyLoader::empty());
    Ok(())
}
