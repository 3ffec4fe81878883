//! Sessions: runtimes in which texts are evaluated one after the other.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use puppetfn_base::error::Error;
use puppetfn_runtime::eval::Runtime;

use crate::{CompileOptions, LogEntry, Request};

/// A runtime that keeps its variables, definitions and resources between texts.
pub trait Session {
    /// Compiles the catalog of the request that the session was begun with: evaluates the main manifest, the node and its classes.
    ///
    /// # Errors
    /// Fails with the errors of the code.
    fn compile(&mut self, request: &Request) -> Result<(), Error>;

    /// Uses the runtime.
    ///
    /// # Errors
    /// The errors of `work`, with the messages of the host's own errors.
    fn run(&mut self, work: &mut dyn FnMut(&Runtime) -> Result<(), Error>) -> Result<(), Error>;

    /// Takes the log entries since the last call.
    fn take_log(&mut self) -> Vec<LogEntry>;
}

/// How a session begins.
#[derive(Clone, Copy, Debug)]
pub struct SessionRequest<'r> {
    /// The options, with the facts of the node.
    pub options: &'r CompileOptions,
    /// The inputs of a catalog; `None` for a session of scripts, which declare no resources.
    pub catalog: Option<&'r Request>,
    /// A flag that ends an evaluation once it is set. Hosts that raise an exception for an interrupt leave it alone.
    pub interrupt: Option<&'r Arc<AtomicBool>>,
}
