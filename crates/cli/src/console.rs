//! `puppetfn console`.

use std::io::{self, BufReader, IsTerminal, Write};

use puppetfn_base::limits::Limits;
use puppetfn_console::{ConsoleInput, LineInput, TerminalInput};

use super::args::console::ConsoleArgs;
use super::compile::report;
use super::{CommandFailure, CommandHost, FAILED, OK};

pub(super) fn run(
    console: &ConsoleArgs,
    host: &mut dyn CommandHost,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let given = &console.given;
    let mut plan = || {
        let mut log = Vec::new();
        let subject = given.subject(console.node.as_deref(), console.compile, &mut log);
        report(&log, err);
        subject
    };
    let limits = given.settings.bounds.limits();
    let input = input(host, limits, !console.no_history)?;
    let is_interactive = input.is_interactive();
    let succeeded = puppetfn_console::run(&mut plan, host, input)?;
    Ok(if succeeded || is_interactive { OK } else { FAILED })
}

/// Returns the standard input, with an editor if a person sees its lines at a terminal.
fn input(
    host: &dyn CommandHost,
    limits: Limits,
    keeps_history: bool,
) -> Result<Box<dyn ConsoleInput>, CommandFailure> {
    let terminals = host.terminals();
    if !io::stdin().is_terminal() {
        return Ok(Box::new(LineInput::new(BufReader::new(io::stdin()), limits)));
    }
    if terminals.out && !terminals.is_dumb() {
        return Ok(Box::new(TerminalInput::new(limits, terminals.colours_out(), keeps_history)?));
    }
    Ok(Box::new(LineInput::interactive(BufReader::new(io::stdin()), limits)))
}
