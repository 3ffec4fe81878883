//! `puppetfn lsp`.

use std::io::Write;

use super::args::lsp::Lsp;
use super::{CommandFailure, CommandHost, FAILED};

pub(super) fn run(lsp: &Lsp, host: &mut dyn CommandHost, err: &mut dyn Write) -> Result<i32, CommandFailure> {
    match puppetfn_lsp::serve(host, lsp.bounds.limits()) {
        Ok(code) => Ok(code),
        Err(error) => {
            writeln!(err, "error: cannot answer the editor: {error}")?;
            Ok(FAILED)
        }
    }
}
