//! The texts at the paths on the command line, processed on all cores.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::io::Write;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use super::CommandFailure;
use super::args::LanguageOptions;
use puppetfn_project::CodeSource;
use puppetfn_syntax::Mode;

/// Number of files that are processed before their results are printed. With fewer files, there is no progress to
/// show.
const BATCH: usize = 256;

/// Returns how a text is read.
pub(super) fn mode(source: &CodeSource, language: LanguageOptions) -> Mode {
    Mode { tasks: language.tasks, template: language.epp || source.is_template() }
}

/// Does something with each text, many at a time, and hands over the results in their order.
pub(super) fn for_each<S: Sync, T: Send>(
    sources: &[S],
    shows_progress: bool,
    work: impl Fn(&S) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), CommandFailure>,
) -> Result<(), CommandFailure> {
    let progress = if shows_progress && sources.len() > BATCH {
        progress_bar(sources.len())
    } else {
        ProgressBar::hidden()
    };
    for batch in sources.chunks(BATCH) {
        let done: Vec<T> = batch
            .par_iter()
            .map(|source| {
                let done = work(source);
                progress.inc(1);
                done
            })
            .collect();
        progress.suspend(|| done.into_iter().try_for_each(&mut take))?;
    }
    progress.finish_and_clear();
    Ok(())
}

fn progress_bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    match ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Writes a note that a command has done nothing in the directories among these paths, with the reason and the alternative.
pub(super) fn note_idle(
    verb: &str,
    paths: &[PathBuf],
    alternative: &str,
    err: &mut dyn Write,
) -> Result<(), CommandFailure> {
    let directories: Vec<&PathBuf> = paths.iter().filter(|path| path.is_dir()).collect();
    if directories.is_empty() {
        return Ok(());
    }
    let names = directories.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    let has_code = |path: &&PathBuf| CodeSource::own(path).is_ok_and(|sources| !sources.is_empty());
    if directories.iter().any(has_code) {
        writeln!(
            err,
            "note: nothing was {verb}: all code in {names} is of others or excluded; {alternative}"
        )?;
    } else {
        writeln!(err, "note: nothing was {verb}: there is no Puppet code in {names}")?;
    }
    Ok(())
}
