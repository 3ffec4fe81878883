//! `Puppetfn::CLI`: the command line, with Ruby as its host.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use magnus::scan_args::{get_kwargs, scan_args};
use magnus::value::ReprValue;
use magnus::{Error, ExceptionClass, Module, Object, RArray, RModule, Ruby, Value, function};
use puppetfn::catalog::Reference;
use puppetfn::doc::{ReadRuby, RubyFile};
use puppetfn::error::Error as CoreError;
use puppetfn::function::LookupExplanation;
use puppetfn::types::Type;
use puppetfn::value::Value as CoreValue;
use puppetfn_cli::{
    CallOutcome, CompileOptions, CompileResult, Compiler, Explained, ListedDefinition, LookupRequest,
    Request, Session, Terminals, shown,
};

use super::compiler::RubyCompiler;
use super::doc::RubyReader;
use super::limits;
use super::runtime::RuntimeActivation;
use crate::ruby::error::{guarded, of_code, to_core};
use crate::ruby::raw::{TypedRef, enable_collection_later};
use crate::ruby::wrapped::RubyType;

/// @yard
/// @def run(arguments, out: $stdout, err: $stderr)
/// Runs the command with these arguments.
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
        let mut out = BufWriter::new(RubyStream { ruby, io: stream(ruby, out, "$stdout")? });
        let mut err = RubyStream { ruby, io: stream(ruby, err, "$stderr")? };
        let terminals = terminals(ruby, out.get_ref().io, err.io)?;

        let program = OsString::from("puppetfn");
        let arguments = arguments.required.0.into_iter().map(PathBuf::into_os_string);
        let before = limits::current();
        let code = puppetfn_cli::run(
            std::iter::once(program).chain(arguments),
            &mut CliHost { compiler: RubyCompiler::new(ruby), terminals },
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

/// Returns whether the streams are the process's own, and terminals.
fn terminals(ruby: &Ruby, out: Value, err: Value) -> Result<Terminals, Error> {
    let is = |stream: Value, own: &str| stream.equal(ruby.eval::<Value>(own)?);
    let of_process = Terminals::of_process();
    Ok(Terminals { out: of_process.out && is(out, "STDOUT")?, err: of_process.err && is(err, "STDERR")? })
}

/// A Ruby IO, or an object that writes like one.
struct RubyStream<'a> {
    ruby: &'a Ruby,
    io: Value,
}

impl Write for RubyStream<'_> {
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

/// Ruby, as the command line sees it.
struct CliHost<'a> {
    compiler: RubyCompiler<'a>,
    terminals: Terminals,
}

impl CliHost<'_> {
    /// Returns the result of `find` for each of the wanted names.
    fn listed<T>(
        &self,
        names: Result<Vec<String>, Error>,
        wanted: &dyn Fn(&str) -> bool,
        find: impl Fn(&str) -> Result<T, Error>,
    ) -> Result<Vec<ListedDefinition<T>>, CoreError> {
        let names = names.map_err(|error| to_core(self.compiler.ruby, &error))?;
        let wanted = names.into_iter().filter(|name| wanted(name));
        let found = |name: &str| find(name).map_err(|error| self.compiler.carried(&error));
        Ok(wanted.map(|name| ListedDefinition { found: found(&name), name }).collect())
    }
}

impl Compiler for CliHost<'_> {
    fn compile(&mut self, options: &CompileOptions, request: &Request) -> CompileResult {
        self.compiler.compile(options, request)
    }

    fn why(&mut self, options: &CompileOptions, request: &Request, resource: &Reference) -> Explained {
        self.compiler.why(options, request, resource)
    }

    fn look_up(&mut self, options: &CompileOptions, question: &LookupRequest) -> CallOutcome {
        self.compiler.look_up(options, question)
    }

    fn explain_lookup(
        &mut self,
        options: &CompileOptions,
        question: &LookupRequest,
    ) -> CallOutcome<LookupExplanation> {
        self.compiler.explain_lookup(options, question)
    }

    fn session(
        &mut self,
        options: &CompileOptions,
        request: &Request,
        work: &mut dyn FnMut(&mut dyn Session),
    ) -> Result<(), CoreError> {
        self.compiler.session(options, request, work)
    }

    fn program(&self) -> Result<Command, CoreError> {
        self.compiler.program()
    }
}

impl ReadRuby for CliHost<'_> {
    fn read_ruby(&mut self, path: &Path, text: &str) -> Result<RubyFile, CoreError> {
        RubyReader(self.compiler.ruby).read_ruby(path, text)
    }

    fn read_ruby_files(&mut self, files: &[(PathBuf, String)]) -> Vec<Result<RubyFile, CoreError>> {
        RubyReader(self.compiler.ruby).read_ruby_files(files)
    }

    fn read_ruby_as_strings(&mut self, path: &Path, text: &str) -> Result<RubyFile, CoreError> {
        RubyReader(self.compiler.ruby).read_ruby_as_strings(path, text)
    }
}

impl puppetfn_cli::CommandHost for CliHost<'_> {
    fn call(&mut self, options: &CompileOptions, name: &str, arguments: &[CoreValue]) -> CallOutcome {
        self.compiler
            .outcome(self.compiler.runtime(options), |runtime| self.compiler.result(runtime, name, arguments))
    }

    fn evaluate(&mut self, options: &CompileOptions, code: &str) -> CallOutcome {
        // Code is a script, which declares no resources.
        let settings = self.compiler.ruby.hash_new();
        let script = settings.aset(self.compiler.ruby.to_symbol("node"), self.compiler.ruby.qnil());
        self.compiler.outcome(
            script.and_then(|()| self.compiler.runtime_with(options, settings)),
            |runtime| {
                let _activation = RuntimeActivation::begin(self.compiler.ruby, runtime)?;
                let evaluator: Value = runtime.funcall("evaluator", ())?;
                let evaluated =
                    self.compiler.evaluator(&evaluator)?.with_core(|core| core.evaluate(code, None))?;
                evaluated.map_err(|error| of_code(self.compiler.ruby, &error))
            },
        )
    }

    fn terminals(&self) -> Terminals {
        self.terminals
    }

    fn functions(
        &mut self,
        options: &CompileOptions,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<ListedDefinition<Vec<String>>>, CoreError> {
        let runtime = self.compiler.runtime(options).map_err(|error| to_core(self.compiler.ruby, &error))?;
        self.listed(runtime.funcall("list_functions", ()), wanted, |name| {
            let function: Value = runtime.funcall("function_signature", (name,))?;
            let signatures: RArray = function.funcall("signatures", ())?;
            signatures.into_iter().map(|signature| signature.funcall("to_s", ())).collect()
        })
    }

    fn types(
        &mut self,
        options: &CompileOptions,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<ListedDefinition<String>>, CoreError> {
        let runtime = self.compiler.runtime(options).map_err(|error| to_core(self.compiler.ruby, &error))?;
        let names =
            runtime.funcall::<_, _, Value>("loader", ()).and_then(|loader| loader.funcall("type_names", ()));
        self.listed(names, wanted, |name| Ok(definition(runtime.funcall("parse_type", (name,))?)))
    }
}

/// Returns the text of an alias's type.
fn definition(alias: Value) -> String {
    match RubyType::of(&alias) {
        Some(RubyType(Type::Alias(alias))) => {
            alias.with_target(|target| target.map_or_else(|| alias.name().to_string(), Type::to_string))
        }
        Some(RubyType(t)) => shown(t),
        None => alias.to_string(),
    }
}

/// @yard
/// @def enable_collection_later
/// Enables Ruby's garbage collection, which is disabled, as soon as some ten thousand objects or several megabytes were allocated:
/// most commands end before.
/// @api private
/// @return [void]
fn enable_later(ruby: &Ruby) {
    enable_collection_later(ruby);
}

/// Defines the module.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    let module = puppetfn.define_module("CLI")?;
    module.define_singleton_method("run", function!(run, -1))?;
    module.define_singleton_method("enable_collection_later", function!(enable_later, 0))
}
