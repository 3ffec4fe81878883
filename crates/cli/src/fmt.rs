//! `puppetfn fmt`.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use similar::TextDiff;

use super::args::fmt::Fmt;
use super::report::{ProblemReport, problems};
use super::sources::{for_each, note_idle};
use super::{CommandFailure, FAILED, OK, Terminals, complain};
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::error::ErrorKind;
use puppetfn_fmt::FormatOptions;
use puppetfn_project::{CodeSource, Libraries, ProjectConfig};
use puppetfn_syntax::Mode;

/// The time limit of a precise diff between two texts.
const DIFF_TIME: Duration = Duration::from_secs(1);

/// The result of formatting a text.
enum FormatOutcome {
    Same(String),
    Changed { before: String, after: String },
    Failed(ProblemReport),
}

pub(super) fn run(
    fmt: &Fmt,
    terminals: Terminals,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let config = ProjectConfig::of(None, fmt.paths.first(), &fmt.bounds.limits())?;
    let (sources, options) = (sources(fmt, &config)?, config.layout());
    let is_coloured = terminals.colours_err();
    if sources.is_empty() {
        note_idle("formatted", &fmt.paths, "name a module or a file to format it", err)?;
    }
    let mut code = OK;
    for_each(
        &sources,
        terminals.err,
        |source| (source.clone(), formatted(source, fmt, &options, is_coloured)),
        |(source, formatted)| {
            code = code.max(tell(&source, formatted, fmt, out, err)?);
            Ok(())
        },
    )?;
    Ok(code)
}

/// Returns the manifests at the paths, without excluded ones.
fn sources(fmt: &Fmt, config: &ProjectConfig) -> Result<Vec<CodeSource>, CommandFailure> {
    let mut sources =
        fmt.paths.iter().map(|path| CodeSource::own(path)).collect::<Result<Vec<_>, _>>()?.concat();
    let mut named = sources.iter().filter(|source| matches!(source, CodeSource::File(_)));
    if let Some(template) = named.find(|source| source.is_template()) {
        return Err(CommandFailure::Usage(format!(
            "{} is a template: only manifests are formatted",
            template.name()
        )));
    }
    let libraries = Libraries::below(&fmt.paths);
    let is_left = |path: &Path| config.excludes(path) || libraries.contains(path);
    sources.retain(|source| !source.is_template() && !source.path().is_some_and(is_left));
    Ok(sources)
}

fn formatted(source: &CodeSource, fmt: &Fmt, options: &FormatOptions, is_coloured: bool) -> FormatOutcome {
    let (name, limits) = (source.name(), fmt.bounds.limits());
    let before = match source.read(&limits) {
        Ok(text) => text,
        Err(reason) => return FormatOutcome::Failed(ProblemReport::unreadable(&name, &reason)),
    };
    match options.format(&before, &limits) {
        Ok(after) if after == before => FormatOutcome::Same(before),
        Ok(after) => FormatOutcome::Changed { before, after },
        Err(error) if *error.kind() == ErrorKind::Syntax => {
            let found = [Diagnostic::of_error(&error, &before)];
            FormatOutcome::Failed(problems(&found, &before, &name, Mode::default(), is_coloured))
        }
        Err(error) => FormatOutcome::Failed(ProblemReport::unreadable(&name, &error.to_string())),
    }
}

/// Writes or prints the result for a text, and returns its exit code.
fn tell(
    source: &CodeSource,
    formatted: FormatOutcome,
    fmt: &Fmt,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let name = source.name();
    match (formatted, source.path()) {
        (FormatOutcome::Failed(problems), _) => {
            complain(err, &problems.text);
            return Ok(FAILED);
        }
        (FormatOutcome::Changed { before, after }, _) if fmt.diff => {
            let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(&before, &after);
            write!(out, "{}", diff.unified_diff().header(&name, &name))?;
            return Ok(FAILED);
        }
        (FormatOutcome::Changed { .. }, _) if fmt.check => {
            writeln!(out, "{name}")?;
            return Ok(FAILED);
        }
        (FormatOutcome::Changed { after, .. }, Some(path)) => match fs::write(path, after) {
            Ok(()) => writeln!(out, "{name}")?,
            Err(error) => {
                complain(err, &ProblemReport::unreadable(&name, &error.to_string()).text);
                return Ok(FAILED);
            }
        },
        (FormatOutcome::Same(text) | FormatOutcome::Changed { after: text, .. }, None)
            if !fmt.check && !fmt.diff =>
        {
            write!(out, "{text}")?;
        }
        (FormatOutcome::Same(_) | FormatOutcome::Changed { .. }, _) => {}
    }
    Ok(OK)
}
