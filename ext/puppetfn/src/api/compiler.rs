//! The compiler that runs Ruby: a `Puppetfn::Runtime` for each catalog.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use magnus::error::ErrorType;
use magnus::value::ReprValue;
use magnus::{
    Error, Exception, IntoValue, KwArgs, Module, RArray, RClass, RHash, RModule, Ruby, Symbol, TryConvert,
    Value, kwargs,
};
use puppetfn::catalog::{Draft, Reference};
use puppetfn::error::{Error as CoreError, ErrorExplanation};
use puppetfn::eval::{Manifest, NodeClass, Runtime as CoreRuntime};
use puppetfn::function::{LogLevel, LookupExplanation};
use puppetfn::value::{Hash, Value as CoreValue};
use puppetfn_compile::{
    Automatic, CallOutcome, CompileOptions, CompileResult, Compiler, Explained, LogEntry, LookupRequest,
    Request, Session,
};

use super::evaluator::Evaluator;
use super::runtime::RuntimeActivation;
use super::snapshot;
use super::{limits, session};
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::{of_code, to_core};
use crate::ruby::raw::{TypedRef, class_ancestry, with_elements};

/// The kinds of relationships that a resource type adds.
const AUTOMATIC: [&str; 4] = ["autorequire", "autosubscribe", "autobefore", "autonotify"];

/// Ruby's `Puppetfn::Runtime`, which compiles.
pub struct RubyCompiler<'a> {
    pub ruby: &'a Ruby,
}

impl<'a> RubyCompiler<'a> {
    /// Returns the compiler that uses this Ruby.
    pub fn new(ruby: &'a Ruby) -> Self {
        Self { ruby }
    }

    pub fn runtime(&self, options: &CompileOptions) -> Result<Value, Error> {
        self.runtime_with(options, self.ruby.hash_new())
    }

    /// Returns a runtime with further settings.
    pub fn runtime_with(&self, options: &CompileOptions, settings: RHash) -> Result<Value, Error> {
        let ruby = self.ruby;
        limits::replace(options.limits);
        let text = |path: &Path| ruby.str_new(&path.to_string_lossy());
        let modulepath = ruby.ary_from_iter(options.modulepath.iter().map(|path| text(path)));
        let environment = options.environment.as_deref().map(text);
        let name = kwargs!("name" => options.environment_name.as_deref());
        let environment: Value =
            class(ruby, "Environment")?.funcall("new", (environment, modulepath, name))?;
        let set = |name: &str, value: Value| settings.aset(ruby.to_symbol(name), value);
        set("environment", environment)?;
        set("hiera_config", options.hiera_config.as_deref().map(text).into_value_with(ruby))?;
        set("facts", self.hash(&options.facts)?)?;
        set("trusted", self.hash(&options.trusted)?)?;
        set("strict", ruby.to_symbol(options.strict.name()).as_value())?;
        set("ruby", options.ruby.into_value_with(ruby))?;
        set("outside_files", options.outside_files.into_value_with(ruby))?;
        set("secrets", (!options.hides_secrets).into_value_with(ruby))?;
        set("strict_variables", options.strict_variables.into_value_with(ruby))?;
        let allowed = options.may_execute.then(|| ruby.to_symbol("exec"));
        set("allow", ruby.ary_from_iter(allowed).as_value())?;
        set("settings", self.puppet_settings(options)?.as_value())?;
        class(ruby, "Runtime")?.funcall("new", (KwArgs(settings),))
    }

    /// Returns the settings of Puppet's that somebody has set, by their names in Ruby.
    fn puppet_settings(&self, options: &CompileOptions) -> Result<RHash, Error> {
        let set = self.ruby.hash_new();
        for (name, value) in options.settings.iter() {
            if let CoreValue::String(name) = name {
                set.aset(self.ruby.to_symbol(&**name), to_object(self.ruby, value)?)?;
            }
        }
        Ok(set)
    }

    fn hash(&self, hash: &Hash) -> Result<Value, Error> {
        to_object(self.ruby, &CoreValue::Hash(Arc::new(hash.clone())))
    }

    /// Returns a runtime for a catalog, which logs to a list of messages.
    pub fn runtime_for(&self, options: &CompileOptions, request: &Request) -> Result<(Value, RArray), Error> {
        let ruby = self.ruby;
        let further = ruby.hash_new();
        let set = |name: &str, value: Value| further.aset(ruby.to_symbol(name), value);
        set("node", ruby.str_new(&request.node).as_value())?;
        set("variables", self.hash(&request.variables)?)?;
        set("server_facts", self.hash(&request.server_facts)?)?;
        if request.files.is_some() {
            library(ruby)?.const_get::<_, RModule>("Snapshot")?.funcall::<_, _, Value>("watch", ())?;
        }
        snapshot::replace(request.files.clone());
        let (runtime, messages) = (self.runtime_with(options, further)?, ruby.ary_new());
        if let Some(exports) = &request.exports {
            let evaluator: Value = runtime.funcall("evaluator", ())?;
            self.evaluator(&evaluator)?.with_core(|core| core.set_exports(Arc::clone(exports)))?;
        }
        if let Some(queries) = &request.queries {
            let evaluator: Value = runtime.funcall("evaluator", ())?;
            self.evaluator(&evaluator)?.with_core(|core| core.set_query_source(Arc::clone(queries)))?;
        }
        let destinations: RArray = runtime.funcall::<_, _, Value>("logs", ())?.funcall("destinations", ())?;
        destinations.push(messages)?;
        Ok((runtime, messages))
    }

    /// Compiles a catalog, which stays in the runtime.
    pub fn make_catalog(&self, runtime: Value, request: &Request) -> Result<(), Error> {
        let ruby = self.ruby;
        let manifests = ruby.ary_new();
        for Manifest { text, file } in &request.main {
            let file = file.as_deref().map(|file| ruby.str_new(file));
            manifests.push(ruby.ary_from_iter([Some(ruby.str_new(text)), file]))?;
        }
        let classes = ruby.ary_new();
        for NodeClass { name, parameters } in &request.classes {
            let given = ruby.hash_new();
            for (name, value) in parameters {
                given.aset(&**name, to_object(ruby, value)?)?;
            }
            classes.push((&**name, given))?;
        }
        // The command reports the error.
        let log = kwargs!("log" => false);
        runtime.funcall::<_, _, Value>("compile_manifests", (manifests, classes, log)).map(drop)
    }

    /// Takes the catalog out of a runtime.
    fn take_catalog(&self, runtime: Value) -> Result<Draft, Error> {
        let evaluator: Value = runtime.funcall("evaluator", ())?;
        self.evaluator(&evaluator)?.with_core(CoreRuntime::take_catalog)
    }

    /// Returns the relationships that resource types add, or a warning with the error: a type may refuse resources that compile.
    fn automatic(&self, runtime: Value) -> (Vec<Automatic>, Option<LogEntry>) {
        let found = || -> Result<Vec<Automatic>, Error> {
            let compiler: Value = runtime.funcall("compiler", ())?;
            let catalog: Value = compiler.funcall::<_, _, Value>("catalog", ())?.funcall("to_ral", ())?;
            let graph: Value = catalog.funcall("relationship_graph", ())?;
            let mut found = Vec::new();
            for entry in graph.funcall::<_, _, RArray>("automatic", ())? {
                let (first, second, kind) = <(Value, Value, Symbol)>::try_convert(entry)?;
                let reference = |end: Value| -> Result<Option<Reference>, Error> {
                    Ok(Reference::parse(&end.funcall::<_, _, String>("ref", ())?))
                };
                let kind = AUTOMATIC.into_iter().find(|known| kind.name().is_ok_and(|kind| kind == *known));
                if let (Some(first), Some(second), Some(kind)) = (reference(first)?, reference(second)?, kind)
                {
                    found.push(Automatic { first, second, kind });
                }
            }
            Ok(found)
        };
        match found() {
            Ok(found) => (found, None),
            Err(error) => {
                let message =
                    format!("What types relate by themselves is not known: {}", self.carried(&error));
                (Vec::new(), Some(LogEntry::new(LogLevel::Warning, message)))
            }
        }
    }

    /// Carries an exception through the core. An exception about a missing library names the code that needs it.
    pub fn carried(&self, error: &Error) -> CoreError {
        let carried = to_core(self.ruby, error);
        let ErrorType::Exception(exception) = error.error_type() else { return carried };
        let carried = match self.is_named(*exception) {
            true => {
                let class = class_ancestry(exception.as_value()).into_iter().next().unwrap_or_default();
                carried.reworded(|message| format!("{class}: {message}"))
            }
            false => carried,
        };
        let explain = || {
            let missing_library: RModule = library(self.ruby)?.const_get("MissingLibrary")?;
            missing_library.funcall::<_, _, Option<String>>("explain", (*exception,))
        };
        match explain() {
            Ok(Some(explanation)) => carried.explained(ErrorExplanation::new(explanation)),
            Ok(None) => carried,
            Err(error) => to_core(self.ruby, &error),
        }
    }

    /// Returns true if the message starts with the exception's class, for example `SecurityError`: exceptions that are neither
    /// StandardError, ScriptError nor SystemStackError.
    fn is_named(&self, exception: Exception) -> bool {
        let told = [
            self.ruby.exception_standard_error(),
            self.ruby.exception_script_error(),
            self.ruby.exception_sys_stack_error(),
        ];
        !told.iter().any(|class| exception.is_kind_of(*class))
    }

    /// Answers a question in a runtime in which its catalog was compiled.
    fn answer<T>(
        &self,
        options: &CompileOptions,
        question: &LookupRequest,
        find: impl FnOnce(Value) -> Result<T, Error>,
    ) -> CallOutcome<T> {
        let request = &question.catalog;
        let (runtime, messages) = match self.runtime_for(options, request) {
            Ok(made) => made,
            Err(error) => return CallOutcome { result: Err(self.carried(&error)), log: Vec::new() },
        };
        let result = self.make_catalog(runtime, request).and_then(|()| find(runtime));
        let result = result.map_err(|error| self.carried(&error));
        let log: Result<Vec<_>, _> =
            messages.into_iter().map(|message| sourced(self.ruby, message)).collect();
        match log {
            Ok(log) => CallOutcome { result, log },
            Err(error) => CallOutcome { result: result.and(Err(self.carried(&error))), log: Vec::new() },
        }
    }

    /// Calls a method of a runtime, and converts the result and the log from Ruby.
    pub fn outcome(
        &self,
        runtime: Result<Value, Error>,
        call: impl FnOnce(Value) -> Result<CoreValue, Error>,
    ) -> CallOutcome {
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => return CallOutcome { result: Err(self.carried(&error)), log: Vec::new() },
        };
        let result = call(runtime).map_err(|error| self.carried(&error));
        match log(self.ruby, runtime) {
            Ok(log) => CallOutcome { result, log },
            Err(error) => CallOutcome { result: result.and(Err(self.carried(&error))), log: Vec::new() },
        }
    }

    pub fn evaluator<'e>(&self, evaluator: &'e Value) -> Result<&'e Evaluator, Error> {
        let missing = || Error::new(self.ruby.exception_type_error(), "a runtime without its evaluator");
        Evaluator::of(evaluator).ok_or_else(missing)
    }

    pub fn result(&self, runtime: Value, name: &str, arguments: &[CoreValue]) -> Result<CoreValue, Error> {
        let list = self.ruby.ary_new_capa(arguments.len() + 1);
        list.push(name)?;
        arguments.iter().try_for_each(|argument| list.push(to_object(self.ruby, argument)?))?;
        let result: Value = with_elements(list, |list| runtime.funcall("call_function", list))?;
        to_value(self.ruby, result)
    }
}

impl Compiler for RubyCompiler<'_> {
    fn session(
        &mut self,
        options: &CompileOptions,
        request: &Request,
        work: &mut dyn FnMut(&mut dyn Session),
    ) -> Result<(), CoreError> {
        session::run(self, options, request, work)
    }

    fn look_up(&mut self, options: &CompileOptions, question: &LookupRequest) -> CallOutcome {
        self.answer(options, question, |runtime| self.result(runtime, "lookup", &[question.arguments()]))
    }

    fn explain_lookup(
        &mut self,
        options: &CompileOptions,
        question: &LookupRequest,
    ) -> CallOutcome<LookupExplanation> {
        self.answer(options, question, |runtime| {
            let _activation = RuntimeActivation::begin(self.ruby, runtime)?;
            let evaluator: Value = runtime.funcall("evaluator", ())?;
            let explain = |core: &CoreRuntime| core.explain_lookup(&question.query(), question.only_options);
            let explained = self.evaluator(&evaluator)?.with_core(explain)?;
            explained.map_err(|error| of_code(self.ruby, &error))
        })
    }

    fn compile(&mut self, options: &CompileOptions, request: &Request) -> CompileResult {
        let carried = |error| self.carried(&error);
        let (runtime, messages) = match self.runtime_for(options, request) {
            Ok(made) => made,
            Err(error) => {
                return CompileResult { result: Err(carried(error)), automatic: Vec::new(), log: Vec::new() };
            }
        };
        let made = self.make_catalog(runtime, request);
        let is_wanted = request.automatic && options.ruby && made.is_ok();
        let (automatic, problem) = if is_wanted { self.automatic(runtime) } else { Default::default() };
        let result = made.and_then(|()| self.take_catalog(runtime)).map_err(carried);
        match messages.into_iter().map(|message| sourced(self.ruby, message)).collect::<Result<Vec<_>, _>>() {
            Ok(mut log) => {
                log.extend(problem);
                CompileResult { result, automatic, log }
            }
            Err(error) => {
                CompileResult { result: result.and(Err(carried(error))), automatic, log: Vec::new() }
            }
        }
    }

    fn why(&mut self, options: &CompileOptions, request: &Request, resource: &Reference) -> Explained {
        let carried = |error| self.carried(&error);
        let (runtime, messages) = match self.runtime_for(options, request) {
            Ok(made) => made,
            Err(error) => {
                return Explained { result: Err(carried(error)), automatic: Vec::new(), log: Vec::new() };
            }
        };
        let why = || {
            let evaluator: Value = runtime.funcall("evaluator", ())?;
            self.evaluator(&evaluator)?.with_core(CoreRuntime::keep_origins)?;
            self.make_catalog(runtime, request)?;
            let _activation = RuntimeActivation::begin(self.ruby, runtime)?;
            let why = self.evaluator(&evaluator)?.with_core(|core| core.why(resource))?;
            why.map_err(|error| of_code(self.ruby, &error))
        };
        let result = why().map_err(carried);
        let (automatic, problem) =
            if options.ruby && result.is_ok() { self.automatic(runtime) } else { Default::default() };
        match messages.into_iter().map(|message| sourced(self.ruby, message)).collect::<Result<Vec<_>, _>>() {
            Ok(mut log) => {
                log.extend(problem);
                Explained { result, automatic, log }
            }
            Err(error) => {
                Explained { result: result.and(Err(self.carried(&error))), automatic, log: Vec::new() }
            }
        }
    }

    fn program(&self) -> Result<Command, CoreError> {
        let words = || -> Result<Vec<String>, Error> {
            library(self.ruby)?.const_get::<_, RModule>("CLI")?.funcall("command", ())
        };
        let words = words().map_err(|error| to_core(self.ruby, &error))?;
        let mut words = words.into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        Ok(command)
    }
}

/// Returns a class of the library.
pub fn class(ruby: &Ruby, name: &str) -> Result<RClass, Error> {
    library(ruby)?.const_get(name)
}

pub fn library(ruby: &Ruby) -> Result<RModule, Error> {
    ruby.class_object().const_get("Puppetfn")
}

/// Returns the log of a runtime.
fn log(ruby: &Ruby, runtime: Value) -> Result<Vec<LogEntry>, Error> {
    let log: RArray = runtime.funcall::<_, _, Value>("logs", ())?.funcall("to_a", ())?;
    let entry = |entry: Value| {
        let (level, message) = <(Symbol, String)>::try_convert(entry)?;
        Ok(LogEntry::new(level_of(ruby, level)?, message))
    };
    log.into_iter().map(entry).collect()
}

/// Returns a log entry with its source.
pub fn sourced(ruby: &Ruby, message: Value) -> Result<LogEntry, Error> {
    let level = level_of(ruby, message.funcall("level", ())?)?;
    let text: String = message.funcall("to_s", ())?;
    let source: Option<String> = message.funcall("source", ())?;
    Ok(LogEntry { source, ..LogEntry::new(level, text) })
}

fn level_of(ruby: &Ruby, level: Symbol) -> Result<LogLevel, Error> {
    let level = level.name()?;
    let unknown = || Error::new(ruby.exception_arg_error(), format!("unknown log level {level}"));
    LogLevel::named(&level).ok_or_else(unknown)
}
