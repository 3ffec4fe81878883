//! Commands that end early, and exit codes.

use std::io::{self, Write};

use puppetfn_base::error::{Error, ErrorKind};

/// The exit code when all is well.
pub const OK: i32 = 0;
/// The exit code when a function failed or cannot be loaded.
pub const FAILED: i32 = 1;
/// The exit code when the arguments are wrong.
pub const USAGE: i32 = 2;

/// Why a command ended early.
pub(crate) enum CommandFailure {
    /// The arguments are invalid.
    Usage(String),
    /// A function failed, or could not be found out about.
    Function(Error),
    /// The same, with advice.
    Advised(Error, Vec<String>),
    /// The output could not be written.
    Output(io::Error),
}

impl CommandFailure {
    /// Adds advice to the failure of a function.
    pub(crate) fn advised(self, advice: Vec<String>) -> Self {
        match self {
            Self::Function(error) => Self::Advised(error, advice),
            Self::Usage(_) | Self::Advised(..) | Self::Output(_) => self,
        }
    }
}

impl From<Error> for CommandFailure {
    fn from(error: Error) -> Self {
        Self::Function(error)
    }
}

impl From<puppetfn_project::ProjectFailure> for CommandFailure {
    fn from(failure: puppetfn_project::ProjectFailure) -> Self {
        match failure {
            puppetfn_project::ProjectFailure::Setting(message) => Self::Usage(message),
            puppetfn_project::ProjectFailure::File(error) => Self::Function(error),
        }
    }
}

impl From<puppetfn_compile::CompileFailure> for CommandFailure {
    fn from(failure: puppetfn_compile::CompileFailure) -> Self {
        use puppetfn_compile::CompileFailure::{Classifier, Error as Failed, Io, Setting};
        match failure {
            Setting { name: "", problem } => Self::Usage(problem),
            Setting { name, problem } => Self::Usage(format!("--{}: {problem}", name.replace('_', "-"))),
            Classifier(problem) => Self::Function(Error::new(ErrorKind::Load, format!("--enc: {problem}"))),
            Failed(error) => Self::Function(error),
            Io(error) => Self::Output(error),
        }
    }
}

impl From<puppetfn_fleet::FleetFailure> for CommandFailure {
    fn from(failure: puppetfn_fleet::FleetFailure) -> Self {
        Self::Usage(failure.to_string())
    }
}

impl From<io::Error> for CommandFailure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Prints an error message. If even that fails, the exit code still shows it.
pub(crate) fn complain(err: &mut dyn Write, message: &str) {
    let _ = writeln!(err, "{message}").and_then(|()| err.flush());
}
