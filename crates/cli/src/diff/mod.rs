//! `puppetfn diff`.
#![allow(clippy::disallowed_methods, reason = "the user names these files")]

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use puppetfn_compile::{DifferenceOptions, NodeSource, Observer, RevisionComparison, Revisions};
use puppetfn_diff::{DiffReport, render};
use puppetfn_project::repository_around;

use crate::args::diff::{Diff, DiffFormat};
use crate::args::settings::FACTS;
use crate::compile::Progress;
use crate::{CommandFailure, CommandHost, FAILED, OK};

/// The exit code when there are differences.
const DIFFERENT: i32 = 2;
/// Of how many groups a report in HTML has graphs: their catalogs are read once more.
const DRAWN: usize = 200;
pub(super) fn run(
    diff: &Diff,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let mut progress = Progress::new(host.terminals().err, err);
    let comparison = RevisionComparison::new(revisions(diff)?, &host.worker()?, &mut progress)?;
    let mut report = comparison.report()?;
    if diff.format == DiffFormat::Html {
        report.add_surroundings(DRAWN, |node| comparison.catalogs(node));
    }
    write(diff, &report, &comparison, host, out)?;
    comparison.warning().into_iter().for_each(|warning| progress.log(warning));
    Ok(match (report.failed.is_empty(), report.groups.is_empty()) {
        (false, _) => FAILED,
        (true, false) => DIFFERENT,
        (true, true) => OK,
    })
}

fn revisions(diff: &Diff) -> Result<Revisions, CommandFailure> {
    let project = diff.given.configuration()?;
    let mut configuration = diff.given.stated_configuration();
    if configuration.environment.is_none() && diff.repository == Path::new(".") {
        configuration.environment = project.environment.as_deref().and_then(within_repository);
    }
    let nodes = diff.nodes.source().or_else(|| nodes_of(project.environment.as_deref()?));
    Ok(Revisions {
        old: PathBuf::from(&diff.old),
        new: PathBuf::from(&diff.new),
        repository: diff.repository.clone(),
        only_tracked: diff.only_tracked,
        cache: diff.cache.clone(),
        compile_all: diff.compile_all,
        nodes,
        jobs: diff.nodes.jobs,
        differences: DifferenceOptions {
            ignore: diff.ignore.clone(),
            ignore_file: diff.ignore_file.clone(),
            ignore_attr: diff.ignore_attr.clone(),
            ignore_tags: Some(if diff.no_ignore_tags { Vec::new() } else { diff.ignore_tags.clone() }),
            filters: diff.filters.clone(),
            include_tags: diff.include_tags,
            no_classes: diff.no_classes,
            no_ordering: diff.no_ordering,
            no_containment: diff.no_containment,
            no_data_types: diff.no_data_types,
        },
        configuration,
    })
}

/// Returns the path of a control repository in the Git repository around it, unless it is the root.
fn within_repository(environment: &Path) -> Option<PathBuf> {
    let root = repository_around(environment)?;
    let within = environment.strip_prefix(root).ok()?;
    (!within.as_os_str().is_empty()).then(|| within.to_owned())
}

/// Returns the nodes of an environment, if it has a directory with their facts.
fn nodes_of(environment: &Path) -> Option<NodeSource> {
    let source = environment.join(FACTS);
    source.is_dir().then_some(NodeSource { source, facts_for: None, named_by_facts: false })
}

/// Writes the report to standard output or to a file.
fn write(
    diff: &Diff,
    report: &DiffReport,
    comparison: &RevisionComparison,
    host: &dyn CommandHost,
    out: &mut dyn Write,
) -> Result<(), CommandFailure> {
    let Some(path) = &diff.out else {
        return Ok(rendered(diff, report, comparison, host.terminals().colours_out(), out)?);
    };
    let unwritable = |error: io::Error| CommandFailure::Usage(format!("--out: {}: {error}", path.display()));
    let mut file = BufWriter::new(File::create(path).map_err(unwritable)?);
    rendered(diff, report, comparison, false, &mut file).and_then(|()| file.flush()).map_err(unwritable)
}

fn rendered(
    diff: &Diff,
    report: &DiffReport,
    comparison: &RevisionComparison,
    is_coloured: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    match diff.format {
        DiffFormat::Human => {
            render::human(report, &render::TerminalReport { colours: is_coloured, ..Default::default() }, out)
        }
        DiffFormat::Json => render::json(report, out),
        DiffFormat::Junit => render::junit(report, out),
        DiffFormat::Markdown => {
            let default = render::MarkdownReport::default();
            let limit = diff.size.unwrap_or(default.limit);
            render::markdown(report, &render::MarkdownReport { limit, ..default }, out)
        }
        DiffFormat::Html => {
            let default = render::HtmlReport::default();
            let limit = diff.size.unwrap_or(default.limit);
            let [old, new] = comparison.sides().clone();
            render::html(report, &render::HtmlReport { old, new, limit, ..default }, out)
        }
    }
}
