//! The files with which a project begins to use puppetfn: settings, jobs of continuous integration, hooks and settings of editors.
#![allow(clippy::disallowed_methods, reason = "the user names this directory")]

mod services;

use std::path::{Path, PathBuf};

pub use services::CiService;

use super::paths::absolute;
use super::places::{is_control_repository, is_module};

/// The version of puppetfn that the files refer to.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A kind of project.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProjectKind {
    /// A module.
    Module,
    /// A control repository: an environment with the modules of its nodes.
    ControlRepository,
    /// Files in another layout.
    Files,
}

impl ProjectKind {
    /// Returns the kind of project in a directory.
    pub fn of(root: &Path) -> Self {
        let root = absolute(root);
        if is_control_repository(&root) {
            Self::ControlRepository
        } else if is_module(&root) {
            Self::Module
        } else {
            Self::Files
        }
    }
}

/// A file to create.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitialFile {
    /// The path within the project.
    pub path: &'static str,
    /// The content.
    pub text: String,
}

impl InitialFile {
    fn new(path: &'static str, text: &str) -> Self {
        Self { path, text: text.replace("{version}", VERSION) }
    }
}

/// Returns the root of the Git repository around a directory.
pub fn repository_around(directory: &Path) -> Option<PathBuf> {
    absolute(directory).ancestors().find(|root| root.join(".git").exists()).map(Path::to_owned)
}

/// Returns the files for a project, with jobs for the given services. Services and hooks read their files only in the root of a
/// repository: for other directories, there are none.
pub fn initial_files(root: &Path, kind: ProjectKind, services: &[CiService]) -> Vec<InitialFile> {
    let settings = match kind {
        ProjectKind::ControlRepository => include_str!("control_repository.toml"),
        ProjectKind::Module | ProjectKind::Files => include_str!("module.toml"),
    };
    let mut files = vec![InitialFile::new("puppetfn.toml", settings)];
    if repository_around(root).is_none_or(|repository| repository == absolute(root)) {
        files.extend(services.iter().map(|service| service.file(root, kind)));
        files.push(InitialFile::new(".pre-commit-config.yaml", include_str!("pre_commit.yaml")));
    }
    files.push(InitialFile::new(".vscode/settings.json", include_str!("vscode_settings.json")));
    files.push(InitialFile::new(".vscode/extensions.json", include_str!("vscode_extensions.json")));
    files.push(InitialFile::new(".editorconfig", include_str!("editorconfig.ini")));
    files
}

#[cfg(test)]
mod tests;
