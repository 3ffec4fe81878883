//! Checks what the options about modules, environment and facts name.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use super::args::{Settings, StrictLevel};
use super::data::{Facts, read_hash};
use super::{Failure, Options};
use puppetfn_base::diagnostic::Strict;
use puppetfn_project::absolute;
use puppetfn_runtime::loader::{Confined, FileSystem, Loader, StdFileSystem};
use puppetfn_runtime::lookup::Hiera;
use puppetfn_types::function::ModuleFiles;
use puppetfn_types::value::Hash;

impl Settings {
    /// Reads the facts and looks for the directories: a mistyped one would only show as a function
    /// that is not found.
    pub(super) fn options(&self) -> Result<Options, Failure> {
        let facts = self.facts(None)?;
        self.options_with(facts.values)
    }

    /// Returns the facts, of a node where that is known.
    pub(super) fn facts(&self, node: Option<&str>) -> Result<Facts, Failure> {
        self.facts.as_deref().map_or_else(
            || Ok(Facts::default()),
            |path| Facts::read("--facts", path, node, &self.bounds.limits()),
        )
    }

    /// Returns the options with these facts.
    pub(super) fn options_with(&self, facts: Hash) -> Result<Options, Failure> {
        let modulepath = modulepath("--modulepath", &self.modulepath)?;
        if let Some(directory) = &self.environment {
            check_directory("--environment", directory)?;
        }
        if let Some(file) = &self.hiera_config
            && let Err(error) = fs::metadata(file)
        {
            return Err(Failure::Usage(format!("--hiera-config: {}: {error}", file.display())));
        }
        Ok(Options {
            modulepath,
            environment: self.environment.as_deref().map(absolute),
            hiera_config: self.hiera_config.as_deref().map(absolute),
            environment_name: None,
            facts,
            limits: self.bounds.limits(),
            trusted: match &self.trusted {
                Some(path) => read_hash("--trusted", path, &self.bounds.limits())?,
                None => Hash::default(),
            },
            strict: match self.strict {
                StrictLevel::Off => Strict::Off,
                StrictLevel::Warning => Strict::Warning,
                StrictLevel::Error => Strict::Error,
            },
            strict_variables: !self.no_strict_variables,
            ruby: !self.no_ruby,
            outside_files: !self.no_outside_files,
        })
    }
}

/// Returns the directories of an option.
pub(super) fn modulepath(option: &str, given: &[OsString]) -> Result<Vec<PathBuf>, Failure> {
    let directories = given.iter().flat_map(env::split_paths);
    let directories: Vec<PathBuf> =
        directories.filter(|directory| !directory.as_os_str().is_empty()).collect();
    for directory in &directories {
        check_directory(option, directory)?;
    }
    Ok(directories)
}

impl Options {
    /// Returns what may be read of the machine.
    pub fn file_system(&self) -> Arc<dyn FileSystem> {
        let files = StdFileSystem::new(&self.limits);
        if self.outside_files {
            return Arc::new(files);
        }
        let data = self.hiera_config.as_deref().and_then(Path::parent).map(Path::to_path_buf);
        let roots = self.modulepath.iter().chain(&self.environment).cloned().chain(data);
        Arc::new(Confined::new(files, roots))
    }

    /// Returns what finds the files of modules and of the environment.
    pub(super) fn loader(&self) -> Loader {
        self.loader_in(self.file_system())
    }

    /// Returns the same among some files.
    pub(super) fn loader_in(&self, files: Arc<dyn FileSystem>) -> Loader {
        let loader = Loader::new(files, self.modulepath.clone(), self.environment.clone(), self.limits);
        loader.strict(self.strict)
    }

    /// Returns the data of the global layer, the environment and its modules.
    pub(super) fn hiera(&self, files: Arc<dyn ModuleFiles>) -> Hiera {
        let name = self.environment_name();
        Hiera::new(files).environment(name, self.environment.clone()).global(self.hiera_config.clone())
    }

    /// Returns what the environment is called: as its directory, unless that is said.
    pub fn environment_name(&self) -> String {
        let directory = || Some(self.environment.as_deref()?.file_name()?.to_string_lossy().into_owned());
        self.environment_name.clone().or_else(directory).unwrap_or_else(|| "production".to_owned())
    }
}

pub(super) fn check_directory(option: &str, path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(Failure::Usage(format!("{option}: {} is not a directory", path.display()))),
        Err(error) => Err(Failure::Usage(format!("{option}: {}: {error}", path.display()))),
    }
}
