//! Files of modules: whether they exist, and the parameters of templates.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::super::declare::{DefinitionInfo, template};
use super::{VisibleTypes, World};
use puppetfn_syntax::{Mode, parse_with};
use puppetfn_types::function::ModuleFiles;

/// The templates of modules that were read.
#[derive(Default)]
pub(super) struct TemplateCache {
    /// The parameters of templates, by their paths; `None` for templates that declare none.
    parameters: Mutex<HashMap<PathBuf, Option<Arc<DefinitionInfo>>>>,
    /// The words in all templates of a module, by its name.
    words: Mutex<HashMap<String, Option<Arc<HashSet<String>>>>>,
}

/// The target of the path of a file in a module.
pub(in super::super) enum ResolvedModuleFile {
    Found(PathBuf),
    /// It is in a module that is not there, or on the machine that runs the code.
    Unsure,
    Missing,
}

impl World {
    /// Returns the file of a path in a call: the module, and a file in a directory of it.
    pub(in super::super) fn module_file(
        &self,
        directory: &str,
        path: &str,
        ending: &str,
    ) -> ResolvedModuleFile {
        let (module, file) = match path.split_once('/') {
            Some(("", _)) => return ResolvedModuleFile::Unsure,
            Some(parts) => parts,
            // Windows has absolute paths without a slash.
            None if path.contains(['\\', ':']) => return ResolvedModuleFile::Unsure,
            None => return ResolvedModuleFile::Missing,
        };
        let Ok(Some(root)) = self.loader.module_directory(module) else { return ResolvedModuleFile::Unsure };
        let path = root.join(directory).join(file);
        let mut with_ending = path.clone().into_os_string();
        with_ending.push(ending);
        let is_there = |path: &PathBuf| self.loader.file_system().exists(path);
        let found = [path, with_ending.into()].into_iter().find(is_there);
        found.map_or(ResolvedModuleFile::Missing, ResolvedModuleFile::Found)
    }

    /// Returns the parameters of the template in a file, if it declares any.
    pub(in super::super) fn template(&self, path: &Path) -> Option<Arc<DefinitionInfo>> {
        let templates = || self.templates.parameters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = templates().get(path) {
            return known.clone();
        }
        let text = self.loader.file_system().read(path).ok().and_then(|text| String::from_utf8(text).ok());
        let mode = Mode { tasks: false, template: true };
        let template = text.and_then(|text| self.template_of(&text, &path.to_string_lossy(), mode));
        templates().insert(path.to_owned(), template.clone());
        template
    }

    /// Returns the words in the templates of a module; `None` if the module is not there or a file cannot be read.
    pub(in super::super) fn template_words(&self, module: &str) -> Option<Arc<HashSet<String>>> {
        let known = || self.templates.words.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(words) = known().get(module) {
            return words.clone();
        }
        let root = self.loader.module_directory(module).ok().flatten();
        let words = root.and_then(|root| {
            let mut words = HashSet::new();
            self.add_words(&root.join("templates"), &mut words)?;
            Some(Arc::new(words))
        });
        known().insert(module.to_owned(), words.clone());
        words
    }

    /// Adds the words in the files of a directory, if it exists.
    fn add_words(&self, directory: &Path, words: &mut HashSet<String>) -> Option<()> {
        let files = self.loader.file_system();
        if !files.is_directory(directory) {
            return Some(());
        }
        for entry in files.list(directory).ok()? {
            let path = directory.join(&entry.name);
            if files.is_directory(&path) {
                self.add_words(&path, words)?;
            } else {
                let text = String::from_utf8_lossy(&files.read(&path).ok()?).into_owned();
                words.extend(crate::words::words(&text).map(str::to_owned));
            }
        }
        Some(())
    }

    /// Returns true if a text reads a variable of a class by its full name.
    pub(in super::super) fn reads_variable(&self, class: &str, variable: &str) -> bool {
        self.declared
            .qualified
            .contains(&format!("{}::{variable}", class.trim_start_matches("::").to_lowercase()))
    }

    /// Returns true if a class or a defined type has a parameter or a variable with this name.
    pub(in super::super) fn sets_variable(&self, variable: &str) -> bool {
        let definitions = self.classes.values().chain(self.resource_types.values());
        let sets = |definition: &Arc<DefinitionInfo>| {
            definition.parameter(variable).is_some() || definition.variables.contains(variable)
        };
        definitions.into_iter().any(sets) || self.declared.variables.contains(variable)
    }

    /// Returns true if another class inherits a class.
    pub(in super::super) fn is_inherited(&self, class: &str) -> bool {
        let class = class.trim_start_matches("::").to_lowercase();
        self.classes.values().any(|other| other.parent.as_ref() == Some(&class))
    }

    /// Returns the parameters of a template, if it declares any.
    pub(in super::super) fn template_of(
        &self,
        text: &str,
        name: &str,
        mode: Mode,
    ) -> Option<Arc<DefinitionInfo>> {
        let program = parse_with(text, mode, &self.limits).ok()?;
        template(&program, name, &VisibleTypes::of(self), &self.limits).map(Arc::new)
    }
}
