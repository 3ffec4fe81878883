//! `puppetfn check --watch`: checks again whenever a file has changed.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::super::CommandFailure;
use super::super::args::CheckArgs;
use super::super::file_changes::FileChanges;

/// Checks now, and after each change of a file below the paths, until the process is ended.
pub(super) fn watch(
    check: &CheckArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
    mut once: impl FnMut(&mut dyn Write, &mut dyn Write) -> Result<i32, CommandFailure>,
) -> Result<i32, CommandFailure> {
    if check.paths.iter().any(|path| path == Path::new("-")) {
        return Err(CommandFailure::Usage(
            "--watch cannot watch standard input: name files or directories".to_owned(),
        ));
    }
    let changes =
        FileChanges::of(&check.paths).map_err(|error| CommandFailure::Usage(format!("--watch: {error}")))?;
    let mut last = once(out, err)?;
    loop {
        writeln!(out, "Waiting for changes")?;
        out.flush()?;
        if changes.wait(&AtomicBool::new(false)).is_none() {
            return Ok(last);
        }
        // Errors, as in a file of settings, can be corrected while this waits.
        match once(out, err) {
            Ok(code) => last = code,
            Err(CommandFailure::Usage(message)) => writeln!(err, "error: {message}")?,
            Err(failure) => return Err(failure),
        }
    }
}
