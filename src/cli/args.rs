//! The arguments that are understood. What stands here is also what `--help` prints.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  puppetfn call stdlib::extname notes.txt --modulepath modules
  puppetfn call join '[\"a\", \"b\"]' -
  puppetfn eval '[1, 2].map |$x| { $x * 2 }'
  puppetfn list '^stdlib::' --modulepath modules:site
  puppetfn list --types --modulepath modules";

const CALL_EXAMPLES: &str = "\
Examples:
  puppetfn call join '[\"a\", \"b\"]' -
  puppetfn call merge '{\"a\": 1}' '{\"b\": 2}' --json --modulepath modules
  puppetfn call type -- --json

Values that JSON does not have are printed with --json as the strings that Puppet shows for them.

Exit codes: 0 the function returned, 1 it failed, 2 the arguments of the command are wrong";

const EVAL_EXAMPLES: &str = "\
Examples:
  puppetfn eval '1 + 2'
  puppetfn eval '$facts[\"os\"]' --facts facts.json --json
  puppetfn eval 'function f($x) { $x * 2 } [1, 2].map |$x| { f($x) }'

Exit codes: 0 there is a value, 1 the evaluation failed, 2 the arguments of the command are wrong";

const LIST_EXAMPLES: &str = "\
Examples:
  puppetfn list --modulepath modules
  puppetfn list '^stdlib::' --json --modulepath modules
  puppetfn list --types Port --modulepath modules

Exit codes: 0 all were listed, 1 some cannot be loaded, 2 the arguments of the command are wrong";

/// Run Puppet functions without Puppet
#[derive(Parser, Debug)]
#[command(name = "puppetfn", version, after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    Call(Call),
    Eval(Eval),
    List(List),
}

/// Evaluate Puppet code and print its value
///
/// The code can use Puppet's own functions and the functions that it defines.
#[derive(Args, Debug)]
#[command(after_help = EVAL_EXAMPLES)]
pub(super) struct Eval {
    /// The code
    pub code: String,

    /// Print the value as JSON instead of as Puppet shows it in a string
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub settings: Settings,
}

/// Call a function and print what it returns
#[derive(Args, Debug)]
#[command(after_help = CALL_EXAMPLES)]
pub(super) struct Call {
    /// The full name of the function
    pub name: String,

    /// The arguments of the function: JSON where they are JSON, else strings; after `--` they may
    /// look like options
    #[arg(value_name = "ARG", allow_negative_numbers = true)]
    pub args: Vec<String>,

    /// Print the result as JSON instead of as Puppet shows it in a string
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub settings: Settings,
}

/// List functions with their signatures, one a line
#[derive(Args, Debug)]
#[command(after_help = LIST_EXAMPLES)]
pub(super) struct List {
    /// A regular expression: only names that match
    pub pattern: Option<String>,

    /// List type aliases instead, with the types that they stand for
    #[arg(long)]
    pub types: bool,

    /// Print a JSON array instead
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub settings: Settings,
}

#[derive(Args, Debug)]
pub(super) struct Settings {
    /// Directories with modules, in order of preference
    #[arg(long, value_name = "DIR[:DIR]")]
    pub modulepath: Vec<OsString>,

    /// The directory of an environment
    #[arg(long, value_name = "DIR")]
    pub environment: Option<PathBuf>,

    /// A JSON file with the node's facts
    #[arg(long, value_name = "FILE")]
    pub facts: Option<PathBuf>,
}
