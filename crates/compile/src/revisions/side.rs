//! The two sides of a comparison.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Component, Path, PathBuf};

use puppetfn_diff::{Catalog, Sources, read_sources, render};
use puppetfn_fleet::{Folder, NodeProblem, ResultFileKind};
use walkdir::WalkDir;

use super::Revisions;
use super::git::{self, Worktree};
use crate::CompileFailure;

/// Extension of the files of catalogs, after the name of the node.
const EXTENSION: &str = "json";
/// Files and directories of environments.
const OF_ENVIRONMENTS: [&str; 4] = ["environment.conf", "manifests", "modules", "hiera.yaml"];
/// Prefix of the sources of files in modules.
const OF_MODULES: &str = "puppet:///modules/";
/// The number of files of a directory that are compared.
const MOST_FILES: usize = 10_000;
/// How large a file of a module is that is compared as text, in bytes.
const LARGEST: u64 = 16 << 20;

/// One of the two sides.
#[derive(Debug)]
pub(super) enum RevisionSide {
    /// A catalog.
    Catalog(PathBuf),
    /// A directory of catalogs that something else made, such as Puppet.
    Catalogs(PathBuf),
    /// Catalogs that were compiled before.
    Compiled(Folder),
    /// An environment, which has to be compiled.
    Environment(PathBuf),
    /// The same of a commit.
    Commit(PathBuf, Worktree),
}

/// The catalog of a node on one side, or its text.
pub(super) enum FoundCatalog<T> {
    Catalog(T),
    /// The error, if it has no catalog.
    Problem(String),
    /// The side does not know the node.
    Nothing,
}

/// The content of a catalog file.
pub(super) struct CatalogText {
    /// The file, as messages name it.
    file: String,
    pub json: String,
    /// The exported resources, in JSON, where they are kept apart.
    pub exports: Option<Vec<u8>>,
}

impl RevisionSide {
    /// Determines the kind of a side. A commit is checked out below a temporary directory.
    pub fn of(
        revisions: &Revisions,
        named: &OsStr,
        scratch: &Path,
        label: &str,
    ) -> Result<Self, CompileFailure> {
        let path = Path::new(named);
        if path.is_file() {
            return Ok(Self::Catalog(path.to_owned()));
        }
        if path.is_dir() {
            let other = || {
                let path = path.to_owned();
                if is_of_catalogs(&path) { Self::Catalogs(path) } else { Self::Environment(path) }
            };
            return Ok(Folder::open(path).map_or_else(|_| other(), Self::Compiled));
        }
        let unknown = |problem: String| {
            let named = named.to_string_lossy();
            CompileFailure::setting("", format!("{label}: {named} is not a directory, a file or {problem}"))
        };
        let is_commit = git::is_commit(&revisions.repository, named)
            .map_err(|failure| unknown(format!("a commit: {failure}")))?;
        if !is_commit {
            let repository = revisions.repository.display();
            return Err(unknown(format!("a Git reference of the repository {repository}")));
        }
        // As long as the path of the other side: texts with the path have the same length, then.
        let worktree = Worktree::add(&revisions.repository, named, &scratch.join(label.to_lowercase()))?;
        let inside = revisions.configuration.environment.as_deref().unwrap_or(Path::new("."));
        // Without `.` at its end, with which messages do not name it.
        let directory: PathBuf = worktree.directory().join(inside).components().collect();
        if inside.is_absolute() || !directory.is_dir() {
            return Err(CompileFailure::setting(
                "environment",
                format!("{} is not a directory in {}", inside.display(), named.to_string_lossy()),
            ));
        }
        Ok(Self::Commit(directory, worktree))
    }

    /// Returns its name in a report.
    pub fn described(&self, named: &OsStr) -> render::DiffSide {
        let commit = match self {
            Self::Commit(_, worktree) => Some(worktree.commit().clone()),
            Self::Catalog(_) | Self::Catalogs(_) | Self::Compiled(_) | Self::Environment(_) => None,
        };
        render::DiffSide { name: named.to_string_lossy().into_owned(), commit }
    }

    /// Returns the directory that a commit is checked out into.
    pub fn worktree(&self) -> Option<&Path> {
        match self {
            Self::Commit(_, worktree) => Some(worktree.directory()),
            Self::Environment(_) | Self::Catalog(_) | Self::Catalogs(_) | Self::Compiled(_) => None,
        }
    }

    /// Returns the directory of the environment, where that is to be compiled.
    pub fn environment(&self) -> Option<&Path> {
        match self {
            Self::Environment(directory) | Self::Commit(directory, _) => Some(directory),
            Self::Catalog(_) | Self::Catalogs(_) | Self::Compiled(_) => None,
        }
    }
}

/// The catalogs of a side.
#[derive(Debug)]
pub(super) struct Catalogs {
    place: CatalogStorage,
    /// Directories with modules, where sources of files are.
    modules: Vec<PathBuf>,
    /// The worktree, which is removed with this.
    _worktree: Option<Worktree>,
}

/// The place of the catalogs.
#[derive(Debug)]
enum CatalogStorage {
    File(PathBuf),
    Directory(PathBuf),
    Folder(Folder),
}

impl RevisionSide {
    /// Returns the catalogs, after compiling an environment.
    pub fn catalogs(
        self,
        compile: impl FnOnce(&Path) -> Result<(Folder, Vec<PathBuf>), CompileFailure>,
    ) -> Result<Catalogs, CompileFailure> {
        let known = |place| Catalogs { place, modules: Vec::new(), _worktree: None };
        let (directory, worktree) = match self {
            Self::Catalog(path) => return Ok(known(CatalogStorage::File(path))),
            Self::Catalogs(path) => return Ok(known(CatalogStorage::Directory(path))),
            Self::Compiled(folder) => return Ok(known(CatalogStorage::Folder(folder))),
            Self::Environment(directory) => (directory, None),
            Self::Commit(directory, worktree) => (directory, Some(worktree)),
        };
        let (folder, modules) = compile(&directory)?;
        Ok(Catalogs { place: CatalogStorage::Folder(folder), modules, _worktree: worktree })
    }
}

impl Catalogs {
    /// Returns the names of the nodes; none for a single file.
    pub fn nodes(&self) -> Result<BTreeSet<String>, CompileFailure> {
        match &self.place {
            CatalogStorage::File(_) => Ok(BTreeSet::new()),
            CatalogStorage::Directory(path) => Ok(catalogs_in(path)?.collect()),
            CatalogStorage::Folder(folder) => Ok(folder.nodes()?.into_iter().collect()),
        }
    }

    /// Returns the name of the only node, if there is only one.
    pub fn only(&self) -> Option<String> {
        match &self.place {
            CatalogStorage::File(path) => {
                Some(path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
            }
            CatalogStorage::Directory(_) | CatalogStorage::Folder(_) => None,
        }
    }

    /// Returns the catalog or the error of a node.
    pub fn find(&self, node: &str) -> FoundCatalog<CatalogText> {
        let folder = match &self.place {
            CatalogStorage::File(path) => return read(path),
            CatalogStorage::Directory(path) => {
                let catalog = path.join(format!("{node}.{EXTENSION}"));
                return if catalog.is_file() { read(&catalog) } else { FoundCatalog::Nothing };
            }
            CatalogStorage::Folder(folder) => folder,
        };
        let error = fs::read(folder.path(ResultFileKind::Error, node)).ok();
        if let Some(problem) = error.and_then(|json| serde_json::from_slice::<NodeProblem>(&json).ok()) {
            return FoundCatalog::Problem(problem.message);
        }
        let catalog = folder.path(ResultFileKind::Catalog, node);
        if !catalog.is_file() {
            return FoundCatalog::Nothing;
        }
        match read(&catalog) {
            FoundCatalog::Catalog(text) => FoundCatalog::Catalog(CatalogText {
                exports: fs::read(folder.path(ResultFileKind::Exports, node)).ok(),
                ..text
            }),
            found @ (FoundCatalog::Problem(_) | FoundCatalog::Nothing) => found,
        }
    }

    /// Returns true if the file of a node's catalog is there and not larger than so many bytes.
    pub fn is_small(&self, node: &str, limit: u64) -> bool {
        let file = match &self.place {
            CatalogStorage::File(path) => path.clone(),
            CatalogStorage::Directory(path) => path.join(format!("{node}.{EXTENSION}")),
            CatalogStorage::Folder(folder) => folder.path(ResultFileKind::Catalog, node),
        };
        fs::metadata(file).is_ok_and(|found| found.len() <= limit)
    }

    /// Reads the catalog in a text.
    pub fn understand(&self, found: FoundCatalog<CatalogText>) -> FoundCatalog<Catalog> {
        let CatalogText { file, json, exports } = match found {
            FoundCatalog::Catalog(text) => text,
            FoundCatalog::Problem(message) => return FoundCatalog::Problem(message),
            FoundCatalog::Nothing => return FoundCatalog::Nothing,
        };
        match Catalog::of_json(&json) {
            Ok(mut catalog) => {
                if let Some(exports) = exports
                    && let Err(error) = catalog.add_exports(&exports)
                {
                    return FoundCatalog::Problem(error.in_file(&file).to_string());
                }
                read_sources(&mut catalog, self);
                FoundCatalog::Catalog(catalog)
            }
            Err(error) => FoundCatalog::Problem(error.in_file(&file).to_string()),
        }
    }

    /// Returns true if the catalogs are in a folder that only whole ones are put into.
    pub fn are_compiled(&self) -> bool {
        matches!(self.place, CatalogStorage::Folder(_))
    }

    /// Returns where a source is in a module, if it is there.
    fn located(&self, source: &str) -> Option<PathBuf> {
        let named = source.strip_prefix(OF_MODULES)?;
        let (module, path) = named.split_once('/').unwrap_or((named, ""));
        let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let places = self.modules.iter().map(|directory| directory.join(module).join("files").join(path));
        places.filter(|_| is_inside).find(|place| place.exists())
    }
}

impl Sources for Catalogs {
    fn file(&self, source: &str) -> Option<Vec<u8>> {
        let file = self.located(source)?;
        let is_small = fs::metadata(&file).is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
        is_small.then(|| fs::read(file).ok()).flatten()
    }

    fn directory(&self, source: &str) -> Option<Vec<(String, String)>> {
        let directory = self.located(source).filter(|place| place.is_dir())?;
        let entries = WalkDir::new(&directory).sort_by_file_name().into_iter().filter_map(Result::ok);
        let files = entries.filter(|entry| !entry.file_type().is_dir()).take(MOST_FILES);
        Some(files.filter_map(|entry| identified(&directory, entry.path())).collect())
    }
}

/// Returns the path of a file in a directory, and a fingerprint of its content.
fn identified(directory: &Path, file: &Path) -> Option<(String, String)> {
    let within = file.strip_prefix(directory).ok()?.to_string_lossy().into_owned();
    let found = fs::symlink_metadata(file).ok()?;
    let content = if found.is_symlink() {
        format!("-> {}", fs::read_link(file).ok()?.display())
    } else if found.is_file() && found.len() <= LARGEST {
        puppetfn_fleet::digest(&fs::read(file).ok()?)
    } else {
        format!("{} bytes", found.len())
    };
    Some((within, content))
}

fn read(path: &Path) -> FoundCatalog<CatalogText> {
    let file = path.display().to_string();
    let read = match File::open(path) {
        Ok(opened) => Catalog::text_of(BufReader::new(opened)),
        Err(error) => return FoundCatalog::Problem(format!("{file}: {error}")),
    };
    match read {
        Ok(json) => FoundCatalog::Catalog(CatalogText { file, json, exports: None }),
        Err(error) => FoundCatalog::Problem(error.in_file(&file).to_string()),
    }
}

/// Returns true if a directory has catalogs, and nothing that makes it an environment.
fn is_of_catalogs(directory: &Path) -> bool {
    let is_environment = OF_ENVIRONMENTS.iter().any(|name| directory.join(name).exists());
    !is_environment && catalogs_in(directory).is_ok_and(|mut nodes| nodes.next().is_some())
}

/// Returns the names of the nodes that a directory has catalogs of, as files are called.
fn catalogs_in(directory: &Path) -> Result<impl Iterator<Item = String>, CompileFailure> {
    let entries = fs::read_dir(directory)
        .map_err(|error| CompileFailure::setting("", format!("{}: {error}", directory.display())))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    Ok(names.filter_map(|name| Some(name.strip_suffix(EXTENSION)?.strip_suffix('.')?.to_owned())))
}
