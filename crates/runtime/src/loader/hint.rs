//! Suggestions for the name of a function that does not exist.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::module::{self, ModuleLoader};
use super::{EntryKind, LoadableKind, Loader, TypedName, tree};
use crate::builtin;
use puppetfn_base::error::Error;
use puppetfn_types::types::ops::describe::most_similar;
use puppetfn_types::types::parse::basic_names;

/// The names of directories of modules in an environment, on its modulepath or not.
const MODULE_DIRECTORIES: [&str; 5] = ["modules", "site-modules", "site", "legacy", "dist"];

/// Maximum number of suggestions.
const SUGGESTIONS: usize = 3;

/// The explanation of errors about functions that do not exist. Similar names are searched when they are asked for.
///
/// ```
/// use puppetfn::eval::Runtime;
/// use puppetfn::loader::FunctionHint;
/// let runtime = Runtime::builder().modulepath([""; 0]).build();
/// let error = runtime.evaluate("upcas('a')", None).unwrap_err();
/// let hint: &FunctionHint = error.explanation().and_then(|explanation| explanation.downcast_ref()).unwrap();
/// assert_eq!(hint.name(), "upcas");
/// assert_eq!(hint.candidates().unwrap(), ["upcase"]);
/// ```
pub struct FunctionHint {
    loader: Arc<Loader>,
    name: String,
    /// The module whose code has the name.
    module: Option<Arc<str>>,
}

impl FunctionHint {
    pub(super) fn new(loader: Arc<Loader>, name: &str, module: Option<&str>) -> Self {
        Self { loader, name: name.to_owned(), module: module.map(Arc::from) }
    }

    /// Returns the name of the function that does not exist.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns existing functions with similar names, the closest first.
    ///
    /// # Errors
    /// Fails if modules cannot be listed.
    pub fn candidates(&self) -> Result<Vec<String>, Error> {
        self.loader.similar_functions(&self.name)
    }
}

impl fmt::Display for FunctionHint {
    /// Prints a line for each suggestion; nothing if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nobody wants to know why a hint cannot be given.
        let lines = self.lines().unwrap_or_default();
        f.write_str(&lines.join("\n"))
    }
}

impl FunctionHint {
    fn lines(&self) -> Result<Vec<String>, Error> {
        let Some(name) = TypedName::new(LoadableKind::Function, &self.name) else { return Ok(Vec::new()) };
        let mut lines = Vec::new();
        if let Some((directory, path)) = self.elsewhere(&name)? {
            lines.push(format!(
                "'{}' is in {}, and {} is not on the modulepath of this environment",
                name.name(),
                path.display(),
                directory.display()
            ));
        } else if let Some(line) = self.missing_module(&name)? {
            lines.push(line);
        }
        let meant = self.loader.similar_functions(name.name())?;
        if let Some((last, others)) = meant.split_last() {
            let others: String = others.iter().map(|other| format!("'{other}' or ")).collect();
            lines.push(format!("did you mean {others}'{last}'?"));
        }
        Ok(lines)
    }

    /// Returns a directory of modules outside of the modulepath that has the function, and its file.
    fn elsewhere(&self, name: &TypedName) -> Result<Option<(PathBuf, PathBuf)>, Error> {
        for directory in self.directories_beside()? {
            for (module, root) in module::list(&*self.loader.files, &directory)? {
                let module = ModuleLoader::new(module.into(), false, root, Arc::clone(&self.loader.files));
                if let Some((path, _)) = module.find(name)? {
                    return Ok(Some((directory, path)));
                }
            }
        }
        Ok(None)
    }

    /// Returns directories of modules that are not on the modulepath: in this environment, in the environments beside it,
    /// and next to directories on the modulepath.
    fn directories_beside(&self) -> Result<Vec<PathBuf>, Error> {
        let Loader { files, modulepath, .. } = &*self.loader;
        let mut roots: Vec<PathBuf> = Vec::new();
        if let Some(environment) = &self.loader.environment {
            roots.push(environment.clone());
            let environments = environment.parent().unwrap_or(environment);
            let beside = tree::list(&**files, environments)?;
            let beside = beside.into_iter().filter(|entry| entry.kind != EntryKind::File);
            roots.extend(beside.map(|entry| environments.join(entry.name)));
        }
        roots.extend(modulepath.iter().filter_map(|directory| directory.parent()).map(Path::to_owned));
        let directories = roots.iter().flat_map(|root| MODULE_DIRECTORIES.map(|name| root.join(name)));
        let mut seen: BTreeSet<PathBuf> = modulepath.iter().cloned().collect();
        Ok(directories.filter(|directory| seen.insert(directory.clone())).collect())
    }

    /// Reports that the module of a name is not there.
    fn missing_module(&self, name: &TypedName) -> Result<Option<String>, Error> {
        let Some(namespace) = name.namespace().filter(|namespace| module::is_name(namespace)) else {
            return Ok(None);
        };
        let found = self.loader.modules();
        let modules = found.by_name()?;
        if modules.contains_key(namespace) {
            return Ok(None);
        }
        if let Some(reason) = found.reason_against(namespace) {
            return Ok(Some(format!("the module '{namespace}' is not used: {reason}")));
        }
        let user = self.module.as_ref().and_then(|module| modules.get(module));
        let dependencies = user.and_then(ModuleLoader::dependencies).unwrap_or_default();
        let user = user.filter(|_| dependencies.iter().any(|dependency| **dependency == *namespace));
        let needed = user.map(|user| format!(", and the module '{}' depends on it", user.name()));
        let needed = needed.unwrap_or_default();
        Ok(Some(format!("there is no module '{namespace}' on the modulepath{needed}")))
    }
}

impl Loader {
    /// Returns existing functions whose names are similar to a name, the closest first.
    ///
    /// # Errors
    /// Fails if modules cannot be listed.
    pub fn similar_functions(&self, name: &str) -> Result<Vec<String>, Error> {
        let files = self.functions()?;
        let names = files.iter().map(|file| &*file.name).chain(builtin::registry().names());
        let similar = similar_names(name, &names.collect::<Vec<_>>());
        Ok(similar.into_iter().map(str::to_owned).collect())
    }

    /// Returns the message for an unknown type, with a suggestion.
    ///
    /// # Errors
    /// Fails if modules cannot be listed.
    pub fn unknown_type(&self, name: &str) -> Result<String, Error> {
        let known = self.type_names()?;
        let mut names: Vec<&str> = basic_names().collect();
        names.extend(known.iter().map(String::as_str));
        let near = most_similar(name, names);
        let mut message = format!("unknown type '{name}'");
        if let Some(meant) = near.first() {
            message.push_str(&format!("; did you mean '{meant}'?"));
        } else if let Some((module, _)) = name.split_once("::") {
            let module = module.to_lowercase();
            let modules = self.modules();
            if let Some(reason) = modules.reason_against(&module) {
                message.push_str(&format!(": the module '{module}' is not used: {reason}"));
            } else if module::is_name(&module) && !modules.by_name()?.contains_key(&*module) {
                message.push_str(&format!(": there is no module '{module}' on the modulepath"));
            }
        }
        Ok(message)
    }
}

/// Returns candidates for a misspelt name: first the names with the same last part, then the similar ones.
fn similar_names<'n>(name: &str, names: &[&'n str]) -> Vec<&'n str> {
    let ends_alike = |candidate: &&&str| last_part(candidate) == last_part(name);
    let mut found: Vec<&str> = names.iter().filter(ends_alike).copied().collect();
    for candidate in most_similar(name, names.iter().copied()) {
        if !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found.truncate(SUGGESTIONS);
    found
}

fn last_part(name: &str) -> &str {
    name.rsplit_once("::").map_or(name, |(_, last)| last)
}
