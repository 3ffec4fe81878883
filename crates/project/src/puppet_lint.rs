//! `.puppet-lint.rc`: the options of puppet-lint that a project has.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::path::{Path, PathBuf};

use glob::Pattern;

use super::paths::absolute;
use puppetfn_base::diagnostic::Severity;
use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_check::{Rule, Selection};

/// The name of the file.
const FILE: &str = ".puppet-lint.rc";

/// Options of puppet-lint that say which checks there are. The rest, such as formats of messages, has no meaning here.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PuppetLintOptions {
    root: PathBuf,
    disabled: Vec<Rule>,
    enabled: Vec<Rule>,
    /// The only checks, if it says so.
    only: Option<Vec<Rule>>,
    is_relative: bool,
    fails_on_warnings: bool,
    ignored_paths: Vec<Pattern>,
}

impl PuppetLintOptions {
    /// Reads the file in the nearest directory around a path; without one, there are no options.
    pub fn around(path: Option<&Path>, limits: &Limits) -> Self {
        let path = absolute(path.filter(|path| *path != Path::new("-")).unwrap_or(Path::new(".")));
        let file = path.ancestors().map(|directory| directory.join(FILE)).find(|file| file.is_file());
        let Some(file) = file else { return Self::default() };
        let text = StdFileSystem::new(limits).read_text(&file).unwrap_or_default();
        let root = file.parent().unwrap_or(Path::new("/")).to_owned();
        Self { root, ..Self::parse(&text) }
    }

    fn parse(text: &str) -> Self {
        let mut options = Self::default();
        let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
        for word in lines.flat_map(str::split_whitespace) {
            let (option, value) = word.split_once('=').unwrap_or((word, ""));
            let values = || value.split(',').map(|value| value.trim_matches(['"', '\'']));
            match option {
                "--relative" => options.is_relative = true,
                "--fail-on-warnings" => options.fails_on_warnings = true,
                "--only-checks" => options.only = Some(values().filter_map(Rule::known_as).collect()),
                "--ignore-paths" => {
                    options.ignored_paths = values().filter_map(|value| Pattern::new(value).ok()).collect();
                }
                _ => {
                    let Some(check) = option.strip_prefix("--").and_then(|rest| rest.strip_suffix("-check"))
                    else {
                        continue;
                    };
                    match check.strip_prefix("no-") {
                        Some(check) => options.disabled.extend(Rule::known_as(check)),
                        None => options.enabled.extend(Rule::known_as(check)),
                    }
                }
            }
        }
        options
    }

    /// Applies the options to a selection. Rules of certain failures stay selected.
    pub fn adjust(&self, selection: &mut Selection) {
        if let Some(only) = &self.only {
            selection.remove(Rule::ALL.into_iter().filter(|rule| rule.is_style() && !only.contains(rule)));
            selection.add(only.iter().copied());
        }
        selection.add(self.enabled.iter().copied());
        let disabled = self.disabled.iter().copied();
        selection.remove(disabled.filter(|rule| rule.severity() != Severity::Error));
        *selection = selection.clone().relative(self.is_relative);
    }

    /// Returns true if warnings are as bad as errors.
    pub fn fails_on_warnings(&self) -> bool {
        self.fails_on_warnings
    }

    /// Returns true if a file is left out.
    pub fn ignores(&self, path: &Path) -> bool {
        let path = absolute(path);
        let within = path.strip_prefix(&self.root).unwrap_or(&path);
        self.ignored_paths.iter().any(|pattern| pattern.matches_path(within))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_select_rules() {
        let text = "--relative\n--no-140chars-check --no-variable_scope-check\n# --no-quoted_booleans-check\n\
                    --80chars-check\n--no-slash_comments-check\n--log-format=%{path}\n--ignore-paths=vendor/**/*.pp,a/b.pp\n";
        let options = PuppetLintOptions { root: PathBuf::from("/code"), ..PuppetLintOptions::parse(text) };
        let mut selection = Selection::default();
        selection.add(Selection::named("style"));
        options.adjust(&mut selection);
        let has = |rule| selection.has(rule);
        assert!(!has(Rule::LineLength) && has(Rule::LineLength80) && has(Rule::FileMode));
        assert!(!has(Rule::UnknownVariable) && has(Rule::Syntax) && selection.is_relative());
        assert!(
            options.ignores(Path::new("/code/vendor/x/y.pp")) && options.ignores(Path::new("/code/a/b.pp"))
        );
        assert!(!options.ignores(Path::new("/code/manifests/init.pp")) && !options.fails_on_warnings());
    }

    #[test]
    fn the_only_checks_leave_errors() {
        let options = PuppetLintOptions::parse("--only-checks=quoted_booleans,140chars --fail-on-warnings");
        let mut selection = Selection::default();
        selection.add(Selection::named("style"));
        options.adjust(&mut selection);
        assert!(selection.has(Rule::QuotedBooleans) && selection.has(Rule::LineLength));
        assert!(
            !selection.has(Rule::FileMode) && selection.has(Rule::Arithmetic) && options.fails_on_warnings()
        );
    }
}
