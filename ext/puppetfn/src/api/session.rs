//! Sessions of `puppetfn console` with Ruby.

use magnus::value::ReprValue;
use magnus::{Error, RArray, Value};
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::eval::Runtime as CoreRuntime;
use puppetfn::function::LogLevel;
use puppetfn_compile::{CompileOptions, INTERRUPTED, LogEntry, Request, Session};

use super::compiler::{RubyCompiler, sourced};
use super::runtime::RuntimeActivation;
use crate::ruby::error::{of_code, to_core};

/// A `Puppetfn::Runtime` that evaluates one text after the other. Its objects are on the machine stack of [`run`].
struct RubySession<'s> {
    compiler: &'s RubyCompiler<'s>,
    request: &'s Request,
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

    fn carried(&self, error: &Error) -> CoreError {
        if error.is_kind_of(self.compiler.ruby.exception_interrupt()) {
            CoreError::new(ErrorKind::Limit, INTERRUPTED)
        } else {
            self.compiler.carried(error)
        }
    }
}

impl Session for RubySession<'_> {
    fn compile(&mut self) -> Result<(), CoreError> {
        self.compiler.make_catalog(self.runtime, self.request).map_err(|error| self.carried(&error))
    }

    fn run(&mut self, work: &mut dyn FnMut(&CoreRuntime) -> Result<(), CoreError>) -> Result<(), CoreError> {
        self.use_runtime(work).map_err(|error| self.carried(&error))
    }

    fn take_log(&mut self) -> Vec<LogEntry> {
        let entries = self.messages.into_iter().map(|message| {
            sourced(self.compiler.ruby, message).unwrap_or_else(|error| {
                let error = self.carried(&error);
                LogEntry::new(LogLevel::Err, format!("a log message cannot be read: {error}"))
            })
        });
        let entries = entries.collect();
        // An array of this library's own is never frozen.
        let _ = self.messages.clear();
        entries
    }
}

/// Runs a session.
pub fn run(
    compiler: &RubyCompiler<'_>,
    options: &CompileOptions,
    request: &Request,
    work: &mut dyn FnMut(&mut dyn Session),
) -> Result<(), CoreError> {
    let made = compiler.runtime_for(options, request);
    let (runtime, messages) = made.map_err(|error| to_core(compiler.ruby, &error))?;
    work(&mut RubySession { compiler, request, runtime, messages });
    Ok(())
}
