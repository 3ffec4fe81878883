//! States of a repository, in directories of their own for as long as they are needed.
#![allow(clippy::disallowed_methods, reason = "the user names the repository and its references")]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use puppetfn_diff::render::Commit;

use crate::CompileFailure;

/// A reference of a repository, checked out into a directory that is removed when this is dropped.
#[derive(Debug)]
pub(super) struct Worktree {
    repository: PathBuf,
    directory: PathBuf,
    commit: Commit,
}

/// Returns true if a repository has a commit of this name.
///
/// # Errors
/// Fails if git is not installed, or the directory is in no repository.
pub(super) fn is_commit(repository: &Path, name: &OsStr) -> Result<bool, CompileFailure> {
    let mut commit = name.to_owned();
    commit.push("^{commit}");
    let words: [&OsStr; 5] =
        ["rev-parse".as_ref(), "--verify".as_ref(), "--quiet".as_ref(), "--end-of-options".as_ref(), &commit];
    if git(repository, &words).is_ok() {
        return Ok(true);
    }
    git(repository, &["rev-parse".as_ref(), "--git-dir".as_ref()]).map(|_| false)
}

/// Returns the working tree that a directory of a repository is in, if it has one.
pub(super) fn working_tree(repository: &Path) -> Option<PathBuf> {
    let root = git(repository, &["rev-parse".as_ref(), "--show-toplevel".as_ref()]).ok()?;
    Some(PathBuf::from(root.trim_end_matches('\n'))).filter(|root| root.is_dir())
}

/// Returns the names in a directory of the repository that are tracked, or have something below them that is.
pub(super) fn tracked(repository: &Path, directory: &Path) -> Result<BTreeSet<String>, CompileFailure> {
    let mut prefix = directory.to_string_lossy().into_owned();
    if !prefix.is_empty() {
        prefix.push('/');
    }
    // From the root of the working tree, wherever in it the repository was named.
    let pathspec = format!(":(top,literal){prefix}");
    let words: [&OsStr; 5] =
        ["ls-files".as_ref(), "-z".as_ref(), "--full-name".as_ref(), "--".as_ref(), pathspec.as_ref()];
    let files = git(repository, &words)?;
    let within = files.split('\0').filter_map(|file| file.strip_prefix(&*prefix));
    Ok(within
        .filter_map(|file| file.split('/').next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect())
}

impl Worktree {
    /// Checks a commit out.
    pub fn add(repository: &Path, name: &OsStr, directory: &Path) -> Result<Self, CompileFailure> {
        let mut commit = name.to_owned();
        commit.push("^{commit}");
        // A branch may be checked out elsewhere, so it is its commit that is taken.
        let hash = git(
            repository,
            &["rev-parse".as_ref(), "--verify".as_ref(), "--end-of-options".as_ref(), &commit],
        )?;
        let words: [&OsStr; 6] = [
            "worktree".as_ref(),
            "add".as_ref(),
            "--detach".as_ref(),
            "--force".as_ref(),
            directory.as_ref(),
            hash.trim().as_ref(),
        ];
        git(repository, &words)?;
        let commit = describe(repository, hash.trim())?;
        Ok(Self { repository: repository.to_owned(), directory: directory.to_owned(), commit })
    }

    /// Returns the commit that is checked out.
    pub fn commit(&self) -> &Commit {
        &self.commit
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        let words: [&OsStr; 4] =
            ["worktree".as_ref(), "remove".as_ref(), "--force".as_ref(), self.directory.as_ref()];
        // The rest of it is in a temporary directory, and git forgets it when that is gone.
        _ = git(&self.repository, &words);
    }
}

/// Returns the metadata of a commit.
fn describe(repository: &Path, hash: &str) -> Result<Commit, CompileFailure> {
    let said = git(
        repository,
        &["show".as_ref(), "--no-patch".as_ref(), "--format=%cI%n%s".as_ref(), hash.as_ref()],
    )?;
    let (date, subject) = said.trim_end().split_once('\n').unwrap_or((said.trim_end(), ""));
    Ok(Commit { hash: hash.to_owned(), date: date.to_owned(), subject: subject.to_owned() })
}

/// Runs git in a repository, and returns its output.
fn git(repository: &Path, words: &[&OsStr]) -> Result<String, CompileFailure> {
    let ran = Command::new("git").arg("-C").arg(repository).args(words).output();
    let output = ran.map_err(|error| {
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        let problem = if is_missing {
            "git is not installed".to_owned()
        } else {
            format!("git cannot be run: {error}")
        };
        CompileFailure::setting("", problem)
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let asked = words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    Err(CompileFailure::setting("", format!("git {asked} in {}: {said}", repository.display())))
}
