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

In directories, files with the ending .pp are formatted, except fixtures of specs and files that `exclude` of
puppetfn.toml names. Files with syntax errors are reported and stay unchanged. Templates are not formatted.

Exit codes: 0 success, 1 some files have errors or, with --check or --diff, are not formatted, 2 the arguments are
invalid";

/// Format Puppet code
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Fmt {
    /// Files and directories; `-` formats standard input to standard output
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<PathBuf>,

    /// Change no files; list unformatted files
    #[arg(long)]
    pub check: bool,

    /// Change no files; print the changes as a diff
    #[arg(long)]
    pub diff: bool,

    #[command(flatten)]
    pub bounds: LimitArgs,
}
