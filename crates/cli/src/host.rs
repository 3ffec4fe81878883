//! The interface of programs that run functions.

use puppetfn_base::error::Error;
use puppetfn_compile::{CallOutcome, CompileOptions, Compiler, LogEntry};
use puppetfn_doc::ReadRuby;
use puppetfn_types::value::Value;

use crate::terminals::Terminals;

/// The program that finds and runs functions.
pub trait CommandHost: ReadRuby + Compiler {
    /// Calls a function by name.
    fn call(&mut self, options: &CompileOptions, name: &str, arguments: &[Value]) -> CallOutcome;

    /// Evaluates Puppet code, with Puppet's own functions and the types of modules where the program
    /// does not override this.
    fn evaluate(&mut self, options: &CompileOptions, code: &str) -> CallOutcome {
        let (runtime, logs) = options.runtime();
        let result = runtime.evaluate(code, None);
        CallOutcome { result, log: LogEntry::all(logs.take()) }
    }

    /// Returns which of the outputs are terminals.
    fn terminals(&self) -> Terminals {
        Terminals::default()
    }

    /// Returns the functions whose names are wanted, with their signatures as text.
    ///
    /// # Errors
    /// Fails if the functions cannot be found. One that cannot be loaded has its own error.
    fn functions(
        &mut self,
        options: &CompileOptions,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<ListedDefinition<Vec<String>>>, Error>;

    /// Returns the wanted type aliases, with their types as text.
    ///
    /// # Errors
    /// Fails if the type aliases cannot be found. One that cannot be loaded has its own error.
    fn types(
        &mut self,
        options: &CompileOptions,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<ListedDefinition<String>>, Error>;
}

/// A function or type alias by name, with its description or the error of loading it.
#[derive(Clone, PartialEq, Debug)]
pub struct ListedDefinition<T> {
    /// The full name.
    pub name: String,
    /// The description, or the error of loading it.
    pub found: Result<T, Error>,
}
