//! The environment that a node is compiled in.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use puppetfn_base::file_system::FileSystem;
use puppetfn_project::{self as project, Environment, absolute, expand};
use puppetfn_runtime::eval::Manifest;
use puppetfn_types::value::Hash;

use crate::configuration::{check_directories, check_directory};
use crate::{CompileFailure, CompileOptions, Configuration};

/// An environment, its main manifest, and the options for its nodes.
#[derive(Clone)]
pub(crate) struct ReadEnvironment {
    pub environment: Environment,
    pub main: Vec<Manifest>,
    /// Without the facts of a node.
    pub options: CompileOptions,
}

impl Configuration {
    /// Reads the environment that the classifier names, or else the configured one.
    pub(crate) fn read_environment(
        &self,
        classified: Option<&str>,
    ) -> Result<ReadEnvironment, CompileFailure> {
        let environment = self.environment(classified)?;
        let main = environment.main(&self.limits)?;
        let options = self.options_of(&environment)?;
        Ok(ReadEnvironment { environment, main, options })
    }

    /// Returns the environment that the classifier names, or else the configured one.
    pub(crate) fn environment(&self, classified: Option<&str>) -> Result<Environment, CompileFailure> {
        let (name, directory) = self.name_and_directory(classified)?;
        let manifest = self.manifest.as_deref().map(absolute);
        if let Some(path) = &manifest
            && let Err(error) = fs::metadata(path)
        {
            return Err(CompileFailure::setting("manifest", format!("{}: {error}", path.display())));
        }
        if let Some(directory) = &directory {
            self.refuse_other_directory(directory)?;
        }
        check_directories("modulepath", &self.modulepath)?;
        check_directories("basemodulepath", &self.basemodulepath)?;
        let absolute = |paths: &[PathBuf]| paths.iter().map(|path| expand(&absolute(path))).collect();
        let given = project::EnvironmentOptions {
            name,
            directory,
            modulepath: absolute(&self.modulepath),
            basemodulepath: absolute(&self.basemodulepath),
            manifest,
            settings: self.puppet_settings()?,
            limits: self.limits,
        };
        Ok(Environment::read(given)?)
    }

    /// Refuses to compile an empty catalog where nothing is configured.
    pub(crate) fn refuse_nothing(&self) -> Result<(), CompileFailure> {
        let sources = (&self.environment, &self.manifest, &self.enc);
        if !matches!(sources, (None, None, None)) || !self.classes.is_empty() {
            return Ok(());
        }
        let message = "nothing to compile: expected --environment, --manifest, --classes or --enc";
        Err(CompileFailure::setting("", message))
    }

    /// Refuses a directory that is no environment: nothing in it would be compiled.
    fn refuse_other_directory(&self, directory: &Path) -> Result<(), CompileFailure> {
        let is_environment = project::CONTENTS.iter().any(|name| directory.join(name).exists());
        if is_environment || self.manifest.is_some() || !self.modulepath.is_empty() {
            return Ok(());
        }
        let contents = project::CONTENTS.join(", ");
        let problem = format!("{} is not an environment: it has no {contents}", directory.display());
        Err(CompileFailure::setting("environment", problem))
    }

    /// Returns the name and the directory of the environment. One that the classifier names is beside the configured one,
    /// unless that has the name.
    pub(crate) fn name_and_directory(
        &self,
        classified: Option<&str>,
    ) -> Result<(String, Option<PathBuf>), CompileFailure> {
        let Some(configured) = &self.environment else {
            let name = classified.or(self.environment_name.as_deref()).unwrap_or("production");
            return Ok((name.to_owned(), None));
        };
        check_directory("environment", configured)?;
        let directory = expand(&absolute(configured));
        let name = self.environment_name.clone().unwrap_or_else(|| project::environment_name(&directory));
        let Some(other) = classified.filter(|classified| *classified != name) else {
            return Ok((name, Some(directory)));
        };
        let beside = directory.with_file_name(other);
        if beside.is_dir() {
            return Ok((other.to_owned(), Some(beside)));
        }
        let problem = format!(
            "the node is in the environment {other}, and there is no {}; --environment-name {other} makes {} \
             that environment",
            beside.display(),
            directory.display()
        );
        Err(CompileFailure::setting("enc", problem))
    }

    /// Returns the options for nodes of an environment, without facts.
    fn options_of(&self, environment: &Environment) -> Result<CompileOptions, CompileFailure> {
        let mut options = self.options_in(environment, Hash::default())?;
        options.environment_name = Some(environment.name.clone());
        Ok(options)
    }

    /// Returns the files that nodes of an environment may read.
    pub(crate) fn file_system(
        &self,
        environment: &Environment,
    ) -> Result<Arc<dyn FileSystem>, CompileFailure> {
        Ok(self.options_of(environment)?.file_system())
    }
}
