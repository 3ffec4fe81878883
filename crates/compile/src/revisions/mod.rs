//! Revisions of the same nodes: directories, commits, kept catalogs.
#![allow(clippy::disallowed_methods, reason = "the user names these files")]

mod differences;
mod git;
mod kept;
mod modules;
mod same;
mod side;

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;

use puppetfn_diff::{
    Catalog, DiffOptions, DiffReport, Differences, NodeValues, compare, group_by_values, render,
};
use puppetfn_project::{absolute, environment_name, expand};
use puppetfn_types::function::LogLevel;
use puppetfn_types::value::Value;
use rayon::prelude::*;
use serde::Deserialize;
use tempfile::TempDir;

pub use self::differences::DifferenceOptions;
use self::kept::SideCompiler;
use self::modules::Modulepaths;
use self::same::is_same;
use self::side::{Catalogs, FoundCatalog, RevisionSide};
use crate::{CompileFailure, Configuration, FactSource, LogEntry, NodeSource, Observer};

/// The number of nodes that are compared before their differences are grouped.
const BATCH: usize = 64;
/// The maximum size of a catalog without classes and resources, in bytes.
const LARGEST_EMPTY: u64 = 4096;
/// The default name of both sides' environment.
const ENVIRONMENT: &str = "production";

/// Two states to compare, and how.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Revisions {
    /// The old state: a reference of Git, the directory of an environment or of catalogs, or a catalog.
    pub old: PathBuf,
    /// The new state.
    pub new: PathBuf,
    /// The repository that references are of. The environment is the root of it, or the relative directory that is configured.
    #[serde(default = "here")]
    pub repository: PathBuf,
    /// Whether modules of the working tree that the repository does not track are left out.
    #[serde(default)]
    pub only_tracked: bool,
    /// A directory in which catalogs are kept for later comparisons.
    #[serde(default)]
    pub cache: Option<PathBuf>,
    /// Whether every node is compiled, even if a cached catalog could be reused.
    #[serde(default)]
    pub compile_all: bool,
    /// The nodes.
    #[serde(default)]
    pub nodes: Option<NodeSource>,
    /// The number of processes, instead of one for each processor.
    #[serde(default)]
    pub jobs: Option<NonZero<usize>>,
    /// Options of the comparison.
    #[serde(default)]
    pub differences: DifferenceOptions,
    /// The configuration of both sides.
    pub configuration: Configuration,
}

fn here() -> PathBuf {
    PathBuf::from(".")
}

/// Two states of the same nodes.
#[derive(Debug)]
pub struct RevisionComparison {
    old: Catalogs,
    new: Catalogs,
    nodes: Vec<String>,
    /// The files with the facts of nodes.
    facts: HashMap<String, PathBuf>,
    options: DiffOptions,
    /// The names of both sides, and their commits.
    sides: [render::DiffSide; 2],
    /// The temporary directory of worktrees and catalogs.
    _scratch: TempDir,
}

impl RevisionComparison {
    /// Compiles the sides that are environments, in processes that `worker` starts: see [`crate::Compiler::worker`].
    ///
    /// # Errors
    /// Fails if a side, its environment or the source of nodes cannot be used.
    pub fn new(
        mut revisions: Revisions,
        worker: &Command,
        observer: &mut dyn Observer,
    ) -> Result<Self, CompileFailure> {
        let scratch = tempfile::Builder::new().prefix("puppetfn-diff-").tempdir()?;
        let sides = [
            RevisionSide::of(&revisions, revisions.old.as_os_str(), scratch.path(), "OLD")?,
            RevisionSide::of(&revisions, revisions.new.as_os_str(), scratch.path(), "NEW")?,
        ];
        revisions.configuration.environment_name.get_or_insert_with(|| common_name(&sides));
        let options = revisions.differences.options(revisions.configuration.limits)?;
        let mut modulepaths = Modulepaths::of(&revisions, &sides, scratch.path())?;
        let [old, new] = &sides;
        let modules = [modulepaths.of_side(old)?, modulepaths.of_side(new)?];
        let directories = sides.each_ref().map(|side| side.environment().map(Path::to_path_buf));
        for note in modulepaths.notes(&directories)? {
            observer.log(LogEntry::new(LogLevel::Notice, note));
        }
        let described = [old.described(revisions.old.as_os_str()), new.described(revisions.new.as_os_str())];
        let is_compiled = sides.iter().any(|side| side.environment().is_some());
        let nodes = if is_compiled {
            let source = revisions
                .nodes
                .as_ref()
                .ok_or_else(|| CompileFailure::setting("nodes", "expected facts of nodes, or their names"))?;
            source.read(&scratch.path().join("facts"), &revisions.configuration.limits)?
        } else {
            Vec::new()
        };
        let mut catalogs = Vec::new();
        let mut compiled = SideCompiler::new(&revisions, nodes.clone());
        for ((side, modulepath), label) in sides.into_iter().zip(modules).zip(["old", "new"]) {
            let folder = scratch.path().join("catalogs").join(label);
            let compile =
                |directory: &Path| compiled.compile(directory, modulepath, folder, worker, observer);
            catalogs.push(side.catalogs(compile)?);
        }
        let facts = nodes.iter().filter_map(|node| Some((node.name.clone(), node.facts.clone()?))).collect();
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
            facts,
            options,
            sides: described,
            _scratch: scratch,
        })
    }

    /// Returns the names of both sides, and their commits.
    pub fn sides(&self) -> &[render::DiffSide; 2] {
        &self.sides
    }

    /// Compares all nodes, some at the same time.
    ///
    /// # Errors
    /// Fails if a directory of catalogs cannot be read.
    pub fn report(&self) -> Result<DiffReport, CompileFailure> {
        let mut failed = Vec::new();
        let batches = self.nodes.chunks(BATCH);
        let compared = batches.flat_map(|nodes| {
            let compared = |node: &String| {
                let found = self.compare(node);
                let differs = found.as_ref().is_ok_and(|differences| !differences.is_empty());
                (node.clone(), found, if differs { self.values_of(node) } else { NodeValues::default() })
            };
            nodes.par_iter().map(compared).collect::<Vec<_>>()
        });
        let compared = compared.filter_map(|(node, found, values)| match found {
            Ok(differences) => Some((node, differences, values)),
            Err(message) => {
                failed.push((node, message));
                None
            }
        });
        let mut report = group_by_values(compared);
        report.add_failures(failed);
        Ok(report)
    }

    /// Returns a warning about nodes whose catalogs are empty on both sides: that they do not differ is no good news.
    pub fn warning(&self) -> Option<LogEntry> {
        let is_empty = |side: &Catalogs, node: &str| {
            let is_small = side.is_small(node, LARGEST_EMPTY);
            let understood = is_small.then(|| side.understand(side.find(node)));
            matches!(understood, Some(FoundCatalog::Catalog(catalog)) if catalog.is_empty())
        };
        let nodes = self.nodes.iter().map(String::as_str);
        let nodes: Vec<&str> =
            nodes.filter(|node| is_empty(&self.old, node) && is_empty(&self.new, node)).collect();
        let (first, others) = nodes.split_first()?;
        let named = match others.len() {
            0 => format!("the catalog of {first} has"),
            more => format!("the catalogs of {first} and {more} more nodes have"),
        };
        Some(LogEntry::warning(format!("Before and after, {named} neither classes nor resources")))
    }

    /// Returns both catalogs of a node, if it has two.
    pub fn catalogs(&self, node: &str) -> Option<(Catalog, Catalog)> {
        match (self.old.understand(self.old.find(node)), self.new.understand(self.new.find(node))) {
            (FoundCatalog::Catalog(old), FoundCatalog::Catalog(new)) => Some((old, new)),
            _ => None,
        }
    }

    /// Returns the values of a node by which the same change may differ: its name and its facts, if they are known.
    fn values_of(&self, node: &str) -> NodeValues {
        let mut values = NodeValues::of_name(node);
        let source = FactSource::of_file(self.facts.get(node).map(PathBuf::as_path));
        if let Ok(facts) = source.read(Some(node), &self.options.limits) {
            facts.values.iter().for_each(|(_, value)| add_texts(&mut values, value));
        }
        values
    }

    fn compare(&self, node: &str) -> Result<Differences, String> {
        let (old, new) = (self.old.find(node), self.new.find(node));
        if is_same((&self.old, &old), (&self.new, &new)) {
            return Ok(Differences::default());
        }
        match (self.old.understand(old), self.new.understand(new)) {
            (FoundCatalog::Catalog(old), FoundCatalog::Catalog(new)) => {
                Ok(compare(&old, &new, &self.options))
            }
            (FoundCatalog::Problem(old), FoundCatalog::Problem(new)) if old == new => {
                Err(format!("before and after: {old}"))
            }
            (FoundCatalog::Problem(old), FoundCatalog::Problem(new)) => {
                Err(format!("before: {old}; after: {new}"))
            }
            (_, FoundCatalog::Problem(new)) => Err(format!("after: {new}")),
            (FoundCatalog::Problem(old), _) => Err(format!("before: {old}")),
            (FoundCatalog::Nothing, _) => Err("there is no catalog of this node before".to_owned()),
            (_, FoundCatalog::Nothing) => Err("there is no catalog of this node after".to_owned()),
        }
    }
}

/// Adds the texts and numbers in a value.
fn add_texts(values: &mut NodeValues, value: &Value) {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        if let Value::String(text) = value {
            values.add(text);
        } else if let Value::Integer(number) = value {
            values.add(&number.to_string());
        } else if let Value::Array(items) = value {
            rest.extend(items.iter());
        } else if let Value::Hash(hash) = value {
            rest.extend(hash.iter().map(|(_, value)| value));
        }
    }
}

/// Returns the environment's name for both sides: the name that `puppetfn compile` uses, if it is the same on both.
fn common_name(sides: &[RevisionSide; 2]) -> String {
    let name = |side: &RevisionSide| {
        side.environment().map(|directory| environment_name(&expand(&absolute(directory))))
    };
    let [old, new] = sides.each_ref().map(name);
    new.filter(|new| old.as_ref().is_none_or(|old| old == new)).unwrap_or_else(|| ENVIRONMENT.to_owned())
}
