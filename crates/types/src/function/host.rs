//! The interface of programs that embed puppetfn.

use std::fmt;
use std::sync::Arc;

use super::caller::Caller;
use super::deviation::Deviation;
use super::library::Library;
use super::native_type::NativeType;
use super::signature::Signature;
use crate::types::ops::describe::Messages;
use crate::value::Value;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::host::HostRef;

/// The program that embeds puppetfn: it calls its own functions, grants permissions and receives log messages. The code
/// that calls a function is represented by a [`Caller`].
pub trait Host {
    /// Calls a function of the host's own, which picks the signature itself.
    ///
    /// # Errors
    /// Fails with the errors of the function.
    fn call_function(
        &self,
        function: &HostRef,
        arguments: &[Value],
        block: Option<&Value>,
    ) -> Result<Value, Error>;

    /// Returns all signatures of a function of the host's own, in the order in which they are tried.
    ///
    /// # Errors
    /// Whatever loading the function fails with.
    fn signatures(&self, function: &HostRef) -> Result<Arc<[Signature]>, Error> {
        let _ = function;
        Ok(Arc::default())
    }

    /// Calls a block.
    ///
    /// # Errors
    /// Fails with the errors of the block.
    fn call_block(&self, block: &Value, arguments: &[Value]) -> Result<Value, Error>;

    /// Calls a block whose result is cached. The host may remember its own object with the value: see [`crate::value::Hash::set_host`].
    ///
    /// # Errors
    /// Fails with the errors of the block.
    fn call_caching_block(&self, block: &Value, arguments: &[Value]) -> Result<Value, Error> {
        self.call_block(block, arguments)
    }

    /// Receives a log message of a function.
    fn log(&self, level: LogLevel, message: &str);

    /// Receives a log message of a function that code calls during the compilation of a catalog. `source` is the scope of
    /// the code, as Puppet shows it: `Scope(Class[main])`.
    fn log_from(&self, source: &str, level: LogLevel, message: &str) {
        let _ = source;
        self.log(level, message);
    }

    /// Receives a warning or an error about code: `issue` is its name in Puppet, such as `UNKNOWN_VARIABLE`.
    fn log_issue(&self, level: LogLevel, issue: &str, message: &str, place: &SourceLocation) {
        let _ = (issue, place);
        self.log(level, message);
    }

    /// Logs a deprecation warning, once for each key.
    fn warn_once(&self, key: &str, message: &str) {
        let _ = key;
        self.log(LogLevel::Warning, message);
    }

    /// Receives the name of a function that code has defined, which replaces any other with that name.
    fn defined(&self, name: &str) {
        let _ = name;
    }

    /// Runs a task in a library of the host's language; `None` if the host has no such library.
    ///
    /// # Errors
    /// Fails with the errors of the library.
    fn run_library(&self, task: Library<'_>) -> Result<Option<Value>, Error> {
        let _ = task;
        Ok(None)
    }

    /// Returns the facts of a resource type that is written in the host's language, by its name in lower case; `None` if
    /// they cannot be determined.
    ///
    /// # Errors
    /// Fails if it cannot be loaded.
    fn resource_type(&self, name: &str) -> Result<Option<NativeType>, Error> {
        let _ = name;
        Ok(None)
    }

    /// Returns true if the host's language has loaded the resource type of this name, in lower case, for an earlier catalog.
    ///
    /// # Errors
    /// Fails if the host cannot say.
    fn has_loaded_type(&self, name: &str) -> Result<bool, Error> {
        let _ = name;
        Ok(false)
    }

    /// Returns the parameters that a resource type's code extracts from a title.
    ///
    /// # Errors
    /// Fails if it is not a valid title for resources of the type.
    fn parse_title(&self, type_name: &str, title: &str) -> Result<Vec<(Arc<str>, Value)>, Error> {
        let _ = (type_name, title);
        Ok(Vec::new())
    }

    /// Returns the default parameters for resources of a type in a scope, given by its number. Only called for scopes whose
    /// defaults the host redefines.
    ///
    /// # Errors
    /// Fails with the errors of the host's code.
    fn resource_defaults(&self, scope: u32, type_name: &str) -> Result<Vec<(Arc<str>, Value)>, Error> {
        let _ = (scope, type_name);
        Ok(Vec::new())
    }

    /// Returns true if functions may run programs.
    fn may_execute(&self) -> bool {
        false
    }

    /// Reports that the next answer is a deviation. A host in place of an installed Puppet may refuse it.
    ///
    /// # Errors
    /// Fails with an error of the host if it refuses.
    fn deviate(&self, deviation: Deviation) -> Result<(), Error> {
        let _ = deviation;
        Ok(())
    }

    /// Receives the key of a data lookup by a function.
    ///
    /// # Errors
    /// Fails with an error of the host if it refuses the lookup.
    fn looks_up(&self, key: &str) -> Result<(), Error> {
        let _ = key;
        Ok(())
    }

    /// Polls the host, at regular intervals while code runs, for a reason to stop: an interrupt by the user, for example.
    ///
    /// # Errors
    /// Fails with the error that ends the evaluation.
    fn poll(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the number of bytes of the native stack left for an evaluation that begins here, if the host knows it.
    /// Otherwise all evaluations of a thread share [`puppetfn_base::limits::Limits::stack`].
    fn stack_left(&self) -> Option<usize> {
        None
    }

    /// Takes the value of the `next` or `return` with which a function of the host has ended.
    fn landed(&self) -> Value {
        Value::Undef
    }

    /// Returns the message of an exception of the host, if it is one of Puppet's errors.
    fn message_of(&self, exception: &HostRef) -> Option<String> {
        let _ = exception;
        None
    }

    /// Returns the wording of type mismatches.
    fn messages(&self) -> Messages {
        Messages::Puppet
    }
}

/// A program without its own functions, and without a log.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {
    fn call_function(&self, _: &HostRef, _: &[Value], _: Option<&Value>) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::Evaluation, "this program has no functions of its own"))
    }

    fn call_block(&self, _: &Value, _: &[Value]) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::Evaluation, "this program has no blocks of its own"))
    }

    fn log(&self, _: LogLevel, _: &str) {}
}

impl Caller for NoHost {
    fn host(&self) -> &dyn Host {
        self
    }
}

/// How important a log message is. Named and ordered as in Puppet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LogLevel {
    /// Details for debugging.
    Debug,
    /// Of little importance.
    Info,
    /// Worth knowing.
    Notice,
    /// Not right, but harmless.
    Warning,
    /// An error.
    Err,
    /// Something must be done.
    Alert,
    /// The system is unusable.
    Emerg,
    /// A grave error.
    Crit,
}

impl LogLevel {
    /// All levels, from the least to the most important.
    pub const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Err,
        Self::Alert,
        Self::Emerg,
        Self::Crit,
    ];

    /// Returns the name that Puppet uses, `warning` for example.
    pub fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Err => "err",
            Self::Alert => "alert",
            Self::Emerg => "emerg",
            Self::Crit => "crit",
        }
    }

    /// Returns the level with this name, or `None` if no level has it.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
