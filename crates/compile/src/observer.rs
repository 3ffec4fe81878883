//! Reports of long work.

use puppetfn_fleet::Summary;

use crate::LogEntry;

/// Follows work on many nodes.
pub trait Observer {
    /// Takes a message.
    fn log(&mut self, entry: LogEntry);

    /// Is told how many nodes are going to be compiled.
    fn begin(&mut self, _nodes: usize) {}

    /// Is told that one more of these is done.
    fn advance(&mut self) {}

    /// Is told that all of these are done.
    fn end(&mut self) {}

    /// Is asked from time to time whether to go on.
    ///
    /// # Errors
    /// Ends the work: nodes that are done are kept.
    fn poll(&mut self) -> Result<(), puppetfn_fleet::Failure> {
        Ok(())
    }

    /// Is told of the nodes that have no catalog.
    fn failed(&mut self, _summary: &Summary) {}
}

/// Keeps the messages.
impl Observer for Vec<LogEntry> {
    fn log(&mut self, entry: LogEntry) {
        self.push(entry);
    }
}
