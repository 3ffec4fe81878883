//! `puppetfn migrate`: the move of code and data to Puppet 8.
//!
//! The rules of the checker find the places and have the fixes; `hierarchies` converts files of Hiera. Fixes are applied as
//! `check --fix` applies them, to a view of the files.

mod hierarchies;

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use similar::TextDiff;

use super::args::migrate::MigrateArgs;
use super::check::{SelectedRules, check_all, counted, fix};
use super::{CommandFailure, CommandHost, FAILED, OK};
use puppetfn_base::source::LineIndex;
use puppetfn_check::{Finding, Rule, is_about_removed_function};
use puppetfn_project::{CheckedText, EditedFiles, FileChange, ProjectConfig};

/// The time limit of a precise diff between two texts.
const DIFF_TIME: Duration = Duration::from_secs(1);

/// The rules whose findings are about the move.
const RULES: [Rule; 8] = [
    Rule::DataSyntax,
    Rule::DeprecatedFunction,
    Rule::LegacyFact,
    Rule::Syntax,
    Rule::TopScopeFacts,
    Rule::UnknownFunction,
    Rule::UnknownSetting,
    Rule::UnknownVariable,
];

/// A place that somebody has to look at.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct LeftPlace {
    file: String,
    line: u32,
    advice: String,
}

pub(super) fn run(
    arguments: &MigrateArgs,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let (mut check, limits) = (arguments.check(), arguments.bounds.limits());
    check.paths.retain(|path| !hierarchies::is_hierarchy(path));
    let config = ProjectConfig::of(None, arguments.paths.first(), &limits)?;
    let files = Arc::new(EditedFiles::new(&limits));
    let hierarchies = hierarchies::upgrade(arguments, &config, &files, &limits)?;
    let rules = SelectedRules::for_migration(&RULES, hierarchies.hash_merge);
    let mut notes: Vec<u8> = Vec::new();
    let mut places = || {
        notes.clear();
        let mut checked = check_all(&check, &config, &rules, &files, host, &mut notes)?;
        checked.iter_mut().for_each(keep_migration);
        Ok(checked)
    };
    let (checked, _) = fix::apply(&mut places, &files, &limits)?;
    err.write_all(&notes)?;
    let mut left = hierarchies.left;
    left.extend(checked.iter().flat_map(left_places));
    left.sort();
    left.dedup();

    let changes = files.changes();
    if arguments.write {
        files.write()?;
        changes.iter().try_for_each(|change| writeln!(out, "{}", change.name))?;
    } else {
        changes.iter().try_for_each(|change| write_diff(change, out))?;
    }
    for LeftPlace { file, line, advice } in &left {
        writeln!(out, "{file}:{line}: {advice}")?;
    }
    out.flush()?;
    let verb = if arguments.write { "changed" } else { "to change" };
    writeln!(err, "{} {verb}, {} left", counted(changes.len(), "file"), counted(left.len(), "place"))?;
    let is_left = !left.is_empty() || !arguments.write && !changes.is_empty();
    Ok(if arguments.check && is_left { FAILED } else { OK })
}

fn write_diff(change: &FileChange, out: &mut dyn Write) -> Result<(), CommandFailure> {
    let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(&change.before, &change.after);
    write!(out, "{}", diff.unified_diff().header(&change.name, &change.name))?;
    Ok(())
}

/// Keeps the findings about the move, with the fixes that keep the catalog.
fn keep_migration(checked: &mut CheckedText) {
    checked.findings.retain(|finding| {
        let is_other_function = finding.rule == Rule::UnknownFunction && !is_about_removed_function(finding);
        // Variables of the top scope without a fix still work.
        let works = finding.rule == Rule::TopScopeFacts && finding.fix.is_none();
        !is_other_function && !works
    });
    for finding in &mut checked.findings {
        // A variable without a value was undef, so that a value would be another catalog.
        if finding.rule == Rule::UnknownVariable {
            finding.fix = None;
        }
    }
}

fn left_places(checked: &CheckedText) -> Vec<LeftPlace> {
    let lines = LineIndex::new(&checked.text);
    let place = |finding: &Finding| LeftPlace {
        file: checked.name.clone(),
        line: lines.position(&checked.text, finding.span.start).0,
        advice: format!("{} [{}]", finding.message, finding.rule.name()),
    };
    checked.findings.iter().map(place).collect()
}
