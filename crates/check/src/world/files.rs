//! Files of modules: whether they exist, and the parameters of templates.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use super::super::declare::{DefinitionInfo, template};
use super::{VisibleTypes, World};
use puppetfn_syntax::{Mode, parse_with};
use puppetfn_types::function::ModuleFiles;

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
        let Some((module, file)) = path.split_once('/').filter(|(module, _)| !module.is_empty()) else {
            return ResolvedModuleFile::Unsure;
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
        let templates = || self.templates.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = templates().get(path) {
            return known.clone();
        }
        let text = self.loader.file_system().read(path).ok().and_then(|text| String::from_utf8(text).ok());
        let mode = Mode { tasks: false, template: true };
        let template = text.and_then(|text| self.template_of(&text, &path.to_string_lossy(), mode));
        templates().insert(path.to_owned(), template.clone());
        template
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
