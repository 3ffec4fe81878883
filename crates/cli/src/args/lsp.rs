//! The arguments of `puppetfn lsp`.

use clap::Args;

use super::LimitArgs;

const EXAMPLES: &str = "\
docs/editors.md shows how editors start it.

Exit codes: 0 the editor ended the server, 1 the editor was gone";

/// Run the language server for editors, over standard input and output
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Lsp {
    /// Use standard input and output, which is the only transport
    #[arg(long)]
    pub stdio: bool,

    #[command(flatten)]
    pub bounds: LimitArgs,
}
