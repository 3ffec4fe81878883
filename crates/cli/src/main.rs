//! The command without Ruby: Puppet's own functions, types of modules, and code.

use std::io::{self, BufWriter};
use std::process::ExitCode;

use puppetfn_cli::{Standalone, run};

/// Faster than the C library's allocator: docs/performance.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Not locked: a language server writes from a thread of its own.
    let mut out = BufWriter::new(io::stdout());
    let code = run(std::env::args_os(), &mut Standalone, &mut out, &mut io::stderr());
    u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from)
}
