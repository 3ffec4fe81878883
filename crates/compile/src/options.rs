//! Options that all catalogs of an environment share, and the facts of one node.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use puppetfn_base::diagnostic::Strict;
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_catalog::DependencyCycle;
use puppetfn_hiera::Hiera;
use puppetfn_project::{absolute, expand};
use puppetfn_runtime::loader::{ConfinedFiles, FileSystem, Loader, StdFileSystem};
use puppetfn_runtime::settings::target_of;
use puppetfn_types::function::ModuleFiles;
use puppetfn_types::value::{Hash, Value};

/// The paths of modules and data, the facts, and the options of the evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct CompileOptions {
    /// Directories with modules, in order of preference.
    pub modulepath: Vec<PathBuf>,
    /// The directory of an environment.
    pub environment: Option<PathBuf>,
    /// The name of the environment, if it is not the name of its directory.
    pub environment_name: Option<String>,
    /// The `hiera.yaml` of the global layer of data.
    pub hiera_config: Option<PathBuf>,
    /// The facts by name.
    pub facts: Hash,
    /// Limits of the evaluation.
    pub limits: Limits,
    /// Trusted facts of the node: `$trusted`.
    pub trusted: Hash,
    /// The treatment of code that is probably a mistake.
    pub strict: Strict,
    /// Whether the use of a variable without a value is an error in any case.
    pub strict_variables: bool,
    /// Whether Ruby code of modules and the environment is run. A host without Ruby runs none.
    pub ruby: bool,
    /// Whether functions may read files outside of modules, the environment and the directory of [`Self::hiera_config`].
    pub outside_files: bool,
    /// Whether functions may run programs.
    pub may_execute: bool,
    /// Whether placeholders replace encrypted data.
    pub hides_secrets: bool,
    /// The settings of Puppet's that somebody has set.
    pub settings: Hash,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            modulepath: Vec::new(),
            environment: None,
            environment_name: None,
            hiera_config: None,
            facts: Hash::default(),
            limits: Limits::DEFAULT,
            trusted: Hash::default(),
            ruby: true,
            outside_files: true,
            may_execute: false,
            hides_secrets: false,
            settings: Hash::default(),
            strict: Strict::default(),
            strict_variables: true,
        }
    }
}

impl CompileOptions {
    /// Returns true if one of Puppet's settings is on.
    pub fn is_set(&self, name: &str) -> bool {
        self.settings.get_str(name) == Some(&Value::Boolean(true))
    }

    /// Returns the release whose behaviour code sees.
    pub fn target(&self) -> Target {
        target_of(&self.settings)
    }

    /// Returns the file system that functions may read.
    pub fn file_system(&self) -> Arc<dyn FileSystem> {
        let files = StdFileSystem::new(&self.limits);
        if self.outside_files {
            return Arc::new(files);
        }
        let data = self.hiera_config.as_deref().and_then(Path::parent).map(Path::to_path_buf);
        let roots = self.modulepath.iter().chain(&self.environment).cloned().chain(data);
        Arc::new(ConfinedFiles::new(files, roots))
    }

    /// Returns the loader of files in modules and the environment.
    pub fn loader(&self) -> Loader {
        self.loader_in(self.file_system())
    }

    /// Returns the same among some files.
    pub(crate) fn loader_in(&self, files: Arc<dyn FileSystem>) -> Loader {
        let loader = Loader::new(files, self.modulepath.clone(), self.environment.clone(), self.limits);
        loader.strict(self.strict).hiding_secrets(self.hides_secrets).targeting(self.target())
    }

    /// Returns the data of the global layer, the environment and its modules.
    pub(crate) fn hiera(&self, files: Arc<dyn ModuleFiles>) -> Hiera {
        let name = self.environment_name();
        Hiera::new(files).environment(name, self.environment.clone()).global(self.hiera_config.clone())
    }

    /// Returns the texts of dependency cycles, with paths relative to the environment.
    pub fn cycle_texts(&self, cycles: &[DependencyCycle]) -> Vec<String> {
        let directory = self.environment.as_deref().map(|directory| expand(&absolute(directory)));
        cycles.iter().map(|cycle| cycle.text(directory.as_deref())).collect()
    }

    /// Returns the name of the environment: the configured one, or else the name of its directory.
    pub fn environment_name(&self) -> String {
        let directory = || Some(self.environment.as_deref()?.file_name()?.to_string_lossy().into_owned());
        self.environment_name.clone().or_else(directory).unwrap_or_else(|| "production".to_owned())
    }
}
