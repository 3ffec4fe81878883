//! The arguments of `puppetfn lsp`.

use clap::Args;

use super::LimitArgs;

const EXAMPLES: &str = "\
docs/editors.md shows how editors start it. Exit codes: 0 the editor has ended it, 1 the editor was gone";

/// Answer an editor, over standard input and output: the Language Server Protocol
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Lsp {
    /// What editors say for this way to talk, which is the only one
    #[arg(long)]
    pub stdio: bool,

    #[command(flatten)]
    pub bounds: LimitArgs,
}
