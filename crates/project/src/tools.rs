//! The locations of modules in files of other tools: `.fixtures.yml` of modules, and the `Puppetfile` of environments.

use std::path::{Path, PathBuf};

use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::yaml::parse;
use puppetfn_types::value::Value;

/// Returns the modules that `.fixtures.yml` links to, with their names. Fetched modules are in `spec/fixtures/modules`.
pub(super) fn linked_modules(root: &Path, limits: &Limits) -> Vec<(String, PathBuf)> {
    let text = StdFileSystem::new(limits).read_text(&root.join(".fixtures.yml"));
    text.map(|text| linked(&text, root, limits)).unwrap_or_default()
}

fn linked(text: &str, root: &Path, limits: &Limits) -> Vec<(String, PathBuf)> {
    let Ok(Ok(fixtures)) = parse(text, limits) else { return Vec::new() };
    let Some(symlinks) = member(&fixtures, "fixtures").and_then(|all| member(all, "symlinks")) else {
        return Vec::new();
    };
    let Value::Hash(symlinks) = symlinks else { return Vec::new() };
    let link = |(name, target): (&Value, &Value)| {
        let target = if let Value::Hash(_) = target { member(target, "target")? } else { target };
        let (Value::String(name), Value::String(target)) = (name, target) else { return None };
        // The tool evaluates this text with a variable of its own.
        let target = target.replace("#{source_dir}", &root.to_string_lossy());
        Some((name.to_string(), root.join(target)))
    };
    symlinks.iter().filter_map(link).collect()
}

fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    if let Value::Hash(hash) = value { hash.get_str(name) } else { None }
}

/// Returns the directories other than the usual one in which the `Puppetfile` of an environment installs modules. The
/// file is parsed, not evaluated.
pub(super) fn module_directories(root: &Path) -> Vec<PathBuf> {
    let text = StdFileSystem::DEFAULT.read_text(&root.join("Puppetfile"));
    text.map(|text| directories(&text, root)).unwrap_or_default()
}

/// Returns the names of the modules in the `Puppetfile` of an environment.
pub(super) fn installed_modules(root: &Path) -> Vec<String> {
    let text = StdFileSystem::DEFAULT.read_text(&root.join("Puppetfile"));
    text.map(|text| modules(&text)).unwrap_or_default()
}

/// Returns the names of the modules in the `Puppetfile` of an environment that are in its repository: `local: true`.
pub(super) fn local_modules(root: &Path) -> Vec<String> {
    let text = StdFileSystem::DEFAULT.read_text(&root.join("Puppetfile"));
    text.map(|text| local(&text)).unwrap_or_default()
}

fn modules(text: &str) -> Vec<String> {
    text.lines().filter_map(module).collect()
}

/// Returns the name of the module that a line begins to describe.
fn module(line: &str) -> Option<String> {
    let after = line.trim_start().strip_prefix("mod")?.trim_start_matches([' ', '\t', '(']);
    let quote = after.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (name, _) = after.get(1..)?.split_once(quote)?;
    name.rsplit(['/', '-']).next().map(str::to_owned)
}

fn local(text: &str) -> Vec<String> {
    let mut current = None;
    let mut found = Vec::new();
    for line in text.lines().map(|line| line.split('#').next().unwrap_or_default()) {
        current = module(line).or(current);
        let words: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if words.contains("local:true") || words.contains(":local=>true") {
            found.extend(current.take());
        }
    }
    found
}

fn directories(text: &str, root: &Path) -> Vec<PathBuf> {
    let directory = |line: &str| {
        let line = line.split('#').next().unwrap_or_default();
        let after = match line.trim_start().strip_prefix("moduledir") {
            Some(rest) => rest,
            None => line.split_once("install_path").map(|(_, rest)| rest)?,
        };
        let after = after.trim_start_matches([' ', '\t', ':', '(', '=', '>']);
        let quote = after.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let (directory, _) = after.get(1..)?.split_once(quote)?;
        Some(root.join(directory))
    };
    text.lines().filter_map(directory).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_fixtures_are_modules() {
        let text = "fixtures:\n  symlinks:\n    app: \"#{source_dir}\"\n    lib:\n      target: ../lib\n    bad: 1\n";
        let root = Path::new("/app");
        assert_eq!(
            linked(text, root, &Limits::DEFAULT),
            [("app".to_owned(), root.to_owned()), ("lib".to_owned(), root.join("../lib"))]
        );
        assert_eq!(linked("- [", root, &Limits::DEFAULT), []);
        assert_eq!(linked("fixtures: {symlinks: 1}", root, &Limits::DEFAULT), []);
    }

    #[test]
    fn a_puppetfile_says_where_modules_go() {
        let text = "forge 'https://x'\nmoduledir 'external' # not 'x'\nmod 'a/b', '1.0'\n\
                    mod 'c', git: 'u', install_path: \"site\"\nmod 'd',\n  :install_path => 'other'\n# moduledir 'none'\n";
        let root = Path::new("/env");
        assert_eq!(modules(text), ["b", "c", "d"]);
        assert_eq!(
            local("mod 'a', local: true\nmod 'b/c', '1'\nmod 'd',\n  :local => true # e\n"),
            ["a", "d"]
        );
        assert_eq!(directories(text, root), ["external", "site", "other"].map(|name| root.join(name)));
    }
}
