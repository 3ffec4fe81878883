//! Log entries of compilations.

use std::fmt;

use puppetfn_types::function::LogLevel;

/// A message of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogEntry {
    /// The level.
    pub level: LogLevel,
    /// The message, with its source and place.
    pub message: String,
}

impl LogEntry {
    /// Creates an entry.
    pub fn new(level: LogLevel, message: impl Into<String>) -> Self {
        Self { level, message: message.into() }
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
        logged.into_iter().map(|(level, message)| Self { level, message }).collect()
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
        write!(f, "{name}: {}", self.message)
    }
}
