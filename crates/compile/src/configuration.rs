//! The configuration of compilations.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use puppetfn_base::diagnostic::Strict;
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_project::{self as project, Environment, ProjectConfig, absolute, expand};
use puppetfn_runtime::loader::StdFileSystem;
use puppetfn_runtime::settings::{self, ConfigFile, RUN_MODE, TARGET};
use puppetfn_types::value::{Hash, Value};
use serde::{Deserialize, Deserializer, Serialize};

use crate::facts::{FactSource, read_hash};
use crate::{CompileFailure, CompileOptions, ServerFacts};

/// The locations of code and data, and the options of their evaluation. A field takes precedence over `puppetfn.toml`, `puppet.conf` and
/// `environment.conf`.
///
/// It can be serialized for a process that compiles with it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Configuration {
    /// The directory of the environment.
    pub environment: Option<PathBuf>,
    /// The name of the environment, if it is not the name of its directory.
    pub environment_name: Option<String>,
    /// The main manifest instead of the environment's: a file, or a directory of files.
    pub manifest: Option<PathBuf>,
    /// Directories with modules, in order of precedence, instead of the modulepath of `environment.conf`.
    pub modulepath: Vec<PathBuf>,
    /// The value of `$basemodulepath` in `environment.conf`.
    pub basemodulepath: Vec<PathBuf>,
    /// Classes that every node includes.
    pub classes: Vec<String>,
    /// The node classifier: a program that is run with the name of the node, or a file with its output.
    pub enc: Option<PathBuf>,
    /// Whether the `config_version` program of `environment.conf` is not run.
    pub no_config_version: bool,
    /// The `hiera.yaml` of the global layer of data.
    pub hiera_config: Option<PathBuf>,
    /// A file with the trusted facts of the node.
    pub trusted: Option<PathBuf>,
    /// Severity of probable mistakes.
    pub strict: Option<Strict>,
    /// Whether variables without a value are undef, as far as `strict` does not mind.
    pub no_strict_variables: bool,
    /// The release whose behaviour code sees.
    pub target: Option<Target>,
    /// Whether Ruby code of modules and of the environment is not run.
    pub no_ruby: bool,
    /// Whether code and data may only read files of modules, of the environment and beside `hiera_config`.
    pub no_outside_files: bool,
    /// Whether functions may run programs.
    pub may_execute: bool,
    /// Whether placeholders replace encrypted data.
    pub no_secrets: bool,
    /// Settings of Puppet, by name.
    pub settings: Vec<(String, String)>,
    /// A `puppet.conf` with such settings.
    pub puppet_conf: Option<PathBuf>,
    /// The section of the `puppet.conf` that counts besides `main`.
    pub run_mode: RunMode,
    /// Facts of the server by name, which override the facts of this machine: see [`crate::ServerFacts`].
    pub server_facts: ServerFacts,
    /// The data of PuppetDB, with the resources that other nodes export: directories that a [`crate::BatchRequest`] has written,
    /// directories of facts, PuppetDB's answers to `/pdb/query/v4/resources` and the like, archives of `puppet db export`. The first that
    /// knows something of a node counts.
    #[serde(deserialize_with = "one_or_many")]
    pub exports: Vec<PathBuf>,
    /// The servers of a PuppetDB that has the resources which other nodes export, such as `https://puppetdb:8081`. Puppet's settings
    /// `localcacert`, `hostcrl`, `hostcert` and `hostprivkey` name the certificates, as far as the files exist.
    pub puppetdb_urls: Vec<String>,
    /// A `puppetdb.conf` that names the servers.
    pub puppetdb_conf: Option<PathBuf>,
    /// Whether facts and catalogs are stored in that PuppetDB.
    pub stores: bool,
    /// Limits of the evaluation.
    pub limits: Limits,
}

/// Reads a path, or an array of them.
fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum PathsSetting {
        One(PathBuf),
        Many(Vec<PathBuf>),
        None(()),
    }
    Ok(match PathsSetting::deserialize(deserializer)? {
        PathsSetting::One(path) => vec![path],
        PathsSetting::Many(paths) => paths,
        PathsSetting::None(()) => Vec::new(),
    })
}

/// The run modes of Puppet that compile catalogs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunMode {
    /// A server.
    #[default]
    Server,
    /// `puppet apply`.
    User,
}

/// Puppet settings that were set, and permissions of functions.
pub(crate) struct SettingSources {
    /// Settings of the project's `puppetfn.toml` and of the `puppet.conf`, which an `environment.conf` overrides.
    files: Hash,
    /// Settings of [`Configuration::settings`].
    own: Hash,
    /// Whether functions may run programs.
    pub may_execute: bool,
    /// Whether placeholders replace encrypted data.
    pub hides_secrets: bool,
}

impl SettingSources {
    /// Returns the settings for an environment.
    pub fn with(&self, environment: &Hash) -> Hash {
        let mut all = self.files.clone();
        for (name, value) in environment.iter().chain(self.own.iter()) {
            all.insert(name.clone(), value.clone());
        }
        all
    }
}

impl Configuration {
    /// Returns the options for code without a catalog, with these facts.
    ///
    /// # Errors
    /// Fails if a file or directory cannot be used: a mistyped path would only show as an unknown function.
    pub fn options(&self, facts: &FactSource) -> Result<CompileOptions, CompileFailure> {
        self.options_with(facts.read(None, &self.limits)?.values)
    }

    /// Returns the settings of Puppet that somebody has set, for an environment without any of its own.
    ///
    /// # Errors
    /// Fails if a file with settings cannot be used.
    pub fn puppet_settings(&self) -> Result<Hash, CompileFailure> {
        Ok(self.sources()?.with(&Hash::default()))
    }

    /// Returns the same for another environment.
    pub(crate) fn in_environment(&self, directory: &Path) -> Self {
        Self { environment: Some(directory.to_owned()), ..self.clone() }
    }

    /// Returns the options with these facts, in the configured environment.
    pub(crate) fn options_with(&self, facts: Hash) -> Result<CompileOptions, CompileFailure> {
        check_directories("modulepath", &self.modulepath)?;
        let modulepath = self.modulepath.clone();
        if let Some(directory) = &self.environment {
            check_directory("environment", directory)?;
        }
        let directory = self.environment.as_deref().map(|directory| expand(&absolute(directory)));
        let environment = Environment::read(project::EnvironmentOptions {
            name: directory.as_deref().map_or_else(String::new, project::environment_name),
            directory,
            modulepath: modulepath.clone(),
            settings: self.sources()?.with(&Hash::default()),
            limits: self.limits,
            ..project::EnvironmentOptions::default()
        })?;
        let mut options = self.options_in(&environment, facts)?;
        // As they were given: messages name their files so.
        if !modulepath.is_empty() {
            options.modulepath = modulepath;
        }
        Ok(options)
    }

    /// Returns the options with these facts in an environment.
    pub(crate) fn options_in(
        &self,
        environment: &Environment,
        facts: Hash,
    ) -> Result<CompileOptions, CompileFailure> {
        if let Some(file) = &self.hiera_config
            && let Err(error) = fs::metadata(file)
        {
            return Err(CompileFailure::setting("hiera_config", format!("{}: {error}", file.display())));
        }
        let sources = self.sources()?;
        let set = sources.with(&environment.settings);
        let resolved = settings::resolve(&set)?;
        let hiera_config = self.hiera_config.as_deref().map(absolute);
        Ok(CompileOptions {
            modulepath: environment.modulepath.clone(),
            environment: environment.directory.clone(),
            hiera_config: hiera_config.or_else(|| stated_hiera_config(&set, &resolved)),
            environment_name: environment.directory.as_ref().map(|_| environment.name.clone()),
            facts,
            limits: self.limits,
            trusted: match &self.trusted {
                Some(path) => read_hash("trusted", path, &self.limits)?,
                None => Hash::default(),
            },
            strict: self.strict.unwrap_or_else(|| stated_strict(&resolved)),
            strict_variables: !self.no_strict_variables
                && resolved.get_str("strict_variables") != Some(&Value::Boolean(false)),
            ruby: !self.no_ruby,
            outside_files: !self.no_outside_files,
            may_execute: sources.may_execute,
            hides_secrets: sources.hides_secrets,
            settings: set,
        })
    }

    /// Returns the release whose behaviour code sees: the one of the option, or else the project's.
    ///
    /// # Errors
    /// Fails if `puppetfn.toml` cannot be used.
    pub fn effective_target(&self) -> Result<Target, CompileFailure> {
        Ok(self.target_with(&ProjectConfig::of(None, self.environment.as_ref(), &self.limits)?))
    }

    fn target_with(&self, config: &ProjectConfig) -> Target {
        self.target.or_else(|| config.target()).unwrap_or_default()
    }

    /// Reads the settings and the permissions of functions.
    pub(crate) fn sources(&self) -> Result<SettingSources, CompileFailure> {
        let limits = self.limits;
        let config = ProjectConfig::of(None, self.environment.as_ref(), &limits)?;
        let target = self.target_with(&config);
        let mut files = config.settings(target)?;
        if target != Target::default() {
            files.insert(TARGET.into(), target.name().into());
        }
        if let Some(path) = &self.puppet_conf {
            let mode = self.run_mode.name();
            files.insert(RUN_MODE.into(), mode.into());
            for (name, value) in puppet_conf(path, mode, target, &limits)?.iter() {
                files.insert(name.clone(), value.clone());
            }
        }
        let own = self.settings.iter().map(|(name, value)| (name.as_str().into(), settings::of_text(value)));
        // A project may not let its own code run programs where none of it is trusted.
        let of_project = config.allow().contains(&project::Permission::Exec) && !self.no_ruby;
        Ok(SettingSources {
            files,
            own: own.collect(),
            may_execute: of_project || self.may_execute,
            hides_secrets: self.no_secrets || !config.secrets(),
        })
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

pub(crate) fn stated_strict(resolved: &Hash) -> Strict {
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

/// Reads a `puppet.conf`. Settings that the release does not have are left out, as Puppet does.
fn puppet_conf(path: &Path, mode: &str, target: Target, limits: &Limits) -> Result<Hash, CompileFailure> {
    let wrong =
        |problem: &dyn Display| CompileFailure::setting("config", format!("{}: {problem}", path.display()));
    let text = StdFileSystem::new(limits).read_named_text(path).map_err(|error| wrong(&error))?;
    let found = ConfigFile::parse(&text).and_then(|file| file.of_run_mode(mode));
    let found = found.map_err(|problem| wrong(&format!("line {}: {}", problem.line, problem.message)))?;
    let is_known = |name: &Value| matches!(name, Value::String(name) if settings::is_known(name, target));
    Ok(found
        .iter()
        .filter(|(name, _)| is_known(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect())
}

/// Checks the directories of a setting.
///
/// # Errors
/// Fails if one does not exist or is not a directory.
pub fn check_directories(setting: &'static str, directories: &[PathBuf]) -> Result<(), CompileFailure> {
    directories.iter().try_for_each(|directory| check_directory(setting, directory))
}

/// Checks the directory of a setting.
///
/// # Errors
/// Fails if it does not exist or is not a directory.
pub fn check_directory(setting: &'static str, path: &Path) -> Result<(), CompileFailure> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(CompileFailure::setting(setting, format!("{} is not a directory", path.display()))),
        Err(error) => Err(CompileFailure::setting(setting, format!("{}: {error}", path.display()))),
    }
}
