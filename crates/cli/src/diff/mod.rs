//! `puppetfn diff`.
#![allow(clippy::disallowed_methods, reason = "the user names these files")]

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

use puppetfn_compile::{Comparison, Observer, Revisions};
use puppetfn_diff::{self as differences, Options, Report, Rules, render};

use crate::args::diff::{Diff, DiffFormat};
use crate::compile::Progress;
use crate::{FAILED, Failure, Host, OK};

/// The exit code when there are differences.
const DIFFERENT: i32 = 2;
/// Of how many groups a report in HTML has graphs: their catalogs are read once more.
const DRAWN: usize = 200;
/// The filter for catalogs that name the directory of the code, which those that are compiled here do not.
const OF_DIRECTORIES: &str = "CompilationDir";
pub(super) fn run(
    diff: &Diff,
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    let mut progress = Progress::new(host.terminals().err, err);
    let comparison = Comparison::new(revisions(diff)?, host, &mut progress)?;
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

fn revisions(diff: &Diff) -> Result<Revisions, Failure> {
    Ok(Revisions {
        old: diff.old.clone(),
        new: diff.new.clone(),
        repository: diff.repository.clone(),
        only_tracked: diff.only_tracked,
        cache: diff.cache.clone(),
        compile_all: diff.compile_all,
        nodes: diff.nodes.source(),
        jobs: diff.nodes.jobs,
        options: options(diff)?,
        configuration: diff.given.configuration(),
    })
}

/// Returns what counts as a difference.
fn options(diff: &Diff) -> Result<Options, Failure> {
    let mut rules = Rules::default();
    let wrong = |option: &str, error: differences::Error| Failure::Usage(format!("{option}: {error}"));
    for rule in &diff.ignore {
        rules.add_list(rule).map_err(|error| wrong("--ignore", error))?;
    }
    for attribute in &diff.ignore_attr {
        rules.add_attribute(attribute).map_err(|error| wrong("--ignore-attr", error))?;
    }
    for path in &diff.ignore_file {
        let name = path.display().to_string();
        let text = fs::read_to_string(path)
            .map_err(|error| Failure::Usage(format!("--ignore-file: {name}: {error}")))?;
        rules.add_lines(&text).map_err(|error| wrong("--ignore-file", error.in_file(&name)))?;
    }
    let named = diff.filters.iter().filter(|name| !name.eq_ignore_ascii_case(OF_DIRECTORIES));
    let filters =
        named.map(|name| name.parse().map_err(|error| Failure::Usage(format!("--filters: {error}"))));
    Ok(Options {
        classes: !diff.no_classes,
        tags: diff.include_tags,
        ordering: !diff.no_ordering,
        containment: !diff.no_containment,
        data_types: !diff.no_data_types,
        filters: filters.collect::<Result<_, _>>()?,
        rules,
        ignored_tags: if diff.no_ignore_tags { Vec::new() } else { diff.ignore_tags.clone() },
        limits: diff.given.settings.bounds.limits(),
    })
}

/// Writes what was found to standard output or to a file.
fn write(
    diff: &Diff,
    report: &Report,
    comparison: &Comparison,
    host: &dyn Host,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Some(path) = &diff.out else {
        return Ok(rendered(diff, report, comparison, host.terminals().colours_out(), out)?);
    };
    let unwritable = |error: io::Error| Failure::Usage(format!("--out: {}: {error}", path.display()));
    let mut file = BufWriter::new(File::create(path).map_err(unwritable)?);
    rendered(diff, report, comparison, false, &mut file).and_then(|()| file.flush()).map_err(unwritable)
}

fn rendered(
    diff: &Diff,
    report: &Report,
    comparison: &Comparison,
    is_coloured: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    match diff.format {
        DiffFormat::Human => {
            render::human(report, &render::Human { colours: is_coloured, ..Default::default() }, out)
        }
        DiffFormat::Json => render::json(report, out),
        DiffFormat::Junit => render::junit(report, out),
        DiffFormat::Markdown => {
            let default = render::Markdown::default();
            let limit = diff.size.unwrap_or(default.limit);
            render::markdown(report, &render::Markdown { limit, ..default }, out)
        }
        DiffFormat::Html => {
            let default = render::Html::default();
            let limit = diff.size.unwrap_or(default.limit);
            let [old, new] = comparison.sides().clone();
            render::html(report, &render::Html { old, new, limit, ..default }, out)
        }
    }
}
