//! Discovery of files that may contain documented items.

use std::path::{Path, PathBuf};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_runtime::loader::{DirectoryEntry, EntryKind, FileSystem};

/// Directories without documented items, or with copies of modules.
const SKIPPED: [&str; 4] = ["pkg", "plans", "spec", "vendor"];

/// The directories of a module with declarations and the extension of their files, in the order in which Puppet Strings
/// reads them.
const PLACES: [(&str, &str); 6] = [
    ("manifests", "pp"),
    ("functions", "pp"),
    ("types", "pp"),
    ("lib", "rb"),
    ("tasks", "json"),
    ("plans", "pp"),
];

/// Returns the files in a directory and its subdirectories that may declare something, sorted. Of a module, only the
/// standard directories are searched.
pub(super) fn below(files: &dyn FileSystem, directory: &Path) -> Result<Vec<PathBuf>, Error> {
    if is_module(files, directory) {
        return of_module(files, directory);
    }
    let mut found = Vec::new();
    let mut directories = vec![(directory.to_owned(), true)];
    while let Some((directory, may_link)) = directories.pop() {
        for DirectoryEntry { name, kind } in sorted(files, &directory)? {
            let path = directory.join(&name);
            // The modules of a directory may be links; further down, links may form cycles.
            let is_linked = may_link && kind == EntryKind::Link && files.is_directory(&path);
            if kind == EntryKind::Directory || is_linked {
                if name.starts_with('.') || SKIPPED.contains(&name.as_str()) {
                } else if is_module(files, &path) {
                    found.extend(of_module(files, &path)?);
                } else {
                    directories.push((path, false));
                }
            } else if is_ruby(&path) || has_extension(&path, "pp") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns true if a directory is a module: if it has a `metadata.json` or a class of its own name. The standard
/// directories of a module may have subdirectories of any name.
fn is_module(files: &dyn FileSystem, directory: &Path) -> bool {
    let is_there = |file: &str| files.read(&directory.join(file)).is_ok();
    let is_place = PLACES.iter().any(|(place, _)| directory.ends_with(place));
    // Control repositories may have a metadata.json, too.
    !is_there("environment.conf") && (is_there("metadata.json") || !is_place && is_there("manifests/init.pp"))
}

/// Returns the directory of the module that a file is in, if it is in one.
pub fn module_of<'a>(files: &dyn FileSystem, file: &'a Path) -> Option<&'a Path> {
    file.ancestors().skip(1).find(|directory| is_module(files, directory))
}

/// Returns the files of a module that may declare something, in the order in which Puppet Strings reads them.
fn of_module(files: &dyn FileSystem, module: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::new();
    for (place, extension) in PLACES {
        let mut found = Vec::new();
        let root = module.join(place);
        let mut directories = if files.is_directory(&root) { vec![root] } else { Vec::new() };
        while let Some(directory) = directories.pop() {
            for DirectoryEntry { name, kind } in sorted(files, &directory)? {
                let path = directory.join(&name);
                if name.starts_with('.') {
                } else if kind == EntryKind::Directory {
                    // Tasks are not searched for in subdirectories.
                    if extension != "json" {
                        directories.push(path);
                    }
                } else if has_extension(&path, extension) {
                    found.push(path);
                }
            }
        }
        found.sort_by_cached_key(|path| (path.as_os_str().len(), path.clone()));
        all.append(&mut found);
    }
    Ok(all)
}

fn sorted(files: &dyn FileSystem, directory: &Path) -> Result<Vec<DirectoryEntry>, Error> {
    let mut entries = files.list(directory).map_err(|error| {
        Error::new(ErrorKind::Load, format!("{} cannot be listed: {error}", directory.display()))
    })?;
    entries.sort();
    Ok(entries)
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension == wanted)
}

/// Returns true if a file's name is a task description's.
pub(super) fn is_json(path: &Path) -> bool {
    has_extension(path, "json")
}

/// Returns true if a file's name is a Ruby file's.
pub(super) fn is_ruby(path: &Path) -> bool {
    has_extension(path, "rb")
}

/// Returns true if a Ruby text may declare a function, a resource type or a provider; most files of a module do not.
pub(super) fn may_declare(text: &str) -> bool {
    [
        "create_function",
        "newfunction",
        "create_type",
        "newtype",
        "register_type",
        "provide",
        "newproperty",
        "newparam",
    ]
    .iter()
    .any(|word| text.contains(word))
}
