//! Files `hiera.yaml` of versions 3 and 4.

use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::super::CommandFailure;
use super::super::args::migrate::MigrateArgs;
use super::LeftPlace;
use puppetfn_base::file_system::FileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_check::{World, apart, fixed};
use puppetfn_hiera::HieraUpgrade;
use puppetfn_project::{EditedFiles, Libraries, ProjectConfig};

/// The result of the conversion of all files.
pub(super) struct Upgrades {
    /// The merge of `hiera_hash`, in Puppet code.
    pub hash_merge: String,
    /// The places that somebody has to look at.
    pub left: Vec<LeftPlace>,
}

/// Converts the files at the paths and the global one to version 5.
pub(super) fn upgrade(
    arguments: &MigrateArgs,
    config: &ProjectConfig,
    files: &EditedFiles,
    limits: &Limits,
) -> Result<Upgrades, CommandFailure> {
    let mut upgrades = Upgrades { hash_merge: "'hash'".to_owned(), left: Vec::new() };
    let libraries = Libraries::below(&arguments.paths);
    let found = arguments.paths.iter().flat_map(|path| hierarchies(path));
    for path in found.chain(arguments.project.hiera_config.clone()) {
        if config.excludes(&path) || libraries.contains(&path) {
            continue;
        }
        let Some(text) = files.read(&path).ok().and_then(|text| String::from_utf8(text).ok()) else {
            continue;
        };
        let name = path.to_string_lossy().into_owned();
        let place = |(line, advice)| LeftPlace { file: name.clone(), line, advice };
        match puppetfn_hiera::upgrade(&text, limits) {
            Ok(None) if is_hierarchy(&path) && arguments.paths.contains(&path) => {
                files.set(&name, &text, &with_structured_facts(&text));
            }
            Ok(None) => {}
            Ok(Some(HieraUpgrade { text: converted, hash_merge, notes })) => {
                if hash_merge != "'hash'" {
                    upgrades.hash_merge = hash_merge;
                }
                upgrades.left.extend(notes.into_iter().map(place));
                if let Some(converted) = converted {
                    files.set(&name, &text, &with_structured_facts(&converted));
                }
            }
            Err(error) => upgrades.left.push(place((1, error.message().to_owned()))),
        }
    }
    Ok(upgrades)
}

/// Returns true for a `hiera.yaml`. One that is named alone may be of the global layer, which belongs to no project.
pub(super) fn is_hierarchy(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "hiera.yaml")
}

/// Returns the files at a path, without hidden ones and fixtures of specs.
fn hierarchies(path: &Path) -> Vec<PathBuf> {
    let is_wanted = |entry: &DirEntry| {
        let name = entry.file_name().as_encoded_bytes();
        entry.depth() == 0
            || !name.starts_with(b".") && !matches!(name, b"spec" | b"vendor" | b"node_modules")
    };
    let entries = WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(is_wanted);
    let files = entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
    files.map(DirEntry::into_path).filter(|path| is_hierarchy(path)).collect()
}

/// Returns a file with structured facts in place of legacy ones.
fn with_structured_facts(text: &str) -> String {
    let found = World::of_modulepath([""; 0]).legacy_facts_in_data(text);
    fixed(text, &apart(found.into_iter().filter_map(|finding| finding.fix).collect()))
}
