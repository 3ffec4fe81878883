//! Projects in the Puppet language: where a module, a control repository or a directory of loose files has its code and
//! data, which modules that code can use, and what the settings of the project say. The command checks projects, and the
//! language server keeps them open: both look here.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod baseline;
mod config;
mod data;
mod environment;
mod paths;
mod places;
mod source;
mod tools;

pub use baseline::Baseline;
pub use config::{Config, Permission, RoleSettings, unknown_rule};
pub use data::Data;
pub use environment::{CONTENTS, Environment, Given, environment_name, expand, manifests_below};
pub use paths::{absolute, is_data};
pub use places::{Places, is_markdown};
pub use source::Source;

use puppetfn_base::error::Error;
use puppetfn_check::Finding;
use puppetfn_syntax::Mode;

/// Why a project cannot be read.
#[derive(Debug)]
pub enum Failure {
    /// A path or a setting names something that cannot be used.
    Setting(String),
    /// A file cannot be used.
    File(Error),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Setting(message) => f.write_str(message),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}

/// What was found in one text.
#[derive(Debug)]
pub struct Checked {
    /// What the text is called: the path, if it is in a file.
    pub name: String,
    /// What it says.
    pub text: String,
    /// How it is read.
    pub mode: Mode,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
    /// Whether all of it is code.
    pub is_code: bool,
}
