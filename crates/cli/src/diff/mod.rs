//! `puppetfn diff`.
#![allow(clippy::disallowed_methods, reason = "the user names these files")]

mod compiled;
mod git;
mod modules;
mod same;
mod side;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use puppetfn_diff::{
    self as differences, Catalog, Differences, Options, Report, Rules, compare, group, render,
};
use puppetfn_project::{absolute, environment_name, expand};
use puppetfn_types::function::LogLevel;
use rayon::prelude::*;
use tempfile::TempDir;

use self::compiled::Compiler;
use self::modules::Modulepaths;
use self::same::is_same;
use self::side::{Catalogs, Found, Side};
use crate::args::diff::{Diff, DiffFormat};
use crate::compile::worker::{self, Paths};
use crate::compile::{log, many};
use crate::{FAILED, Failure, Host, OK};

/// The exit code when there are differences.
const DIFFERENT: i32 = 2;
/// How many nodes are compared before what was found is put together.
const BATCH: usize = 64;
/// Of how many groups a report in HTML has graphs: their catalogs are read once more.
const DRAWN: usize = 200;
/// The filter for catalogs that name the directory of the code, which those that are compiled here do not.
const OF_DIRECTORIES: &str = "CompilationDir";
/// How many bytes a catalog has at most in which there is nothing.
const LARGEST_EMPTY: u64 = 4096;
/// What the environment of both sides is called.
const ENVIRONMENT: &str = "production";

pub(super) fn run(
    mut diff: Diff,
    given: &[OsString],
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    if let (Some(folder), Some(environment)) = (&diff.worker, diff.worker_environment.take()) {
        diff.given.settings.environment = Some(environment);
        diff.given.environment_name = diff.worker_name.take();
        if let Some(modulepath) = diff.worker_modulepath.take() {
            diff.given.settings.modulepath = vec![modulepath];
        }
        return worker::work(&diff.given, folder, Paths::OfEnvironment, host, out);
    }
    let comparison = Comparison::of(&mut diff, given, host, err)?;
    let mut report = comparison.report()?;
    if diff.format == DiffFormat::Html {
        report.add_surroundings(DRAWN, |node| comparison.catalogs(node));
    }
    write(&diff, &report, &comparison, host, out)?;
    comparison.tell_of_nothing(err);
    Ok(match (report.failed.is_empty(), report.groups.is_empty()) {
        (false, _) => FAILED,
        (true, false) => DIFFERENT,
        (true, true) => OK,
    })
}

/// Two states of the same nodes.
struct Comparison {
    old: Catalogs,
    new: Catalogs,
    nodes: Vec<String>,
    options: Options,
    /// What the two are called.
    sides: [render::Side; 2],
    /// What is removed when this is.
    _scratch: TempDir,
}

impl Comparison {
    /// Has compiled what is no catalog yet.
    fn of(
        diff: &mut Diff,
        given: &[OsString],
        host: &mut dyn Host,
        err: &mut dyn Write,
    ) -> Result<Self, Failure> {
        let scratch = tempfile::Builder::new().prefix("puppetfn-diff-").tempdir()?;
        let sides = [
            Side::of(diff, &diff.old, scratch.path(), "OLD")?,
            Side::of(diff, &diff.new, scratch.path(), "NEW")?,
        ];
        diff.given.environment_name.get_or_insert_with(|| common_name(&sides));
        let diff = &*diff;
        let options = options(diff)?;
        let mut modulepaths = Modulepaths::of(diff, &sides, scratch.path())?;
        let [old, new] = &sides;
        let modules = [modulepaths.of_side(old)?, modulepaths.of_side(new)?];
        let directories = sides.each_ref().map(|side| side.environment().map(Path::to_path_buf));
        for note in modulepaths.notes(&directories)? {
            log(err, LogLevel::Notice, &note);
        }
        let described = [old.described(&diff.old), new.described(&diff.new)];
        let is_compiled = sides.iter().any(|side| side.environment().is_some());
        let nodes = if is_compiled {
            many::nodes(&diff.nodes, &diff.given, &scratch.path().join("facts"))?
        } else {
            Vec::new()
        };
        let mut catalogs = Vec::new();
        let mut compiler = Compiler::new(diff, given, nodes.clone());
        for ((side, modulepath), label) in sides.into_iter().zip(modules).zip(["old", "new"]) {
            let folder = scratch.path().join("catalogs").join(label);
            let compile = |directory: &Path| compiler.compile(directory, modulepath, folder, host, err);
            catalogs.push(side.catalogs(compile)?);
        }
        let mut names: BTreeSet<String> = nodes.into_iter().map(|node| node.name).collect();
        if names.is_empty() {
            for side in &catalogs {
                names.extend(side.nodes()?);
            }
        }
        let mut catalogs = catalogs.into_iter();
        let (Some(old), Some(new)) = (catalogs.next(), catalogs.next()) else {
            return Err(io::Error::from(io::ErrorKind::NotFound).into());
        };
        if let (Some(node), true) = (old.only(), new.only().is_some()) {
            names.insert(node);
        }
        Ok(Self {
            old,
            new,
            nodes: names.into_iter().collect(),
            options,
            sides: described,
            _scratch: scratch,
        })
    }

    /// Compares all nodes, some at the same time.
    fn report(&self) -> Result<Report, Failure> {
        let mut failed = Vec::new();
        let batches = self.nodes.chunks(BATCH);
        let compared = batches.flat_map(|nodes| {
            nodes.par_iter().map(|node| (node.clone(), self.compare(node))).collect::<Vec<_>>()
        });
        let compared = compared.filter_map(|(node, found)| match found {
            Ok(differences) => Some((node, differences)),
            Err(message) => {
                failed.push((node, message));
                None
            }
        });
        let mut report = group(compared);
        report.add_failures(failed);
        Ok(report)
    }

    /// Warns of nodes that have nothing in their catalogs on both sides: no difference is then no good news.
    fn tell_of_nothing(&self, err: &mut dyn Write) {
        let is_empty = |side: &Catalogs, node: &str| {
            let is_small = side.is_small(node, LARGEST_EMPTY);
            let understood = is_small.then(|| side.understand(side.find(node)));
            matches!(understood, Some(Found::Catalog(catalog)) if catalog.is_empty())
        };
        let nodes = self.nodes.iter().map(String::as_str);
        let nodes: Vec<&str> =
            nodes.filter(|node| is_empty(&self.old, node) && is_empty(&self.new, node)).collect();
        if let Some((first, others)) = nodes.split_first() {
            let named = match others.len() {
                0 => format!("the catalog of {first} has"),
                more => format!("the catalogs of {first} and {more} more nodes have"),
            };
            log(err, LogLevel::Warning, &format!("On both sides, {named} no class and no resource"));
        }
    }

    /// Returns both catalogs of a node, if it has two.
    fn catalogs(&self, node: &str) -> Option<(Catalog, Catalog)> {
        match (self.old.understand(self.old.find(node)), self.new.understand(self.new.find(node))) {
            (Found::Catalog(old), Found::Catalog(new)) => Some((old, new)),
            _ => None,
        }
    }

    fn compare(&self, node: &str) -> Result<Differences, String> {
        let (old, new) = (self.old.find(node), self.new.find(node));
        if is_same((&self.old, &old), (&self.new, &new)) {
            return Ok(Differences::default());
        }
        match (self.old.understand(old), self.new.understand(new)) {
            (Found::Catalog(old), Found::Catalog(new)) => Ok(compare(&old, &new, &self.options)),
            (Found::Problem(old), Found::Problem(new)) if old == new => {
                Err(format!("before and after: {old}"))
            }
            (Found::Problem(old), Found::Problem(new)) => Err(format!("before: {old}; after: {new}")),
            (_, Found::Problem(new)) => Err(format!("after: {new}")),
            (Found::Problem(old), _) => Err(format!("before: {old}")),
            (Found::Nothing, _) => Err("there is nothing of this node before".to_owned()),
            (_, Found::Nothing) => Err("there is nothing of this node after".to_owned()),
        }
    }
}

/// Returns the environment's name for both sides: the name that `puppetfn compile` uses, if it is the same on both.
fn common_name(sides: &[Side; 2]) -> String {
    let name =
        |side: &Side| side.environment().map(|directory| environment_name(&expand(&absolute(directory))));
    let [old, new] = sides.each_ref().map(name);
    new.filter(|new| old.as_ref().is_none_or(|old| old == new)).unwrap_or_else(|| ENVIRONMENT.to_owned())
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
            let [old, new] = comparison.sides.clone();
            render::html(report, &render::Html { old, new, limit, ..default }, out)
        }
    }
}
