//! Which rules are applied, and how often they are broken.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::super::CommandFailure;
use super::super::args::CheckArgs;
use puppetfn_check::{Rule, Selection};
use puppetfn_project::{CheckedText, ProjectConfig, PuppetLintOptions, selected};

/// The rules that the arguments, `puppetfn.toml` and `.puppet-lint.rc` select.
pub(in super::super) struct SelectedRules {
    pub selection: Selection,
    /// The options of puppet-lint, if rules of style are applied.
    puppet_lint: PuppetLintOptions,
    /// The merge of `hiera_hash`, in Puppet code, if code is moved to Puppet 8.
    pub migration: Option<String>,
}

impl SelectedRules {
    pub fn of(check: &CheckArgs, is_lint: bool, config: &ProjectConfig) -> Result<Self, CommandFailure> {
        let named = |names: &[String]| -> Result<Vec<Rule>, CommandFailure> {
            let rules: Result<Vec<_>, String> = names.iter().map(|name| selected(name)).collect();
            rules.map(|rules| rules.concat()).map_err(CommandFailure::Usage)
        };
        let (select, ignore) = (named(&check.select)?, named(&check.ignore)?);
        let mut selection = config.selection(is_lint);
        if !select.is_empty() {
            selection = Selection::nothing();
            selection.add(select.iter().copied());
        }
        let puppet_lint = if is_lint || selection.has_style() {
            let path = check.paths.first().map(PathBuf::as_path);
            PuppetLintOptions::around(path, &check.bounds.limits())
        } else {
            PuppetLintOptions::default()
        };
        puppet_lint.adjust(&mut selection);
        // Options of the command override the file.
        if !select.is_empty() {
            let relative = selection.is_relative();
            selection = Selection::nothing().relative(relative);
            selection.add(select);
        }
        selection.remove(ignore);
        Ok(Self { selection, puppet_lint, migration: None })
    }

    /// Returns some rules, for the move of code to Puppet 8. `hash_merge` is the merge of `hiera_hash`, in Puppet code.
    pub fn for_migration(rules: &[Rule], hash_merge: String) -> Self {
        let mut selection = Selection::nothing();
        selection.add(rules.iter().copied());
        Self { selection, puppet_lint: PuppetLintOptions::default(), migration: Some(hash_merge) }
    }

    /// Returns true if puppet-lint would leave a file out.
    pub fn leaves_out(&self, path: &Path) -> bool {
        self.puppet_lint.ignores(path)
    }

    pub fn fails_on_warnings(&self) -> bool {
        self.puppet_lint.fails_on_warnings()
    }
}

/// Prints the number of findings of each rule, most frequent first, and of their fixes.
pub(super) fn statistics(checked: &[CheckedText], out: &mut dyn Write) -> io::Result<()> {
    let mut counts: BTreeMap<Rule, (usize, usize)> = BTreeMap::new();
    for finding in checked.iter().flat_map(|checked| &checked.findings) {
        let (count, fixable) = counts.entry(finding.rule).or_default();
        *count = count.saturating_add(1);
        *fixable = fixable.saturating_add(usize::from(finding.fix.is_some()));
    }
    let mut counts: Vec<(Rule, (usize, usize))> = counts.into_iter().collect();
    counts.sort_by_key(|(rule, (count, _))| (std::cmp::Reverse(*count), *rule));
    for (rule, (count, fixable)) in counts {
        let fixable = if fixable == 0 { String::new() } else { format!(", {fixable} with a fix") };
        writeln!(out, "{count:6}  {}{fixable}", rule.name())?;
    }
    Ok(())
}
