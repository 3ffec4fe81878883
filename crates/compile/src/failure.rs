//! Failures before a catalog is compiled.

use std::fmt;
use std::io;

use puppetfn_base::error::Error;

/// Why nodes cannot be compiled or compared.
#[derive(Debug)]
pub enum CompileFailure {
    /// A setting cannot be used.
    Setting {
        /// The name of the field of [`crate::Configuration`], or of another structure; empty if the message names it.
        name: &'static str,
        /// The problem.
        problem: String,
    },
    /// The node classifier gives no answer that can be used: its file or command, and the problem.
    Classifier(String),
    /// Code, data or a file cannot be used.
    Error(Error),
    /// A process or a file of this crate's own cannot be read or written.
    Io(io::Error),
}

impl CompileFailure {
    /// Creates the failure of a setting.
    pub fn setting(name: &'static str, problem: impl Into<String>) -> Self {
        Self::Setting { name, problem: problem.into() }
    }
}

impl fmt::Display for CompileFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setting { name: "", problem } => f.write_str(problem),
            Self::Setting { name, problem } => write!(f, "{name}: {problem}"),
            Self::Classifier(problem) => write!(f, "enc: {problem}"),
            Self::Error(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CompileFailure {}

impl From<Error> for CompileFailure {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<io::Error> for CompileFailure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<puppetfn_project::ProjectFailure> for CompileFailure {
    fn from(failure: puppetfn_project::ProjectFailure) -> Self {
        match failure {
            puppetfn_project::ProjectFailure::Setting(message) => Self::setting("", message),
            puppetfn_project::ProjectFailure::File(error) => Self::Error(error),
        }
    }
}

impl From<puppetfn_fleet::FleetFailure> for CompileFailure {
    fn from(failure: puppetfn_fleet::FleetFailure) -> Self {
        Self::setting("", failure.to_string())
    }
}
