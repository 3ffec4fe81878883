//! The caller's interface to functions.

use std::sync::Arc;

use super::compiler::CatalogCompiler;
use super::data::{DataLookup, OngoingLookup};
use super::host::{Host, LogLevel};
use super::library::Library;
use super::module_files::{ModuleFiles, NoModules};
use super::query_source::QuerySource;
use super::template::EppTemplate;
use crate::types::parse::{NoAliases, parse};
use crate::types::{Definition, ObjectType, Type};
use crate::value::{Hash, Value};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind, Signal, SourceLocation};
use puppetfn_base::host::HostRef;
use puppetfn_base::limits::Limits;

/// The caller of a native function: the evaluator, or the host itself. It represents the host, and mediates where code has
/// to wait while the host runs.
pub trait Caller {
    /// Returns the program in which the function runs.
    fn host(&self) -> &dyn Host;

    /// Calls a function of the host's own, which picks the signature itself.
    ///
    /// # Errors
    /// Fails with the errors of the function.
    fn call_function(
        &self,
        function: &HostRef,
        arguments: &[Value],
        block: Option<&Value>,
    ) -> Result<Value, Error> {
        self.host().call_function(function, arguments, block)
    }

    /// Calls a block.
    ///
    /// # Errors
    /// Fails with the errors of the block.
    fn call_block(&self, block: &Value, arguments: &[Value]) -> Result<Value, Error> {
        self.host().call_block(block, arguments)
    }

    /// Folds elements with a block: calls it with an accumulator and each element, and takes its result as the next
    /// accumulator. Returns the last one; `break` ends the loop.
    ///
    /// # Errors
    /// Fails with the errors of the block.
    fn fold(
        &self,
        block: &Value,
        memo: Value,
        elements: &mut dyn Iterator<Item = Value>,
    ) -> Result<Value, Error> {
        let mut memo = memo;
        for element in elements {
            match self.call_block(block, &[memo.clone(), element]) {
                Ok(next) => memo = next,
                Err(error) if error.as_signal() == Some(&Signal::Break) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(memo)
    }

    /// Calls a function by its name, in whichever language it is written.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::NotFound`] if no function has this name, or the caller cannot look up functions by name;
    /// otherwise with the errors of the function.
    fn call_named(&self, name: &str, arguments: &[Value], block: Option<&Value>) -> Result<Value, Error> {
        let _ = (arguments, block);
        Err(Error::new(ErrorKind::NotFound, format!("Unknown function '{name}'")))
    }

    /// Makes an object of a type that is defined by its features, which takes code to be evaluated. A
    /// block can set it before it is complete.
    ///
    /// # Errors
    /// [`ErrorKind::Conversion`] with all that is wrong with the values; and where no code is evaluated.
    fn new_instance(
        &self,
        t: &Arc<Definition<ObjectType>>,
        arguments: &[Value],
        block: Option<&Value>,
    ) -> Result<Value, Error> {
        let _ = (arguments, block);
        let message = format!("an object of the type '{}' can only be made by a runtime", t.label());
        Err(Error::new(ErrorKind::Evaluation, message))
    }

    /// Parses a type, with the aliases that code can use.
    ///
    /// # Errors
    /// Fails if the text is not a type.
    fn parse_type(&self, text: &str) -> Result<Type, Error> {
        parse(text, &NoAliases, self.limits())
    }

    /// Logs a message of the code that calls the function.
    fn log_here(&self, level: LogLevel, message: &str) {
        self.host().log(level, message);
    }

    /// Pauses the code that calls the function, if a debugger observes it.
    ///
    /// # Errors
    /// Fails if the debugger ends the evaluation.
    fn break_here(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the treatment of code that is probably a mistake.
    fn strict(&self) -> Strict {
        Strict::Error
    }

    /// Returns the value of a variable in the scope of the calling code; `None` if it has no value.
    ///
    /// # Errors
    /// Fails with the errors of the host's own variables.
    fn variable(&self, name: &str) -> Result<Option<Value>, Error> {
        let _ = name;
        Ok(None)
    }

    /// Returns true if templates in ERB see the values of [`Self::variable`]: no code of a template that is being rendered can have
    /// changed the values.
    fn shares_variables_with_templates(&self) -> bool {
        false
    }

    /// Evaluates a template, with the arguments as variables, to a text.
    ///
    /// # Errors
    /// Fails if it is not a template or the arguments do not match its parameters, and with the errors of evaluating
    /// it; where no code is evaluated, always.
    fn render(&self, template: &EppTemplate<'_>, arguments: Option<&Hash>) -> Result<Value, Error> {
        let _ = arguments;
        Err(Error::new(ErrorKind::Evaluation, format!("{}: there is no evaluator", template.function)))
    }

    /// Returns the compiler, which builds the catalog and knows classes and resource types, if code is evaluated.
    fn compiler(&self) -> Option<Box<dyn CatalogCompiler + '_>> {
        None
    }

    /// Returns the files of modules and of the machine.
    fn files(&self) -> Arc<dyn ModuleFiles> {
        Arc::new(NoModules)
    }

    /// Returns the data lookup, if data is configured.
    fn data(&self) -> Option<Arc<dyn DataLookup>> {
        None
    }

    /// Returns the source that answers queries to PuppetDB, if any.
    fn query_source(&self) -> Option<Arc<dyn QuerySource>> {
        None
    }

    /// Returns the ongoing lookup, if the function is called for one: lookups of the function are part of it.
    fn lookup(&self) -> Option<OngoingLookup> {
        None
    }

    /// Calls a function that returns data for a lookup, by its name.
    ///
    /// # Errors
    /// The same errors as [`Self::call_named`].
    fn call_for_lookup(
        &self,
        lookup: OngoingLookup,
        name: &str,
        arguments: &[Value],
    ) -> Result<Value, Error> {
        let _ = lookup;
        self.call_named(name, arguments, None)
    }

    /// Runs a task in a library of the host's language; `None` if the host has no such library.
    ///
    /// # Errors
    /// Fails with the errors of the library.
    fn run_library(&self, task: Library<'_>) -> Result<Option<Value>, Error> {
        self.host().run_library(task)
    }

    /// Returns where in Puppet code the function is called.
    fn call_place(&self) -> Option<SourceLocation> {
        None
    }

    /// Returns the limits of an operation.
    fn limits(&self) -> &Limits {
        &Limits::DEFAULT
    }
}
