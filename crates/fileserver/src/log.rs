//! Messages for the server's log.

use puppetfn_types::function::LogLevel;

/// A message for the server's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogMessage {
    /// Its level.
    pub level: LogLevel,
    /// Its text.
    pub message: String,
}
