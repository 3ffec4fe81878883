//! `environment.conf` and `puppet.conf`: settings that the release does not have. Code that moves to Puppet 8 loses the ones of
//! earlier releases.

use std::sync::LazyLock;

use puppetfn_base::source::Span;
use puppetfn_base::target::Target;
use puppetfn_runtime::settings::{self, OF_ENVIRONMENTS};
use regex::Regex;

use super::former_settings::replacement;
use crate::finding::{Finding, Fix};
use crate::rule::Rule;
use crate::world::World;

/// Returns the findings about an `environment.conf`.
pub(super) fn of_environment(text: &str, world: &World) -> Vec<Finding> {
    let found = findings(text, &|name| {
        if !OF_ENVIRONMENTS.contains(&name) {
            return Some(format!("An environment.conf cannot have the setting {name}"));
        }
        missing(name, world.target())
    });
    if world.is_migration() { migrated(found, text) } else { found }
}

/// Returns the findings about a `puppet.conf`. Programs may define settings of their own, so only settings are reported that
/// Puppet 8 has.
pub(super) fn of_puppet(text: &str, world: &World) -> Vec<Finding> {
    let target = world.target();
    if world.is_migration() {
        return migrated(findings(text, &|name| missing(name, target)), text)
            .into_iter()
            .filter(|finding| replacement(finding.span.text(text)).is_some())
            .collect();
    }
    findings(text, &|name| missing(name, target).filter(|_| settings::is_known(name, Target::default())))
}

/// Adds the replacements of settings that Puppet 8 ignores. The line of a setting without one is removed, unless another setting
/// refers to it.
fn migrated(mut found: Vec<Finding>, text: &str) -> Vec<Finding> {
    for finding in &mut found {
        let name = finding.span.text(text);
        match replacement(name) {
            Some("") => {
                let is_used = text.contains(&format!("${name}")) || text.contains(&format!("${{{name}}}"));
                finding.fix =
                    (!is_used).then(|| Fix { span: line_around(text, finding.span), text: String::new() });
            }
            Some(by) => finding.message = format!("{}; it is replaced by {by}", finding.message),
            None => {}
        }
    }
    found
}

/// Returns the line of a span, with its end.
fn line_around(text: &str, span: Span) -> Span {
    let Span { start, end } = span;
    let before = text.get(..start as usize).unwrap_or_default();
    let after = text.get(end as usize..).unwrap_or_default();
    let length = after.find('\n').map_or(after.len(), |at| at.saturating_add(1));
    let begin = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    Span::new(u32::try_from(begin).unwrap_or(start), end.saturating_add(u32::try_from(length).unwrap_or(0)))
}

fn missing(name: &str, target: Target) -> Option<String> {
    let is_missing = !settings::is_known(name, target);
    is_missing.then(|| format!("{} has no setting {name}", target.title()))
}

fn findings(text: &str, refused: &dyn Fn(&str) -> Option<String>) -> Vec<Finding> {
    static SETTING: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?m)^[ \t]*([[:word:]]+)[ \t]*=").ok());
    let named =
        SETTING.iter().flat_map(|setting| setting.captures_iter(text)).filter_map(|found| found.get(1));
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    named
        .filter_map(|name| {
            let span = Span::new(offset(name.start()), offset(name.end()));
            refused(name.as_str()).map(|message| Finding::new(Rule::UnknownSetting, message, span))
        })
        .collect()
}
