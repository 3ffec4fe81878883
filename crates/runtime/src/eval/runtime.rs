//! Evaluating texts of Puppet code.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::builder::RuntimeBuilder;
use super::code::ProgramCode;
use super::compile::CompiledText;
use super::declaration::DefinitionCode;
use super::function_lookup::{FoundFunction, FunctionLookup, LoadedFunction};
use super::load::load;
use super::machine::{
    Debugger, HostCall, LentCompiler, Machine, Machines, call_waiting, caller_places, caller_variable,
    caller_variables, has_caller_local, in_scope, is_caller_local, landed, replace_changed,
    set_caller_variable,
};
use super::shared::SharedRuntime;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::host::HostRef;
use puppetfn_base::stack::StackBudget;
use puppetfn_catalog::{Draft, ExportSource, Reference, ResourceProvenance, ResourceRelation, ScopeId};
use puppetfn_types::function::{
    CatalogCompiler, EppTemplate, Function, Host, LogLevel, LookupExplanation, LookupQuery, OngoingLookup,
    QuerySource, Registry, Signature,
};
use puppetfn_types::types::parse::TypeLookup;
use puppetfn_types::value::{CallTarget, Hash, Value};

/// Evaluates texts one after the other. Each can use the definitions of earlier ones.
///
/// ```
/// use puppetfn::eval::Runtime;
/// use puppetfn::value::Value;
///
/// let runtime = Runtime::new();
/// runtime.evaluate("function double(Integer $x) { $x * 2 }", None)?;
/// let doubled = runtime.evaluate("[1, 2].map |$x| { double($x) }", None)?;
/// assert_eq!(doubled, Value::from(vec![Value::from(2), Value::from(4)]));
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// Errors have Puppet's messages, with the position in the text:
///
/// ```
/// # use puppetfn::eval::Runtime;
/// let error = Runtime::new().evaluate("1 + 'a'", Some("/site.pp")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Evaluation Error: The value 'a' cannot be converted to Numeric. (file: /site.pp, line: 1, column: 5)"
/// );
/// ```
///
/// Threads can share a runtime, and functions of the host can call the runtime that called them.
pub struct Runtime {
    pub(super) shared: Arc<Machines>,
    /// Machines that are not at work.
    idle: Mutex<Vec<Machine>>,
}

/// A step in completing a catalog after code was evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CatalogStep {
    /// Evaluates the definition of the node.
    Node,
    /// Evaluates collectors and resources of defined types.
    Additions,
    /// Checks that the resources that others need are there.
    Validation,
}

impl Runtime {
    /// Creates a runtime with Puppet's built-in functions and types, which drops logged messages.
    pub fn new() -> Self {
        Self::builder().build()
    }

    pub(super) fn of(shared: SharedRuntime) -> Self {
        Self { shared: Arc::new(Machines::new(shared)), idle: Mutex::default() }
    }

    /// Returns a builder of runtimes.
    pub fn builder() -> RuntimeBuilder {
        RuntimeBuilder::new()
    }

    /// Evaluates a text, which may be from a file. The result is the value of its last
    /// statement.
    ///
    /// # Errors
    /// Fails if the text is not Puppet, and if its evaluation fails.
    pub fn evaluate(&self, text: &str, file: Option<&str>) -> Result<Value, Error> {
        let (program, definitions) = self.read(text, file)?;
        self.with_machine(|machine| {
            machine.define(definitions)?;
            machine.run(&program)
        })
    }

    /// Adds the functions of a text, and returns the code that is left to run, and the definitions, which are not added yet.
    pub(super) fn read(
        &self,
        text: &str,
        file: Option<&str>,
    ) -> Result<(ProgramCode, Vec<DefinitionCode>), Error> {
        self.shared.log_complaints();
        let CompiledText { program, functions, definitions, .. } = load(&self.shared, text, file)?;
        self.shared.define(functions)?;
        Ok((program, definitions))
    }

    /// Evaluates the pending parts of the catalog (the node, resources of defined types, collectors), and returns the
    /// catalog. More can be evaluated afterwards.
    ///
    /// ```
    /// # use puppetfn::eval::Runtime;
    /// let runtime = Runtime::builder().manifests().build();
    /// runtime.evaluate("define app($port) { file { \"/etc/${title}\": content => $port } } app { web: port => '80' }", None)?;
    /// let catalog = runtime.catalog()?;
    /// let file = catalog.resources().find(|resource| resource.type_name() == "File");
    /// assert_eq!(file.map(|file| file.title()), Some("/etc/web"));
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the evaluation does, if code relates, changes or realizes resources that are not declared, or if texts are
    /// scripts, which have no catalog.
    pub fn catalog(&self) -> Result<Draft, Error> {
        self.complete_catalog()?;
        Ok(self.with_catalog(Draft::clone))
    }

    /// Does the same without a copy of the catalog, which [`Runtime::with_catalog`] gives access to and [`Runtime::take_catalog`] takes.
    ///
    /// # Errors
    /// The same errors as [`Runtime::catalog`].
    pub fn complete_catalog(&self) -> Result<(), Error> {
        self.for_catalog(Machine::complete_catalog)
    }

    /// Does one step of [`Runtime::catalog`].
    ///
    /// # Errors
    /// The same errors as [`Runtime::catalog`].
    pub fn advance_catalog(&self, step: CatalogStep) -> Result<(), Error> {
        self.for_catalog(|machine| match step {
            CatalogStep::Node => machine.evaluate_node(),
            CatalogStep::Additions => machine.evaluate_additions(),
            CatalogStep::Validation => machine.validate_catalog(),
        })
    }

    /// Sets the debugger that observes the code that is compiled from now on, unless the runtime has one.
    pub fn set_debugger(&self, debugger: Arc<dyn Debugger>) {
        _ = self.shared.debugger.set(debugger);
    }

    /// Records from now on the origins of resources and parameters, for [`Runtime::why`].
    pub fn keep_origins(&self) {
        self.shared.compilation.lock().unwrap_or_else(PoisonError::into_inner).origins = Some(Box::default());
    }

    /// Returns the relationships of a resource and of its containers in the current catalog.
    ///
    /// # Errors
    /// Fails if there is no such resource.
    pub fn relations(&self, reference: &Reference) -> Result<Vec<ResourceRelation>, Error> {
        let compilation = self.shared.compilation.lock().unwrap_or_else(PoisonError::into_inner);
        compilation.catalog().relations_of(reference)
    }

    /// Sets the source of the resources that other nodes export. Without one, collectors of exported resources collect nothing,
    /// with a warning.
    pub fn set_exports(&self, source: Arc<dyn ExportSource>) {
        self.shared.compilation.lock().unwrap_or_else(PoisonError::into_inner).set_export_source(source);
    }

    /// Sets the source that answers the queries of functions to PuppetDB. Without one, `puppetdb_query` fails.
    pub fn set_query_source(&self, source: Arc<dyn QuerySource>) {
        self.shared.set_query_source(source);
    }

    /// Returns the source that answers the queries of functions to PuppetDB.
    pub fn query_source(&self) -> Option<Arc<dyn QuerySource>> {
        self.shared.query_source()
    }

    /// Finds out why a resource is in the catalog as it is now.
    ///
    /// ```
    /// # use puppetfn::catalog::{Reference, InclusionKind};
    /// # use puppetfn::eval::Runtime;
    /// let runtime = Runtime::builder().manifests().build();
    /// runtime.keep_origins();
    /// runtime.evaluate("class ntp { file { '/etc/ntp.conf': } } include ntp", Some("site.pp"))?;
    /// runtime.catalog()?;
    /// let why = runtime.why(&Reference::new("file", "/etc/ntp.conf"))?;
    /// assert_eq!(why.chain[0].reference.to_string(), "Class[Ntp]");
    /// assert_eq!(why.chain[0].inclusions[0].way, InclusionKind::Include);
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if there is no such resource, if [`Runtime::keep_origins`] was not called, or if data cannot be looked up.
    pub fn why(&self, reference: &Reference) -> Result<ResourceProvenance, Error> {
        let mut why = {
            let compilation = self.shared.compilation.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(origins) = &compilation.origins else {
                let message =
                    "where resources come from was not kept: call keep_origins before code is evaluated";
                return Err(Error::new(ErrorKind::Evaluation, message));
            };
            compilation.catalog().why(reference, origins)?
        };
        for (key, parameter) in why.of_data() {
            let key = Value::from(key);
            parameter.explanation = Some(self.explain_lookup(&LookupQuery::new(&key), false)?.text);
        }
        Ok(why)
    }

    fn for_catalog<T>(&self, run: impl FnOnce(&mut Machine) -> Result<T, Error>) -> Result<T, Error> {
        self.refuse_script()?;
        self.with_machine(run)
    }

    pub(super) fn refuse_script(&self) -> Result<(), Error> {
        if self.shared.is_script {
            return Err(Error::new(
                ErrorKind::Evaluation,
                "scripts make no catalog: build the runtime with `manifests`",
            ));
        }
        Ok(())
    }

    /// Looks at the catalog as it is now, for functions of the host that run while it is made. The
    /// runtime must not be used meanwhile.
    pub fn with_catalog<R>(&self, look: impl FnOnce(&Draft) -> R) -> R {
        look(self.shared.compilation.lock().unwrap_or_else(PoisonError::into_inner).catalog())
    }

    /// Takes the catalog out of a runtime that is no longer needed: nothing is declared in it any more.
    pub fn take_catalog(&self) -> Draft {
        self.shared.compilation.lock().unwrap_or_else(PoisonError::into_inner).take_catalog()
    }

    /// Returns the catalog's interface for functions of the host. They act for the code that has called them.
    pub fn compiler(&self) -> impl CatalogCompiler {
        LentCompiler(self)
    }

    /// Calls a function by its name. The block is a value that [`Runtime::call_block`] can call, or
    /// the host.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] when there is none of that name, and whatever it fails with.
    pub fn call(&self, name: &str, arguments: &[Value], block: Option<&Value>) -> Result<Value, Error> {
        self.with_machine(|machine| machine.call_named(name, arguments, block, None))
    }

    /// Returns the signatures of a function; `None` if there is no function of this name.
    ///
    /// # Errors
    /// Fails if the function cannot be loaded, or if a type in its signature cannot be resolved.
    pub fn signatures(&self, name: &str) -> Result<Option<Vec<Signature>>, Error> {
        self.with_machine(|machine| machine.signatures(name))
    }

    /// Defines a function, in place of any other of its name: one of Puppet's own, of a module, or one that
    /// a text has defined or will define.
    ///
    /// ```
    /// # use puppetfn::eval::Runtime;
    /// # use puppetfn::function::native;
    /// # use puppetfn::value::Value;
    /// let runtime = Runtime::new();
    /// runtime.define(native("answer").dispatch::<()>("() >> Integer", |_, ()| Ok(42.into())).build()?);
    /// assert_eq!(runtime.evaluate("answer() + 1", None)?, Value::from(43));
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    pub fn define(&self, function: Function) {
        self.shared.replace(Arc::new(function));
    }

    /// Returns true if a function of this name was defined, by a text or by [`Runtime::define`].
    pub fn defines(&self, name: &str) -> bool {
        self.shared.defined_function(name).is_some()
    }

    /// Returns the names of the functions in the Puppet language that texts have defined or files have provided so far.
    pub fn loaded_functions(&self) -> Vec<String> {
        self.shared.loaded_functions()
    }

    /// Calls a lambda that was passed to a function of the host, which must still be running.
    ///
    /// # Errors
    /// Whatever the lambda fails with; and when it can no longer be called.
    pub fn call_block(&self, block: &Value, arguments: &[Value]) -> Result<Value, Error> {
        if let Value::Callable(callable) = block
            && let CallTarget::Closure(closure) = &callable.target
        {
            return call_waiting(&self.shared, closure, arguments);
        }
        self.shared.host.call_block(block, arguments)
    }

    /// Takes the value of the `next` or `return` that such a lambda has ended with, while the error of that
    /// kind leaves the host's function.
    pub fn landed(&self, block: &Value) -> Value {
        if let Value::Callable(callable) = block
            && let CallTarget::Closure(closure) = &callable.target
        {
            return landed(&self.shared, closure);
        }
        Value::Undef
    }

    /// Evaluates an EPP template in the top scope, and returns the text.
    ///
    /// # Errors
    /// Fails if the text is not a template, if the arguments do not match its parameters, or if its evaluation fails.
    pub fn render(&self, template: &EppTemplate<'_>, arguments: Option<&Hash>) -> Result<Value, Error> {
        self.with_machine(|machine| {
            let result = machine.render(template, arguments, None);
            machine.landed_return(result)
        })
    }

    /// Explains how the result of a lookup is found, in Puppet's words; with `only_options`, how the options of
    /// its keys are found.
    ///
    /// # Errors
    /// Fails with the errors that are not about data. The explanation reports all others.
    pub fn explain_lookup(
        &self,
        query: &LookupQuery<'_>,
        only_options: bool,
    ) -> Result<LookupExplanation, Error> {
        self.with_machine(|machine| machine.explain_lookup(query, only_options))
    }

    pub(super) fn with_machine<R>(&self, run: impl FnOnce(&mut Machine) -> R) -> R {
        let _evaluation = StackBudget::begin(&self.shared.limits);
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let machine = idle().pop();
        let mut machine = machine.unwrap_or_else(|| Machine::new(&self.shared));
        machine.lookup = self.lookup();
        let result = run(&mut machine);
        self.shared.log_type_warnings();
        if machine.is_idle() {
            idle().push(machine);
        }
        result
    }

    /// Returns the lookup that the running function of the host was called for, or that [`Self::for_lookup`] was given.
    pub fn lookup(&self) -> Option<OngoingLookup> {
        self.shared.host_call().lookup
    }

    /// Lets a function of the host run that gives data for a lookup.
    pub fn for_lookup<R>(&self, lookup: OngoingLookup, run: impl FnOnce() -> R) -> R {
        let waiting = self.shared.host_call().waiting;
        let outer = self.shared.replace_host_call(HostCall { waiting, lookup: Some(lookup) });
        let result = run();
        self.shared.replace_host_call(outer);
        result
    }

    /// Forgets the functions that no text has defined, so that their next call looks them up again. Functions in files of the
    /// Puppet language are kept if `keep` says so. Running calls go on.
    pub fn forget_functions(&self, keep: impl Fn(&LoadedFunction<'_>) -> bool) {
        self.shared.forget_functions(keep);
    }

    /// Returns the known types, by their names.
    pub fn types(&self) -> &dyn TypeLookup {
        &self.shared.types
    }

    /// Returns the variable of the top scope, if it has a value.
    pub fn variable(&self, name: &str) -> Option<Value> {
        self.shared.variables.get(name).map(|variable| variable.value)
    }

    /// Returns the variables of the top scope that have values, without variables of classes.
    pub fn variables(&self) -> Vec<(Arc<str>, Value)> {
        let named = self.shared.variables.of_top().into_iter();
        named.map(|(name, variable)| (name, variable.value)).collect()
    }

    /// Begins to watch the types that code uses, for [`Self::unsteady_type`].
    pub fn watch_types(&self) {
        self.shared.types.watch();
    }

    /// Returns the name of a used type about which Puppet's answers depend on earlier checks: a type set, or an alias
    /// that [`Type::tangled_alias`](puppetfn_types::types::Type::tangled_alias) finds.
    pub fn unsteady_type(&self) -> Option<Arc<str>> {
        self.shared.types.unsteady_type()
    }

    /// Returns the positions of the calls in code that led to the running function of the host, innermost first. The
    /// file of code that is not from a file is `unknown`.
    pub fn caller_places(&self) -> Vec<SourceLocation> {
        caller_places(&self.shared)
    }

    /// Returns all variables of functions, lambdas, classes and nodes that the caller of the running function of the
    /// host sees, without variables of the top scope. A variable that shadows another one comes after it.
    pub fn caller_variables(&self) -> Vec<(Arc<str>, Value)> {
        caller_variables(&self.shared)
    }

    /// Returns true if the code that called the running function of the host is of a function or lambda, which have
    /// variables of their own.
    pub fn is_caller_local(&self) -> bool {
        is_caller_local(&self.shared)
    }

    /// Returns true if the code that called the running function of the host sees a variable of a function or lambda.
    pub fn has_caller_local(&self, name: &str) -> bool {
        has_caller_local(&self.shared, name)
    }

    /// Sets a variable in the scope of the code that called the running function of the host.
    ///
    /// # Errors
    /// Fails if it has a value there.
    pub fn set_caller_variable(&self, name: &str, value: Value) -> Result<(), Error> {
        set_caller_variable(&self.shared, name, value)
    }

    /// Notes that the host has changed the value of a variable in place, which the code that called the running function
    /// of the host sees. Whatever shares the value, or a part of it, changes with it: other variables, and parameters of
    /// resources.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when values nest too deep; otherwise the same errors as [`Self::caller_variable`].
    pub fn change_variable(&self, name: &str, value: &Value) -> Result<(), Error> {
        match self.caller_variable(name)?.or_else(|| self.variable(name)) {
            Some(old) => replace_changed(&self.shared, &old, value, &self.shared.limits),
            None => Ok(()),
        }
    }

    /// Notes that the host has changed a value in place. Whatever shares the value, or a part of it, changes with it:
    /// variables, and parameters of resources.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when values nest too deep.
    pub fn change_value(&self, old: &Value, new: &Value) -> Result<(), Error> {
        if old == new { Ok(()) } else { replace_changed(&self.shared, old, new, &self.shared.limits) }
    }

    /// Returns the number of the scope of the code that called the running function of the host. No other scope has
    /// it; 0 is the top scope.
    pub fn caller_scope(&self) -> u32 {
        self.shared.scope().number()
    }

    /// Returns a number that changes whenever the host runs another call, in whatever thread. As long as it is the
    /// same, the same code waits, and only functions of the host can have set variables.
    pub fn caller_number(&self) -> u64 {
        self.shared.host_call_number()
    }

    /// Returns true if the code that called the running function of the host is neither in a class, nor in
    /// a node or resource.
    pub fn is_at_top(&self) -> bool {
        self.shared.scope() == ScopeId::TOP
    }

    /// Makes a function of the host act in the top scope, whatever code has called it.
    pub fn at_top<R>(&self, run: impl FnOnce() -> R) -> R {
        in_scope(&self.shared, ScopeId::TOP, run)
    }

    /// Returns a variable that the caller of the running function of the host sees: a variable of a function, a lambda or
    /// a class, but not of the top scope.
    ///
    /// # Errors
    /// [`Signal::Unevaluated`](puppetfn_base::error::Signal::Unevaluated) for a parameter that has no value yet, as its default or the
    /// default of an earlier one is being evaluated.
    pub fn caller_variable(&self, name: &str) -> Result<Option<Value>, Error> {
        caller_variable(&self.shared, name)
    }

    /// Sets a variable of the top scope, `facts` for example.
    pub fn set_variable(&self, name: &str, value: Value) {
        self.shared.variables.set(name, value, None);
    }
}

impl Default for Runtime {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime").field("limits", &self.shared.limits).finish_non_exhaustive()
    }
}

impl FunctionLookup for &Registry {
    fn find(&self, name: &str, _: Option<&str>) -> Result<Option<FoundFunction>, Error> {
        Ok(self.get(name)?.cloned().map(FoundFunction::Function))
    }
}

/// A host without functions of its own, which collects logged messages. Clones share them.
#[derive(Clone, Default, Debug)]
pub struct Logs(Arc<Mutex<LoggedMessages>>);

/// A message of [`Logs`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedMessage {
    /// The level.
    pub level: LogLevel,
    /// The source, if code of a catalog logs: `Scope(Class[main])`.
    pub source: Option<String>,
    /// The text, without the source.
    pub text: String,
}

#[derive(Default, Debug)]
struct LoggedMessages {
    messages: Vec<LoggedMessage>,
    /// The keys of warnings that are not repeated.
    once: HashSet<String>,
}

impl Logs {
    /// Takes the messages since the last time.
    pub fn take(&self) -> Vec<(LogLevel, String)> {
        self.take_messages().into_iter().map(|message| (message.level, message.text)).collect()
    }

    /// Takes the messages since the last time, with their sources.
    pub fn take_messages(&self) -> Vec<LoggedMessage> {
        std::mem::take(&mut self.lock().messages)
    }

    fn add(&self, level: LogLevel, source: Option<&str>, text: &str) {
        let message = LoggedMessage { level, source: source.map(str::to_owned), text: text.to_owned() };
        self.lock().messages.push(message);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LoggedMessages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Logs {
    fn call_function(&self, _: &HostRef, _: &[Value], _: Option<&Value>) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::NotFound, "this program has no functions of its own"))
    }

    fn call_block(&self, _: &Value, _: &[Value]) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::NotFound, "this program has no blocks of its own"))
    }

    fn log(&self, level: LogLevel, message: &str) {
        self.add(level, None, message);
    }

    fn log_from(&self, source: &str, level: LogLevel, message: &str) {
        self.add(level, Some(source), message);
    }

    fn warn_once(&self, key: &str, message: &str) {
        let is_first = {
            let mut logged = self.lock();
            // As in Puppet, which keeps no more keys either.
            logged.once.len() < 100 && logged.once.insert(key.to_owned())
        };
        if is_first {
            self.log(LogLevel::Warning, message);
        }
    }
}
