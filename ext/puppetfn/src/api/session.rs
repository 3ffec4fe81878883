//! Sessions of `puppetfn console` with Ruby.

use magnus::value::ReprValue;
use magnus::{Error, RArray, Value};
use puppetfn::error::Error as CoreError;
use puppetfn::eval::Runtime as CoreRuntime;
use puppetfn_compile::{LogEntry, Request, Session, SessionRequest};

use super::compiler::{RubyCompiler, sourced};
use super::runtime::RuntimeActivation;
use crate::ruby::error::{of_code, to_core};

/// A `Puppetfn::Runtime` that evaluates one text after the other. Its objects are on the machine stack of [`run`].
struct RubySession<'s> {
    compiler: &'s RubyCompiler<'s>,
    runtime: Value,
    messages: RArray,
}

impl RubySession<'_> {
    fn use_runtime(&self, work: &mut dyn FnMut(&CoreRuntime) -> Result<(), CoreError>) -> Result<(), Error> {
        let ruby = self.compiler.ruby;
        let _activation = RuntimeActivation::begin(ruby, self.runtime)?;
        let evaluator: Value = self.runtime.funcall("evaluator", ())?;
        let evaluator = self.compiler.evaluator(&evaluator)?;
        evaluator.settle_loans(ruby)?;
        evaluator.with_core(|core| work(core))?.map_err(|error| of_code(ruby, &error))
    }
}

impl Session for RubySession<'_> {
    fn compile(&mut self, request: &Request) -> Result<(), CoreError> {
        self.compiler.make_catalog(self.runtime, request).map_err(|error| self.compiler.carried(&error))
    }

    fn run(&mut self, work: &mut dyn FnMut(&CoreRuntime) -> Result<(), CoreError>) -> Result<(), CoreError> {
        self.use_runtime(work).map_err(|error| self.compiler.carried(&error))
    }

    fn take_log(&mut self) -> Vec<LogEntry> {
        let entries =
            self.messages.into_iter().filter_map(|message| sourced(self.compiler.ruby, message).ok());
        let entries = entries.collect();
        // An array of this library's own is never frozen.
        let _ = self.messages.clear();
        entries
    }
}

/// Runs a session.
pub fn run(
    compiler: &RubyCompiler<'_>,
    request: SessionRequest<'_>,
    work: &mut dyn FnMut(&mut dyn Session),
) -> Result<(), CoreError> {
    let made = match request.catalog {
        Some(catalog) => compiler.runtime_for(request.options, catalog),
        None => script_runtime(compiler, request),
    };
    let (runtime, messages) = made.map_err(|error| to_core(compiler.ruby, &error))?;
    work(&mut RubySession { compiler, runtime, messages });
    Ok(())
}

/// Returns a runtime for scripts, which logs to a list of messages.
fn script_runtime(
    compiler: &RubyCompiler<'_>,
    request: SessionRequest<'_>,
) -> Result<(Value, RArray), Error> {
    let ruby = compiler.ruby;
    let settings = ruby.hash_new();
    settings.aset(ruby.to_symbol("node"), ruby.qnil())?;
    let (runtime, messages) = (compiler.runtime_with(request.options, settings)?, ruby.ary_new());
    let destinations: RArray = runtime.funcall::<_, _, Value>("logs", ())?.funcall("destinations", ())?;
    destinations.push(messages)?;
    Ok((runtime, messages))
}
