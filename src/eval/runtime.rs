//! Evaluating texts of Puppet code.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use super::compile::{Compiled, compile};
use super::definition::types_of;
use super::machine::{FunctionLookup, Machine};
use super::stack::StackGuard;
use crate::builtin;
use crate::diagnostic::{Severity, logged, refuse_errors};
use crate::error::{Error, ErrorKind};
use crate::function::{Function, Host, LogLevel, Registry};
use crate::host::HostRef;
use crate::limits::Limits;
use crate::syntax::validate::{Rules, validate};
use crate::syntax::{self, Mode, ast};
use crate::types::parse::{NoAliases, TypeLookup};
use crate::value::Value;

/// Evaluates texts one after the other. What one defines, the next can use.
///
/// ```
/// use puppetfn::eval::Runtime;
/// use puppetfn::value::Value;
///
/// let mut runtime = Runtime::new();
/// runtime.evaluate("function double(Integer $x) { $x * 2 }", None)?;
/// let doubled = runtime.evaluate("[1, 2].map |$x| { double($x) }", None)?;
/// assert_eq!(doubled, Value::from(vec![Value::from(2), Value::from(4)]));
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// Errors say what Puppet says, with the place in the text:
///
/// ```
/// # use puppetfn::eval::Runtime;
/// let error = Runtime::new().evaluate("1 + 'a'", Some("/site.pp")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Evaluation Error: The value 'a' cannot be converted to Numeric. (file: /site.pp, line: 1, column: 5)"
/// );
/// ```
pub struct Runtime {
    machine: Machine,
    is_script: bool,
}

/// Builds a [`Runtime`].
pub struct RuntimeBuilder {
    functions: Box<dyn FunctionLookup>,
    types: Arc<dyn TypeLookup>,
    host: Box<dyn Host>,
    limits: Limits,
    is_script: bool,
}

impl Runtime {
    /// A runtime with Puppet's built-in functions and types, which drops what functions log.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// Begins to build a runtime.
    pub fn builder() -> RuntimeBuilder {
        RuntimeBuilder {
            functions: Box::new(builtin::registry()),
            types: Arc::new(NoAliases),
            host: Box::new(Logs::default()),
            limits: Limits::DEFAULT,
            is_script: true,
        }
    }

    /// Evaluates a text, which is from `file` if it is from one. The value is that of its last
    /// statement.
    ///
    /// # Errors
    /// When the text is not Puppet, and when its evaluation fails.
    pub fn evaluate(&mut self, text: &str, file: Option<&str>) -> Result<Value, Error> {
        let program = syntax::parse_with(text, self.mode(), &self.machine.limits);
        let program = program.map_err(|error| in_file(error, file))?;
        self.check(&program).map_err(|error| in_file(error, file))?;
        let Compiled { program, functions } = self.load(&program, file)?;
        for function in functions {
            self.machine.define(function);
        }
        self.machine.run(&program)
    }

    fn mode(&self) -> Mode {
        Mode { tasks: self.is_script, template: false }
    }

    /// Refuses what is not allowed in a text, and logs what is questionable. Several errors are logged,
    /// too, since the one that is raised only counts them.
    fn check(&self, program: &ast::Program<'_>) -> Result<(), Error> {
        let found = validate(program, Rules { tasks: self.is_script, module_file: None });
        for diagnostic in program.warnings.iter().chain(logged(&found)) {
            let level =
                if diagnostic.severity == Severity::Error { LogLevel::Err } else { LogLevel::Warning };
            self.machine.log(level, &diagnostic.message);
        }
        refuse_errors(&found, program.text)
    }

    /// Defines the types of a text, and compiles the rest.
    fn load(&mut self, program: &ast::Program<'_>, file: Option<&str>) -> Result<Compiled, Error> {
        let types = types_of(program, &self.machine.types, &self.machine.limits);
        let types = types.map_err(|error| in_file(error, file))?;
        self.machine.types.defined.extend(types);
        let guard = StackGuard::new(&self.machine.limits);
        compile(program, file, &mut self.machine.symbols, guard)
    }

    /// Calls a function by its name.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownFunction`] when there is none of that name, and whatever it fails with.
    pub fn call(&mut self, name: &str, arguments: &[Value]) -> Result<Value, Error> {
        self.machine.call_named(name, arguments, None, None)
    }

    /// The types that are known, by their names.
    pub fn types(&self) -> &dyn TypeLookup {
        &self.machine.types
    }

    /// Sets a variable of the top scope, `facts` for example.
    pub fn set_variable(&mut self, name: &str, value: Value) {
        self.machine.set_global(name, value);
    }
}

impl Default for Runtime {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime").field("limits", &self.machine.limits).finish_non_exhaustive()
    }
}

/// Errors of texts that are from no file have no place but the line and the column.
fn in_file(error: Error, file: Option<&str>) -> Error {
    match file {
        Some(file) => error.in_file(file),
        None => error,
    }
}

impl RuntimeBuilder {
    /// Says where functions are found that no text has defined; without it they are Puppet's own.
    #[must_use]
    pub fn functions(self, functions: impl FunctionLookup + 'static) -> Self {
        Self { functions: Box::new(functions), ..self }
    }

    /// Says where types are found that no text has defined and that are not Puppet's own.
    #[must_use]
    pub fn types(self, types: Arc<dyn TypeLookup>) -> Self {
        Self { types, ..self }
    }

    /// Says what calls functions of the host's own, and receives what is logged.
    #[must_use]
    pub fn host(self, host: impl Host + 'static) -> Self {
        Self { host: Box::new(host), ..self }
    }

    /// Says how much evaluation may use.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Says that texts are manifests, not scripts: `plan` and `apply` are no keywords there.
    #[must_use]
    pub fn manifests(self) -> Self {
        Self { is_script: false, ..self }
    }

    /// The runtime.
    pub fn build(self) -> Runtime {
        let mut machine = Machine::new(self.functions, self.types, self.host, self.limits);
        machine.set_global("facts", Value::Hash(Arc::default()));
        Runtime { machine, is_script: self.is_script }
    }
}

impl fmt::Debug for RuntimeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuntimeBuilder").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl FunctionLookup for &Registry {
    fn find(&self, name: &str) -> Result<Option<Arc<Function>>, Error> {
        Ok(self.get(name)?.cloned())
    }
}

/// A host without functions of its own, which collects what is logged. Its clones share that.
#[derive(Clone, Default, Debug)]
pub struct Logs(Rc<RefCell<Logged>>);

#[derive(Default, Debug)]
struct Logged {
    messages: Vec<(LogLevel, String)>,
    /// The keys of warnings that are not repeated.
    once: HashSet<String>,
}

impl Logs {
    /// Takes what was logged since the last time.
    pub fn take(&self) -> Vec<(LogLevel, String)> {
        std::mem::take(&mut self.0.borrow_mut().messages)
    }
}

impl Host for Logs {
    fn call_function(&self, _: &HostRef, _: &[Value], _: Option<&Value>) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::UnknownFunction, "this program has no functions of its own"))
    }

    fn call_block(&self, _: &Value, _: &[Value]) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::UnknownFunction, "this program has no blocks of its own"))
    }

    fn log(&self, level: LogLevel, message: &str) {
        self.0.borrow_mut().messages.push((level, message.to_owned()));
    }

    fn warn_once(&self, key: &str, message: &str) {
        let mut logged = self.0.borrow_mut();
        // As in Puppet, which keeps no more keys either.
        if logged.once.len() < 100 && logged.once.insert(key.to_owned()) {
            logged.messages.push((LogLevel::Warning, message.to_owned()));
        }
    }
}
