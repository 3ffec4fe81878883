//! The log of compilations, of agents and of the file server, in the log of the service.

use puppetfn_compile::LogEntry;
use puppetfn_fileserver::LogMessage;
use puppetfn_types::function::LogLevel;
use tracing::{debug, error, info, warn};

/// Writes a message about a node.
pub(super) fn write_line(node: &str, level: &str, source: Option<&str>, message: &str) {
    match level {
        "debug" => debug!(node, source, "{message}"),
        "info" | "notice" => info!(node, source, "{message}"),
        "warning" => warn!(node, source, "{message}"),
        _ => error!(node, source, "{message}"),
    }
}

/// Writes the entries of a compilation.
pub(super) fn write_entries(node: &str, entries: &[LogEntry]) {
    for LogEntry { level, source, message } in entries {
        write_line(node, level.name(), source.as_deref(), message);
    }
}

/// Writes messages of the file server.
pub(super) fn write_messages(messages: &[LogMessage]) {
    for LogMessage { level, message } in messages {
        match level {
            LogLevel::Debug => debug!("{message}"),
            LogLevel::Info | LogLevel::Notice => info!("{message}"),
            LogLevel::Warning => warn!("{message}"),
            LogLevel::Err | LogLevel::Alert | LogLevel::Emerg | LogLevel::Crit => error!("{message}"),
        }
    }
}
