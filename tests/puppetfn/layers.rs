//! Layers within a crate, which nothing else checks, so that the sources are read: in the extension, `ruby/` is below
//! what Ruby sees; in Hiera, no modules use each other.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "reads the sources that the test is about"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;
use walkdir::WalkDir;

#[test]
fn what_wraps_ruby_knows_neither_the_api_nor_the_drop_in() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("ext/puppetfn/src/ruby");
    let mut files = 0;
    for entry in WalkDir::new(directory) {
        let entry = entry.unwrap();
        if entry.path().extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        files += 1;
        let text = std::fs::read_to_string(entry.path()).unwrap();
        for upper in ["api", "drop_in"] {
            let named = [format!("crate::{upper}"), format!("super::{upper}")];
            let is_named = named.iter().any(|name| text.contains(name));
            assert!(!is_named, "{} names {upper}", entry.path().display());
        }
    }
    assert!(files > 10, "the sources of the extension have been found");
}

#[test]
fn no_modules_of_hiera_use_each_other() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/hiera/src");
    let mut left = BTreeMap::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let file = if path.is_dir() { path.join("mod.rs") } else { path.clone() };
        let text = std::fs::read_to_string(file).unwrap();
        left.insert(path.file_stem().unwrap().to_str().unwrap().to_owned(), uses(&text));
    }
    left.remove("lib");
    assert!(left.get("query").is_some_and(|used| used.contains("search")), "uses are recognized");
    // What uses nothing that is left is below all others.
    while !left.is_empty() {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        left.retain(|_, used| !used.is_disjoint(&names));
        assert!(left.len() < names.len(), "these use each other: {left:#?}");
    }
}

/// Returns the modules beside it that a module uses.
fn uses(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let path = Regex::new(r"super::(?:(\w+)|\{([^}]*)\})").unwrap();
    let mut found = BTreeSet::new();
    for used in path.captures_iter(code) {
        for name in used.get(1).or(used.get(2)).unwrap().as_str().split(',') {
            found.insert(name.trim().split(':').next().unwrap_or_default().to_owned());
        }
    }
    found
}
