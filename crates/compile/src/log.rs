//! Log entries of compilations.

use std::borrow::Cow;
use std::fmt;

use puppetfn_runtime::eval::LoggedMessage;
use puppetfn_types::function::LogLevel;

/// A message of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogEntry {
    /// The level.
    pub level: LogLevel,
    /// The source, if it has one besides Puppet itself: `Scope(Class[main])`.
    pub source: Option<String>,
    /// The message, with its place.
    pub message: String,
}

impl LogEntry {
    /// Creates an entry.
    pub fn new(level: LogLevel, message: impl Into<String>) -> Self {
        Self { level, source: None, message: message.into() }
    }

    pub(crate) fn warning(message: impl Into<String>) -> Self {
        Self::new(LogLevel::Warning, message)
    }

    /// Returns true if Puppet shows the entry where nothing else is configured: from notice on.
    pub fn is_shown(&self) -> bool {
        self.level >= LogLevel::Notice
    }

    /// Returns the entries of a log.
    pub fn all(logged: Vec<(LogLevel, String)>) -> Vec<Self> {
        logged.into_iter().map(|(level, message)| Self::new(level, message)).collect()
    }

    pub(crate) fn of_messages(logged: Vec<LoggedMessage>) -> Vec<Self> {
        let entry = |LoggedMessage { level, source, text }| Self { level, source, message: text };
        logged.into_iter().map(entry).collect()
    }

    /// Returns the message after its source.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.source {
            Some(source) => format!("{source}: {}", self.message).into(),
            None => self.message.as_str().into(),
        }
    }
}

/// As Puppet shows it on a console.
impl fmt::Display for LogEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.level {
            LogLevel::Debug => "Debug",
            LogLevel::Info => "Info",
            LogLevel::Notice => "Notice",
            LogLevel::Warning => "Warning",
            LogLevel::Err => "Error",
            LogLevel::Alert => "Alert",
            LogLevel::Emerg => "Emergency",
            LogLevel::Crit => "Critical",
        };
        write!(f, "{name}: {}", self.text())
    }
}
