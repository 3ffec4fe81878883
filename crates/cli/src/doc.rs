//! `puppetfn doc`.

use std::io::Write;

use serde_json::{Value as Json, json};

use super::args::{Doc, DocFormat};
use super::{FAILED, Failure, Host, OK, complain};
use puppetfn_doc::{Documentation, Finding, Reader};
use puppetfn_runtime::loader::StdFileSystem;

pub(super) fn run(
    doc: &Doc,
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    let options = doc.settings.options()?;
    let loader = options.loader();
    let files = StdFileSystem::new(&options.limits);
    let mut reader = Reader::new(&files, host, options.limits);
    if doc.subjects.is_empty() {
        reader.all(&loader)?;
    }
    let mut failures: Vec<_> =
        doc.subjects.iter().filter_map(|subject| reader.subject(subject, &loader).err()).collect();
    let (documentation, unread) = reader.finish();
    failures.extend(unread);

    let format = if doc.json { DocFormat::Json } else { doc.format };
    if doc.lint {
        report(&documentation.findings, format, out)?;
    } else {
        show(&documentation, format, out)?;
    }
    for failure in &failures {
        complain(err, &format!("error: {failure}"));
    }
    let has_findings = doc.lint && !documentation.findings.is_empty();
    Ok(if failures.is_empty() && !has_findings { OK } else { FAILED })
}

fn show(documentation: &Documentation, format: DocFormat, out: &mut dyn Write) -> Result<(), Failure> {
    match format {
        DocFormat::Text => write!(out, "{documentation}")?,
        DocFormat::Json => writeln!(out, "{:#}", documentation.to_json())?,
    }
    Ok(())
}

fn report(findings: &[Finding], format: DocFormat, out: &mut dyn Write) -> Result<(), Failure> {
    match format {
        DocFormat::Text => findings.iter().try_for_each(|finding| writeln!(out, "{finding}"))?,
        DocFormat::Json => {
            let as_json = |Finding { file, line, rule, message }: &Finding| json!({"file": file, "line": line, "rule": rule, "message": message});
            writeln!(out, "{:#}", findings.iter().map(as_json).collect::<Json>())?;
        }
    }
    Ok(())
}
