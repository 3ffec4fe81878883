//! The arguments of `puppetfn dap`.

use clap::Args;

use super::LimitArgs;

const EXAMPLES: &str = "\
The editor's request `launch` has the command to debug (compile, eval, call or test) and its arguments:
  {\"command\": \"compile\", \"args\": [\"web01\", \"--facts\", \"facts\"], \"cwd\": \"/etc/puppetlabs/code\", \"stopOnEntry\": true}
docs/debugger.md shows how editors start it.

Exit codes: 0 the editor ended the session, 1 the editor was gone";

/// Run the debug adapter for editors, over standard input and output
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Dap {
    #[command(flatten)]
    pub bounds: LimitArgs,
}
