//! Dependencies of modules, and the names that are visible to their code.
//!
//! See Puppet's `pops/loader/dependency_loader.rb`.

use std::sync::Arc;

use super::module::ModuleLoader;
use super::modules::Modules;
use super::{FunctionFile, LoadableKind, Loader, LocatedFile, TypedName};
use puppetfn_base::error::{Error, ErrorKind};

impl Loader {
    /// Returns the modules that a module depends on and that are not there; `None` if it says nothing of any.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed.
    pub fn missing_dependencies(&self, module: &str) -> Result<Option<Vec<Arc<str>>>, Error> {
        let modules = self.modules();
        let modules = modules.by_name()?;
        let Some(dependencies) = modules.get(module).and_then(ModuleLoader::dependencies) else {
            return Ok(None);
        };
        Ok(Some(dependencies.iter().filter(|name| !modules.contains_key(&***name)).cloned().collect()))
    }

    /// Returns the file that defines a function for code of a module, or for other code. A name without a
    /// namespace may be defined by the environment, by the module, by its dependencies, and then by any
    /// module; `a::b` only by the module `a`.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed, and where dependencies are strict when the
    /// function is in a module that this one does not depend on.
    pub fn find_function_for(&self, name: &str, module: Option<&str>) -> Result<Option<FunctionFile>, Error> {
        let modules = self.modules();
        let Some(module) = module.and_then(|module| modules.by_name().ok()?.get(module)) else {
            return self.find_function(name);
        };
        let Some(typed) = TypedName::new(LoadableKind::Function, name) else { return Ok(None) };
        if let Some(found) = self.locate_for(&typed, module, &modules)? {
            return Ok(Some(found.function(typed.name().to_owned())));
        }
        let Some(hidden) = self.find_function(name)? else { return Ok(None) };
        if !self.strict_dependencies {
            return Ok(Some(hidden));
        }
        Err(Error::new(
            ErrorKind::Load,
            format!(
                "The function '{name}' is in the module '{}', which is not a dependency of the module '{}': add it to the dependencies in its metadata.json",
                hidden.module,
                module.name()
            ),
        ))
    }

    /// Locates a name for code of a module: in the environment, in the module and in its dependencies.
    fn locate_for(
        &self,
        name: &TypedName,
        module: &ModuleLoader,
        found: &Modules,
    ) -> Result<Option<LocatedFile>, Error> {
        if name.namespace().is_some() && !self.strict_dependencies {
            return found.locate(name);
        }
        let modules = found.by_name()?;
        let dependencies = module.dependencies();
        let all = || modules.values().filter(|_| dependencies.is_none());
        let declared = dependencies.into_iter().flatten().filter_map(|name| modules.get(&**name));
        let seen = found.environment.iter().chain([module]).chain(declared).chain(all());
        for module in seen {
            if let Some(found) = module.locate(name)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}
