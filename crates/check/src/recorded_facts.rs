//! The facts that an environment's files know: facts of its nodes, the output of its classifier, and the levels of its hierarchy.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other values have no names")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use puppetfn_base::limits::Limits;
use puppetfn_runtime::loader::Loader;
use puppetfn_types::convert::{json, yaml};
use puppetfn_types::function::ModuleFiles;
use puppetfn_types::value::{Hash, Value};
use regex::Regex;

/// Directories of an environment with a file for each node, or each kind of node.
const DIRECTORIES: [&str; 4] = ["facts", "spec/factsets", "enc", "nodes"];
/// Directories in these whose files are also read.
const DEEPEST: u32 = 2;
/// Maximum number of files.
const MOST_FILES: usize = 500;
/// A tag in facts that Puppet itself has cached.
const TAG: &str = "!ruby/object:Puppet::Node::Facts";

/// Returns the names of the facts and variables of the top scope that files of the environment have.
pub(super) fn recorded_facts(loader: &Loader, limits: &Limits) -> HashSet<String> {
    let mut names = HashSet::new();
    let Some(root) = loader.environment() else { return names };
    if let Ok(hierarchy) = loader.file_system().read(&root.join("hiera.yaml")) {
        names.extend(interpolated(&String::from_utf8_lossy(&hierarchy)).map(str::to_owned));
    }
    let mut files = Vec::new();
    for directory in DIRECTORIES {
        files_below(loader, &root.join(directory), DEEPEST, &mut files);
    }
    for file in files.iter().take(MOST_FILES) {
        let Ok(text) = loader.file_system().read(file) else { continue };
        let text = String::from_utf8_lossy(&text).replace(TAG, "");
        let value = match file.extension().and_then(|extension| extension.to_str()) {
            Some("json") => json::parse(&text, limits).ok().and_then(Result::ok),
            _ => yaml::parse(&text, limits).ok().and_then(Result::ok),
        };
        if let Some(value) = value {
            add_names(&value, &mut names);
        }
    }
    names
}

/// Returns the variables and facts that a text of Hiera interpolates: `%{facts.role}`, `%{::role}`, `%{role}`.
pub(super) fn interpolated(text: &str) -> impl Iterator<Item = &str> {
    static INTERPOLATION: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"%\{\s*(?:::|facts\.)?([a-z_]\w*)\s*[.}]").ok());
    let found = INTERPOLATION.as_ref().map(|pattern| pattern.captures_iter(text));
    found.into_iter().flatten().filter_map(|found| found.get(1)).map(|name| name.as_str())
}

fn files_below(loader: &Loader, directory: &Path, depth: u32, files: &mut Vec<PathBuf>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let mut entries = loader.file_system().list(directory).unwrap_or_default();
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    for entry in entries {
        let path = directory.join(&entry.name);
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("json" | "yaml" | "yml") => files.push(path),
            Some(_) => {}
            None => files_below(loader, &path, depth, files),
        }
    }
}

/// Adds the names of the facts in a file: facts by their names, also within `values` or `facts`; the parameters of a classifier;
/// PuppetDB's answers to queries.
fn add_names(value: &Value, names: &mut HashSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| add_names(item, names)),
        Value::Hash(entries) => {
            let within = |key: &str| entries.get_str(key);
            match (within("parameters"), within("values").or_else(|| within("facts")), within("name")) {
                (Some(Value::Hash(parameters)), ..) => add_keys(parameters, names),
                (_, Some(Value::Hash(facts)), _) => match facts.get_str("data") {
                    Some(data @ Value::Array(_)) => add_names(data, names),
                    _ => add_keys(facts, names),
                },
                (.., Some(Value::String(name))) if within("value").is_some() => {
                    _ = names.insert(name.to_string());
                }
                _ => add_keys(entries, names),
            }
        }
        _ => {}
    }
}

fn add_keys(entries: &Hash, names: &mut HashSet<String>) {
    names.extend(entries.iter().filter_map(|(key, _)| match key {
        Value::String(name) => Some(name.to_string()),
        _ => None,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let value = yaml::parse(text, &Limits::DEFAULT).unwrap().unwrap();
        let mut names = HashSet::new();
        add_names(&value, &mut names);
        let mut names: Vec<_> = names.into_iter().collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn facts_are_read_in_all_their_forms() {
        assert_eq!(names("role: web\nos: {family: Debian}\n"), ["os", "role"]);
        assert_eq!(names("name: web1\nvalues: {role: web}\n"), ["role"]);
        assert_eq!(names("classes: [ntp]\nparameters: {role: web}\n"), ["role"]);
        assert_eq!(
            names("- {certname: a, name: role, value: web}\n- {certname: a, name: tier, value: 1}\n"),
            ["role", "tier"]
        );
        assert_eq!(names("- {certname: a, facts: {role: web}}\n"), ["role"]);
        assert_eq!(names("- {certname: a, facts: {data: [{name: role, value: web}]}}\n"), ["role"]);
    }

    #[test]
    fn interpolations_name_facts() {
        let text = "a: '%{facts.role}/%{::tier}/%{site.name}/%{lookup('key')}/%{a::b}'";
        assert_eq!(interpolated(text).collect::<Vec<_>>(), ["role", "tier", "site"]);
    }
}
