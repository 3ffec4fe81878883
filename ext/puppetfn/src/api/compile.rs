//! Compiles the catalogs of one node or many, and compares catalogs.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RHash, RModule, Ruby, TryConvert, Value, function};
use puppetfn::value::Value as CoreValue;
use puppetfn_compile::{
    BatchRequest, CompileFailure, CompileOptions, Compiler, Configuration, FactSource, Folder, LogEntry,
    NodePlan, Observer, Request, RevisionComparison, Revisions, ServerFacts, merge,
};
use serde::de::DeserializeOwned;

use super::compiler::{RubyCompiler, library};
use super::target;
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::{guarded, to_ruby};
use crate::ruby::limits;
use crate::ruby::raw::unlocked;

/// A class for failures whose cause is not an error of code.
#[derive(Clone, Copy)]
enum FailureClass {
    /// `ArgumentError`.
    Argument,
    /// `Puppetfn::OperationError`.
    Error,
}

/// Cancels the work when its Ruby thread is interrupted. Log entries are dropped: the report or the summary has the outcome of each node.
struct InterruptObserver<'a>(&'a AtomicBool);

impl Observer for InterruptObserver<'_> {
    fn log(&mut self, _entry: LogEntry) {}

    fn poll(&mut self) -> Result<(), puppetfn_compile::FleetFailure> {
        match self.0.load(Ordering::Relaxed) {
            true => Err(puppetfn_compile::FleetFailure::new("it was interrupted")),
            false => Ok(()),
        }
    }
}

fn parsed<T: DeserializeOwned>(ruby: &Ruby, json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|error| {
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        Error::new(ruby.exception_arg_error(), message.to_owned())
    })
}

fn failed(ruby: &Ruby, failure: CompileFailure, refusal: FailureClass) -> Error {
    match failure {
        CompileFailure::Error(error) => to_ruby(ruby, &error),
        CompileFailure::Setting { .. } | CompileFailure::Classifier(_) | CompileFailure::Io(_) => {
            let class = match refusal {
                FailureClass::Argument => ruby.exception_arg_error(),
                FailureClass::Error => error_class(ruby),
            };
            Error::new(class, failure.to_string())
        }
    }
}

fn error_class(ruby: &Ruby) -> magnus::ExceptionClass {
    let found = library(ruby).and_then(|library| library.const_get("OperationError"));
    found.unwrap_or_else(|_| ruby.exception_standard_error())
}

/// Returns the command of worker processes.
fn worker(ruby: &Ruby) -> Result<Command, Error> {
    RubyCompiler::new(ruby).worker().map_err(|error| to_ruby(ruby, &error))
}

/// @yard
/// @def compile_node(configuration, node, facts)
/// @api private
/// @param configuration [String] JSON of the fields of a `puppetfn_compile::Configuration`
/// @param node [String]
/// @param facts [Hash, String, nil] the facts, or the file that has them
/// @return [Runtime] that has compiled the catalog
fn compile_node(ruby: &Ruby, configuration: String, node: String, facts: Value) -> Result<Value, Error> {
    guarded(ruby, || {
        let configuration: Configuration = parsed(ruby, &configuration)?;
        let facts = if facts.is_nil() {
            FactSource::None
        } else if RHash::from_value(facts).is_some() {
            let CoreValue::Hash(facts) = to_value(ruby, facts)? else {
                return Err(Error::new(
                    ruby.exception_arg_error(),
                    "facts: expected a Hash with plain values",
                ));
            };
            FactSource::Values((*facts).clone())
        } else {
            FactSource::File(PathBuf::try_convert(facts)?)
        };
        let mut log = Vec::new();
        let plan = configuration.checked_plan(&node, &facts, &mut log);
        let NodePlan { options, request, .. } =
            plan.map_err(|failure| failed(ruby, failure, FailureClass::Argument))?;
        // The limits of one compilation do not apply to the rest of the process.
        let before = limits::current();
        let compiled = compile(ruby, &options, &request, &log);
        limits::replace(before);
        compiled
    })
}

/// Compiles a catalog, and returns the runtime that has it. Its log begins with these entries.
fn compile(
    ruby: &Ruby,
    options: &CompileOptions,
    request: &Request,
    log: &[LogEntry],
) -> Result<Value, Error> {
    let compiler = RubyCompiler::new(ruby);
    let (runtime, _) = compiler.runtime_for(options, request)?;
    let logs: Value = runtime.funcall("logs", ())?;
    for entry in log {
        logs.funcall::<_, _, Value>("add", (ruby.to_symbol(entry.level.name()), &*entry.text()))?;
    }
    compiler.make_catalog(runtime, request)?;
    Ok(runtime)
}

/// @yard
/// @def compile_nodes(request)
/// @api private
/// @param request [String] JSON of the fields of a `puppetfn_compile::BatchRequest`
/// @return [void]
fn compile_nodes(ruby: &Ruby, request: String) -> Result<(), Error> {
    guarded(ruby, || {
        let request: BatchRequest = parsed(ruby, &request)?;
        let worker = worker(ruby)?;
        let compiled = unlocked(ruby, |is_interrupted| {
            request.compile(&worker, &mut InterruptObserver(is_interrupted))
        })?;
        compiled.map(drop).map_err(|failure| failed(ruby, failure, FailureClass::Argument))
    })
}

/// @yard
/// @def merge(directory)
/// @api private
/// @param directory [String]
/// @return [String] JSON
fn merged(ruby: &Ruby, directory: PathBuf) -> Result<String, Error> {
    guarded(ruby, || {
        let folder = Folder::open(directory)
            .map_err(|failure| Error::new(ruby.exception_arg_error(), failure.to_string()))?;
        let summary = merge(&folder).map_err(|failure| Error::new(error_class(ruby), failure.to_string()))?;
        Ok(summary.to_json().to_string())
    })
}

/// @yard
/// @def compare(revisions)
/// @api private
/// @param revisions [String] JSON of the fields of a `puppetfn_compile::Revisions`
/// @return [String] the report, as JSON
fn compare(ruby: &Ruby, revisions: String) -> Result<String, Error> {
    guarded(ruby, || {
        let revisions: Revisions = parsed(ruby, &revisions)?;
        let worker = worker(ruby)?;
        let report = unlocked(ruby, |is_interrupted| {
            let report = RevisionComparison::new(revisions, &worker, &mut InterruptObserver(is_interrupted))?
                .report()?;
            let mut json = Vec::new();
            puppetfn_diff::render::json(&report, &mut json)?;
            Ok(String::from_utf8_lossy(&json).into_owned())
        })?;
        report.map_err(|failure| failed(ruby, failure, FailureClass::Error))
    })
}

/// @yard
/// @def server_facts(environment, target)
/// @api private
/// @param environment [String] its name
/// @param target [String] the name of the server's release
/// @return [Hash{String=>String}] the value of `$server_facts`
fn server_facts(ruby: &Ruby, environment: String, target: String) -> Result<Value, Error> {
    guarded(ruby, || {
        let facts = ServerFacts::default().of_environment(&environment, target::named(ruby, &target)?);
        to_object(ruby, &CoreValue::Hash(facts.into()))
    })
}

/// Defines the module.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    let nodes = puppetfn.define_module("Nodes")?;
    nodes.define_singleton_method("compile_node", function!(compile_node, 3))?;
    nodes.define_singleton_method("compile_nodes", function!(compile_nodes, 1))?;
    nodes.define_singleton_method("merge", function!(merged, 1))?;
    nodes.define_singleton_method("compare", function!(compare, 1))?;
    nodes.define_singleton_method("server_facts", function!(server_facts, 2))
}
