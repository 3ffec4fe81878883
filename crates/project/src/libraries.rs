//! Code of others in a project: modules that the `Puppetfile` installs, vendored modules, and files that Git ignores. The project's
//! code uses it, and it is not the project's to change.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};

use super::paths::absolute;
use super::places::{environment_around, is_module_name, module_places, stated_author};
use super::tools::{installed_modules, local_modules};
use puppetfn_base::file_system::StdFileSystem;

/// Directories of an environment whose modules are the project's own.
const OWN: [&str; 5] = ["site", "site-modules", "site_modules", "dist", "local"];

/// The options of `.gitignore` patterns.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// The code of others below some paths.
#[derive(Default, Debug)]
pub struct Libraries {
    /// The paths that the user named.
    named: Vec<PathBuf>,
    /// The directories of modules that others wrote.
    modules: HashSet<PathBuf>,
    ignored: IgnoreFiles,
}

impl Libraries {
    /// Returns the code of others below paths, in the control repositories around them.
    pub fn below(paths: &[PathBuf]) -> Self {
        let named: Vec<PathBuf> = paths.iter().map(|path| absolute(path)).collect();
        let roots: HashSet<PathBuf> = named.iter().filter_map(|path| environment_around(path)).collect();
        let modules = roots.iter().flat_map(|root| libraries_of(root)).collect();
        Self { named, modules, ignored: IgnoreFiles::default() }
    }

    /// Returns true if a file belongs to others. A library that the user named is checked.
    pub fn contains(&self, file: &Path) -> bool {
        let file = absolute(file);
        let named = self.named.iter().filter(|path| file.starts_with(path));
        let Some(named) = named.max_by_key(|path| path.components().count()) else { return false };
        let below = file.ancestors().take_while(|path| path.starts_with(named) && path != named);
        below.into_iter().any(|path| self.modules.contains(path) || self.ignored.ignores(path))
    }
}

/// Returns the directories of a control repository's modules that others wrote.
fn libraries_of(root: &Path) -> Vec<PathBuf> {
    let local = local_modules(root);
    let installed: HashSet<String> =
        installed_modules(root).into_iter().filter(|name| !local.contains(name)).collect();
    let places = module_places(root);
    let is_own_place = |place: &Path| {
        place.file_name().and_then(|name| name.to_str()).is_some_and(|name| OWN.contains(&name))
    };
    let has_own_place = places.iter().any(|place| is_own_place(place));
    let author = stated_author(root);
    let mut libraries = Vec::new();
    for place in &places {
        for module in directories(place) {
            let name = module.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if !is_module_name(name) || local.iter().any(|local| local == name) {
                continue;
            }
            let has = |file: &str| module.join(file).exists();
            let is_released = has("checksums.json") || has(".git");
            // Beside a directory for the project's own modules, others are in `modules`.
            let is_vendored = has_own_place
                && !is_own_place(place)
                && stated_author(&module).is_some_and(|other| Some(&other) != author.as_ref());
            if installed.contains(name) || is_released || is_vendored {
                libraries.push(module);
            }
        }
    }
    libraries
}

fn directories(place: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(place).into_iter().flatten().filter_map(Result::ok);
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

/// The `.gitignore` files of repositories.
#[derive(Default, Debug)]
struct IgnoreFiles {
    /// The files of directories.
    files: RefCell<HashMap<PathBuf, IgnoreFile>>,
    /// Whether paths are ignored.
    known: RefCell<HashMap<PathBuf, bool>>,
}

/// The `.gitignore` of a directory.
#[derive(Debug)]
struct IgnoreFile {
    patterns: Vec<IgnorePattern>,
    /// Whether the directory is the root of a repository.
    is_root: bool,
}

/// A line of a `.gitignore`.
#[derive(Debug)]
struct IgnorePattern {
    pattern: Pattern,
    is_negated: bool,
    /// Whether it applies to directories only.
    is_directory: bool,
}

impl IgnoreFiles {
    /// Returns true if Git ignores a path by the files in the directories around it. The innermost that mentions the path decides.
    fn ignores(&self, path: &Path) -> bool {
        if let Some(is_ignored) = self.known.borrow().get(path) {
            return *is_ignored;
        }
        let is_ignored = self.decides(path);
        self.known.borrow_mut().insert(path.to_owned(), is_ignored);
        is_ignored
    }

    fn decides(&self, path: &Path) -> bool {
        let is_directory = path.is_dir();
        let mut files = self.files.borrow_mut();
        for directory in path.ancestors().skip(1) {
            let file =
                files.entry(directory.to_owned()).or_insert_with_key(|directory| IgnoreFile::read(directory));
            let within = path.strip_prefix(directory).unwrap_or(path);
            let matching = file.patterns.iter().rev().find(|line| {
                (is_directory || !line.is_directory) && line.pattern.matches_path_with(within, OPTIONS)
            });
            if let Some(line) = matching {
                return !line.is_negated;
            }
            if file.is_root {
                break;
            }
        }
        false
    }
}

impl IgnoreFile {
    fn read(directory: &Path) -> Self {
        let text = StdFileSystem::DEFAULT.read_text(&directory.join(".gitignore"));
        let patterns = text.map(|text| text.lines().filter_map(ignore_pattern).collect()).unwrap_or_default();
        Self { patterns, is_root: directory.join(".git").exists() }
    }
}

/// Parses a line of a `.gitignore`.
fn ignore_pattern(line: &str) -> Option<IgnorePattern> {
    let line = line.trim_end();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (is_negated, line) = match line.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, line.strip_prefix('\\').unwrap_or(line)),
    };
    let (is_directory, line) = match line.strip_suffix('/') {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    // A pattern with a slash is relative to the directory of the file.
    let pattern = match line.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if line.contains('/') => line.to_owned(),
        None => format!("**/{line}"),
    };
    Pattern::new(&pattern).ok().map(|pattern| IgnorePattern { pattern, is_negated, is_directory })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(line: &str, path: &str, is_directory: bool) -> bool {
        let pattern = ignore_pattern(line).unwrap();
        (is_directory || !pattern.is_directory) && pattern.pattern.matches_path_with(Path::new(path), OPTIONS)
    }

    #[test]
    fn patterns_are_those_of_git() {
        for (line, path, is_directory, expected) in [
            ("vendor", "vendor", true, true),
            ("vendor", "a/vendor", true, true),
            ("/vendor", "a/vendor", true, false),
            ("vendor/", "vendor", false, false),
            ("vendor/", "a/vendor", true, true),
            ("modules/*", "modules/apt", true, true),
            ("modules/*", "site/modules/apt", true, false),
            ("modules/**", "modules/apt/manifests", true, true),
            ("*.log", "a/b.log", false, true),
            ("\\#a", "#a", false, true),
        ] {
            assert_eq!(matches(line, path, is_directory), expected, "{line} {path}");
        }
        assert!(ignore_pattern("# vendor").is_none());
        assert!(ignore_pattern("").is_none());
        assert!(ignore_pattern("!vendor").unwrap().is_negated);
    }
}
