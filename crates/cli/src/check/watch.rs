//! `puppetfn check --watch`: checks again whenever a file has changed.

use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::{Event, EventKind, RecursiveMode, Watcher, recommended_watcher};

use super::super::Failure;
use super::super::args::Check;

/// How long nothing must change before files are checked: editors and version control change several at once.
const QUIET: Duration = Duration::from_millis(100);

/// The ends of the names of files that matter.
const EXTENSIONS: [&str; 9] = ["pp", "epp", "erb", "rb", "yaml", "yml", "json", "md", "toml"];

type Events = Receiver<notify::Result<Event>>;

/// Checks now, and after each change of a file below the paths, until the process is ended.
pub(super) fn watch(
    check: &Check,
    out: &mut dyn Write,
    err: &mut dyn Write,
    mut once: impl FnMut(&mut dyn Write, &mut dyn Write) -> Result<i32, Failure>,
) -> Result<i32, Failure> {
    if check.paths.iter().any(|path| path == Path::new("-")) {
        return Err(Failure::Usage(
            "--watch waits for files to change, and the standard input is none".to_owned(),
        ));
    }
    let (sender, events) = channel();
    let failed = |error: notify::Error| Failure::Usage(format!("--watch: {error}"));
    let mut watcher = recommended_watcher(sender).map_err(failed)?;
    for path in &check.paths {
        watcher.watch(path, RecursiveMode::Recursive).map_err(failed)?;
    }
    let mut last = once(out, err)?;
    loop {
        writeln!(out, "Waiting for changes")?;
        out.flush()?;
        if !has_changed(&events) {
            return Ok(last);
        }
        // What is wrong now, as a file of settings may be, can be mended while this waits.
        match once(out, err) {
            Ok(code) => last = code,
            Err(Failure::Usage(message)) => writeln!(err, "error: {message}")?,
            Err(failure) => return Err(failure),
        }
    }
}

/// Waits until files have changed, and no more of them change. Returns false if there is nothing to wait for.
fn has_changed(events: &Events) -> bool {
    loop {
        match events.recv() {
            Ok(event) if matters(&event) => break,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    while events.recv_timeout(QUIET).is_ok() {}
    true
}

fn matters(event: &notify::Result<Event>) -> bool {
    let Ok(Event { kind, paths, .. }) = event else { return true };
    let is_read =
        |path: &Path| path.extension().is_none_or(|end| EXTENSIONS.iter().any(|extension| end == *extension));
    !matches!(kind, EventKind::Access(_)) && paths.iter().any(|path| is_read(path))
}
