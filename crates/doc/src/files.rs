//! The files that may define something that is documented.

use std::path::{Path, PathBuf};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_runtime::loader::{Entry, EntryKind, FileSystem};

/// Directories of modules that hold other things, or copies of other modules.
const SKIPPED: [&str; 4] = ["pkg", "plans", "spec", "vendor"];

/// Returns the Ruby and Puppet files in a directory and in those below it, sorted.
pub(super) fn below(files: &dyn FileSystem, directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut directories = vec![(directory.to_owned(), true)];
    while let Some((directory, may_link)) = directories.pop() {
        let mut entries = files.list(&directory).map_err(|error| {
            Error::new(ErrorKind::Load, format!("{} cannot be listed: {error}", directory.display()))
        })?;
        entries.sort();
        for Entry { name, kind } in entries {
            let path = directory.join(&name);
            // The modules of a directory may be links; further down, links may lead round in circles.
            let is_linked = may_link && kind == EntryKind::Link && files.is_directory(&path);
            if kind == EntryKind::Directory || is_linked {
                if !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                    directories.push((path, false));
                }
            } else if is_ruby(&path) || path.extension().is_some_and(|extension| extension == "pp") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns true if a file is Ruby by its name.
pub(super) fn is_ruby(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rb")
}

/// Returns true if a Ruby text may declare a function, a resource type or a provider: most of those in a module do not.
pub(super) fn may_declare(text: &str) -> bool {
    ["create_function", "newfunction", "newtype", "register_type", "provide"]
        .iter()
        .any(|word| text.contains(word))
}
