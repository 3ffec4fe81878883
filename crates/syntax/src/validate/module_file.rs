//! Names that files of modules may define.
//!
//! See Puppet's `pops/validation/checker4_0.rb`.

use std::path::{Component, Path, PathBuf};

/// A file of a module. Its path determines the names it may define.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleFile {
    /// The path.
    pub path: String,
    /// The prefix of the names that it may define, in lower case; `None` if it may not define anything.
    pub namespace: Option<String>,
}

impl ModuleFile {
    /// Returns the file of a path, if it is in a module below one of the directories of `modulepath`.
    pub fn locate(path: &Path, modulepath: &[PathBuf]) -> Option<Self> {
        if path.extension().is_none_or(|extension| extension != "pp") {
            return None;
        }
        let file = clean(path);
        let inside = modulepath.iter().find_map(|directory| file.strip_prefix(clean(directory)).ok())?;
        let parts: Vec<String> = inside.iter().map(|part| part.to_string_lossy().to_lowercase()).collect();
        Some(Self { path: path.to_string_lossy().into_owned(), namespace: namespace(&parts) })
    }
}

/// Returns the namespace of a file from its path's components below a directory of modules.
fn namespace(parts: &[String]) -> Option<String> {
    let [module, kind, directories @ .., file] = parts else { return None };
    if !matches!(kind.as_str(), "manifests" | "functions" | "types" | "plans") {
        return None;
    }
    let file = (!directories.is_empty() || file != "init.pp").then(|| file.strip_suffix(".pp")).flatten();
    let names = std::iter::once(module.as_str()).chain(directories.iter().map(String::as_str)).chain(file);
    Some(names.collect::<Vec<_>>().join("::"))
}

/// Returns the path without `.` and `..`, as far as that is possible without a look at the disk.
fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if cleaned.file_name().is_some() => {
                cleaned.pop();
            }
            Component::ParentDir | Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                cleaned.push(component);
            }
        }
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn namespace(path: &str) -> Option<Option<String>> {
        let modulepath = ["/first".into(), "/site/./modules/".into()];
        ModuleFile::locate(Path::new(path), &modulepath).map(|file| file.namespace)
    }

    #[test]
    fn files_are_named_for_what_they_define() {
        let named = |name: &str| Some(Some(name.to_owned()));
        assert_eq!(namespace("/site/modules/apache/manifests/init.pp"), named("apache"));
        assert_eq!(namespace("/site/modules/apache/manifests/Mod/init.pp"), named("apache::mod::init"));
        assert_eq!(namespace("/site/x/../modules/a/functions/b.pp"), named("a::b"));
        assert_eq!(namespace("/first/a/types/b/c.pp"), named("a::b::c"));
    }

    #[test]
    fn other_files_of_modules_define_nothing() {
        assert_eq!(namespace("/first/a/examples/b.pp"), Some(None));
        assert_eq!(namespace("/first/a.pp"), Some(None));
    }

    #[test]
    fn other_files_define_what_they_like() {
        assert_eq!(namespace("/second/a/manifests/b.pp"), None);
        assert_eq!(namespace("/first/a/templates/b.epp"), None);
    }
}
