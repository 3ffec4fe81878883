//! The arguments of `puppetfn console`.

use clap::Args;

use super::compile::CompileInputArgs;

const EXAMPLES: &str = "\
Examples:
  puppetfn console --environment .
  puppetfn console web1.example.com --environment . --facts facts/web1.example.com.json --compile
  echo 'lookup(\"ntp::servers\")' | puppetfn console --environment .

docs/console.md describes the commands of the console.

Exit codes: 0 the console was ended, 1 a statement of a file or a pipe failed, 2 the arguments are invalid";

/// Evaluate statements one after the other, interactively, with the facts of a node
///
/// Variables, definitions and resources stay. Lines that begin with a colon are commands: `:help` lists them. Without a terminal, statements
/// are read from standard input.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConsoleArgs {
    /// Name of the node; --facts has its facts, and `$trusted` comes from there or from the name [default: the machine's certname]
    pub node: Option<String>,

    /// Compile the node's catalog first, so that its variables, classes and resources are there
    #[arg(long, short = 'c')]
    pub compile: bool,

    /// Neither read nor write the file with the history of the lines
    #[arg(long)]
    pub no_history: bool,

    #[command(flatten)]
    pub given: CompileInputArgs,
}
