//! Sessions: runtimes in which texts are evaluated one after the other.

use puppetfn_base::error::Error;
use puppetfn_runtime::eval::Runtime;

use crate::LogEntry;

/// The message of the error that ends an evaluation when the user interrupts it.
pub const INTERRUPTED: &str = "the evaluation was interrupted";

/// A runtime that keeps its variables, definitions and resources between texts.
pub trait Session {
    /// Compiles the catalog of the session's node: evaluates the main manifest, the node and its classes.
    ///
    /// # Errors
    /// Fails with the errors of the code.
    fn compile(&mut self) -> Result<(), Error>;

    /// Uses the runtime.
    ///
    /// # Errors
    /// The errors of `work`, with the messages of the host's own errors.
    fn run(&mut self, work: &mut dyn FnMut(&Runtime) -> Result<(), Error>) -> Result<(), Error>;

    /// Takes the log entries since the last call.
    fn take_log(&mut self) -> Vec<LogEntry>;
}
