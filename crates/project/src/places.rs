//! Locations of modules and the environment, and the roles of files by their paths.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::ProjectFailure;
use super::config::ProjectConfig;
use super::environment::{Environment, EnvironmentOptions};
use super::paths::{absolute, is_data};
use super::tools::{installed_modules, linked_modules, module_directories};
use puppetfn_base::file_system::{FileSystem, StdFileSystem};
use puppetfn_base::limits::Limits;
use puppetfn_check::TextOrigin;
use puppetfn_syntax::validate::ModuleFile;

/// The locations of modules and of the environment.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ProjectPlaces {
    /// The directories with modules.
    pub modulepath: Vec<PathBuf>,
    /// Checked modules outside of these directories, by name.
    pub own_modules: Vec<(Arc<str>, PathBuf)>,
    /// The directory of the environment.
    pub environment: Option<PathBuf>,
}

/// The directories of a module with code in the Puppet language.
const WITH_CODE: [&str; 5] = ["manifests", "functions", "types", "plans", "templates"];

impl ProjectPlaces {
    /// Returns the given locations, or else the locations in the project's settings.
    ///
    /// # Errors
    /// Fails if the settings name a directory that does not exist.
    pub fn of(
        modulepath: Vec<PathBuf>,
        environment: Option<PathBuf>,
        config: &ProjectConfig,
    ) -> Result<Self, ProjectFailure> {
        let modulepath = if modulepath.is_empty() { config.modulepath()? } else { modulepath };
        let environment =
            environment.map_or_else(|| config.environment(), |directory| Ok(Some(directory)))?;
        Ok(Self {
            modulepath: modulepath.iter().map(|directory| absolute(directory)).collect(),
            own_modules: Vec::new(),
            environment: environment.as_deref().map(absolute),
        })
    }

    /// Returns the locations in the project's settings, or else of the control repository or the module that a directory is in.
    ///
    /// # Errors
    /// Fails if the settings name a directory that does not exist.
    pub fn around(directory: &Path, config: &ProjectConfig, limits: &Limits) -> Result<Self, ProjectFailure> {
        let mut places = Self::of(Vec::new(), None, config)?;
        if places.environment.is_some() || !places.modulepath.is_empty() {
            return Ok(places);
        }
        places.environment = environment_around(directory);
        let directory = absolute(directory);
        if let (None, Some(root)) = (&places.environment, directory.ancestors().find(|root| is_module(root)))
        {
            places.add_module(root, limits);
        }
        Ok(places)
    }

    /// Adds the locations around a file: an environment, or a module with its fixtures. If a modulepath is given, only
    /// the module is added.
    pub fn infer(&mut self, file: &Path, is_given: bool, limits: &Limits) {
        let file = absolute(file);
        let is_root = |root: &&Path| is_module(root) || is_control_repository(root);
        // Documentation may be outside of the directories for code.
        let around = || file.ancestors().skip(1).filter(|_| is_markdown(&file)).find(is_root);
        let Some(root) = root(&file).or_else(around) else { return };
        let environment = environment_around(root).filter(|_| !is_given);
        // In an editor, the module's class may not be saved yet.
        if is_module(root) || file == root.join("manifests/init.pp") {
            if is_given {
                self.add_own(root);
            } else {
                self.add_module(root, limits);
            }
        } else if !is_given && root.join("modules").is_dir() {
            self.add_environment(root);
        }
        if let Some(environment) = environment {
            self.add_environment(&environment);
        }
    }

    /// Returns the directory of the module or the environment to which a file of code or data belongs, if any.
    pub fn root(file: &Path) -> Option<PathBuf> {
        let file = absolute(file);
        let is_root = |root: &Path| {
            is_module(root)
                || file == root.join("manifests/init.pp")
                || is_control_repository(root)
                || root.join("modules").is_dir()
        };
        let of_code = root(&file).filter(|root| is_root(root));
        of_code.or_else(|| hiera_root(&file).filter(|_| is_data(&file))).map(Path::to_owned)
    }

    /// Adds a module with its fixtures, and the modules beside it.
    fn add_module(&mut self, root: &Path, limits: &Limits) {
        if is_in_its_place(root) {
            self.add(root.parent());
        } else {
            self.add_own(root);
        }
        self.add(Some(&root.join("spec/fixtures/modules")));
        for (name, linked) in linked_modules(root, limits) {
            let is_known = self.own_modules.iter().any(|(known, _)| **known == name);
            if !is_known && linked.is_dir() && is_module_name(&name) && linked != root {
                self.own_modules.push((name.into(), linked));
            }
        }
    }

    /// Adds a module with a name in its metadata, unless the modulepath already contains it.
    fn add_own(&mut self, root: &Path) {
        let is_known =
            root.parent().is_some_and(|around| self.modulepath.iter().any(|known| known == around));
        if is_known && is_in_its_place(root) || self.own_modules.iter().any(|(_, known)| known == root) {
            return;
        }
        if let Some(name) = stated_name(root).filter(|name| is_module_name(name)) {
            self.own_modules.push((name.into(), root.to_owned()));
        }
    }

    /// Adds an environment, and the directories in its modulepath.
    fn add_environment(&mut self, root: &Path) {
        if self.environment.is_none() {
            self.environment = Some(root.to_owned());
            let given =
                EnvironmentOptions { directory: Some(root.to_owned()), ..EnvironmentOptions::default() };
            let environment = Environment::read(given).unwrap_or_default();
            environment.modulepath.iter().for_each(|directory| self.add(Some(directory)));
        }
        self.add(Some(&root.join("modules")));
        module_directories(root).iter().for_each(|directory| self.add(Some(directory)));
    }

    /// Returns true if the environment refers to missing modules, in its `Puppetfile`, or to missing directories of
    /// modules, in its `environment.conf`: code may use unknown definitions.
    pub fn misses_modules(&self) -> bool {
        let Some(root) = &self.environment else { return false };
        let given = EnvironmentOptions { directory: Some(root.clone()), ..EnvironmentOptions::default() };
        !self.missing_modules().is_empty()
            || Environment::read(given).is_ok_and(|environment| environment.misses_directories)
    }

    /// Returns the modules in the `Puppetfile` of the environment that are not installed.
    pub fn missing_modules(&self) -> Vec<String> {
        let Some(root) = &self.environment else { return Vec::new() };
        let is_there = |name: &String| {
            self.modulepath.iter().any(|directory| directory.join(name).is_dir())
                || self.own_modules.iter().any(|(own, _)| **own == **name)
        };
        let mut modules = installed_modules(root);
        modules.retain(|name| !is_there(name));
        modules
    }

    /// Returns the command that installs the modules that the code at some paths uses, if a file says which.
    pub fn installer(&self, paths: &[PathBuf]) -> Option<&'static str> {
        let has = |root: &Path, file: &str| root.join(file).is_file();
        let is_listed = self.environment.as_ref().is_some_and(|root| has(root, "Puppetfile"))
            || paths.iter().any(|path| absolute(path).ancestors().any(|root| has(root, ".fixtures.yml")));
        is_listed.then_some("puppetfn fixtures")
    }

    /// Adds the locations around data: the nearest directory with a `hiera.yaml`. In a directory `spec`, that is for
    /// tests.
    pub fn infer_from_data(&mut self, path: &Path, limits: &Limits) {
        let path = absolute(path);
        let Some(root) =
            hiera_root(&path).filter(|root| !root.components().any(|part| part.as_os_str() == "spec"))
        else {
            return;
        };
        if is_module(root) {
            self.add_module(root, limits);
            // Its `hiera.yaml` may name functions of other modules.
            if let Some(environment) = environment_around(root) {
                self.add_environment(&environment);
            }
        } else {
            self.add_environment(root);
        }
    }

    fn add(&mut self, directory: Option<&Path>) {
        let Some(directory) = directory else { return };
        if !self.modulepath.iter().any(|known| known == directory) && directory.is_dir() {
            self.modulepath.push(directory.to_owned());
        }
    }

    /// Returns true if a file is in the `plans` directory of a module or of an environment.
    pub fn is_plan(&self, path: &Path) -> bool {
        let path = absolute(path);
        let first =
            |within: &Path| within.components().next().is_some_and(|part| part.as_os_str() == "plans");
        let roots = self.own_modules.iter().map(|(_, root)| root).chain(&self.environment);
        let in_root = roots.filter_map(|root| path.strip_prefix(root).ok()).any(first);
        let mut modules = self.modulepath.iter().filter_map(|directory| path.strip_prefix(directory).ok());
        let in_module = |within: &Path| {
            let mut parts = within.components();
            parts.next().is_some() && first(parts.as_path())
        };
        in_root || modules.any(in_module)
    }

    /// Returns the name of a module's template in function calls: `m/t.erb`.
    pub fn template(&self, path: &Path) -> Option<String> {
        let path = absolute(path);
        let module = self.origin(&path, "").module?;
        let within = path.strip_prefix(root(&path)?.join("templates")).ok()?;
        Some(format!("{module}/{}", within.to_str()?))
    }

    /// Returns the origin of a file, by its path.
    pub fn origin(&self, path: &Path, name: &str) -> TextOrigin {
        let path = absolute(path);
        if let Some((name, _)) = self.own_modules.iter().find(|(_, root)| path.starts_with(root)) {
            return TextOrigin { module: Some(name.to_string()), file: None, is_in_module: true };
        }
        let mut directories = self.modulepath.iter();
        let found = directories.find_map(|directory| Some((directory, path.strip_prefix(directory).ok()?)));
        let is_in_module = found.is_some() || root(&path).is_some_and(is_module);
        let module = found.and_then(|(directory, within)| {
            let module = within.components().next()?.as_os_str().to_str()?;
            is_in_its_place(&directory.join(module)).then(|| module.to_owned())
        });
        // Other files of modules, such as examples, are only evaluated as main manifests.
        let file = module.as_ref().and_then(|_| ModuleFile::locate(&path, &self.modulepath));
        let file = file.filter(|file| file.namespace.is_some());
        let file = file.map(|file| ModuleFile { path: name.to_owned(), ..file });
        TextOrigin { module, file, is_in_module }
    }
}

/// Returns the directory of the module or environment of a file, by its path.
pub fn root(file: &Path) -> Option<&Path> {
    let is_code = |directory: &&Path| {
        directory.file_name().is_some_and(|name| WITH_CODE.iter().any(|code| name == *code))
    };
    file.ancestors().skip(1).filter(is_code).last().and_then(Path::parent)
}

/// Returns the nearest directory around a file that has a `hiera.yaml`.
fn hiera_root(file: &Path) -> Option<&Path> {
    file.ancestors().find(|root| root.join("hiera.yaml").is_file())
}

/// Returns true if a directory is a module. Control repositories may have a `metadata.json`, too.
pub fn is_module(root: &Path) -> bool {
    let looks_like_one = root.join("metadata.json").is_file()
        || root.join("manifests/init.pp").is_file()
        || root.parent().is_some_and(|around| around.ends_with("modules"));
    looks_like_one && !is_control_repository(root)
}

/// Returns true if a directory is a control repository: it has an `environment.conf`, or a `Puppetfile` beside directories for
/// modules. Modules may have a `Puppetfile` for their tests.
pub(super) fn is_control_repository(root: &Path) -> bool {
    let has_modules = || {
        let names = ["modules", "site", "site-modules", "manifests/site.pp"];
        names.iter().any(|name| root.join(name).exists()) && !root.join("manifests/init.pp").is_file()
    };
    root.join("environment.conf").is_file() || root.join("Puppetfile").is_file() && has_modules()
}

/// Returns the nearest control repository at or around a path.
pub(super) fn environment_around(path: &Path) -> Option<PathBuf> {
    absolute(path).ancestors().find(|root| is_control_repository(root)).map(Path::to_owned)
}

/// Returns the directories below a control repository that modules may be in.
pub(super) fn module_places(root: &Path) -> Vec<PathBuf> {
    let given = EnvironmentOptions { directory: Some(root.to_owned()), ..EnvironmentOptions::default() };
    let mut places = Environment::read(given).unwrap_or_default().modulepath;
    places.push(root.join("modules"));
    places.extend(module_directories(root));
    places.retain(|place| place.starts_with(root) && place != root);
    places.sort();
    places.dedup();
    places
}

/// Returns the author in the `metadata.json` of a module.
pub(super) fn stated_author(root: &Path) -> Option<String> {
    let metadata = StdFileSystem::DEFAULT.read(&root.join("metadata.json")).ok()?;
    let metadata: serde_json::Value = serde_json::from_slice(&metadata).ok()?;
    let (author, _) = metadata.get("name")?.as_str()?.split_once(['-', '/'])?;
    Some(author.to_owned())
}

/// Returns true if the directory of a module has its name, so that code can use the module.
fn is_in_its_place(root: &Path) -> bool {
    let directory = root.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    // The name in metadata that cannot be read is unknown.
    let is_stated = stated_name(root).map_or_else(|| !has_broken_metadata(root), |name| name == directory);
    is_module_name(directory) && is_stated
}

/// Returns true if a module has a `metadata.json` that is not an object of JSON.
fn has_broken_metadata(root: &Path) -> bool {
    let metadata = StdFileSystem::DEFAULT.read(&root.join("metadata.json"));
    let is_object =
        |metadata: &[u8]| matches!(serde_json::from_slice(metadata), Ok(serde_json::Value::Object(_)));
    metadata.is_ok_and(|metadata| !is_object(&metadata))
}

pub(super) fn is_module_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The part of a module's `metadata.json` that says which directory it belongs in.
#[derive(Deserialize)]
struct Metadata {
    name: String,
}

/// Returns the name in the `metadata.json` of a module, without the author's.
fn stated_name(root: &Path) -> Option<String> {
    let metadata = StdFileSystem::DEFAULT.read(&root.join("metadata.json")).ok()?;
    let Metadata { name } = serde_json::from_slice(&metadata).ok()?;
    name.rsplit(['-', '/']).next().map(str::to_owned)
}

/// Returns true if a file's name is a Markdown file's.
pub fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("md"))
}
