//! Manifests of modules, which define classes and defined types.
//!
//! See Puppet's `parser/type_loader.rb`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::module::ModuleLoader;
use super::{ENVIRONMENT, Loader};
use crate::eval::{ManifestFile, ManifestLookup};
use puppetfn_base::error::{Error, ErrorKind};

/// The names of loaders that Puppet registers before those of modules.
const PUPPETS_LOADERS: [&str; 3] = [ENVIRONMENT, "pcore_resource_types", "puppet_system"];

impl Loader {
    /// Stops reading `init.pp` along with the file that is named for a class: specs, as rspec-puppet runs them, may
    /// define the class of a module themselves.
    pub fn spare_init(&self) {
        self.spares_init.store(true, Ordering::Relaxed);
    }

    fn manifest(module: &ModuleLoader, path: PathBuf, parts: &[&str]) -> ManifestFile {
        let mut namespace = module.name().to_string();
        for part in parts {
            namespace.push_str("::");
            namespace.push_str(part);
        }
        ManifestFile { path: path.to_string_lossy().into_owned(), module: module.name().clone(), namespace }
    }
}

impl Loader {
    /// Returns the names that classes and defined types of a module have if they are in files that are named for them.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed.
    pub fn manifest_names(&self, module: &str) -> Result<Vec<String>, Error> {
        match self.modules().by_name()?.get(module) {
            Some(module) => module.manifest_names(),
            None => Ok(Vec::new()),
        }
    }

    /// Returns the files that may define the class, the defined type or the plan of this name, the likeliest first.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when a directory cannot be listed.
    pub fn definition_files(&self, name: &str) -> Result<Vec<PathBuf>, Error> {
        let mut files: Vec<PathBuf> = Vec::new();
        // Puppet reads the likeliest of each step last.
        for file in self.manifests(name)?.into_iter().flat_map(|step| step.into_iter().rev()) {
            let path = PathBuf::from(file.path);
            if !files.contains(&path) {
                files.push(path);
            }
        }
        let parts: Vec<&str> = name.split("::").collect();
        if let Some((module, parts)) = parts.split_first()
            && let Some(module) = self.modules().by_name()?.get(*module)
        {
            files.extend(module.plan(if parts.is_empty() { &["init"] } else { parts })?);
        }
        Ok(files)
    }
}

impl ManifestLookup for Loader {
    /// `a::b::c` may be defined by `b/c.pp` of the module `a`, or else by the files of the namespaces around it. Puppet
    /// reads `init.pp` before each of them.
    fn manifests(&self, name: &str) -> Result<Vec<Vec<ManifestFile>>, Error> {
        let parts: Vec<&str> = name.split("::").collect();
        let Some((module, parts)) = parts.split_first() else { return Ok(Vec::new()) };
        if *module == ENVIRONMENT {
            return Ok(Vec::new());
        }
        let modules = self.modules();
        let Some(module) = modules.by_name()?.get(*module) else { return Ok(Vec::new()) };
        let init = module.manifest(&["init"])?.map(|path| Self::manifest(module, path, &[]));
        let mut steps = Vec::new();
        for count in (0..=parts.len()).rev() {
            let parts = parts.get(..count).unwrap_or_default();
            let path = if parts.is_empty() { None } else { module.manifest(parts)? };
            let named = path.map(|path| Self::manifest(module, path, parts));
            let reads_init = named.is_none() || !self.spares_init.load(Ordering::Relaxed);
            let init = init.clone().filter(|_| reads_init);
            steps.push(init.into_iter().chain(named).collect());
        }
        Ok(steps)
    }

    fn read(&self, file: &ManifestFile) -> Result<Arc<str>, Error> {
        self.read(file.path.as_ref())
    }

    fn has_resource_type(&self, name: &str) -> Result<bool, Error> {
        Ok(self.find_resource_type(name)?.is_some() || self.generated_resource_type(name).is_some())
    }

    /// Puppet has a loader for each module, with the module's name, beside its own.
    fn check_modules(&self) -> Result<(), Error> {
        let modules = self.modules();
        let directories = modules.libraries()?.skip(usize::from(modules.environment.is_some()));
        // No module in use can have this name.
        let like_environment = directories.map(ModuleLoader::name).filter(|name| ***name == *ENVIRONMENT);
        let mut names = modules.by_name()?.keys().chain(like_environment);
        let Some(name) = names.find(|name| PUPPETS_LOADERS.contains(&&***name)) else { return Ok(()) };
        let message = format!("Internal Error: Attempt to redefine loader named '{name}'");
        Err(Error::new(ErrorKind::Load, message))
    }
}
