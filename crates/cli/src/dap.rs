//! `puppetfn dap`.

use std::io::{self, Write};

use super::args::dap::Dap;
use super::{CommandFailure, CommandHost, FAILED};

pub(super) fn run(dap: &Dap, host: &dyn CommandHost, err: &mut dyn Write) -> Result<i32, CommandFailure> {
    let program = || host.program().map_err(|error| io::Error::other(error.to_string()));
    match puppetfn_dap::serve(&program, &dap.bounds.limits()) {
        Ok(code) => Ok(code),
        Err(error) => {
            writeln!(err, "error: cannot answer the editor: {error}")?;
            Ok(FAILED)
        }
    }
}
