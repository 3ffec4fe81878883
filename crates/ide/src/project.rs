//! The texts of a project, and their analysis.
#![allow(clippy::wildcard_enum_match_arm, reason = "only kinds that code declares are listed")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use super::erb_template::ErbTemplate;
use super::module_file::ModuleFile;
use super::names_index::NamesIndex;
use super::source::AnalyzedText;
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{TypeDescription, builtin_type_names};
use puppetfn_check::{DataText, Declarable, Finding, Selection, TextDefinitions, TextOrigin, World};
use puppetfn_doc::{DeclaredFunction, RubyFile};
use puppetfn_index::Symbol;
use puppetfn_runtime::loader::Loader;
use puppetfn_syntax::Mode;

/// A text of a project.
#[derive(Clone, Debug)]
pub struct ProjectFile {
    /// The path.
    pub path: PathBuf,
    /// The text.
    pub text: Arc<str>,
    /// The parser's mode.
    pub mode: Mode,
    /// The origin, which determines the names in scope and the possible definitions.
    pub origin: TextOrigin,
}

/// The language features for the texts of a project.
pub struct Ide {
    pub(crate) loader: Arc<Loader>,
    limits: Limits,
    files: BTreeMap<PathBuf, AnalyzedFile>,
    pub(crate) index: NamesIndex,
    /// The checker's model without the project's texts.
    without_texts: World,
    /// The model with the texts, until their definitions change.
    world: OnceLock<World>,
    /// The names in the model, until it changes.
    names: OnceLock<NameLists>,
    /// The number of changes of the model.
    generation: u64,
    /// The declarations of Ruby files that the texts use, and the files that were read.
    ruby: Ruby,
    pub(crate) data: BTreeMap<PathBuf, DataText>,
    /// ERB templates.
    pub(crate) erb: BTreeMap<PathBuf, ErbTemplate>,
    /// Files that name modules.
    pub(crate) module_files: BTreeMap<PathBuf, ModuleFile>,
    /// The modules without known data, if all other data is known; `None` if data may be missing.
    pub(crate) is_data_complete: Option<HashSet<String>>,
    /// Sources in other modules, read on demand.
    pub(crate) others: Mutex<HashMap<PathBuf, Option<Arc<AnalyzedText>>>>,
}

/// A text and its own analysis.
struct AnalyzedFile {
    file: ProjectFile,
    source: Arc<AnalyzedText>,
    definitions: TextDefinitions,
}

/// The names in the model, sorted.
pub(crate) struct NameLists {
    pub functions: Vec<String>,
    pub types: Vec<String>,
    pub resource_types: Vec<String>,
    pub classes: Vec<String>,
}

#[derive(Default)]
struct Ruby {
    read: HashSet<PathBuf>,
    functions: Vec<(PathBuf, DeclaredFunction)>,
    types: Vec<(PathBuf, TypeDescription)>,
}

impl Ide {
    /// Creates an empty project for code that sees the modules of a loader; if `is_partial`, other modules may exist.
    pub fn new(loader: Arc<Loader>, limits: Limits, is_partial: bool) -> Self {
        let without_texts = World::new(Arc::clone(&loader), limits).partial(is_partial);
        Self {
            loader,
            limits,
            files: BTreeMap::new(),
            index: NamesIndex::default(),
            without_texts,
            world: OnceLock::new(),
            names: OnceLock::new(),
            generation: 0,
            ruby: Ruby::default(),
            data: BTreeMap::new(),
            erb: BTreeMap::new(),
            module_files: BTreeMap::new(),
            is_data_complete: None,
            others: Mutex::default(),
        }
    }

    /// Returns the project with another selection of rules.
    #[must_use]
    pub fn selecting(self, selection: Selection) -> Self {
        Self { without_texts: self.without_texts.selecting(selection), ..self }
    }

    /// Returns the rules that are applied, with the layout of code.
    pub fn selection(&self) -> &Selection {
        self.without_texts.selection()
    }

    /// Adds a text, or replaces it.
    pub fn set(&mut self, file: ProjectFile) {
        if self.files.get(&file.path).is_some_and(|known| {
            known.file.text == file.text && known.file.mode == file.mode && known.file.origin == file.origin
        }) {
            return;
        }
        let name = file.path.to_str().map(Arc::from);
        let source = Arc::new(AnalyzedText::new(&file.text, name, file.mode, &self.limits));
        let definitions = self.without_texts.declarations(source.tree());
        let path = file.path.clone();
        self.index.set_code(&path, Arc::clone(&source));
        let before = self.files.insert(path, AnalyzedFile { file, source, definitions });
        if !before.is_some_and(|before| self.is_same(&before)) {
            self.renew();
        }
    }

    /// Returns true if the definitions of a text have not changed.
    fn is_same(&self, before: &AnalyzedFile) -> bool {
        let now = self.files.get(&before.file.path);
        now.is_some_and(|now| now.definitions.is_same(&before.definitions))
    }

    /// Removes a text.
    pub fn remove(&mut self, path: &Path) {
        if self.files.remove(path).is_some() {
            self.index.remove(path);
            self.renew();
        }
    }

    /// Returns the text of a file of code or data, of an ERB template, or of a file that names modules.
    pub fn text(&self, path: &Path) -> Option<&Arc<str>> {
        let other =
            || self.data.get(path).map(DataText::text).or_else(|| self.erb.get(path).map(ErbTemplate::text));
        self.code(path).or_else(other).or_else(|| self.module_files.get(path).map(ModuleFile::text))
    }

    /// Returns the text of a file of code.
    pub fn code(&self, path: &Path) -> Option<&Arc<str>> {
        self.files.get(path).map(|known| &known.file.text)
    }

    /// Returns all files of code, in the order of their paths.
    pub fn files(&self) -> impl Iterator<Item = &ProjectFile> {
        self.files.values().map(|known| &known.file)
    }

    /// Reads the Ruby files of used functions and resource types that were not read before.
    pub fn learn(&mut self, read: &mut dyn FnMut(&Path) -> Option<RubyFile>) {
        let world = self.world();
        let functions = world.ruby_files().into_iter().map(|file| file.path);
        let files: Vec<_> = functions.chain(world.resource_type_files()).collect();
        for path in files {
            if !self.ruby.read.insert(path.clone()) {
                continue;
            }
            let Some(found) = read(&path) else { continue };
            self.ruby.functions.extend(found.functions.into_iter().map(|function| (path.clone(), function)));
            self.ruby.types.extend(found.types.into_iter().map(|described| (path.clone(), described)));
            self.renew();
        }
    }

    /// Drops the declarations of a Ruby file or of another module's file.
    pub fn forget(&mut self, path: &Path) {
        self.ruby.functions.retain(|(from, _)| from != path);
        self.ruby.types.retain(|(from, _)| from != path);
        self.ruby.read.remove(path);
        self.others.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner).remove(path);
        self.renew();
    }

    /// Returns the generation of the model. If it has changed, findings in all texts may be stale.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    pub(crate) fn renew(&mut self) {
        self.world.take();
        self.names.take();
        self.generation += 1;
    }

    /// Returns the checker's model, including the definitions of the texts.
    pub fn world(&self) -> &World {
        self.world.get_or_init(|| {
            let mut world = self.without_texts.emptied();
            self.files.values().for_each(|known| world.add(known.definitions.clone()));
            self.ruby.functions.iter().for_each(|(_, function)| world.add_ruby(function));
            self.ruby.types.iter().for_each(|(_, described)| world.add_resource_type(described.clone()));
            self.data.values().for_each(|data| world.add_data(data));
            self.is_data_complete.iter().for_each(|except| world.complete_data(except.clone()));
            world
        })
    }

    /// Returns the names in the model.
    pub(crate) fn names(&self) -> &NameLists {
        self.names.get_or_init(|| {
            let world = self.world();
            let defined = self.index.get().files().flat_map(|(_, index)| index.definitions());
            let (mut resource_types, mut classes) = (BTreeSet::new(), BTreeSet::new());
            for definition in defined {
                match &definition.symbol {
                    Symbol::Class(name) => _ = classes.insert(name.to_string()),
                    Symbol::Type(name)
                        if matches!(world.declarable_type(name), Some(Declarable::Defined { .. })) =>
                    {
                        resource_types.insert(name.to_string());
                    }
                    _ => {}
                }
            }
            resource_types.extend(builtin_type_names().into_iter().map(str::to_owned));
            resource_types.extend(self.loader.resource_types().unwrap_or_default().keys().cloned());
            NameLists {
                functions: world.functions(),
                types: world.types(),
                resource_types: resource_types.into_iter().collect(),
                classes: classes.into_iter().collect(),
            }
        })
    }

    /// Checks a text.
    pub fn check(&self, path: &Path) -> Vec<Finding> {
        let Some(AnalyzedFile { file, source, .. }) = self.files.get(path) else { return Vec::new() };
        self.world().check(source.tree(), &file.origin)
    }

    pub(crate) fn source(&self, path: &Path) -> Option<&Arc<AnalyzedText>> {
        self.files.get(path).map(|known| &known.source)
    }

    pub(crate) fn origin(&self, path: &Path) -> TextOrigin {
        self.files.get(path).map(|known| known.file.origin.clone()).unwrap_or_default()
    }

    /// Returns the limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the known functions in Ruby, with their files.
    pub(crate) fn ruby_functions(&self) -> impl Iterator<Item = (&Path, &DeclaredFunction)> {
        self.ruby.functions.iter().map(|(path, one)| (path.as_path(), one))
    }

    /// Returns a function's declaration in Ruby, and its file.
    pub(crate) fn ruby_function(&self, name: &str) -> Option<(&Path, &DeclaredFunction)> {
        let mut functions = self.ruby.functions.iter();
        functions
            .find(|(_, one)| one.name.eq_ignore_ascii_case(name))
            .map(|(path, one)| (path.as_path(), one))
    }
}

impl fmt::Debug for Ide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ide").field("files", &self.files.len()).finish_non_exhaustive()
    }
}
