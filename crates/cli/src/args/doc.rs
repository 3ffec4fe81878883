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

What looks like a path, with a slash or a dot, is one. A word is a name, or else a path.

Exit codes: 0 all is well, 1 something was not found or cannot be read, --lint found something or --check a
difference, 2 the arguments of the command are wrong";

/// Show the documentation of functions and type aliases
///
/// It is read from comments, in the format of YARD and Puppet Strings. No code is run.
#[derive(Args, Debug)]
#[command(after_help = DOC_EXAMPLES)]
pub(crate) struct DocArgs {
    /// Names of classes, defined types, functions, types and plans, files and directories; without any, all functions
    /// and types that are found by name
    #[arg(value_name = "NAME|PATH")]
    pub subjects: Vec<String>,

    /// How it is printed; JSON and Markdown are those of Puppet Strings
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: DocFormat,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,

    /// Write it to this file; with --format html, the pages to this directory
    #[arg(long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath, conflicts_with = "lint")]
    pub out: Option<PathBuf>,

    /// Show how the file of --out, or the REFERENCE.md of the module, would change, or which pages would, and fail if they
    /// would
    #[arg(long, conflicts_with = "lint")]
    pub check: bool,

    /// Read files as Puppet Strings does, with what it cuts off and leaves out
    #[arg(long)]
    pub strings_quirks: bool,

    /// Report instead what is wrong with the comments, and what functions do that they should not
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
    /// The REFERENCE.md of a module
    Markdown,
    /// A site of static pages, in the directory of --out
    Html,
}
