//! Checks what the options about modules, environment and facts name.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use super::args::settings::{Permission, RunMode, Settings, StrictLevel};
use super::data::{Facts, read_hash};
use super::{Failure, Options};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::limits::Limits;
use puppetfn_hiera::Hiera;
use puppetfn_project::{self as project, Config, Environment, absolute, expand};
use puppetfn_runtime::loader::{Confined, FileSystem, Loader, StdFileSystem};
use puppetfn_runtime::settings::{self, ConfigFile, RUN_MODE};
use puppetfn_types::function::ModuleFiles;
use puppetfn_types::value::{Hash, Value};

/// Puppet settings that were set, and permissions of functions.
pub(super) struct SettingSources {
    /// Settings of the project's `puppetfn.toml` and of the `puppet.conf`, which an `environment.conf` overrides.
    files: Hash,
    /// Settings of the command line.
    command: Hash,
    /// Whether functions may run programs.
    pub may_execute: bool,
    /// Whether placeholders stand for encrypted data.
    pub hides_secrets: bool,
}

impl SettingSources {
    /// Returns the settings for an environment.
    pub fn with(&self, environment: &Hash) -> Hash {
        let mut all = self.files.clone();
        for (name, value) in environment.iter().chain(self.command.iter()) {
            all.insert(name.clone(), value.clone());
        }
        all
    }
}

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

    /// Returns the options with these facts, in the environment of the command line.
    pub(super) fn options_with(&self, facts: Hash) -> Result<Options, Failure> {
        let modulepath = modulepath("--modulepath", &self.modulepath)?;
        if let Some(directory) = &self.environment {
            check_directory("--environment", directory)?;
        }
        let directory = self.environment.as_deref().map(|directory| expand(&absolute(directory)));
        let environment = Environment::read(project::Given {
            name: directory.as_deref().map_or_else(String::new, project::environment_name),
            directory,
            modulepath: modulepath.clone(),
            settings: self.sources()?.with(&Hash::default()),
            limits: self.bounds.limits(),
            ..project::Given::default()
        })?;
        let mut options = self.options_in(&environment, facts)?;
        // As they were given: messages name their files so.
        if !modulepath.is_empty() {
            options.modulepath = modulepath;
        }
        Ok(options)
    }

    /// Returns the options with these facts in an environment.
    pub(super) fn options_in(&self, environment: &Environment, facts: Hash) -> Result<Options, Failure> {
        if let Some(file) = &self.hiera_config
            && let Err(error) = fs::metadata(file)
        {
            return Err(Failure::Usage(format!("--hiera-config: {}: {error}", file.display())));
        }
        let sources = self.sources()?;
        let set = sources.with(&environment.settings);
        let resolved = settings::resolve(&set)?;
        let hiera_config = self.hiera_config.as_deref().map(absolute);
        Ok(Options {
            modulepath: environment.modulepath.clone(),
            environment: environment.directory.clone(),
            hiera_config: hiera_config.or_else(|| stated_hiera_config(&set, &resolved)),
            environment_name: environment.directory.as_ref().map(|_| environment.name.clone()),
            facts,
            limits: self.bounds.limits(),
            trusted: match &self.trusted {
                Some(path) => read_hash("--trusted", path, &self.bounds.limits())?,
                None => Hash::default(),
            },
            strict: self.strict.map_or_else(|| stated_strict(&resolved), StrictLevel::level),
            strict_variables: !self.no_strict_variables
                && resolved.get_str("strict_variables") != Some(&Value::Boolean(false)),
            ruby: !self.no_ruby,
            outside_files: !self.no_outside_files,
            may_execute: sources.may_execute,
            hides_secrets: sources.hides_secrets,
            settings: set,
        })
    }

    /// Reads the settings and the permissions of functions.
    pub(super) fn sources(&self) -> Result<SettingSources, Failure> {
        let limits = self.bounds.limits();
        let config = Config::of(None, self.environment.as_ref(), &limits)?;
        let mut files = config.settings()?;
        if let Some(path) = &self.config {
            let mode = self.run_mode.name();
            files.insert(RUN_MODE.into(), mode.into());
            for (name, value) in puppet_conf(path, mode, &limits)?.iter() {
                files.insert(name.clone(), value.clone());
            }
        }
        let command = self.set.iter().map(|(name, value)| (name.as_str().into(), settings::of_text(value)));
        // A project may not let its own code run programs where none of it is trusted.
        let of_project = config.allow().contains(&project::Permission::Exec) && !self.no_ruby;
        Ok(SettingSources {
            files,
            command: command.collect(),
            may_execute: of_project || self.allow.contains(&Permission::Exec),
            hides_secrets: self.no_secrets || !config.secrets(),
        })
    }
}

impl StrictLevel {
    fn level(self) -> Strict {
        match self {
            Self::Off => Strict::Off,
            Self::Warning => Strict::Warning,
            Self::Error => Strict::Error,
        }
    }
}

impl RunMode {
    fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::User => "user",
        }
    }
}

fn stated_strict(resolved: &Hash) -> Strict {
    match resolved.get_str("strict") {
        Some(Value::String(level)) if **level == *"off" => Strict::Off,
        Some(Value::String(level)) if **level == *"warning" => Strict::Warning,
        _ => Strict::Error,
    }
}

/// Returns the global layer of data, if somebody has set where it is.
fn stated_hiera_config(set: &Hash, resolved: &Hash) -> Option<PathBuf> {
    set.get_str("hiera_config")?;
    match resolved.get_str("hiera_config") {
        Some(Value::String(path)) => Some(PathBuf::from(&**path)).filter(|path| path.is_file()),
        _ => None,
    }
}

/// Reads a `puppet.conf`. Settings that Puppet does not have are left out, as Puppet does.
fn puppet_conf(path: &Path, mode: &str, limits: &Limits) -> Result<Hash, Failure> {
    let wrong = |problem: &dyn Display| Failure::Usage(format!("--config: {}: {problem}", path.display()));
    let text = StdFileSystem::new(limits).read_named_text(path).map_err(|error| wrong(&error))?;
    let found = ConfigFile::parse(&text).and_then(|file| file.of_run_mode(mode));
    let found = found.map_err(|problem| wrong(&format!("line {}: {}", problem.line, problem.message)))?;
    let is_known = |name: &Value| matches!(name, Value::String(name) if settings::is_known(name));
    Ok(found
        .iter()
        .filter(|(name, _)| is_known(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect())
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
    /// Returns true if one of Puppet's settings is on.
    pub fn is_set(&self, name: &str) -> bool {
        self.settings.get_str(name) == Some(&Value::Boolean(true))
    }

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
        loader.strict(self.strict).hiding_secrets(self.hides_secrets)
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
