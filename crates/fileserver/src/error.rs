//! Errors of requests, as Puppet's HTTP handler answers them.

use std::fmt;
use std::io;
use std::path::Path;

/// An error that a client gets.
///
/// See Puppet's `network/http/error.rb` and `network/http/handler.rb`: all errors but missing files are errors of the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileError {
    /// The mount has no such file.
    NotFound(String),
    /// The key has no mount that is served.
    NotAuthorized(String),
    /// The request is malformed, or reading a file fails.
    Failed(String),
    /// The answer would be larger than a limit of the server.
    LimitExceeded(String),
}

impl FileError {
    /// Returns the status of the response.
    pub fn status(&self) -> u16 {
        match self {
            Self::NotFound(_) => 404,
            Self::NotAuthorized(_) | Self::Failed(_) | Self::LimitExceeded(_) => 500,
        }
    }

    /// Returns Puppet's name for the kind of error, the member `issue_kind` of the response.
    pub fn issue_kind(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "RESOURCE_NOT_FOUND",
            Self::NotAuthorized(_) | Self::Failed(_) | Self::LimitExceeded(_) => "RUNTIME_ERROR",
        }
    }

    /// Returns the message of Puppet's exception.
    pub fn message(&self) -> &str {
        match self {
            Self::NotFound(message)
            | Self::NotAuthorized(message)
            | Self::Failed(message)
            | Self::LimitExceeded(message) => message,
        }
    }

    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
    }

    /// Returns the error of a system call in the words of JRuby, which puppetserver runs on.
    pub(crate) fn of_system(error: &io::Error, path: &Path) -> Self {
        Self::Failed(system_message(error, path))
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(message) => write!(f, "Not Found: {message}"),
            Self::NotAuthorized(message) | Self::Failed(message) | Self::LimitExceeded(message) => {
                write!(f, "Server Error: {message}")
            }
        }
    }
}

impl std::error::Error for FileError {}

/// Returns the message of an exception `Errno::…` about a path.
pub(crate) fn system_message(error: &io::Error, path: &Path) -> String {
    let text = error.to_string();
    let words = error.raw_os_error().and_then(|code| text.strip_suffix(&format!(" (os error {code})")));
    format!("{} - {}", words.unwrap_or(&text), path.display())
}
