//! `puppetfn doc --format html`: a site in a directory, which may hold other files as well.
#![allow(clippy::disallowed_methods, reason = "the user names the directory that is written")]

use std::collections::HashSet;
use std::fs;
use std::io::{ErrorKind as IoErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use super::unusable;
use crate::{CommandFailure, FAILED, OK};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_site::Page;

/// The file that lists the written pages, so that the next run knows which pages are stale.
const LIST: &str = ".puppetfn-site";

/// The heading of the list.
const TITLE: &str =
    "# The files that puppetfn has written here, and removes when it no longer writes them.\n";

/// Writes the pages, and removes stale pages of an earlier run. All other files stay as they are.
pub(super) fn write(directory: &Path, pages: &[Page]) -> Result<(), CommandFailure> {
    if directory.exists() && !directory.is_dir() {
        let message = format!("{} is a file: name a directory for the pages with --out", directory.display());
        return Err(Error::new(ErrorKind::Load, message).into());
    }
    let known = written(directory)?;
    if let Some(page) = pages.iter().find(|page| is_of_others(directory, page, &known)) {
        let path = directory.join(&page.path);
        let message = format!(
            "{} exists and was not written by puppetfn; remove it, or name another directory with --out",
            path.display()
        );
        return Err(Error::new(ErrorKind::Load, message).into());
    }
    fs::create_dir_all(directory).map_err(|error| unusable(directory, "made", &error))?;
    // First, so that the pages are listed even if this ends half-way.
    let mut all: Vec<&str> =
        pages.iter().map(|page| page.path.as_str()).chain(known.iter().map(String::as_str)).collect();
    save(directory, &mut all)?;
    for page in pages {
        let path = directory.join(&page.path);
        // A page that stays the same keeps its time, for programs that copy changed files.
        if fs::read(&path).is_ok_and(|content| content == page.text.as_bytes()) {
            continue;
        }
        let parent = path.parent().unwrap_or(directory);
        fs::create_dir_all(parent).map_err(|error| unusable(parent, "made", &error))?;
        fs::write(&path, &page.text).map_err(|error| unusable(&path, "written", &error))?;
    }
    for path in stale(directory, pages, &known) {
        fs::remove_file(&path).map_err(|error| unusable(&path, "removed", &error))?;
        // Only a directory that is empty can be removed.
        let _ = path.parent().map(fs::remove_dir);
    }
    save(directory, &mut pages.iter().map(|page| page.path.as_str()).collect())
}

/// Prints which files of a directory would change.
pub(super) fn check(directory: &Path, pages: &[Page], out: &mut dyn Write) -> Result<i32, CommandFailure> {
    let known = written(directory)?;
    let mut code = OK;
    for page in pages {
        let path = directory.join(&page.path);
        match fs::read(&path) {
            Ok(content) if content == page.text.as_bytes() => continue,
            Ok(_) => writeln!(out, "{}: would change", path.display())?,
            Err(error) if error.kind() == IoErrorKind::NotFound => {
                writeln!(out, "{}: is missing", path.display())?;
            }
            Err(error) => return Err(unusable(&path, "read", &error).into()),
        }
        code = FAILED;
    }
    for path in stale(directory, pages, &known) {
        writeln!(out, "{}: would be removed", path.display())?;
        code = FAILED;
    }
    Ok(code)
}

/// Returns the pages that an earlier run has written, as far as they are valid names of pages.
fn written(directory: &Path) -> Result<Vec<String>, Error> {
    let path = directory.join(LIST);
    match fs::read_to_string(&path) {
        Ok(text) => Ok(text.lines().filter(|line| is_within(line)).map(str::to_owned).collect()),
        Err(error) if error.kind() == IoErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(unusable(&path, "read", &error)),
    }
}

fn save(directory: &Path, files: &mut Vec<&str>) -> Result<(), CommandFailure> {
    files.sort_unstable();
    files.dedup();
    let path = directory.join(LIST);
    let text = format!("{TITLE}{}\n", files.join("\n"));
    fs::write(&path, text).map_err(|error| unusable(&path, "written", &error).into())
}

/// Returns true for the name of a file below the directory: whoever wrote the list can have removed nothing else.
fn is_within(name: &str) -> bool {
    let has_ending = [".html", ".css", ".js"].iter().any(|ending| name.ends_with(ending));
    has_ending && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

fn is_of_others(directory: &Path, page: &Page, known: &[String]) -> bool {
    !known.contains(&page.path)
        && fs::read(directory.join(&page.path)).is_ok_and(|content| content != page.text.as_bytes())
}

fn stale(directory: &Path, pages: &[Page], known: &[String]) -> Vec<PathBuf> {
    let current: HashSet<&str> = pages.iter().map(|page| page.path.as_str()).collect();
    let old = known.iter().filter(|path| !current.contains(path.as_str()));
    old.map(|path| directory.join(path)).filter(|path| path.is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_below_the_directory_are_taken_for_pages() {
        assert!(is_within("functions/a.html") && is_within("site.css"));
        for name in ["../a.html", "/a.html", "a/../../b.html", "notes.txt", "", "# x"] {
            assert!(!is_within(name), "{name}");
        }
    }
}
