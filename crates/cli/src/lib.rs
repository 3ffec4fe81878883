//! The command line, for every program that can run functions.
//!
//! [`run`] takes the arguments, does what they say through a [`Host`] and returns the exit code:
//! 0 when all is well, 1 when a function failed or cannot be loaded, or a text has errors or cannot be read, 2 when the
//! arguments are wrong. `diff` has octocatalog-diff's codes: 2 when catalogs differ, and 1 also when the arguments are wrong.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod advice;
mod args;
mod call;
mod check;
mod compile;
mod data;
mod diff;
mod doc;
mod eval;
mod fleet;
mod fmt;
mod generate;
pub mod graph;
mod list;
mod lookup;
mod lsp;
mod model;
mod parse;
mod report;
mod settings;
mod sources;
mod standalone;
mod terminals;
mod validate;
mod why;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;
use std::sync::Arc;

use clap::Parser;

use args::{Arguments, Command};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
pub use puppetfn_base::snapshot;
use puppetfn_base::snapshot::Snapshot;
use puppetfn_catalog::{Catalog, Reference, ResourceRelation, Why};
use puppetfn_doc::ReadRuby;
use puppetfn_runtime::eval::{Manifest, NodeClass};
use puppetfn_types::function::{Fallback, LogLevel, LookupExplanation, Query};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Hash, Value};
pub use standalone::{Standalone, shown};
pub use terminals::Terminals;

/// The program that finds and runs functions.
pub trait Host: ReadRuby {
    /// Calls a function by name.
    fn call(&mut self, options: &Options, name: &str, arguments: &[Value]) -> Outcome;

    /// Looks up data.
    fn look_up(&mut self, options: &Options, question: &Question) -> Outcome {
        standalone::look_up(options, question)
    }

    /// Explains how the result of a lookup is found. Only errors that are not about data are errors.
    fn explain_lookup(&mut self, options: &Options, question: &Question) -> Outcome<LookupExplanation> {
        standalone::explain_lookup(options, question)
    }

    /// Compiles the catalog of a node.
    fn compile(&mut self, options: &Options, request: &Request) -> Compiled {
        standalone::compile(options, request)
    }

    /// Compiles the catalog of a node, and finds out why a resource is in it.
    fn why(&mut self, options: &Options, request: &Request, resource: &Reference) -> Explained {
        standalone::why(options, request, resource)
    }

    /// Evaluates Puppet code, with Puppet's own functions and the types of modules where the program
    /// does not say otherwise.
    fn evaluate(&mut self, options: &Options, code: &str) -> Outcome {
        eval::evaluate(options, code)
    }

    /// Returns what starts this program again, in a process that reads standard input.
    ///
    /// # Errors
    /// When that is not known.
    fn command(&self) -> Result<process::Command, Error> {
        standalone::command()
    }

    /// Returns which of the outputs are terminals.
    fn terminals(&self) -> Terminals {
        Terminals::default()
    }

    /// Returns the functions whose names are wanted, with their signatures as text.
    ///
    /// # Errors
    /// When the functions cannot be found. One that cannot be loaded has its own error.
    fn functions(
        &mut self,
        options: &Options,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Listed<Vec<String>>>, Error>;

    /// Returns the type aliases whose names are wanted, with the types that they stand for as text.
    ///
    /// # Errors
    /// When the type aliases cannot be found. One that cannot be loaded has its own error.
    fn types(
        &mut self,
        options: &Options,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Listed<String>>, Error>;
}

/// Where functions are found, and what they can know.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Directories with modules, in order of preference.
    pub modulepath: Vec<PathBuf>,
    /// The directory of an environment.
    pub environment: Option<PathBuf>,
    /// What the environment is called, where that is not the name of its directory.
    pub environment_name: Option<String>,
    /// The `hiera.yaml` of the global layer of data.
    pub hiera_config: Option<PathBuf>,
    /// The facts by name.
    pub facts: Hash,
    /// How much may be used.
    pub limits: Limits,
    /// What is certain of the node: `$trusted`.
    pub trusted: Hash,
    /// How code that is probably a mistake is treated.
    pub strict: Strict,
    /// Whether the use of a variable without a value is an error in any case.
    pub strict_variables: bool,
    /// Whether Ruby of modules and the environment is run, where the host can.
    pub ruby: bool,
    /// Whether other files may be read than those of modules, of the environment and beside [`Self::hiera_config`].
    pub outside_files: bool,
    /// Whether functions may run programs.
    pub may_execute: bool,
    /// Whether placeholders stand for encrypted data.
    pub hides_secrets: bool,
    /// The settings of Puppet's that somebody has set.
    pub settings: Hash,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            modulepath: Vec::new(),
            environment: None,
            environment_name: None,
            hiera_config: None,
            facts: Hash::default(),
            limits: Limits::DEFAULT,
            trusted: Hash::default(),
            ruby: true,
            outside_files: true,
            may_execute: false,
            hides_secrets: false,
            settings: Hash::default(),
            strict: Strict::default(),
            strict_variables: true,
        }
    }
}

/// A lookup of data.
#[derive(Clone, Debug)]
pub struct Question {
    /// The key, or an array of keys.
    pub name: Value,
    /// How values are merged, if that is said.
    pub merge: Option<Value>,
    /// The type that the value has to be of.
    pub value_type: Option<Type>,
    /// The value where no key has one.
    pub default: Option<Value>,
    /// Whether only the options of the keys are explained.
    pub only_options: bool,
    /// The catalog that is compiled first, whose variables the data sees; one without code where only the node counts.
    pub catalog: Request,
}

impl Question {
    /// Returns the query.
    pub fn query(&self) -> Query<'_> {
        Query {
            merge: self.merge.as_ref(),
            value_type: self.value_type.as_ref(),
            fallback: self.default.as_ref().map_or(Fallback::None, Fallback::Value),
            ..Query::new(&self.name)
        }
    }

    /// Returns the arguments of the function `lookup`.
    pub fn arguments(&self) -> Value {
        let value_type = self.value_type.clone().map(Value::from);
        [
            ("name", Some(&self.name)),
            ("merge", self.merge.as_ref()),
            ("value_type", value_type.as_ref()),
            ("default_value", self.default.as_ref()),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name.into(), value?.clone())))
        .collect()
    }
}

/// What a catalog is compiled for, and of what besides modules and data.
#[derive(Clone, Debug)]
pub struct Request {
    /// The name of the node.
    pub node: String,
    /// The files of the main manifest.
    pub main: Vec<Manifest>,
    /// The classes that the classifier of the node names.
    pub classes: Vec<NodeClass>,
    /// Variables of the top scope, besides facts.
    pub variables: Hash,
    /// What is known of the server: `$server_facts`.
    pub server_facts: Hash,
    /// Whether it is wanted what resource types relate by themselves, where the host can say.
    pub automatic: bool,
    /// The files of modules and of the environment, where these are not read anew: [`Options::file_system`] as it was.
    pub files: Option<Arc<Snapshot>>,
}

/// What came of a compilation.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The catalog, or why there is none: the error says for which node.
    pub result: Result<Catalog, Error>,
    /// What types relate by themselves, if that was wanted and the host can say.
    pub automatic: Vec<Automatic>,
    /// What was logged on the way, each message with what it is from.
    pub log: Vec<(LogLevel, String)>,
}

/// That a resource comes before another one because the type of one of them says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automatic {
    /// What comes first.
    pub first: Reference,
    /// What comes after it.
    pub second: Reference,
    /// `autorequire`, `autosubscribe`, `autobefore` or `autonotify`.
    pub kind: &'static str,
}

impl Automatic {
    /// Returns the resource whose type says so.
    fn said_by(&self) -> &Reference {
        if matches!(self.kind, "autobefore" | "autonotify") { &self.first } else { &self.second }
    }

    /// Returns true if the second is told when the first changes.
    fn notifies(&self) -> bool {
        matches!(self.kind, "autosubscribe" | "autonotify")
    }

    /// Returns what it is to one of the two.
    fn relation(&self, of: &Reference) -> Option<ResourceRelation> {
        let is_before = self.second == *of;
        let other = if is_before { &self.first } else { &self.second };
        (is_before || self.first == *of).then(|| ResourceRelation {
            of: of.clone(),
            other: other.clone(),
            is_before,
            notifies: self.notifies(),
            said_by: (self.said_by().clone(), self.kind),
            place: None,
        })
    }
}

/// What was found out about a resource.
#[derive(Clone, Debug)]
pub struct Explained {
    /// Why it is in the catalog, or why that is not known: the error says for which node.
    pub result: Result<Why, Error>,
    /// What types relate by themselves.
    pub automatic: Vec<Automatic>,
    /// What was logged on the way, each message with what it is from.
    pub log: Vec<(LogLevel, String)>,
}

/// Outcome of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome<T = Value> {
    /// What the function returned, or why it failed.
    pub result: Result<T, Error>,
    /// What was logged on the way.
    pub log: Vec<(LogLevel, String)>,
}

/// A function or type alias by name, and what could be found out about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed<T> {
    /// The full name.
    pub name: String,
    /// What is known of it, or why it cannot be loaded.
    pub found: Result<T, Error>,
}

/// The exit code when all is well.
pub const OK: i32 = 0;
/// The exit code when a function failed or cannot be loaded.
pub const FAILED: i32 = 1;
/// The exit code when the arguments are wrong.
pub const USAGE: i32 = 2;

/// Why a command ended early.
enum Failure {
    /// The arguments ask for something that cannot be.
    Usage(String),
    /// A function failed, or could not be found out about.
    Function(Error),
    /// The same, with what can be done about it.
    Advised(Error, Vec<String>),
    /// The output could not be written.
    Output(io::Error),
}

impl Failure {
    /// Adds what can be done about the failure of a function.
    fn advised(self, advice: Vec<String>) -> Self {
        match self {
            Self::Function(error) => Self::Advised(error, advice),
            Self::Usage(_) | Self::Advised(..) | Self::Output(_) => self,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Function(error)
    }
}

impl From<puppetfn_project::Failure> for Failure {
    fn from(failure: puppetfn_project::Failure) -> Self {
        match failure {
            puppetfn_project::Failure::Setting(message) => Self::Usage(message),
            puppetfn_project::Failure::File(error) => Self::Function(error),
        }
    }
}

impl From<puppetfn_fleet::Failure> for Failure {
    fn from(failure: puppetfn_fleet::Failure) -> Self {
        Self::Usage(failure.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Does what the arguments say, the first of which is the program's name. Returns the exit code.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> i32 {
    let args: Vec<OsString> = args.into_iter().collect();
    let ended = match Arguments::try_parse_from(&args) {
        Ok(arguments) => execute(arguments, args.get(1..).unwrap_or_default(), host, out, err),
        Err(told) if told.use_stderr() => {
            complain(err, &rendered(&told, host.terminals().colours_err()));
            return ExitCodes::of(&args).usage;
        }
        Err(told) => {
            let text = rendered(&told, host.terminals().colours_out());
            writeln!(out, "{text}").map(|()| OK).map_err(Failure::Output)
        }
    };
    let flushed = |code| out.flush().map(|()| code).map_err(Failure::Output);
    match ended.and_then(flushed) {
        Ok(code) => code,
        Err(failure) => failed(&failure, &ExitCodes::of(&args), err),
    }
}

/// Exit codes in which subcommands differ.
struct ExitCodes {
    /// For wrong arguments.
    usage: i32,
    /// For an output that nobody reads to its end.
    cut_output: i32,
}

impl ExitCodes {
    /// Returns the codes of a subcommand: 2 of `diff` means different catalogs, and `lookup` has the codes of `puppet lookup`.
    fn of(args: &[OsString]) -> Self {
        match args.get(1).and_then(|name| name.to_str()) {
            Some("diff") => Self { usage: FAILED, cut_output: FAILED },
            Some("lookup") => Self { usage: FAILED, cut_output: OK },
            _ => Self { usage: USAGE, cut_output: OK },
        }
    }
}

/// Returns the help, or what is wrong with the arguments.
fn rendered(told: &clap::Error, is_coloured: bool) -> String {
    let text = told.render();
    let text = if is_coloured { text.ansi().to_string() } else { text.to_string() };
    text.trim_end().to_owned()
}

fn failed(failure: &Failure, codes: &ExitCodes, err: &mut dyn Write) -> i32 {
    match failure {
        Failure::Usage(message) => {
            complain(err, &format!("error: {message}"));
            codes.usage
        }
        Failure::Function(error) => function_failed(error, &[], err),
        Failure::Advised(error, advice) => function_failed(error, advice, err),
        // Whoever read the output has seen enough, as `head` does.
        Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe && codes.cut_output == OK => OK,
        Failure::Output(error) => {
            complain(err, &format!("error: cannot write the output: {error}"));
            FAILED
        }
    }
}

fn function_failed(error: &Error, advice: &[String], err: &mut dyn Write) -> i32 {
    complain(err, &format!("error: {error}"));
    let explanation = error.explanation().map(ToString::to_string).unwrap_or_default();
    if !explanation.is_empty() {
        complain(err, &format!("\n{explanation}"));
    }
    for advice in advice.iter().map(String::as_str).chain(advice::of_error(error)) {
        complain(err, &format!("help: {advice}"));
    }
    FAILED
}

/// Prints what is wrong. If even that fails, the exit code still shows it.
fn complain(err: &mut dyn Write, message: &str) {
    let _ = writeln!(err, "{message}").and_then(|()| err.flush());
}

fn execute(
    arguments: Arguments,
    given: &[OsString],
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    match arguments.command {
        Command::Call(call) => call::run(&call, host, out, err),
        Command::Eval(eval) => eval::run(&eval, host, out, err),
        Command::Compile(compile) => compile::run(&compile, given, host, out, err),
        Command::Diff(diff) => diff::run(*diff, given, host, out, err),
        Command::Fleet(fleet) => fleet::run(&fleet, out),
        Command::Graph(graph) => graph::run(&graph, host, out, err),
        Command::Lookup(lookup) => lookup::run(&lookup, host, out, err),
        Command::List(list) => list::run(&list, host, out, err),
        Command::Parse(parse) => parse::run(&parse, host.terminals(), out, err),
        Command::Check(check) => check::run(&check, host, out, err),
        Command::Validate(validate) => validate::run(&validate, host.terminals(), err),
        Command::Fmt(fmt) => fmt::run(&fmt, host.terminals(), out, err),
        Command::Lsp(lsp) => lsp::run(&lsp, host, err),
        Command::Doc(doc) => doc::run(&doc, host, out, err),
        Command::Model(model) => model::run(&model, out, err),
        Command::Completions(completions) => generate::completions(&completions, out),
        Command::Man(man) => generate::man(&man, out),
        Command::Why(asked) => why::run(&asked, host, out, err),
        // Ruby runs it, and asks this for the rest.
        Command::Test(_) => {
            Err(Failure::Usage("`test` needs Ruby and RSpec: use the command of the gem puppetfn".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests;
