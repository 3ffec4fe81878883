//! `puppetfn compile`.

mod batch;
mod summary;

use std::io::Write;

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{Catalog, Draft, Resource};
use puppetfn_compile::{Configuration, FactSource, LogEntry, NodeCatalog};
use puppetfn_graph::render;
use puppetfn_types::convert::{json, yaml};
use puppetfn_types::function::LogLevel;

pub(crate) use self::batch::Progress;
use super::args::compile::{CatalogFormat, CompileArgs};
use super::{CommandFailure, CommandHost, FAILED, OK, advice, complain};

/// Compiles the catalogs of one node or many.
pub(super) fn run(
    compile: &CompileArgs,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    match &compile.node {
        Some(node) => one(compile, node, host, out, err),
        None => batch::run(compile, host, out, err),
    }
}

/// Compiles the catalog of a node, on request with the relationships that resource types add. Prints the error and returns `None` if
/// there is no catalog.
pub(super) fn catalog(
    configuration: &Configuration,
    facts: &FactSource,
    node: &str,
    automatic: bool,
    host: &mut dyn CommandHost,
    err: &mut dyn Write,
) -> Result<Option<NodeCatalog>, CommandFailure> {
    let mut log = Vec::new();
    let compiled = configuration.compile(node, facts, automatic, host, &mut log);
    report(&log, err);
    Ok(compiled?.map_err(|error| failed(&error, err)).ok())
}

fn one(
    compile: &CompileArgs,
    node: &str,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let configuration = compile.configuration()?;
    let facts = compile.given.settings.facts(&configuration, node);
    let Some(made) = catalog(&configuration, &facts, node, false, host, err)? else {
        return Ok(FAILED);
    };
    report(&made.cycle_warnings(), err);
    let limits = &made.options.limits;
    match compile.format {
        CatalogFormat::Text => write!(out, "{}", made.draft.to_code(limits)?)?,
        CatalogFormat::Summary => summary::write(&made, out)?,
        CatalogFormat::Json | CatalogFormat::Yaml | CatalogFormat::Dot => {
            let mut log = Vec::new();
            let finished = made.finish(&mut log);
            report(&log, err);
            let catalog = match finished {
                Ok(catalog) => catalog,
                // Values that data cannot represent are a failure of the catalog, too.
                Err(error) => {
                    failed(&error, err);
                    return Ok(FAILED);
                }
            };
            write(&catalog, compile.format, limits, out)?;
        }
    }
    Ok(OK)
}

fn write(
    catalog: &Catalog,
    format: CatalogFormat,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), CommandFailure> {
    match format {
        CatalogFormat::Dot => render::dot(&catalog.graph(), out)?,
        CatalogFormat::Yaml => write!(out, "{}", yaml::to_yaml(&catalog.to_value(), limits)?)?,
        CatalogFormat::Json | CatalogFormat::Text | CatalogFormat::Summary => {
            writeln!(out, "{:#}", json::to_json(&catalog.to_value(), limits)?)?;
        }
    }
    Ok(())
}

/// Prints the shown messages of a log.
pub(super) fn report(log: &[LogEntry], err: &mut dyn Write) {
    log.iter().filter(|entry| entry.is_shown()).for_each(|entry| complain(err, &entry.to_string()));
}

/// Returns the resources of the node, without virtual ones.
fn own(draft: &Draft) -> impl Iterator<Item = &Resource> {
    draft.resources().filter(|resource| !resource.is_virtual())
}

/// Prints the reason for there being no catalog.
pub(super) fn failed(error: &Error, err: &mut dyn Write) {
    complain(err, &LogEntry::new(LogLevel::Err, error.to_string()).to_string());
    let explanation = error.explanation().filter(|explanation| !explanation.restates_message());
    let explanation = explanation.map(ToString::to_string).unwrap_or_default();
    if !explanation.is_empty() {
        complain(err, &format!("\n{explanation}"));
    }
    if let Some(advice) = advice::of_error(error) {
        complain(err, &format!("help: {advice}"));
    }
}
