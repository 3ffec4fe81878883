//! `Puppetfn::CLI`: the command line, with Ruby as its host.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use magnus::error::ErrorType;
use magnus::scan_args::{get_kwargs, scan_args};
use magnus::value::ReprValue;
use magnus::{
    Error, ExceptionClass, IntoValue, KwArgs, Module, Object, RArray, RClass, RHash, RModule, Ruby, Symbol,
    TryConvert, Value, function, kwargs,
};
use puppetfn::catalog::{Catalog, Reference};
use puppetfn::doc::{ReadRuby, RubyFile};
use puppetfn::error::{Error as CoreError, Explanation};
use puppetfn::eval::{Manifest, NodeClass, Runtime as CoreRuntime};
use puppetfn::function::{LogLevel, LookupExplanation};
use puppetfn::types::Type;
use puppetfn::value::{Hash, Value as CoreValue};
use puppetfn_cli::{
    Automatic, Compiled, Explained, Listed, LogEntry, Options, Outcome, Question, Request, Terminals, shown,
};

use super::doc::RubyReader;
use super::evaluator::Evaluator;
use super::limits;
use super::runtime::Activation;
use super::snapshot;
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::{guarded, of_code, to_core};
use crate::ruby::raw::{TypedRef, with_elements};
use crate::ruby::wrapped::RubyType;

/// @yard
/// @def run(arguments, out: $stdout, err: $stderr)
/// Does what the arguments of the command say.
/// @param arguments [Array<String>] without the name of the program
/// @param out [IO] where results go
/// @param err [IO] where complaints go
/// @return [Integer] the exit code
fn run(ruby: &Ruby, arguments: &[Value]) -> Result<i32, Error> {
    guarded(ruby, || {
        let arguments = scan_args::<(Vec<PathBuf>,), (), (), (), _, ()>(arguments)?;
        let streams = get_kwargs::<_, (), (Option<Value>, Option<Value>), ()>(
            arguments.keywords,
            &[],
            &["out", "err"],
        )?;
        let (out, err) = streams.optional;
        let mut out = BufWriter::new(Stream { ruby, io: stream(ruby, out, "$stdout")? });
        let mut err = Stream { ruby, io: stream(ruby, err, "$stderr")? };
        let terminals = terminals(ruby, out.get_ref().io, err.io)?;

        let program = OsString::from("puppetfn");
        let arguments = arguments.required.0.into_iter().map(PathBuf::into_os_string);
        let before = limits::current();
        let code = puppetfn_cli::run(
            std::iter::once(program).chain(arguments),
            &mut Host { ruby, terminals },
            &mut out,
            &mut err,
        );
        limits::replace(before);
        Ok(code)
    })
}

fn stream(ruby: &Ruby, given: Option<Value>, global: &str) -> Result<Value, Error> {
    given.map_or_else(|| ruby.eval(global), Ok)
}

/// Returns which streams are those of the process, and terminals.
fn terminals(ruby: &Ruby, out: Value, err: Value) -> Result<Terminals, Error> {
    let is = |stream: Value, own: &str| stream.equal(ruby.eval::<Value>(own)?);
    let of_process = Terminals::of_process();
    Ok(Terminals { out: of_process.out && is(out, "STDOUT")?, err: of_process.err && is(err, "STDERR")? })
}

/// As what a type relates resources by itself.
const AUTOMATIC: [&str; 4] = ["autorequire", "autosubscribe", "autobefore", "autonotify"];

/// A Ruby IO, or what writes as one.
struct Stream<'a> {
    ruby: &'a Ruby,
    io: Value,
}

impl Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let written = self.io.funcall::<_, _, Value>("write", (text.as_ref(),));
        written.map(|_| bytes.len()).map_err(|error| io_error(self.ruby, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.io.funcall::<_, _, Value>("flush", ());
        flushed.map(|_| ()).map_err(|error| io_error(self.ruby, &error))
    }
}

fn io_error(ruby: &Ruby, error: &Error) -> io::Error {
    let broken_pipe: Result<ExceptionClass, _> =
        ruby.class_object().const_get::<_, RModule>("Errno").and_then(|errno| errno.const_get("EPIPE"));
    match broken_pipe {
        Ok(class) if error.is_kind_of(class) => io::ErrorKind::BrokenPipe.into(),
        _ => io::Error::other(error.to_string()),
    }
}

/// Ruby's `Puppetfn::Runtime`, as the command line sees it.
struct Host<'a> {
    ruby: &'a Ruby,
    terminals: Terminals,
}

impl Host<'_> {
    fn runtime(&self, options: &Options) -> Result<Value, Error> {
        self.runtime_with(options, self.ruby.hash_new())
    }

    /// Returns a runtime with further settings.
    fn runtime_with(&self, options: &Options, settings: RHash) -> Result<Value, Error> {
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
    fn puppet_settings(&self, options: &Options) -> Result<RHash, Error> {
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
    fn runtime_for(&self, options: &Options, request: &Request) -> Result<(Value, RArray), Error> {
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
        let destinations: RArray = runtime.funcall::<_, _, Value>("logs", ())?.funcall("destinations", ())?;
        destinations.push(messages)?;
        Ok((runtime, messages))
    }

    /// Compiles a catalog, which stays in the runtime.
    fn make_catalog(&self, runtime: Value, request: &Request) -> Result<(), Error> {
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
        // The command tells the error.
        let log = kwargs!("log" => false);
        runtime.funcall::<_, _, Value>("compile_manifests", (manifests, classes, log)).map(drop)
    }

    /// Takes the catalog out of a runtime.
    fn take_catalog(&self, runtime: Value) -> Result<Catalog, Error> {
        let evaluator: Value = runtime.funcall("evaluator", ())?;
        self.evaluator(&evaluator)?.with_core(CoreRuntime::take_catalog)
    }

    /// Returns what types relate by themselves, or what is to be said of why that is not known: not all that compiles is what its type
    /// takes.
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

    /// Carries an exception through the core. One about a library that is not there tells who needs it.
    fn carried(&self, error: &Error) -> CoreError {
        let carried = to_core(self.ruby, error);
        let ErrorType::Exception(exception) = error.error_type() else { return carried };
        let explain = || {
            let missing_library: RModule = library(self.ruby)?.const_get("MissingLibrary")?;
            missing_library.funcall::<_, _, Option<String>>("explain", (*exception,))
        };
        match explain() {
            Ok(Some(explanation)) => carried.explained(Explanation::new(explanation)),
            Ok(None) => carried,
            Err(error) => to_core(self.ruby, &error),
        }
    }

    /// Answers a question in a runtime in which its catalog was compiled.
    fn answer<T>(
        &self,
        options: &Options,
        question: &Question,
        find: impl FnOnce(Value) -> Result<T, Error>,
    ) -> Outcome<T> {
        let request = &question.catalog;
        let (runtime, messages) = match self.runtime_for(options, request) {
            Ok(made) => made,
            Err(error) => return Outcome { result: Err(self.carried(&error)), log: Vec::new() },
        };
        let result = self.make_catalog(runtime, request).and_then(|()| find(runtime));
        let result = result.map_err(|error| self.carried(&error));
        let log: Result<Vec<_>, _> =
            messages.into_iter().map(|message| sourced(self.ruby, message)).collect();
        match log {
            Ok(log) => Outcome { result, log },
            Err(error) => Outcome { result: result.and(Err(self.carried(&error))), log: Vec::new() },
        }
    }

    /// Calls something of a runtime, and takes the result and what was logged out of Ruby.
    fn outcome(
        &self,
        runtime: Result<Value, Error>,
        call: impl FnOnce(Value) -> Result<CoreValue, Error>,
    ) -> Outcome {
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => return Outcome { result: Err(self.carried(&error)), log: Vec::new() },
        };
        let result = call(runtime).map_err(|error| self.carried(&error));
        match log(self.ruby, runtime) {
            Ok(log) => Outcome { result, log },
            Err(error) => Outcome { result: result.and(Err(self.carried(&error))), log: Vec::new() },
        }
    }

    fn evaluator<'e>(&self, evaluator: &'e Value) -> Result<&'e Evaluator, Error> {
        let missing = || Error::new(self.ruby.exception_type_error(), "a runtime without its evaluator");
        Evaluator::of(evaluator).ok_or_else(missing)
    }

    fn result(&self, runtime: Value, name: &str, arguments: &[CoreValue]) -> Result<CoreValue, Error> {
        let list = self.ruby.ary_new_capa(arguments.len() + 1);
        list.push(name)?;
        arguments.iter().try_for_each(|argument| list.push(to_object(self.ruby, argument)?))?;
        let result: Value = with_elements(list, |list| runtime.funcall("call_function", list))?;
        to_value(self.ruby, result)
    }

    /// Returns what is found out about each of the names that are wanted.
    fn listed<T>(
        &self,
        names: Result<Vec<String>, Error>,
        wanted: &dyn Fn(&str) -> bool,
        find: impl Fn(&str) -> Result<T, Error>,
    ) -> Result<Vec<Listed<T>>, CoreError> {
        let names = names.map_err(|error| to_core(self.ruby, &error))?;
        let wanted = names.into_iter().filter(|name| wanted(name));
        let found = |name: &str| find(name).map_err(|error| self.carried(&error));
        Ok(wanted.map(|name| Listed { found: found(&name), name }).collect())
    }
}

impl ReadRuby for Host<'_> {
    fn read_ruby(&mut self, path: &Path, text: &str) -> Result<RubyFile, CoreError> {
        RubyReader(self.ruby).read_ruby(path, text)
    }

    fn read_ruby_files(&mut self, files: &[(PathBuf, String)]) -> Vec<Result<RubyFile, CoreError>> {
        RubyReader(self.ruby).read_ruby_files(files)
    }

    fn read_ruby_as_strings(&mut self, path: &Path, text: &str) -> Result<RubyFile, CoreError> {
        RubyReader(self.ruby).read_ruby_as_strings(path, text)
    }
}

impl puppetfn_cli::Compiler for Host<'_> {
    fn look_up(&mut self, options: &Options, question: &Question) -> Outcome {
        self.answer(options, question, |runtime| self.result(runtime, "lookup", &[question.arguments()]))
    }

    fn explain_lookup(&mut self, options: &Options, question: &Question) -> Outcome<LookupExplanation> {
        self.answer(options, question, |runtime| {
            let _activation = Activation::begin(self.ruby, runtime)?;
            let evaluator: Value = runtime.funcall("evaluator", ())?;
            let explain = |core: &CoreRuntime| core.explain_lookup(&question.query(), question.only_options);
            let explained = self.evaluator(&evaluator)?.with_core(explain)?;
            explained.map_err(|error| of_code(self.ruby, &error))
        })
    }

    fn compile(&mut self, options: &Options, request: &Request) -> Compiled {
        let carried = |error| self.carried(&error);
        let (runtime, messages) = match self.runtime_for(options, request) {
            Ok(made) => made,
            Err(error) => {
                return Compiled { result: Err(carried(error)), automatic: Vec::new(), log: Vec::new() };
            }
        };
        let made = self.make_catalog(runtime, request);
        let is_wanted = request.automatic && options.ruby && made.is_ok();
        let (automatic, problem) = if is_wanted { self.automatic(runtime) } else { Default::default() };
        let result = made.and_then(|()| self.take_catalog(runtime)).map_err(carried);
        match messages.into_iter().map(|message| sourced(self.ruby, message)).collect::<Result<Vec<_>, _>>() {
            Ok(mut log) => {
                log.extend(problem);
                Compiled { result, automatic, log }
            }
            Err(error) => Compiled { result: result.and(Err(carried(error))), automatic, log: Vec::new() },
        }
    }

    fn why(&mut self, options: &Options, request: &Request, resource: &Reference) -> Explained {
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
            let _activation = Activation::begin(self.ruby, runtime)?;
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

    fn worker(&self) -> Result<Command, CoreError> {
        let words = || -> Result<Vec<String>, Error> {
            library(self.ruby)?.const_get::<_, RModule>("CLI")?.funcall("command", ())
        };
        let words = words().map_err(|error| to_core(self.ruby, &error))?;
        let mut words = words.into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).arg("worker");
        Ok(command)
    }
}

impl puppetfn_cli::Host for Host<'_> {
    fn call(&mut self, options: &Options, name: &str, arguments: &[CoreValue]) -> Outcome {
        self.outcome(self.runtime(options), |runtime| self.result(runtime, name, arguments))
    }

    fn evaluate(&mut self, options: &Options, code: &str) -> Outcome {
        // Code is a script, which declares no resources.
        let settings = self.ruby.hash_new();
        let script = settings.aset(self.ruby.to_symbol("node"), self.ruby.qnil());
        self.outcome(script.and_then(|()| self.runtime_with(options, settings)), |runtime| {
            let _activation = Activation::begin(self.ruby, runtime)?;
            let evaluator: Value = runtime.funcall("evaluator", ())?;
            let evaluated = self.evaluator(&evaluator)?.with_core(|core| core.evaluate(code, None))?;
            evaluated.map_err(|error| of_code(self.ruby, &error))
        })
    }

    fn terminals(&self) -> Terminals {
        self.terminals
    }

    fn functions(
        &mut self,
        options: &Options,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Listed<Vec<String>>>, CoreError> {
        let runtime = self.runtime(options).map_err(|error| to_core(self.ruby, &error))?;
        self.listed(runtime.funcall("list_functions", ()), wanted, |name| {
            let function: Value = runtime.funcall("function_signature", (name,))?;
            let signatures: RArray = function.funcall("signatures", ())?;
            signatures.into_iter().map(|signature| signature.funcall("to_s", ())).collect()
        })
    }

    fn types(
        &mut self,
        options: &Options,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Listed<String>>, CoreError> {
        let runtime = self.runtime(options).map_err(|error| to_core(self.ruby, &error))?;
        let names =
            runtime.funcall::<_, _, Value>("loader", ()).and_then(|loader| loader.funcall("type_names", ()));
        self.listed(names, wanted, |name| Ok(definition(runtime.funcall("parse_type", (name,))?)))
    }
}

/// Returns the type that an alias stands for.
fn definition(alias: Value) -> String {
    match RubyType::of(&alias) {
        Some(RubyType(Type::Alias(alias))) => {
            alias.with_target(|target| target.map_or_else(|| alias.name().to_string(), Type::to_string))
        }
        Some(RubyType(t)) => shown(t),
        None => alias.to_string(),
    }
}

/// Returns a class of the library.
fn class(ruby: &Ruby, name: &str) -> Result<RClass, Error> {
    library(ruby)?.const_get(name)
}

fn library(ruby: &Ruby) -> Result<RModule, Error> {
    ruby.class_object().const_get("Puppetfn")
}

/// Returns what was logged in a runtime.
fn log(ruby: &Ruby, runtime: Value) -> Result<Vec<LogEntry>, Error> {
    let log: RArray = runtime.funcall::<_, _, Value>("logs", ())?.funcall("to_a", ())?;
    let entry = |entry: Value| {
        let (level, message) = <(Symbol, String)>::try_convert(entry)?;
        Ok(LogEntry::new(level_of(ruby, level)?, message))
    };
    log.into_iter().map(entry).collect()
}

/// Returns a message that was logged, with what it is from.
fn sourced(ruby: &Ruby, message: Value) -> Result<LogEntry, Error> {
    let level = level_of(ruby, message.funcall("level", ())?)?;
    let text: String = message.funcall("to_s", ())?;
    let source: Option<String> = message.funcall("source", ())?;
    Ok(LogEntry::new(level, source.map_or_else(|| text.clone(), |source| format!("{source}: {text}"))))
}

fn level_of(ruby: &Ruby, level: Symbol) -> Result<LogLevel, Error> {
    let level = level.name()?;
    let unknown = || Error::new(ruby.exception_arg_error(), format!("unknown log level {level}"));
    LogLevel::named(&level).ok_or_else(unknown)
}

/// Defines the module.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    puppetfn.define_module("CLI")?.define_singleton_method("run", function!(run, -1))
}
