//! The environments of a service, and the files of each as long as they do not change.
#![allow(clippy::disallowed_methods, reason = "the user names the directories of the environments")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use puppetfn_base::error::Error;
use puppetfn_base::snapshot::{ReadKind, Snapshot, SnapshotChange};
use puppetfn_project::{Environment, ProjectConfig, absolute, expand};
use puppetfn_types::value::Value;
use serde::{Deserialize, Serialize};

use crate::data_sources::DataSources;
use crate::environment::ReadEnvironment;
use crate::version::version;
use crate::{CompileFailure, Configuration};

/// The directories of environments.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnvironmentSource {
    /// Directories with a directory for each environment, in order of precedence: Puppet's setting `environmentpath`.
    Path(Vec<PathBuf>),
    /// The directory of the only environment.
    One {
        /// The name of the environment.
        name: String,
        /// The directory.
        directory: PathBuf,
    },
}

impl EnvironmentSource {
    /// Returns the directory of an environment, if there is one.
    pub fn directory(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::Path(directories) => {
                directories.iter().map(|directory| directory.join(name)).find(|path| path.is_dir())
            }
            Self::One { name: own, directory } => {
                (own == name && directory.is_dir()).then(|| directory.clone())
            }
        }
    }

    /// Returns the directories in which environments are.
    pub fn search_paths(&self) -> Vec<PathBuf> {
        match self {
            Self::Path(directories) => directories.clone(),
            Self::One { directory, .. } => directory.parent().map(Path::to_path_buf).into_iter().collect(),
        }
    }

    /// Returns the names and the directories of all environments, sorted by name.
    pub fn all(&self) -> Vec<(String, PathBuf)> {
        let Self::Path(directories) = self else {
            let Self::One { name, directory } = self else { return Vec::new() };
            return vec![(name.clone(), directory.clone())];
        };
        let mut found: Vec<(String, PathBuf)> = Vec::new();
        for entry in directories.iter().filter_map(|directory| directory.read_dir().ok()).flatten().flatten()
        {
            let (name, path) = (entry.file_name(), entry.path());
            let Some(name) = name.to_str().filter(|name| is_environment_name(name)) else { continue };
            if path.is_dir() && found.iter().all(|(known, _)| known != name) {
                found.push((name.to_owned(), path));
            }
        }
        found.sort();
        found
    }
}

/// Returns true if an environment can have a name.
pub fn is_environment_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns an environment as its directory describes it now; `None` if it does not exist.
///
/// # Errors
/// Fails if its `environment.conf` or a setting cannot be used.
pub fn read_environment(
    configuration: &Configuration,
    source: &EnvironmentSource,
    name: &str,
) -> Result<Option<Environment>, CompileFailure> {
    let Some(directory) = source.directory(name) else { return Ok(None) };
    let configuration = Configuration {
        environment: Some(directory),
        environment_name: Some(name.to_owned()),
        ..configuration.clone()
    };
    configuration.environment(None).map(Some)
}

/// An environment whose files stay in memory.
pub(super) struct WarmEnvironment {
    pub configuration: Configuration,
    directory: PathBuf,
    snapshot: Arc<Snapshot>,
    /// The settings and the main manifest, until a file changes.
    read: Option<ReadEnvironment>,
    /// The output of the environment's `config_version` program, until a file changes.
    version: Option<Result<Value, Error>>,
    /// The sources of exported resources and queries, until a file changes.
    sources: Option<DataSources>,
}

impl WarmEnvironment {
    /// Returns the environment of a directory, without reading it.
    pub fn new(shared: &Configuration, name: &str, directory: &Path) -> Result<Self, CompileFailure> {
        let configuration = Configuration {
            environment: Some(directory.to_owned()),
            environment_name: Some(name.to_owned()),
            ..shared.clone()
        };
        let environment = configuration.environment(None)?;
        let files = configuration.file_system(&environment)?;
        let directory = expand(&absolute(directory));
        let snapshot = Arc::new(Snapshot::new(files, directory.clone()).watching());
        Ok(Self { configuration, directory, snapshot, read: None, version: None, sources: None })
    }

    /// Returns true if the directory of the environment is this one.
    pub fn is_in(&self, directory: &Path) -> bool {
        self.directory == expand(&absolute(directory))
    }

    /// Begins a catalog, whose files become part of the returned snapshot. Files that have changed are read anew.
    pub fn begin(&mut self) -> Result<(ReadEnvironment, Arc<Snapshot>), BeginFailure> {
        match self.snapshot.refresh() {
            SnapshotChange::None => {}
            SnapshotChange::Some => {
                self.read = None;
                self.version = None;
                self.sources = None;
            }
            SnapshotChange::ForAll => return Err(BeginFailure::CodeChanged),
        }
        self.snapshot.begin();
        self.snapshot.note(ReadKind::Read, &self.directory.join("environment.conf"));
        let read = match self.read.take() {
            Some(read) => read,
            None => {
                // Only the configuration tells the files, which are noted before they are read: a change in between must not be hidden.
                self.note(&self.configuration.read_environment(None)?);
                self.configuration.read_environment(None)?
            }
        };
        self.note(&read);
        self.read = Some(read.clone());
        Ok((read, Arc::clone(&self.snapshot)))
    }

    /// Notes the files of the settings and of the main manifest.
    fn note(&self, read: &ReadEnvironment) {
        let Configuration { puppet_conf, hiera_config, trusted, .. } = &self.configuration;
        let files = [puppet_conf, hiera_config, trusted].into_iter().flatten();
        files.for_each(|file| self.snapshot.note(ReadKind::Read, &absolute(file)));
        ProjectConfig::files(&self.directory).for_each(|file| self.snapshot.note(ReadKind::Read, &file));
        for directory in &read.environment.modulepath {
            self.snapshot.note(ReadKind::List, directory);
        }
        if let Some(manifest) = &read.environment.manifest {
            self.snapshot.note(ReadKind::Tree, manifest);
        }
    }

    /// Returns the sources of exported resources and queries.
    pub fn sources(&mut self) -> Result<DataSources, CompileFailure> {
        for path in self.configuration.data_source_paths() {
            // A directory can have gigabytes; its files are replaced, not written in place.
            self.snapshot.note(if path.is_dir() { ReadKind::Names } else { ReadKind::Read }, &absolute(path));
        }
        match &self.sources {
            Some(sources) => Ok(sources.clone()),
            None => Ok(self.sources.insert(DataSources::open(&self.configuration)?).clone()),
        }
    }

    /// Returns true if Ruby code of the environment was evaluated, which this process cannot forget.
    pub fn is_evaluated(&self) -> bool {
        self.snapshot.is_evaluated()
    }

    /// Returns true if files have changed since the current catalog has used them.
    pub fn has_changed(&self) -> bool {
        self.snapshot.has_changed()
    }

    /// Returns the version of the code.
    pub fn version(&mut self, environment: &ReadEnvironment) -> Result<Value, Error> {
        let may_execute = !self.configuration.no_config_version;
        let environment = &environment.environment;
        if environment.config_version.as_deref().is_none_or(str::is_empty) {
            return version(environment, may_execute);
        }
        self.version.get_or_insert_with(|| version(environment, may_execute)).clone()
    }
}

/// Why a catalog cannot be begun.
pub(super) enum BeginFailure {
    /// Ruby code has changed that was evaluated in this process.
    CodeChanged,
    Failure(CompileFailure),
}

impl From<CompileFailure> for BeginFailure {
    fn from(failure: CompileFailure) -> Self {
        Self::Failure(failure)
    }
}
