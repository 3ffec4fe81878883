//! The environment and the modules as they were found, until they are looked at again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;

use super::module::{self, ModuleLoader};
use super::typed_name::{Kind, TypedName};
use super::{ENVIRONMENT, FileSystem, Located};
use puppetfn_base::error::Error;

/// By name; where two modules have the same, only the first on the path counts.
pub(super) type ByName = IndexMap<Arc<str>, ModuleLoader>;

/// What there is in an environment and on a modulepath.
pub(super) struct Modules {
    files: Arc<dyn FileSystem>,
    modulepath: Arc<[PathBuf]>,
    own: Arc<[(Arc<str>, PathBuf)]>,
    pub environment: Option<ModuleLoader>,
    modules: OnceLock<Result<ByName, Error>>,
}

impl Modules {
    /// Those of a modulepath, after some of which the places are known.
    pub fn new(
        files: &Arc<dyn FileSystem>,
        modulepath: &Arc<[PathBuf]>,
        own: &Arc<[(Arc<str>, PathBuf)]>,
        environment: Option<&Path>,
    ) -> Self {
        let (files, modulepath, own) = (Arc::clone(files), Arc::clone(modulepath), Arc::clone(own));
        let environment = environment
            .map(|root| ModuleLoader::new(ENVIRONMENT.into(), true, root.to_owned(), Arc::clone(&files)));
        Self { files, modulepath, own, environment, modules: OnceLock::new() }
    }

    /// Returns all modules.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed.
    pub fn by_name(&self) -> Result<&ByName, Error> {
        self.modules.get_or_init(|| self.list()).as_ref().map_err(Error::clone)
    }

    /// Returns the environment and all modules, in the order in which they are looked into.
    ///
    /// # Errors
    /// As [`Modules::by_name`].
    pub fn all(&self) -> Result<impl Iterator<Item = &ModuleLoader>, Error> {
        Ok(self.environment.iter().chain(self.by_name()?.values()))
    }

    /// Returns the first file that may define a name, and the module that it is in.
    ///
    /// # Errors
    /// As [`Modules::by_name`].
    pub fn locate(&self, name: &TypedName) -> Result<Option<Located>, Error> {
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
    /// As [`Modules::by_name`].
    pub fn has_type_set(&self, module: &str) -> Result<bool, Error> {
        self.by_name()?.get(module).map_or(Ok(false), |module| Ok(module.type_set()?.is_some()))
    }

    /// Returns all names of a kind, with the files that define them.
    ///
    /// # Errors
    /// As [`Modules::by_name`].
    pub fn discover(&self, kind: Kind) -> Result<BTreeMap<String, Located>, Error> {
        let mut found = BTreeMap::new();
        for module in self.all()? {
            for (name, path, format) in module.discover(kind)? {
                let located = || Located { module: Arc::clone(module.name()), path, format };
                found.entry(name).or_insert_with(located);
            }
        }
        Ok(found)
    }

    fn list(&self) -> Result<ByName, Error> {
        let mut modules = IndexMap::new();
        for (name, root) in &*self.own {
            let module = ModuleLoader::new(Arc::clone(name), false, root.clone(), Arc::clone(&self.files));
            modules.entry(Arc::clone(name)).or_insert(module);
        }
        for directory in &*self.modulepath {
            for (name, root) in module::list(&*self.files, directory)? {
                let name: Arc<str> = name.into();
                modules
                    .entry(Arc::clone(&name))
                    .or_insert_with(|| ModuleLoader::new(name, false, root, Arc::clone(&self.files)));
            }
        }
        Ok(modules)
    }
}
