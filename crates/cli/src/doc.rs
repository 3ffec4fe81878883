//! `puppetfn doc`.
#![allow(clippy::disallowed_methods, reason = "the user names the file that is written")]

mod site;

use std::fs;
use std::io::{ErrorKind as IoErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value as Json, json};
use similar::TextDiff;

use super::args::doc::{DocArgs, DocFormat};
use super::{CommandFailure, CommandHost, FAILED, OK, complain};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_doc::{DocFinding, DocReader, Documentation, ReadingMode};
use puppetfn_runtime::loader::StdFileSystem;
use puppetfn_site::Page;

/// The time limit of a precise diff between two texts.
const DIFF_TIME: Duration = Duration::from_secs(1);

pub(super) fn run(
    doc: &DocArgs,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let format = if doc.json { DocFormat::Json } else { doc.format };
    if format == DocFormat::Html && doc.out.is_none() && !doc.lint {
        let message = "--format html writes many files: name a directory for them with --out";
        return Err(CommandFailure::Usage(message.to_owned()));
    }
    let options = doc.settings.options()?;
    let loader = options.loader();
    let files = StdFileSystem::new(&options.limits);
    let reading = if doc.strings_quirks { ReadingMode::Strings } else { ReadingMode::Own };
    let is_coloured = host.terminals().colours_out();
    let mut reader = DocReader::new(&files, host, options.limits).with_reading(reading).with_data(doc.data);
    if doc.subjects.is_empty() {
        reader.all(&loader)?;
    }
    let mut failures: Vec<_> =
        doc.subjects.iter().filter_map(|subject| reader.subject(subject, &loader).err()).collect();
    let (documentation, unread) = reader.finish();
    failures.extend(unread);

    let code = if doc.lint {
        report(&documentation.findings, format, out)?;
        if documentation.findings.is_empty() { OK } else { FAILED }
    } else if format == DocFormat::Html {
        html(doc, &puppetfn_site::pages(&documentation, &files), failures.is_empty(), out)?
    } else {
        let is_coloured = doc.out.is_none() && !doc.check && is_coloured;
        let text = shown(&documentation, format, is_coloured);
        match (doc.check, &doc.out) {
            (true, _) => check(&checked_file(doc)?, &text, out)?,
            (false, Some(path)) if failures.is_empty() => {
                fs::write(path, &text).map_err(|error| unusable(path, "written", &error))?;
                OK
            }
            // An incomplete document does not replace one that may be complete.
            (false, Some(_)) => FAILED,
            (false, None) => {
                write!(out, "{text}")?;
                OK
            }
        }
    };
    for failure in &failures {
        complain(err, &format!("error: {failure}"));
    }
    Ok(if failures.is_empty() { code } else { FAILED })
}

fn shown(documentation: &Documentation, format: DocFormat, is_coloured: bool) -> String {
    match format {
        DocFormat::Text if is_coloured => format!("{documentation:#}"),
        DocFormat::Json => format!("{:#}\n", documentation.to_json()),
        DocFormat::Markdown => documentation.to_markdown(),
        DocFormat::Text | DocFormat::Html => documentation.to_string(),
    }
}

/// Writes a site to the directory of `--out`, or shows which of its files would change.
fn html(
    doc: &DocArgs,
    pages: &[Page],
    is_complete: bool,
    out: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    match &doc.out {
        Some(directory) if doc.check => site::check(directory, pages, out),
        Some(directory) if is_complete => site::write(directory, pages).map(|()| OK),
        _ => Ok(FAILED),
    }
}

/// Returns the file that must equal the documentation: `--out`, or else the reference of the module.
fn checked_file(doc: &DocArgs) -> Result<PathBuf, Error> {
    let of_module = |module: &String| Path::new(module).join("REFERENCE.md");
    match (&doc.out, doc.subjects.as_slice()) {
        (Some(path), _) => Ok(path.clone()),
        (None, [module]) if Path::new(module).is_dir() => Ok(of_module(module)),
        (None, _) => {
            let message =
                "--check has nothing to compare with: name the directory of one module, or a file with --out";
            Err(Error::new(ErrorKind::Load, message))
        }
    }
}

/// Shows how a file would change.
fn check(path: &Path, text: &str, out: &mut dyn Write) -> Result<i32, CommandFailure> {
    let before = match fs::read(path) {
        Ok(before) => String::from_utf8_lossy(&before).into_owned(),
        Err(error) if error.kind() == IoErrorKind::NotFound => String::new(),
        Err(error) => return Err(unusable(path, "read", &error).into()),
    };
    if before == text {
        return Ok(OK);
    }
    let name = path.display().to_string();
    let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(before.as_str(), text);
    write!(out, "{}", diff.unified_diff().header(&name, &name))?;
    Ok(FAILED)
}

fn unusable(path: &Path, what: &str, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Load, format!("{} cannot be {what}: {error}", path.display()))
}

fn report(findings: &[DocFinding], format: DocFormat, out: &mut dyn Write) -> Result<(), CommandFailure> {
    match format {
        DocFormat::Text | DocFormat::Markdown | DocFormat::Html => {
            findings.iter().try_for_each(|finding| writeln!(out, "{finding}"))?;
        }
        DocFormat::Json => {
            let as_json = |DocFinding { file, line, rule, message }: &DocFinding| json!({"file": file, "line": line, "rule": rule, "message": message});
            writeln!(out, "{:#}", findings.iter().map(as_json).collect::<Json>())?;
        }
    }
    Ok(())
}
