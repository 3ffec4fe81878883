//! Where the modules of each side are: in the state that is compared, and where the repository does not track modules, in the
//! working tree.
#![allow(clippy::disallowed_methods, reason = "the user names the repository and the directories of modules")]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use puppetfn_project::{absolute, expand};
use puppetfn_types::value::Value;

use super::Revisions;
use super::git;
use super::side::RevisionSide;
use crate::CompileFailure;

/// The file that names the modules that r10k installs.
const PUPPETFILE: &str = "Puppetfile";

/// The modulepaths of both sides.
pub(super) struct Modulepaths<'a> {
    revisions: &'a Revisions,
    /// Directories of the option, relative or absolute.
    stated: Vec<PathBuf>,
    /// The working tree of the repository, if commits are compared and it has one.
    checkout: Option<PathBuf>,
    /// A temporary directory.
    scratch: PathBuf,
    /// Directories of the working tree that both sides use.
    shared: BTreeSet<PathBuf>,
    /// Directories of the option that a side has.
    found: BTreeSet<PathBuf>,
}

impl<'a> Modulepaths<'a> {
    /// Prepares for two sides.
    ///
    /// # Errors
    /// Fails if the option names a tracked directory by an absolute path: both sides would use the working tree's.
    pub fn of(
        revisions: &'a Revisions,
        sides: &[RevisionSide; 2],
        scratch: &Path,
    ) -> Result<Self, CompileFailure> {
        let stated = revisions.configuration.modulepath.clone();
        let is_of_commits = sides.iter().any(|side| side.worktree().is_some());
        let checkout = is_of_commits.then(|| git::working_tree(&revisions.repository)).flatten();
        for path in stated.iter().filter(|path| path.is_absolute()) {
            let Some(within) = checkout.as_ref().and_then(|root| path.strip_prefix(root).ok()) else {
                continue;
            };
            if !git::tracked(&revisions.repository, within)?.is_empty() {
                return Err(CompileFailure::setting(
                    "modulepath",
                    format!(
                        "{} is tracked by the repository, but both sides would use the working tree's; \
                     name it relative to the repository: {}",
                        path.display(),
                        within.display()
                    ),
                ));
            }
        }
        let scratch = scratch.join("modules");
        Ok(Self { revisions, stated, checkout, scratch, shared: BTreeSet::new(), found: BTreeSet::new() })
    }

    /// Returns the module directories of a side, if they override its `environment.conf`.
    ///
    /// # Errors
    /// Fails if the side's environment cannot be read.
    pub fn of_side(&mut self, side: &RevisionSide) -> Result<Option<Vec<PathBuf>>, CompileFailure> {
        let Some(environment) = side.environment() else { return Ok(None) };
        if self.stated.is_empty() {
            let Some(worktree) = side.worktree() else { return Ok(None) };
            return self.of_environment(environment, worktree);
        }
        let mut all = Vec::new();
        for path in self.stated.clone() {
            if path.is_absolute() {
                self.found.insert(path.clone());
                all.push(path);
                continue;
            }
            for place in self.places(&path, environment, side.worktree()) {
                let before = all.len();
                all.extend(Some(place.clone()).filter(|place| place.is_dir()));
                if let Some(worktree) = side.worktree() {
                    self.add_untracked(&place, worktree, &mut all)?;
                }
                if all.len() > before {
                    self.found.insert(path.clone());
                    break;
                }
            }
        }
        self.not_empty(all).map(Some)
    }

    /// Returns where a relative directory may be on a side: from its environment, or as the working directory is in the
    /// repository.
    fn places(&self, path: &Path, environment: &Path, worktree: Option<&Path>) -> Vec<PathBuf> {
        let here = expand(&absolute(path));
        let of_side = expand(&absolute(&environment.join(path)));
        let other = match (worktree, &self.checkout) {
            (Some(worktree), Some(root)) => here.strip_prefix(root).ok().map(|within| worktree.join(within)),
            (Some(_), None) => None,
            (None, _) => Some(here),
        };
        std::iter::once(of_side).chain(other).collect()
    }

    /// Returns the modulepath of a commit's `environment.conf`, with modules of the working tree that are not tracked.
    fn of_environment(
        &mut self,
        environment: &Path,
        worktree: &Path,
    ) -> Result<Option<Vec<PathBuf>>, CompileFailure> {
        let read = self.revisions.configuration.in_environment(environment).environment(None)?;
        let Some(Value::String(stated)) = read.settings.get_str("modulepath") else { return Ok(None) };
        let (mut all, mut is_extended) = (Vec::new(), false);
        for path in env::split_paths(&**stated) {
            all.extend(Some(path.clone()).filter(|path| path.is_dir()));
            let before = all.len();
            self.add_untracked(&path, worktree, &mut all)?;
            is_extended |= all.len() > before;
        }
        Ok(is_extended.then_some(all))
    }

    /// Adds the modules of a directory that the working tree has and the repository does not track.
    fn add_untracked(
        &mut self,
        place: &Path,
        worktree: &Path,
        all: &mut Vec<PathBuf>,
    ) -> Result<(), CompileFailure> {
        let Some(root) = self.checkout.clone().filter(|_| !self.revisions.only_tracked) else {
            return Ok(());
        };
        let Ok(within) = place.strip_prefix(worktree) else { return Ok(()) };
        let directory = root.join(within);
        let Ok(entries) = fs::read_dir(&directory) else { return Ok(()) };
        let tracked = git::tracked(&self.revisions.repository, within)?;
        let modules = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir());
        let untracked: Vec<PathBuf> = modules
            .filter(|path| path.file_name().is_some_and(|name| !tracked.contains(&*name.to_string_lossy())))
            .collect();
        if untracked.is_empty() {
            return Ok(());
        }
        self.shared.insert(directory.clone());
        // Where nothing is tracked, the directory has no module that only the working tree should have.
        all.push(if tracked.is_empty() { directory } else { self.linked(within, &untracked)? });
        Ok(())
    }

    /// Returns a directory with links to modules.
    fn linked(&self, within: &Path, modules: &[PathBuf]) -> Result<PathBuf, CompileFailure> {
        let directory = self.scratch.join(within);
        fs::create_dir_all(&directory)?;
        for module in modules {
            let link = directory.join(module.file_name().unwrap_or_default());
            if !link.exists() {
                link_to(module, &link)?;
            }
        }
        Ok(directory)
    }

    /// A side without any directory of the option has no modules; its `environment.conf` is no fallback.
    fn not_empty(&self, all: Vec<PathBuf>) -> Result<Vec<PathBuf>, CompileFailure> {
        if !all.is_empty() {
            return Ok(all);
        }
        let none = self.scratch.join("none");
        fs::create_dir_all(&none)?;
        Ok(vec![none])
    }

    /// Returns the notices about both sides.
    ///
    /// # Errors
    /// Fails if neither side has a directory of the option.
    pub fn notes(&self, sides: &[Option<PathBuf>; 2]) -> Result<Vec<String>, CompileFailure> {
        if let Some(missing) = self.stated.iter().find(|path| !self.found.contains(*path)) {
            return Err(CompileFailure::setting(
                "modulepath",
                format!("there is no directory {} on either side", missing.display()),
            ));
        }
        let named = self.shared.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let mut notes =
            vec![format!("Both sides use the untracked modules in {named}; --only-tracked ignores them")];
        let [old, new] = sides
            .each_ref()
            .map(|side| side.as_ref().and_then(|directory| fs::read(directory.join(PUPPETFILE)).ok()));
        if old != new {
            notes.push(format!(
                "The {PUPPETFILE} differs, but both sides use the modules that are installed now"
            ));
        }
        Ok(notes)
    }
}

#[cfg(unix)]
fn link_to(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn link_to(_target: &Path, _link: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
