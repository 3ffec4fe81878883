//! `puppetfn completions` and `puppetfn man`: completions for shells and manual pages, generated from the command's
//! definitions.
#![allow(clippy::disallowed_methods, reason = "the user names these directories")]

use std::fs;
use std::io::Write;

use clap::{Command, CommandFactory};

use super::args::{CliArguments, Completions, Man};
use super::{CommandFailure, OK};

const NAME: &str = "puppetfn";

/// Prints the completions for a shell.
pub(super) fn completions(completions: &Completions, out: &mut dyn Write) -> Result<i32, CommandFailure> {
    // The script is generated in memory first: the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut CliArguments::command(), NAME, &mut script);
    out.write_all(&script)?;
    Ok(OK)
}

/// Writes the manual pages.
pub(super) fn man(man: &Man, out: &mut dyn Write) -> Result<i32, CommandFailure> {
    let failed = |error| CommandFailure::Usage(format!("{}: {error}", man.directory.display()));
    fs::create_dir_all(&man.directory).map_err(failed)?;
    let mut command = CliArguments::command().disable_help_subcommand(true);
    command.build();
    for command in with_subcommands(command) {
        let page = clap_mangen::Man::new(command).source(concat!("puppetfn ", env!("CARGO_PKG_VERSION")));
        let file = page.generate_to(&man.directory).map_err(failed)?;
        writeln!(out, "{}", file.display())?;
    }
    Ok(OK)
}

/// Returns a command and all subcommands below it that `--help` shows.
fn with_subcommands(command: Command) -> Vec<Command> {
    let shown = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    let subcommands: Vec<_> = shown.cloned().flat_map(with_subcommands).collect();
    std::iter::once(command).chain(subcommands).collect()
}
