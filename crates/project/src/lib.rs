//! Projects in the Puppet language: the code, the data and the settings of a module, a control repository or a
//! directory of loose files, and the modules that its code can use. The command and the language server share this
//! crate: one checks projects, the other keeps them open.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod baseline;
mod config;
mod data;
mod edited_files;
mod environment;
mod initial;
mod libraries;
mod paths;
mod places;
mod puppet_lint;
mod requirements;
mod source;
mod tools;

pub use baseline::Baseline;
pub use config::{Permission, ProjectConfig, RoleSettings, selected, unknown_rule};
pub use data::HieraData;
pub use edited_files::{EditedFiles, FileChange};
pub use environment::{CONTENTS, Environment, EnvironmentOptions, environment_name, expand, manifests_below};
pub use initial::{CiService, InitialFile, ProjectKind, initial_files, repository_around};
pub use libraries::Libraries;
pub use paths::{absolute, is_data};
pub use places::{ProjectPlaces, is_markdown};
pub use puppet_lint::PuppetLintOptions;
pub use requirements::required_target;
pub use source::CodeSource;

use puppetfn_base::error::Error;
use puppetfn_check::Finding;
use puppetfn_syntax::Mode;

/// The reason why a project cannot be read.
#[derive(Debug)]
pub enum ProjectFailure {
    /// A path or a setting refers to something unusable.
    Setting(String),
    /// A file cannot be used.
    File(Error),
}

impl std::fmt::Display for ProjectFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Setting(message) => f.write_str(message),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl From<Error> for ProjectFailure {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}

/// A checked text with its findings.
#[derive(Debug)]
pub struct CheckedText {
    /// The name of the text: the path, if it is in a file.
    pub name: String,
    /// The text.
    pub text: String,
    /// The parser's mode.
    pub mode: Mode,
    /// The findings.
    pub findings: Vec<Finding>,
    /// Whether the whole text is code.
    pub is_code: bool,
}
