//! Type aliases from files, which may use each other in any way.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::typed_name::{LoadableKind, TypedName};
use super::{FileLanguage, HostType, Loader};
use crate::entity::only_definition;
use crate::eval::ManifestLookup as _;
use puppetfn_base::diagnostic::{Diagnostic, Severity, Strict, logged, refuse_errors};
use puppetfn_base::error::{Error, ErrorKind, Signal};
use puppetfn_syntax::ast::{ExprKind, Program};
use puppetfn_syntax::validate::{ModuleFile, ValidationRules, validate};
use puppetfn_syntax::{Mode, Tree};
use puppetfn_types::function::made_by;
use puppetfn_types::types::parse::{
    ForwardReference, ForwardReferences, NamedDefinition, TypeLookup, capitalize_segments, too_deep,
};
use puppetfn_types::types::{ResourceType, Type};

type TypeTable = HashMap<String, Option<Type>>;

/// The resolved types, by name in lower case; `None` for names that no type has.
///
/// The cache is complete: with an alias, it has all aliases that the alias uses. It also owns them, since an alias that
/// is recursive, even through others, is not owned by its own definition.
#[derive(Default)]
pub(super) struct Resolved {
    types: RwLock<TypeTable>,
    /// The files that define them.
    paths: RwLock<Vec<PathBuf>>,
    /// The files whose types are not resolved yet, by name of the type. They stay while the host runs a file
    /// that such a type needs.
    read: Mutex<HashMap<String, Arc<Tree>>>,
    /// Held while files are read, so that an alias is not defined twice.
    resolving: Mutex<()>,
}

impl Resolved {
    /// Returns the type of this name.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when its file does not define it, [`puppetfn_base::error::ErrorKind::Limit`] when aliases use
    /// each other in too long a chain, and the errors of parsing. Nothing is cached then.
    pub fn find(&self, loader: &Loader, name: &str) -> Result<Option<Type>, Error> {
        let Some(name) = TypedName::new(LoadableKind::Type, name) else { return Ok(None) };
        if let Some(known) = self.known(&name) {
            return Ok(known);
        }
        let _resolving = self.resolving.lock().unwrap_or_else(PoisonError::into_inner);
        let resolution = AliasResolution {
            loader,
            known: self,
            open: RefCell::default(),
            done: RefCell::default(),
            forwards: ForwardReferences::default(),
            depth: Cell::new(0),
        };
        let found = resolution.get(&name).and_then(|found| {
            resolution.forwards.resolve(&resolution)?;
            Ok(found)
        });
        if !matches!(&found, Err(error) if matches!(error.as_signal(), Some(Signal::Unloaded(_)))) {
            self.read.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        let found = found?;
        self.types.write().unwrap_or_else(PoisonError::into_inner).extend(resolution.done.into_inner());
        Ok(found)
    }

    /// Returns the names that have been looked for.
    pub fn names(&self) -> Vec<TypedName> {
        let types = self.types.read().unwrap_or_else(PoisonError::into_inner);
        types.keys().filter_map(|name| TypedName::new(LoadableKind::Type, name)).collect()
    }

    /// Returns true if one of these files defines a resolved type.
    pub fn is_of(&self, files: &BTreeSet<PathBuf>) -> bool {
        let paths = self.paths.read().unwrap_or_else(PoisonError::into_inner);
        paths.iter().any(|path| files.contains(path))
    }

    /// Returns true if a type of this name has been found.
    pub fn is_known(&self, name: &str) -> bool {
        TypedName::new(LoadableKind::Type, name)
            .is_some_and(|name| matches!(self.known(&name), Some(Some(_))))
    }

    fn known(&self, name: &TypedName) -> Option<Option<Type>> {
        self.types.read().unwrap_or_else(PoisonError::into_inner).get(name.name()).cloned()
    }
}

/// The loading of one alias and of all that it uses.
struct AliasResolution<'l> {
    loader: &'l Loader,
    known: &'l Resolved,
    /// The aliases whose definitions are not complete.
    open: RefCell<HashMap<String, Type>>,
    done: RefCell<TypeTable>,
    forwards: ForwardReferences,
    /// The total depth of the definitions that are not complete.
    depth: Cell<u32>,
}

impl AliasResolution<'_> {
    fn get(&self, name: &TypedName) -> Result<Option<Type>, Error> {
        if let Some(open) = self.open.borrow().get(name.name()) {
            return Ok(Some(open.clone()));
        }
        if let Some(done) = self.done.borrow().get(name.name()) {
            return Ok(done.clone());
        }
        if let Some(known) = self.known.known(name) {
            return Ok(known);
        }
        let found = self.load(name)?;
        self.done.borrow_mut().insert(name.name().to_owned(), found.clone());
        Ok(found)
    }

    fn load(&self, name: &TypedName) -> Result<Option<Type>, Error> {
        let Some(located) = self.loader.modules().locate(name)? else { return self.in_type_set(name) };
        if self.is_resource_type(name)? {
            return Ok(Some(Type::Resource(Arc::new(ResourceType::new(
                Some(capitalize_segments(name.name()).into()),
                None,
            )))));
        }
        let path = &located.path;
        let source = path.to_string_lossy();
        self.known.paths.write().unwrap_or_else(PoisonError::into_inner).push(path.clone());
        let HostType { definition: tree, maker } = match located.format {
            FileLanguage::Puppet => HostType { definition: self.read(name, path)?, maker: None },
            FileLanguage::Ruby | FileLanguage::LegacyRuby => self.loader.host_type(name, &located)?,
        };
        let definition = only_definition(&tree, name.name(), &source)?;
        let defined = self.define(name, &*definition)?;
        if let (Some(maker), Type::Object(object)) = (&maker, &defined)
            && let Some(object) = object.get()
        {
            made_by(&object, maker);
        }
        if name.name() == &*located.module && !matches!(defined, Type::TypeSet(_)) {
            let message =
                format!("The code loaded from {source} does not define the TypeSet '{}'", definition.name());
            return Err(Error::new(ErrorKind::Load, message));
        }
        Ok(Some(defined))
    }

    /// Returns true if the manifest of this name defines a resource type. It shadows types in modules, as in Puppet: its loader
    /// of resource types comes before the ones of modules.
    fn is_resource_type(&self, name: &TypedName) -> Result<bool, Error> {
        let Some(file) = self.loader.manifests(name.name())?.into_iter().flatten().next() else {
            return Ok(false);
        };
        if file.namespace != name.name() {
            return Ok(false);
        }
        let text = self.loader.read(file.path.as_ref())?;
        // Mistakes in the manifest are reported when the resource type is declared.
        let Ok(tree) = Tree::parse(text, None, Mode::default(), &self.loader.limits) else {
            return Ok(false);
        };
        let statements = &tree.program().statements;
        Ok(statements.iter().any(|statement| {
            matches!(&statement.kind, ExprKind::ResourceType(definition) if definition.name == name.name())
        }))
    }

    /// Returns the syntax tree of a file.
    fn read(&self, name: &TypedName, path: &Path) -> Result<Arc<Tree>, Error> {
        let read = || self.known.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tree) = read().get(name.name()) {
            return Ok(Arc::clone(tree));
        }
        let text = self.loader.read(path)?;
        let file: Arc<str> = path.to_string_lossy().into();
        let tree = Tree::parse(text, Some(Arc::clone(&file)), Mode::default(), &self.loader.limits)
            .map_err(|error| error.in_file(Arc::clone(&file)))?;
        self.refuse_misplaced(tree.program(), &file).map_err(|error| error.in_file(file))?;
        read().insert(name.name().to_owned(), Arc::clone(&tree));
        Ok(tree)
    }

    /// Refuses statements that no file of a module may have, other statements than definitions among them. The next
    /// evaluation that logs a message logs the warnings: nothing can be logged while types are resolved.
    fn refuse_misplaced(&self, program: &Program<'_>, file: &Arc<str>) -> Result<(), Error> {
        let module_file = ModuleFile::locate(Path::new(&**file), &self.loader.modulepath);
        let strict = self.loader.strict.unwrap_or(Strict::Off);
        let rules = ValidationRules {
            tasks: false,
            module_file: module_file.as_ref(),
            strict,
            target: self.loader.target,
        };
        let found = validate(program, rules, self.loader.limits);
        if self.loader.strict.is_some() {
            let is_warning = |diagnostic: &&Diagnostic| diagnostic.severity != Severity::Error;
            self.loader.warnings.add(program, logged(&found).filter(is_warning), file);
        }
        let first = found.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
        refuse_errors(first.map(std::slice::from_ref).unwrap_or_default(), program.text)
    }

    /// Returns the type of a name whose namespace is a type set.
    fn in_type_set(&self, name: &TypedName) -> Result<Option<Type>, Error> {
        let mut parent = name.name();
        while let Some((outer, _)) = parent.rsplit_once("::") {
            parent = outer;
            let Some(set_name) = TypedName::new(LoadableKind::Type, parent) else { return Ok(None) };
            if set_name.namespace().is_none() && !self.loader.modules().has_type_set(parent)? {
                return Ok(None);
            }
            if let Some(Type::TypeSet(set)) = self.get(&set_name)?
                && let Some(within) = name.name().get(parent.len().saturating_add(2)..)
                && let Some(found) = set.get().and_then(|set| set.find(within))
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn define(&self, name: &TypedName, definition: &dyn NamedDefinition) -> Result<Type, Error> {
        let limits = &self.loader.limits;
        let depth = self.depth.get();
        self.depth.set(depth.saturating_add(definition.nesting()));
        if self.depth.get() > limits.syntax {
            return Err(too_deep(definition.name(), limits));
        }
        let enter = |me| _ = self.open.borrow_mut().insert(name.name().to_owned(), me);
        let defined = definition.define_within(self, limits, &enter);
        self.open.borrow_mut().remove(name.name());
        self.depth.set(depth);
        defined
    }
}

impl TypeLookup for AliasResolution<'_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        TypedName::new(LoadableKind::Type, name).map_or(Ok(None), |name| self.get(&name))
    }

    fn refer(&self, reference: ForwardReference) -> Option<ForwardReference> {
        self.forwards.add(reference);
        None
    }
}
