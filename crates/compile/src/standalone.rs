//! The compiler without Ruby.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::host::HostRef;
use puppetfn_base::snapshot::Snapshot;
use puppetfn_catalog::Reference;
use puppetfn_check::Inference;
use puppetfn_runtime::eval::{Logs, Runtime, RuntimeBuilder};
use puppetfn_runtime::loader::Loader;
use puppetfn_types::function::{self, LogLevel, LookupExplanation};
use puppetfn_types::value::Value;

use crate::{
    CallOutcome, CompileOptions, CompileResult, Explained, INTERRUPTED, LogEntry, LookupRequest, Request,
    Session,
};

/// The compiler with Puppet's own functions and the modules' functions in the Puppet language. Functions in Ruby fail.
#[derive(Clone, Copy, Debug)]
pub struct StandaloneCompiler;

/// Host of a runtime: collects log messages, and may let functions run programs.
#[derive(Clone, Default)]
struct StandaloneHost {
    logs: Logs,
    /// Whether warnings about code end with their place.
    names_places: bool,
    may_execute: bool,
    /// A flag that ends the evaluation once it is set.
    interrupt: Option<Arc<AtomicBool>>,
}

impl function::Host for StandaloneHost {
    fn call_function(
        &self,
        function: &HostRef,
        given: &[Value],
        block: Option<&Value>,
    ) -> Result<Value, Error> {
        self.logs.call_function(function, given, block)
    }

    fn call_block(&self, block: &Value, arguments: &[Value]) -> Result<Value, Error> {
        self.logs.call_block(block, arguments)
    }

    fn log(&self, level: LogLevel, message: &str) {
        self.logs.log(level, message);
    }

    fn log_from(&self, source: &str, level: LogLevel, message: &str) {
        self.logs.log_from(source, level, message);
    }

    fn log_issue(&self, level: LogLevel, issue: &str, message: &str, place: &SourceLocation) {
        if self.names_places {
            self.logs.log(level, &format!("{message} {place}"));
        } else {
            self.logs.log_issue(level, issue, message, place);
        }
    }

    fn warn_once(&self, key: &str, message: &str) {
        self.logs.warn_once(key, message);
    }

    fn may_execute(&self) -> bool {
        self.may_execute
    }

    fn poll(&self) -> Result<(), Error> {
        match &self.interrupt {
            Some(flag) if flag.swap(false, Ordering::Relaxed) => {
                Err(Error::new(ErrorKind::Limit, INTERRUPTED))
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// Compiles a catalog, where no function or resource type in Ruby is used.
pub(crate) fn compile(options: &CompileOptions, request: &Request) -> CompileResult {
    let (runtime, logs) = runtime_for(options, request, None);
    let result = runtime.make_catalog(&request.main, &request.classes).map(|()| runtime.take_catalog());
    let result = result.map_err(|error| error.on_node(&request.node));
    CompileResult { result, automatic: Vec::new(), log: LogEntry::of_messages(logs.take_messages()) }
}

/// Does the same, and finds out why a resource is in the catalog.
pub(crate) fn why(options: &CompileOptions, request: &Request, resource: &Reference) -> Explained {
    let (runtime, logs) = runtime_for(options, request, None);
    runtime.keep_origins();
    let compiled = runtime.make_catalog(&request.main, &request.classes);
    let result = compiled.map_err(|error| error.on_node(&request.node)).and_then(|_| runtime.why(resource));
    Explained { result, automatic: Vec::new(), log: LogEntry::of_messages(logs.take_messages()) }
}

/// Returns a runtime for a catalog, and its log.
fn runtime_for(
    options: &CompileOptions,
    request: &Request,
    interrupt: Option<Arc<AtomicBool>>,
) -> (Runtime, Logs) {
    let may_execute = options.may_execute;
    let host = StandaloneHost { names_places: true, may_execute, interrupt, ..StandaloneHost::default() };
    let logs = host.logs.clone();
    let files = request.files.as_ref().map_or_else(|| options.file_system(), Snapshot::files);
    let loader = Arc::new(options.loader_in(files));
    let builder = builder(options, &loader).host(host);
    let runtime = builder
        .manifests()
        .modules(loader)
        .node(&*request.node)
        .environment(options.environment_name())
        .server_facts(request.server_facts.clone())
        .build();
    if let Some(exports) = &request.exports {
        runtime.set_exports(Arc::clone(exports));
    }
    if let Some(queries) = &request.queries {
        runtime.set_query_source(Arc::clone(queries));
    }
    for (name, value) in request.variables.iter() {
        if let Value::String(name) = name {
            runtime.set_variable(name, value.clone());
        }
    }
    (runtime, logs)
}

/// A session without Ruby.
struct StandaloneSession<'s> {
    runtime: Runtime,
    logs: Logs,
    request: &'s Request,
    interrupt: Option<Arc<AtomicBool>>,
}

impl StandaloneSession<'_> {
    /// Forgets an interrupt that came before an evaluation.
    fn ready(&self) {
        if let Some(interrupt) = &self.interrupt {
            interrupt.store(false, Ordering::Relaxed);
        }
    }
}

/// Returns the error of an interrupt without the calls that it ended, which are in its message; other errors as they are.
fn without_calls(error: Error) -> Error {
    if error.message().ends_with(INTERRUPTED) { Error::new(ErrorKind::Limit, INTERRUPTED) } else { error }
}

impl Session for StandaloneSession<'_> {
    fn compile(&mut self) -> Result<(), Error> {
        self.ready();
        let request = self.request;
        let made = self.runtime.make_catalog(&request.main, &request.classes);
        made.map_err(|error| without_calls(error).on_node(&request.node))
    }

    fn run(&mut self, work: &mut dyn FnMut(&Runtime) -> Result<(), Error>) -> Result<(), Error> {
        self.ready();
        work(&self.runtime).map_err(without_calls)
    }

    fn take_log(&mut self) -> Vec<LogEntry> {
        LogEntry::of_messages(self.logs.take_messages())
    }
}

impl StandaloneCompiler {
    /// Runs a session, whose evaluations end with an error once a flag is set. The next evaluation resets the flag.
    pub fn run_session(
        options: &CompileOptions,
        request: &Request,
        interrupt: Option<Arc<AtomicBool>>,
        work: &mut dyn FnMut(&mut dyn Session),
    ) {
        let (runtime, logs) = runtime_for(options, request, interrupt.clone());
        work(&mut StandaloneSession { runtime, logs, request, interrupt });
    }
}

/// Returns the command line of this program, without arguments.
pub(crate) fn program() -> Result<process::Command, Error> {
    let program = std::env::current_exe().map_err(|error| {
        Error::new(ErrorKind::Load, format!("cannot start another process of this program: {error}"))
    })?;
    Ok(process::Command::new(program))
}

impl CompileOptions {
    /// Returns a runtime with the types and facts of these options, for code without a catalog, and its log.
    pub fn runtime(&self) -> (Runtime, Logs) {
        let host = StandaloneHost { may_execute: self.may_execute, ..StandaloneHost::default() };
        let logs = host.logs.clone();
        let runtime = builder(self, &Arc::new(self.loader())).host(host).build();
        (runtime, logs)
    }
}

fn builder(options: &CompileOptions, loader: &Arc<Loader>) -> RuntimeBuilder {
    let loader = Arc::clone(loader);
    let hiera = options.hiera(Arc::clone(&loader) as Arc<_>);
    Runtime::builder()
        .data(Arc::new(hiera))
        .functions(Arc::clone(&loader))
        .files(Arc::clone(&loader) as Arc<_>)
        .inference(Inference::new(Arc::clone(&loader), options.limits))
        .types(loader)
        .limits(options.limits)
        .facts(options.facts.clone())
        .trusted(options.trusted.clone())
        .settings(options.settings.clone())
        .strict(options.strict)
        .strict_variables(options.strict_variables)
        .debugger(puppetfn_dap::debuggee(&options.limits))
}

/// Looks up data without data providers in Ruby.
pub(crate) fn look_up(options: &CompileOptions, question: &LookupRequest) -> CallOutcome {
    let (runtime, logs) = runtime_of_question(options, question);
    let result = runtime.and_then(|runtime| runtime.call("lookup", &[question.arguments()], None));
    CallOutcome { result, log: LogEntry::of_messages(logs.take_messages()) }
}

/// Explains a lookup without data providers in Ruby.
pub(crate) fn explain_lookup(
    options: &CompileOptions,
    question: &LookupRequest,
) -> CallOutcome<LookupExplanation> {
    let (runtime, logs) = runtime_of_question(options, question);
    let explain = |runtime: Runtime| runtime.explain_lookup(&question.query(), question.only_options);
    CallOutcome { result: runtime.and_then(explain), log: LogEntry::of_messages(logs.take_messages()) }
}

/// Returns the runtime for a lookup, in which the catalog is compiled.
fn runtime_of_question(options: &CompileOptions, question: &LookupRequest) -> (Result<Runtime, Error>, Logs) {
    let request = &question.catalog;
    let (runtime, logs) = runtime_for(options, request, None);
    let made = runtime.make_catalog(&request.main, &request.classes);
    (made.map_err(|error| error.on_node(&request.node)).map(|_| runtime), logs)
}
