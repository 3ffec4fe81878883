//! `puppetfn console`.

use std::io::{self, BufReader, IsTerminal, Write};

use puppetfn_console::{ConsoleInput, LineInput};

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
    let lines = BufReader::new(io::stdin());
    let input = if io::stdin().is_terminal() {
        LineInput::interactive(lines, limits)
    } else {
        LineInput::new(lines, limits)
    };
    let input: Box<dyn ConsoleInput> = Box::new(input);
    let is_interactive = input.is_interactive();
    let succeeded = puppetfn_console::run(&mut plan, host, input)?;
    Ok(if succeeded || is_interactive { OK } else { FAILED })
}
