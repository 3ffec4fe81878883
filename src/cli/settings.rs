//! What the options about modules, environment and facts name, checked.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use super::args::Settings;
use super::{Failure, Options};
use crate::convert::json;
use crate::loader::{Loader, StdFileSystem};
use crate::value::{Hash, Value};

impl Settings {
    /// Reads the facts and looks for the directories: a mistyped one would only show as a function
    /// that is not found.
    pub(super) fn options(&self) -> Result<Options, Failure> {
        let modulepath = modulepath(&self.modulepath)?;
        if let Some(directory) = &self.environment {
            check_directory("--environment", directory)?;
        }
        let facts = self.facts.as_deref().map_or_else(|| Ok(Arc::default()), read_facts)?;
        Ok(Options {
            modulepath,
            environment: self.environment.clone(),
            facts: Arc::unwrap_or_clone(facts),
            limits: self.bounds.limits(),
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
}

fn check_directory(option: &str, path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(Failure::Usage(format!("{option}: {} is not a directory", path.display()))),
        Err(error) => Err(Failure::Usage(format!("{option}: {}: {error}", path.display()))),
    }
}

fn read_facts(path: &Path) -> Result<Arc<Hash>, Failure> {
    let wrong = |what: String| Failure::Usage(format!("--facts: {}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    match json::parse(&text).map_err(|error| wrong(error.to_string()))? {
        Ok(Value::Hash(facts)) => Ok(facts),
        Ok(_) => Err(wrong("expected a JSON object with the facts by name".to_owned())),
        Err(error) => Err(wrong(format!("not JSON: {error}"))),
    }
}
