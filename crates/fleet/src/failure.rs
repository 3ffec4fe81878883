//! Failures of a whole run.

use std::fmt;
use std::io;
use std::path::Path;

/// The reason that nodes, a folder or processes cannot be used, in words for the user who named them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FleetFailure(String);

/// A result whose error ends the run for all nodes.
pub type FleetResult<T> = std::result::Result<T, FleetFailure>;

impl FleetFailure {
    /// Returns a failure with these words.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Returns the failure of a file.
    pub(crate) fn of_file(path: &Path, problem: impl fmt::Display) -> Self {
        Self(format!("{}: {problem}", path.display()))
    }

    /// Returns a function that adds the path to an error of the file system.
    pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::of_file(path, error)
    }
}

impl fmt::Display for FleetFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FleetFailure {}
