//! Progress of long work.

use puppetfn_fleet::FleetSummary;

use crate::LogEntry;

/// Follows the compilation of many nodes.
pub trait Observer {
    /// Receives a message.
    fn log(&mut self, entry: LogEntry);

    /// Called before nodes are compiled, with their number.
    fn begin(&mut self, _nodes: usize) {}

    /// Called after each of these nodes.
    fn advance(&mut self) {}

    /// Called after the last of these nodes.
    fn end(&mut self) {}

    /// Called about ten times a second: an error cancels the work.
    ///
    /// # Errors
    /// The reason for the cancellation. Catalogs that are done are kept.
    fn poll(&mut self) -> Result<(), puppetfn_fleet::FleetFailure> {
        Ok(())
    }

    /// Called with the outcome of all nodes, some of which may have failed.
    fn failed(&mut self, _summary: &FleetSummary) {}
}

/// Keeps the messages.
impl Observer for Vec<LogEntry> {
    fn log(&mut self, entry: LogEntry) {
        self.push(entry);
    }
}
