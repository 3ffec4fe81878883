//! The arguments of `doc`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::Settings;

const DOC_EXAMPLES: &str = "\
Examples:
  puppetfn doc map
  puppetfn doc stdlib::extname Stdlib::Port --modulepath modules
  puppetfn doc modules/stdlib --format json
  puppetfn doc modules/ntp --format markdown --out modules/ntp/REFERENCE.md
  puppetfn doc modules/ntp --format markdown --check
  puppetfn doc modules/ntp --format html --out site
  puppetfn doc --lint modules/stdlib

Arguments with a slash or a dot are paths; other arguments are names or, if no definition has the name, paths.

Exit codes: 0 success, 1 a name or file was not found or cannot be read, --lint has findings, or --check
differences, 2 the arguments are invalid";

/// Show, generate and lint the documentation of Puppet code
///
/// Reads comments in the format of YARD and Puppet Strings; no code is run.
#[derive(Args, Debug)]
#[command(after_help = DOC_EXAMPLES)]
pub(crate) struct DocArgs {
    /// Names of classes, defined types, functions, types and plans, or files and directories [default: all known functions and types]
    #[arg(value_name = "NAME|PATH")]
    pub subjects: Vec<String>,

    /// Output format; JSON and Markdown follow Puppet Strings
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: DocFormat,

    /// Same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,

    /// Output file or, with --format html, directory [default: standard output]
    #[arg(long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath, conflicts_with = "lint")]
    pub out: Option<PathBuf>,

    /// Write nothing; show how --out or the module's REFERENCE.md would change, and fail if it would
    #[arg(long, conflicts_with = "lint")]
    pub check: bool,

    /// Reproduce the omissions and truncations of Puppet Strings
    #[arg(long)]
    pub strings_quirks: bool,

    /// Add the values that parameters of classes have in the module's own data, each with its file
    #[arg(long, conflicts_with = "lint")]
    pub data: bool,

    /// Report mistakes in comments, and functions that break the rules of the function API
    #[arg(long)]
    pub lint: bool,

    #[command(flatten)]
    pub settings: Settings,
}

/// How documentation is printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum DocFormat {
    /// Plain text
    #[default]
    Text,
    /// JSON in the schema of Puppet Strings
    Json,
    /// REFERENCE.md of a module
    Markdown,
    /// Static pages in the directory --out
    Html,
}
