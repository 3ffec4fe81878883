//! The command line, for every program that can run functions.
//!
//! [`run`] takes the arguments, carries them out through a [`CommandHost`] and returns the exit code: 0 when all is well, 1 when a
//! function failed or cannot be loaded, or a text has errors or cannot be read, 2 when the arguments are wrong. `diff` has
//! octocatalog-diff's codes: 2 when catalogs differ, and 1 also when the arguments are wrong.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod advice;
mod args;
mod call;
mod check;
mod compile;
mod console;
mod dap;
mod diff;
mod doc;
mod eval;
mod failure;
mod file_changes;
mod fixtures;
mod fleet;
mod fmt;
mod generate;
pub mod graph;
mod host;
mod init;
mod list;
mod lookup;
mod lsp;
mod migrate;
mod model;
mod parse;
mod report;
mod serve;
mod sources;
mod standalone;
mod terminals;
mod validate;
mod why;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Parser;

use args::{CliArguments, Command};
pub(crate) use failure::{CommandFailure, complain};
pub use failure::{FAILED, OK, USAGE};
pub use file_changes::FileChanges;
pub use host::{CommandHost, ListedDefinition};
use puppetfn_base::error::Error;
pub use puppetfn_base::snapshot;
pub use puppetfn_compile::{
    Automatic, CallOutcome, CompileOptions, CompileResult, Compiler, Explained, LogEntry, LookupRequest,
    Request, Session,
};
pub use standalone::{Standalone, shown};
pub use terminals::Terminals;

/// Carries out the arguments, the first of which is the program's name. Returns the exit code.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> i32 {
    let args: Vec<OsString> = args.into_iter().collect();
    let ended = match CliArguments::try_parse_from(&args) {
        Ok(arguments) => execute(arguments, host, out, err),
        Err(told) if told.use_stderr() => {
            complain(err, &rendered(&told, host.terminals().colours_err()));
            return ExitCodes::of(&args).usage;
        }
        Err(told) => {
            let text = rendered(&told, host.terminals().colours_out());
            writeln!(out, "{text}").map(|()| OK).map_err(CommandFailure::Output)
        }
    };
    let flushed = |code| out.flush().map(|()| code).map_err(CommandFailure::Output);
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

/// Returns the help, or the error in the arguments.
fn rendered(told: &clap::Error, is_coloured: bool) -> String {
    let text = told.render();
    let text = if is_coloured { text.ansi().to_string() } else { text.to_string() };
    text.trim_end().to_owned()
}

fn failed(failure: &CommandFailure, codes: &ExitCodes, err: &mut dyn Write) -> i32 {
    match failure {
        CommandFailure::Usage(message) => {
            complain(err, &format!("error: {message}"));
            codes.usage
        }
        CommandFailure::Function(error) => function_failed(error, &[], err),
        CommandFailure::Advised(error, advice) => function_failed(error, advice, err),
        // Whoever read the output has seen enough, as `head` does.
        CommandFailure::Output(error)
            if error.kind() == io::ErrorKind::BrokenPipe && codes.cut_output == OK =>
        {
            OK
        }
        CommandFailure::Output(error) => {
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

fn execute(
    arguments: CliArguments,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    match arguments.command {
        Command::Call(call) => call::run(&call, host, out, err),
        Command::Eval(eval) => eval::run(&eval, host, out, err),
        Command::Compile(compile) => compile::run(&compile, host, out, err),
        Command::Serve(serve) => serve::run(&serve, host, out),
        Command::Worker { requests: true } => serve::answer(host),
        Command::Worker { requests: false } => {
            puppetfn_compile::serve(host, &mut io::stdin().lock(), out)?;
            Ok(OK)
        }
        Command::Diff(diff) => diff::run(&diff, host, out, err),
        Command::Fixtures(fixtures) => fixtures::run(&fixtures, out, err),
        Command::Fleet(fleet) => fleet::run(&fleet, out),
        Command::Graph(graph) => graph::run(&graph, host, out, err),
        Command::Init(init) => init::run(&init, out, err),
        Command::Lookup(lookup) => lookup::run(&lookup, host, out, err),
        Command::Migrate(migrate) => migrate::run(&migrate, host, out, err),
        Command::List(list) => list::run(&list, host, out, err),
        Command::Parse(parse) => parse::run(&parse, host.terminals(), out, err),
        Command::Check(check) => check::run(&check, false, host, out, err),
        Command::Lint(check) => check::run(&check, true, host, out, err),
        Command::Validate(validate) => validate::run(&validate, host.terminals(), err),
        Command::Fmt(fmt) => fmt::run(&fmt, host.terminals(), out, err),
        Command::Lsp(lsp) => lsp::run(&lsp, host, err),
        Command::Console(console) => console::run(&console, host, err),
        Command::Dap(dap) => dap::run(&dap, host, err),
        Command::Doc(doc) => doc::run(&doc, host, out, err),
        Command::Model(model) => model::run(&model, out, err),
        Command::Completions(completions) => generate::completions(&completions, out),
        Command::Man(man) => generate::man(&man, out),
        Command::Why(asked) => why::run(&asked, host, out, err),
        // Ruby runs it, and asks this for the rest.
        Command::Test(_) => Err(CommandFailure::Usage(
            "`test` needs Ruby and RSpec: use the command of the gem puppetfn".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests;
