//! `environment.conf` and `puppet.conf`: settings that the release does not have.

use std::sync::LazyLock;

use puppetfn_base::source::Span;
use puppetfn_base::target::Target;
use puppetfn_runtime::settings::{self, OF_ENVIRONMENTS};
use regex::Regex;

use crate::finding::Finding;
use crate::rule::Rule;

/// Returns the findings about an `environment.conf`.
pub(super) fn of_environment(text: &str, target: Target) -> Vec<Finding> {
    findings(text, &|name| {
        if !OF_ENVIRONMENTS.contains(&name) {
            return Some(format!("An environment.conf cannot have the setting {name}"));
        }
        missing(name, target)
    })
}

/// Returns the findings about a `puppet.conf`. Programs may define settings of their own, so only settings are reported that
/// Puppet 8 has.
pub(super) fn of_puppet(text: &str, target: Target) -> Vec<Finding> {
    findings(text, &|name| missing(name, target).filter(|_| settings::is_known(name, Target::default())))
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
