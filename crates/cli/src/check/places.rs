//! Where modules and the environment are, and what a file is by where it is.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::path::{Path, PathBuf};

use super::super::Failure;
use super::super::args::Check;
use super::super::settings::{check_directory, modulepath};
use super::config::Config;
use super::markdown::is_markdown;
use puppetfn_check::Origin;
use puppetfn_syntax::validate::ModuleFile;

/// Where modules and the environment are.
pub(super) struct Places {
    pub modulepath: Vec<PathBuf>,
    pub environment: Option<PathBuf>,
    /// The modules whose directories are not named for them, with their names.
    pub others: Vec<(PathBuf, String)>,
}

/// The directories of a module that have code in the Puppet language.
const WITH_CODE: [&str; 5] = ["manifests", "functions", "types", "plans", "templates"];

impl Places {
    /// Returns those that are given.
    pub fn of(check: &Check, config: &Config) -> Result<Self, Failure> {
        if let Some(directory) = &check.environment {
            check_directory("--environment", directory)?;
        }
        let modulepath = modulepath("--modulepath", &check.modulepath)?;
        let modulepath = if modulepath.is_empty() { config.modulepath()? } else { modulepath };
        let environment = check.environment.clone();
        let environment =
            environment.map_or_else(|| config.environment(), |directory| Ok(Some(directory)))?;
        Ok(Self {
            modulepath: modulepath.iter().map(|directory| absolute(directory)).collect(),
            environment: environment.as_deref().map(absolute),
            others: Vec::new(),
        })
    }

    /// Adds those that a file is in: an environment, or a module with its fixtures.
    pub fn infer(&mut self, file: &Path) {
        let file = absolute(file);
        let is_root = |root: &&Path| is_module(root) || root.join("environment.conf").is_file();
        // Documentation is in no directory for code.
        let around = || file.ancestors().skip(1).filter(|_| is_markdown(&file)).find(is_root);
        let Some(root) = root(&file).or_else(around) else { return };
        if is_module(root) {
            self.add_other(root);
            self.add(root.parent());
            self.add(Some(&root.join("spec/fixtures/modules")));
        } else if root.join("environment.conf").is_file() || root.join("modules").is_dir() {
            self.environment.get_or_insert_with(|| root.to_owned());
            self.add(Some(&root.join("modules")));
        }
    }

    /// Adds those that data is in: the nearest directory around it with a `hiera.yaml`. In a directory `spec` that is what
    /// tests look up.
    pub fn infer_from_data(&mut self, path: &Path) {
        let path = absolute(path);
        let root = path.ancestors().find(|root| root.join("hiera.yaml").is_file());
        let Some(root) = root.filter(|root| !root.components().any(|part| part.as_os_str() == "spec")) else {
            return;
        };
        if is_module(root) {
            self.add_other(root);
            self.add(root.parent());
            self.add(Some(&root.join("spec/fixtures/modules")));
        } else {
            self.environment.get_or_insert_with(|| root.to_owned());
            self.add(Some(&root.join("modules")));
        }
    }

    /// Adds a module whose directory is not named for it.
    fn add_other(&mut self, root: &Path) {
        let directory = root.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some(name) = name_of_module(root).filter(|name| name != directory) else { return };
        if !self.others.iter().any(|(known, _)| known == root) {
            self.others.push((root.to_owned(), name));
        }
    }

    fn add(&mut self, directory: Option<&Path>) {
        let Some(directory) = directory else { return };
        if !self.modulepath.iter().any(|known| known == directory) && directory.is_dir() {
            self.modulepath.push(directory.to_owned());
        }
    }

    /// Returns what a file is, by where it is.
    pub fn origin(&self, path: &Path, name: &str) -> Origin {
        let path = absolute(path);
        let mut directories = self.modulepath.iter();
        let found = directories.find_map(|directory| Some((directory, path.strip_prefix(directory).ok()?)));
        let is_in_module = found.is_some() || root(&path).is_some_and(is_module);
        let module = found.and_then(|(directory, within)| {
            let module = within.components().next()?.as_os_str().to_str()?;
            is_named(&directory.join(module), module).then(|| module.to_owned())
        });
        // Other files of modules, as examples, are only ever evaluated as main manifests.
        let file = module.as_ref().and_then(|_| ModuleFile::locate(&path, &self.modulepath));
        let file = file.filter(|file| file.namespace.is_some());
        let file = file.map(|file| ModuleFile { path: name.to_owned(), ..file });
        Origin { module, file, is_in_module }
    }
}

/// Returns the directory of the module, or of the environment, that a file is in by its path.
pub(super) fn root(file: &Path) -> Option<&Path> {
    let is_code = |directory: &&Path| {
        directory.file_name().is_some_and(|name| WITH_CODE.iter().any(|code| name == *code))
    };
    file.ancestors().skip(1).filter(is_code).last().and_then(Path::parent)
}

pub(super) fn is_module(root: &Path) -> bool {
    root.join("metadata.json").is_file()
        || root.join("manifests/init.pp").is_file()
        || root.parent().is_some_and(|around| around.ends_with("modules"))
}

/// Returns true if a module is in a directory of its name, so that code can use it.
fn is_named(root: &Path, directory: &str) -> bool {
    if !directory.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_') {
        return false;
    }
    name_of_module(root).is_none_or(|name| name == directory)
}

/// Returns what the `metadata.json` of a module says that it is called.
fn name_of_module(root: &Path) -> Option<String> {
    let metadata = std::fs::read(root.join("metadata.json")).ok()?;
    let metadata = serde_json::from_slice::<serde_json::Value>(&metadata).ok()?;
    metadata.get("name")?.as_str()?.rsplit(['-', '/']).next().map(str::to_owned)
}

/// Returns a path that does not depend on the working directory.
pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
