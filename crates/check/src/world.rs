//! The surroundings of the checked code: the functions, types, classes and resource types that exist.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

mod facts;
mod files;
mod functions;
mod meant;
mod migration;
mod providers;
mod selected;
mod types;
mod unchecked;

pub(super) use files::ResolvedModuleFile;
use files::TemplateCache;
pub(super) use types::VisibleTypes;
pub use unchecked::UncheckedNames;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::aliases::TextAliases;
use super::data::DataPool;
use super::declare::{Declarations, DefinitionInfo, OverriddenAttribute};
use super::facts::FactNames;
use super::native_type::{RubyResourceType, builtin_type};
use super::near::MOST_DIFFERING;
use super::{Selection, TextOrigin, ruby};
use puppetfn_base::error::{Error, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::LineIndex;
use puppetfn_base::target::{Difference, Target};
use puppetfn_catalog::{TypeDescription, builtin_description, builtin_type_names, is_metaparameter};
use puppetfn_doc::DeclaredFunction;
use puppetfn_runtime::builtin;
use puppetfn_runtime::eval::{ManifestFile, ManifestLookup};
use puppetfn_runtime::loader::{FileLanguage, FunctionFile, Loader};
use puppetfn_syntax::ast::{ExprKind, Program};
use puppetfn_syntax::{Tree, parse};
use puppetfn_types::function::{Function, Signature};
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::describe::most_similar_within;
use puppetfn_types::types::parse::{TypeLookup, basic_names, capitalize_segments, named};

/// Resource types in Ruby that come with Puppet's agent as modules of their own.
const VENDORED: [&str; 30] = [
    "augeas",
    "computer",
    "cron",
    "host",
    "interface",
    "k5login",
    "macauthorization",
    "mailalias",
    "maillist",
    "mcx",
    "mount",
    "nagios_command",
    "nagios_contact",
    "nagios_contactgroup",
    "nagios_host",
    "nagios_hostgroup",
    "nagios_service",
    "nagios_servicegroup",
    "nagios_timeperiod",
    "router",
    "scheduled_task",
    "selboolean",
    "selmodule",
    "ssh_authorized_key",
    "sshkey",
    "vlan",
    "yumrepo",
    "zfs",
    "zone",
    "zpool",
];

/// The definitions that code can use: Puppet's own functions and types, definitions of modules, and definitions in all
/// texts that are checked together.
pub struct World {
    loader: Arc<Loader>,
    limits: Limits,
    selection: Arc<Selection>,
    is_partial: bool,
    /// Whether the environment names modules that are not installed.
    misses_modules: bool,
    modules: HashSet<Arc<str>>,
    functions: HashMap<String, Arc<[Signature]>>,
    /// The names of all functions, once they were needed.
    function_names: OnceLock<Vec<String>>,
    /// The names of the types of modules and of Puppet, once they were needed.
    type_names: OnceLock<Vec<String>>,
    /// The places of functions, as far as they are known.
    places: HashMap<String, SourceLocation>,
    classes: HashMap<String, Arc<DefinitionInfo>>,
    resource_types: HashMap<String, Arc<DefinitionInfo>>,
    /// The resource types in Ruby whose files were read.
    native_types: HashMap<String, Arc<RubyResourceType>>,
    /// The other declarations of the texts.
    declared: Declarations,
    /// The aliases of types that the texts define, by their names in lower case; `None` for one that several define.
    aliases: HashMap<String, Option<Arc<TextAliases>>>,
    /// The names of definitions in documentation, in lower case.
    excerpted: HashSet<String>,
    facts: Arc<OnceLock<FactNames>>,
    /// The facts in files of the environment, once they were needed.
    recorded_facts: OnceLock<HashSet<String>>,
    data: DataPool,
    /// The manifests that were read, by their paths.
    manifests: Mutex<HashMap<String, Arc<Declarations>>>,
    /// The templates that were read.
    templates: TemplateCache,
    /// The names that were not checked, by the modules that may define them and are not there.
    unchecked: Mutex<UncheckedNames>,
    /// Whether the metadata of modules is no object of JSON, by their names.
    broken_metadata: Mutex<HashMap<String, bool>>,
    /// The functions of files that were read, by their names.
    loaded: Mutex<HashMap<String, Callee>>,
    /// The merge of `hiera_hash`, in Puppet code, if code is to be moved to Puppet 8.
    migration: Option<Arc<str>>,
}

/// The resolution of the name of a function.
#[derive(Clone, Debug)]
pub(super) enum Callee {
    /// One of Puppet's own.
    Native(Arc<Function>),
    /// One with these signatures.
    Declared(Arc<[Signature]>),
    /// One of the 3.x API, with its arity in Ruby's terms.
    Legacy(i64),
    /// One with unknown signatures.
    Opaque,
    /// It may exist.
    Unsure,
    /// It does not exist.
    Missing,
}

/// The resolution of the name of a resource type.
#[derive(Clone, Debug)]
pub(super) enum ResolvedResourceType {
    /// One that is written in Ruby, with its description.
    Native(Arc<RubyResourceType>),
    /// One that is written in Ruby, without a description.
    Foreign,
    Defined(Arc<DefinitionInfo>),
    /// It may exist.
    Unsure,
    /// It does not exist.
    Missing,
}

/// The resolution of the name of a type.
#[derive(Clone, Debug)]
pub(super) enum ResolvedTypeName {
    Type(Type),
    Resource,
    Unsure,
    Missing,
}

impl World {
    /// Creates a world for code that sees the modules of a loader.
    pub fn new(loader: Arc<Loader>, limits: Limits) -> Self {
        let modules = loader.module_names().unwrap_or_default().into_iter().collect();
        Self {
            loader,
            limits,
            selection: Arc::default(),
            is_partial: false,
            misses_modules: false,
            modules,
            functions: HashMap::new(),
            function_names: OnceLock::new(),
            type_names: OnceLock::new(),
            places: HashMap::new(),
            classes: HashMap::new(),
            resource_types: HashMap::new(),
            native_types: HashMap::new(),
            declared: Declarations::default(),
            aliases: HashMap::new(),
            excerpted: HashSet::new(),
            facts: Arc::default(),
            recorded_facts: OnceLock::new(),
            data: DataPool::default(),
            manifests: Mutex::default(),
            templates: TemplateCache::default(),
            unchecked: Mutex::default(),
            broken_metadata: Mutex::default(),
            loaded: Mutex::default(),
            migration: None,
        }
    }

    /// Returns the same world without texts. Results that depend on files alone are kept.
    #[must_use]
    pub fn emptied(&self) -> Self {
        let world = Self::new(Arc::clone(&self.loader), self.limits)
            .partial(self.is_partial)
            .missing_modules(self.misses_modules);
        Self { facts: Arc::clone(&self.facts), selection: Arc::clone(&self.selection), ..world }
    }

    /// Notes that there may be modules elsewhere, which modules without stated dependencies may use.
    #[must_use]
    pub fn partial(self, is_partial: bool) -> Self {
        Self { is_partial, ..self }
    }

    /// Says whether the environment names modules that are not installed, so that its manifests may use definitions
    /// that nobody knows.
    #[must_use]
    pub fn missing_modules(self, misses_modules: bool) -> Self {
        Self { misses_modules, ..self }
    }

    /// Returns the definitions of a text, to be added to a world. A text that is not Puppet defines nothing. Findings can refer to
    /// definitions of a file.
    pub fn declarations(&self, tree: &Arc<Tree>) -> TextDefinitions {
        if tree.error().is_some() {
            return TextDefinitions::default();
        }
        let program = tree.program();
        let aliases = program.statements.iter().any(|one| matches!(one.kind, ExprKind::TypeAlias(_)));
        let aliases = aliases.then(|| Arc::new(TextAliases::of(tree)));
        let types = VisibleTypes { world: self, own: aliases.as_deref() };
        let file = tree.file().map(|file| (file, tree.lines()));
        TextDefinitions { declared: Declarations::of(program, file, &types, &self.limits), aliases }
    }

    /// Adds the definitions of a text. A text at the top level, as a main manifest, sets variables that all code sees.
    pub fn add(&mut self, definitions: TextDefinitions) {
        let TextDefinitions { mut declared, aliases } = definitions;
        self.function_names.take();
        for name in aliases.iter().flat_map(|aliases| aliases.names()) {
            // It is not known which of several definitions applies.
            let is_first = !self.declared.types.contains(name);
            self.aliases.insert(name.clone(), aliases.clone().filter(|_| is_first));
        }
        for (name, signature, place) in declared.functions.drain(..) {
            self.places.extend(place.map(|place| (name.clone(), place)));
            self.functions.insert(name, [signature].into());
        }
        for definition in declared.definitions.drain(..) {
            let table = if definition.is_class { &mut self.classes } else { &mut self.resource_types };
            table.insert(definition.name.clone(), Arc::new(definition));
        }
        self.declared.extend(declared);
    }

    /// Adds the definitions of code in documentation. Examples may use names that do not exist, so their definitions are only
    /// assumed.
    pub fn add_excerpt(&mut self, definitions: TextDefinitions) {
        let mut declared = definitions.declared;
        self.excerpted.extend(declared.functions.drain(..).map(|(name, ..)| name));
        self.excerpted.extend(declared.definitions.drain(..).map(|definition| definition.name));
        declared.variables.clear();
        self.declared.extend(declared);
    }

    /// Returns the Ruby files of the resource types that the texts use.
    pub fn resource_type_files(&self) -> Vec<PathBuf> {
        let mut names: Vec<_> = self.declared.resources.iter().collect();
        names.sort_unstable();
        let unknown = names.into_iter().filter(|name| builtin_description(name).is_none());
        unknown.filter_map(|name| self.loader.find_resource_type(name).ok().flatten()).collect()
    }

    /// Adds the declaration of a resource type in a Ruby file.
    pub fn add_resource_type(&mut self, description: TypeDescription) {
        let t = RubyResourceType::new(Arc::new(description));
        self.native_types.insert(t.name().to_lowercase(), Arc::new(t));
    }

    /// Returns the Ruby files of the functions that the texts call.
    pub fn ruby_files(&self) -> Vec<FunctionFile> {
        let unknown = self.declared.called.iter().filter(|name| {
            !self.functions.contains_key(*name) && !matches!(builtin::registry().get(name), Ok(Some(_)))
        });
        let mut files: Vec<_> = unknown
            .filter_map(|name| self.loader.find_function(name).ok().flatten())
            .filter(|file| file.format == FileLanguage::Ruby)
            .collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files
    }

    /// Adds the declaration of a function in a Ruby file.
    pub fn add_ruby(&mut self, function: &DeclaredFunction) {
        if let Some(signatures) = ruby::signatures(function, &VisibleTypes::of(self), &self.limits) {
            self.function_names.take();
            self.functions.insert(function.name.to_lowercase(), signatures);
        }
    }

    pub(super) fn data(&self) -> &DataPool {
        &self.data
    }

    pub(super) fn data_mut(&mut self) -> &mut DataPool {
        &mut self.data
    }

    /// Calls `visit` with each text of code on the path, and with the module that it is in.
    pub(super) fn each_text(&self, visit: &mut dyn FnMut(Option<&str>, &str)) -> Result<(), Error> {
        self.loader.each_text(visit)
    }

    /// Returns how much may be used.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns true if the release's agent comes with a module that has this resource type.
    fn is_vendored(&self, name: &str) -> bool {
        let is_gone = name == "zone" && self.target().has(Difference::NoZoneType);
        VENDORED.contains(&name) && !is_gone
    }

    /// Returns the release whose behaviour code sees.
    pub fn target(&self) -> Target {
        self.loader.target()
    }

    /// Returns true if all modules that code may use are on the path. A module's dependencies are only known if it exists.
    fn is_complete_for(&self, origin: &TextOrigin) -> bool {
        match &origin.module {
            Some(module) => match self.loader.missing_dependencies(module) {
                Ok(Some(missing)) => missing.is_empty(),
                Ok(None) => !self.is_partial && !self.misses_modules && !self.has_broken_metadata(module),
                Err(_) => false,
            },
            None => !origin.is_in_module && !self.misses_modules,
        }
    }

    /// Returns true if a name belongs to a module that exists, so that it is looked for nowhere else.
    fn is_of_module(&self, name: &str) -> bool {
        name.split("::").next().is_some_and(|module| self.modules.contains(module))
    }

    /// Returns the function of a name, for code from somewhere.
    pub(super) fn function(&self, name: &str, origin: &TextOrigin) -> Callee {
        let name = name.trim_start_matches("::").to_lowercase();
        match builtin::function(&name, self.target()) {
            Ok(Some(function)) => return Callee::Native(Arc::clone(function)),
            Ok(None) => {}
            Err(_) => return Callee::Opaque,
        }
        if let Some(signatures) = self.functions.get(&name) {
            return Callee::Declared(Arc::clone(signatures));
        }
        let loaded = || self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let known = loaded().get(&name).cloned();
        match known.unwrap_or_else(|| {
            let callee = self.load_function(&name).unwrap_or(Callee::Opaque);
            loaded().insert(name.clone(), callee.clone());
            callee
        }) {
            Callee::Missing if self.excerpted.contains(&name) => Callee::Unsure,
            Callee::Missing if !name.contains("::") && !self.is_complete_for(origin) => {
                self.note_unchecked(&name, origin);
                Callee::Unsure
            }
            Callee::Unsure => {
                self.note_unchecked(&name, origin);
                Callee::Unsure
            }
            callee => callee,
        }
    }

    /// Returns true if no module has a function, and no module is missing that may have it.
    pub fn lacks_function(&self, name: &str) -> bool {
        matches!(self.function(name, &TextOrigin::default()), Callee::Missing)
    }

    /// Returns the declarations of the manifests that may define a class, a resource type or a function of a name.
    fn manifests(&self, name: &str) -> Vec<Arc<Declarations>> {
        let steps = self.loader.manifests(name).unwrap_or_default();
        steps.iter().flatten().filter_map(|file| self.manifest(file)).collect()
    }

    fn manifest(&self, file: &ManifestFile) -> Option<Arc<Declarations>> {
        let manifests = || self.manifests.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = manifests().get(&file.path) {
            return Some(Arc::clone(known));
        }
        let text = ManifestLookup::read(&*self.loader, file).ok()?;
        let program: Program<'_> = parse(&text, &self.limits).ok()?;
        let (path, lines) = (Arc::from(file.path.as_str()), LineIndex::new(&text));
        let declared =
            Declarations::of(&program, Some((&path, &lines)), &VisibleTypes::of(self), &self.limits);
        let declared = Arc::new(declared);
        manifests().insert(file.path.clone(), Arc::clone(&declared));
        Some(declared)
    }

    fn definition(&self, name: &str, is_class: bool) -> Option<Arc<DefinitionInfo>> {
        let table = if is_class { &self.classes } else { &self.resource_types };
        if let Some(found) = table.get(name) {
            return Some(Arc::clone(found));
        }
        let is_it = |definition: &&DefinitionInfo| definition.name == name && definition.is_class == is_class;
        self.manifests(name)
            .iter()
            .find_map(|declared| declared.definitions.iter().find(is_it).cloned().map(Arc::new))
    }

    /// Returns the class of a name; or whether there may be one.
    pub(super) fn class(&self, name: &str) -> Result<Arc<DefinitionInfo>, bool> {
        let name = name.trim_start_matches("::").to_lowercase();
        let may_be = || !self.is_of_module(&name) || self.excerpted.contains(&name);
        self.definition(&name, true).ok_or_else(may_be)
    }

    /// Returns the names of classes, or of defined types, that are similar to this one, the most similar first.
    pub(super) fn definitions_near(&self, name: &str, is_class: bool) -> Vec<String> {
        let name = name.trim_start_matches("::").to_lowercase();
        let module = name.split("::").next().unwrap_or(&name);
        let table = if is_class { &self.classes } else { &self.resource_types };
        let of_module = self.loader.manifest_names(module).unwrap_or_default();
        let mut names: Vec<&str> = of_module.iter().chain(table.keys()).map(String::as_str).collect();
        if !is_class && !name.contains("::") {
            names.extend(builtin_type_names());
            names.extend(self.native_types.keys().map(String::as_str));
        }
        let is_there = |name: &str| {
            let is_native = !is_class && (self.native_type(name).is_some());
            is_native || self.definition(name, is_class).is_some()
        };
        let near = most_similar_within(&name, MOST_DIFFERING, names);
        near.into_iter().filter(|name| is_there(name)).map(str::to_owned).collect()
    }

    /// Returns the names of all functions.
    pub(super) fn function_names(&self) -> &[String] {
        self.function_names.get_or_init(|| {
            let files = self.loader.functions().unwrap_or_default();
            let own = builtin::registry().names().chain(builtin::termini().names()).map(str::to_owned);
            own.chain(self.functions.keys().cloned())
                .chain(files.into_iter().map(|file| file.name.to_string()))
                .collect()
        })
    }

    /// Returns the names of all types.
    pub(super) fn type_names(&self) -> &[String] {
        self.type_names.get_or_init(|| {
            let mut names = self.loader.type_names().unwrap_or_default();
            names.extend(basic_names().map(str::to_owned));
            names.extend(builtin_type_names().into_iter().map(capitalize_segments));
            names
        })
    }

    /// Returns the place of a function, if it is known.
    pub(super) fn place_of_function(&self, name: &str) -> Option<&SourceLocation> {
        self.places.get(&name.trim_start_matches("::").to_lowercase())
    }

    /// Returns the resource type of a name.
    pub(super) fn resource(&self, name: &str) -> ResolvedResourceType {
        let name = name.trim_start_matches("::").to_lowercase();
        if let Some(known) = self.native_type(&name) {
            return ResolvedResourceType::Native(known);
        }
        if self.is_vendored(&name) || self.loader.has_resource_type(&name).unwrap_or(true) {
            return ResolvedResourceType::Foreign;
        }
        match self.definition(&name, false) {
            Some(definition) => ResolvedResourceType::Defined(definition),
            None if self.excerpted.contains(&name) => ResolvedResourceType::Unsure,
            None if name.contains("::") && self.is_of_module(&name) => ResolvedResourceType::Missing,
            None => ResolvedResourceType::Unsure,
        }
    }

    /// Returns the resource type in Ruby of a name, if it is known.
    fn native_type(&self, name: &str) -> Option<Arc<RubyResourceType>> {
        builtin_type(name, self.target()).or_else(|| self.native_types.get(name)).cloned()
    }

    /// Returns true if overrides or collectors may give an attribute of a resource another value.
    pub(super) fn is_overridden(&self, type_name: &str, title: Option<&str>, attribute: &str) -> bool {
        self.declared.overridden.iter().any(|OverriddenAttribute { resources, attribute: overridden }| {
            let is_title =
                title.is_none_or(|title| resources.title.as_deref().is_none_or(|own| own == title));
            let is_type = resources.type_name.is_empty() || resources.type_name == type_name;
            is_type && is_title && overridden.as_deref().is_none_or(|name| name == attribute)
        })
    }

    /// Returns true if parameters of resources of a type may be set elsewhere than where these are declared.
    pub(super) fn is_adjusted(&self, type_name: &str) -> bool {
        let adjusted = &self.declared.adjusted;
        adjusted.contains("") || adjusted.contains(type_name)
    }

    /// Returns the type of a name, as code from somewhere sees it.
    pub(super) fn type_named(&self, name: &str, origin: &TextOrigin) -> ResolvedTypeName {
        let is_defined = || self.declared.types.contains(&name.trim_start_matches("::").to_lowercase());
        match self.loader.find(name) {
            Ok(None) if is_defined() => {
                return match VisibleTypes::of(self).find(name.trim_start_matches("::")) {
                    Ok(Some(t)) if t != Type::Any => ResolvedTypeName::Type(t),
                    _ => ResolvedTypeName::Unsure,
                };
            }
            Ok(_) => {}
            Err(_) => return ResolvedTypeName::Unsure,
        }
        match named(name, &VisibleTypes::of(self)) {
            Ok(Type::Reference(_)) => {}
            Ok(t) => return ResolvedTypeName::Type(t),
            Err(_) => return ResolvedTypeName::Unsure,
        }
        match self.resource(name) {
            ResolvedResourceType::Native(_)
            | ResolvedResourceType::Foreign
            | ResolvedResourceType::Defined(_) => ResolvedTypeName::Resource,
            ResolvedResourceType::Missing => ResolvedTypeName::Missing,
            // A word alone may be the name of a resource type of any library.
            ResolvedResourceType::Unsure if name.contains("::") || !self.is_complete_for(origin) => {
                ResolvedTypeName::Unsure
            }
            ResolvedResourceType::Unsure => ResolvedTypeName::Missing,
        }
    }

    /// Returns true if a class, or one that it builds on, may set a variable. Metaparameters that a class is declared with
    /// are among its variables.
    pub(super) fn may_set(&self, class: &DefinitionInfo, name: &str) -> bool {
        if is_metaparameter(name) {
            return true;
        }
        let mut class = Arc::new(class.clone());
        // A class that builds on itself is refused elsewhere.
        for _ in 0..100 {
            if class.variables.contains(name) {
                return true;
            }
            let Some(parent) = &class.parent else { return false };
            match self.class(parent) {
                Ok(parent) => class = parent,
                Err(_) => return true,
            }
        }
        true
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("loader", &self.loader).finish_non_exhaustive()
    }
}

/// The definitions of one text.
#[derive(Clone, Default, Debug)]
pub struct TextDefinitions {
    declared: Declarations,
    aliases: Option<Arc<TextAliases>>,
}

impl TextDefinitions {
    /// Returns true if a world is the same with either. Aliases of types are never known to be.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.aliases.is_none() && other.aliases.is_none() && self.declared == other.declared
    }
}
