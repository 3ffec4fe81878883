//! The log of compilations and of agents, in the log of the service.

use puppetfn_compile::LogEntry;
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
