//! The arguments of `puppetfn fmt`.

use std::path::PathBuf;

use clap::Args;

use super::LimitArgs;

const EXAMPLES: &str = "\
Examples:
  puppetfn fmt
  puppetfn fmt --check manifests
  puppetfn fmt --diff manifests/init.pp
  puppetfn fmt - < init.pp

In directories, files that end in .pp are formatted, but not the fixtures of specs and what `exclude` in
puppetfn.toml says. A file with errors of syntax is reported and stays as it is. Templates are not formatted.

Exit codes: 0 all is well, 1 some files have errors or, with --check or --diff, are to be formatted, 2 the arguments
of the command are wrong";

/// Format Puppet code
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Fmt {
    /// Files, and directories with files; `-` is the standard input, whose layout is printed
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<PathBuf>,

    /// Change no files, and list those that are to be formatted
    #[arg(long)]
    pub check: bool,

    /// Change no files, and print what is to be changed
    #[arg(long)]
    pub diff: bool,

    #[command(flatten)]
    pub bounds: LimitArgs,
}
