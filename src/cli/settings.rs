//! What the options about modules, environment and facts name, checked.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use super::args::{Settings, StrictLevel};
use super::{Failure, Options};
use crate::convert::json;
use crate::diagnostic::Strict;
use crate::function::ModuleFiles;
use crate::loader::{Loader, StdFileSystem};
use crate::lookup::Hiera;
use crate::value::{Hash, Value};

impl Settings {
    /// Reads the facts and looks for the directories: a mistyped one would only show as a function
    /// that is not found.
    pub(super) fn options(&self) -> Result<Options, Failure> {
        let modulepath = modulepath(&self.modulepath)?;
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
            facts: read_hash("--facts", self.facts.as_deref())?,
            limits: self.bounds.limits(),
            trusted: read_hash("--trusted", self.trusted.as_deref())?,
            strict: match self.strict {
                StrictLevel::Off => Strict::Off,
                StrictLevel::Warning => Strict::Warning,
                StrictLevel::Error => Strict::Error,
            },
            strict_variables: !self.no_strict_variables,
        })
    }
}

/// The directories of the option of that name.
pub(super) fn modulepath(given: &[OsString]) -> Result<Vec<PathBuf>, Failure> {
    let directories = given.iter().flat_map(env::split_paths);
    let directories: Vec<PathBuf> =
        directories.filter(|directory| !directory.as_os_str().is_empty()).collect();
    for directory in &directories {
        check_directory("--modulepath", directory)?;
    }
    Ok(directories)
}

impl Options {
    /// What finds the files of modules and of the environment.
    pub(super) fn loader(&self) -> Loader {
        let files = Arc::new(StdFileSystem);
        Loader::new(files, self.modulepath.clone(), self.environment.clone(), self.limits)
    }

    /// The data of the global layer, the environment and its modules.
    pub(super) fn hiera(&self, files: Arc<dyn ModuleFiles>) -> Hiera {
        let name = self.environment.as_deref().and_then(Path::file_name);
        let name = name.map_or_else(|| "production".into(), |name| name.to_string_lossy());
        Hiera::new(files).environment(&*name, self.environment.clone()).global(self.hiera_config.clone())
    }
}

/// A path that does not depend on the working directory.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

pub(super) fn check_directory(option: &str, path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(Failure::Usage(format!("{option}: {} is not a directory", path.display()))),
        Err(error) => Err(Failure::Usage(format!("{option}: {}: {error}", path.display()))),
    }
}

/// The JSON object in the file that an option names.
fn read_hash(option: &str, path: Option<&Path>) -> Result<Hash, Failure> {
    let Some(path) = path else { return Ok(Hash::default()) };
    let wrong = |what: String| Failure::Usage(format!("{option}: {}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    match json::parse(&text).map_err(|error| wrong(error.to_string()))? {
        Ok(Value::Hash(hash)) => Ok(Arc::unwrap_or_clone(hash)),
        Ok(_) => Err(wrong("expected a JSON object, with a value by each name".to_owned())),
        Err(error) => Err(wrong(format!("not JSON: {error}"))),
    }
}
