//! Legacy facts in texts that are not Puppet code: data of Hiera, `hiera.yaml` and ERB templates.

use std::ops::Range;
use std::sync::LazyLock;

use super::finding::{Finding, Fix};
use super::legacy_facts::{access, is_legacy, path};
use super::rule::Rule;
use super::world::World;
use puppetfn_base::source::Span;
use regex::{Captures, Regex};

/// Returns the part of a read to replace, and the text for it, from the path of the value.
type ReplacedRead = dyn Fn(&str, &str) -> (Range<usize>, String);

impl World {
    /// Returns the legacy facts in the interpolations of a text of Hiera: data, or a `hiera.yaml`.
    pub fn legacy_facts_in_data(&self, text: &str) -> Vec<Finding> {
        static INTERPOLATION: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r"%\{\s*(?:::|facts\.)?([a-z]\w*)\s*\}").ok());
        self.legacy(text, INTERPOLATION.as_ref(), &|whole, path| {
            let (before, after) = (whole.find('{').unwrap_or(0) + 1, whole.len() - 1);
            (before..after, format!("facts.{path}"))
        })
    }

    /// Returns the legacy facts that a template in ERB reads: by `@name`, `scope['name']`, `scope.lookupvar('name')` and
    /// `@facts['name']`. An instance variable may also be one that code of the project sets.
    pub fn legacy_facts_in_erb(&self, text: &str) -> Vec<Finding> {
        static READ: LazyLock<Option<Regex>> = LazyLock::new(|| {
            let quoted = r#"['"](?:::)?([a-z]\w*)['"]"#;
            let facts =
                r#"(?:@facts|scope\[['"](?:::)?facts['"]\]|scope\.lookupvar\(['"](?:::)?facts['"]\))"#;
            let scope = r"scope(?:\.lookupvar\(|\[)";
            Regex::new(&format!(r"{facts}\[{quoted}\]|{scope}{quoted}[\])]|@([a-z]\w*)\b")).ok()
        });
        let found = self.legacy(text, READ.as_ref(), &|whole, path| {
            let facts = if whole.starts_with('@') { "@facts" } else { "scope['facts']" };
            (0..whole.len(), access(facts, path))
        });
        let is_code = |finding: &Finding| is_in_tag(text, finding.span.start as usize);
        self.unsuppressed(found.into_iter().filter(is_code).collect(), text)
    }

    /// Returns a finding for each match of a pattern that reads a legacy fact.
    fn legacy(&self, text: &str, pattern: Option<&Regex>, fix: &ReplacedRead) -> Vec<Finding> {
        if !self.selection().has(Rule::LegacyFact) {
            return Vec::new();
        }
        let matches = pattern.into_iter().flat_map(|pattern| pattern.captures_iter(text));
        matches.filter_map(|found| self.legacy_match(&found, fix)).collect()
    }

    fn legacy_match(&self, found: &Captures<'_>, fix: &ReplacedRead) -> Option<Finding> {
        let whole = found.get(0)?;
        let name = found.iter().skip(1).flatten().next()?.as_str();
        let text = whole.as_str();
        // A variable of the class that looks data up or renders a template comes first.
        let is_variable = text.starts_with('@') && !text.starts_with("@facts[")
            || text.starts_with("%{") && !text.contains("::") && !text.contains("facts.");
        if !is_legacy(name) || self.has_own_fact(name) || is_variable && self.sets_variable(name) {
            return None;
        }
        let span = |range: Range<usize>| Span::new(range.start as u32, range.end as u32);
        let replaced = path(name);
        let now = replaced.as_ref().map(|path| format!(": it is facts.{path} now")).unwrap_or_default();
        let message = format!("Puppet 8 leaves the fact '{name}' out by default{now}");
        let fix = replaced.map(|path| {
            let (part, text) = fix(whole.as_str(), &path);
            Fix { span: span(whole.start() + part.start..whole.start() + part.end), text }
        });
        Some(Finding { fix, ..Finding::new(Rule::LegacyFact, message, span(whole.range())) })
    }
}

/// Returns true if an offset is in a tag of ERB that has code.
fn is_in_tag(text: &str, offset: usize) -> bool {
    let before = text.get(..offset).unwrap_or_default();
    let open = before.rfind("<%");
    let is_open = open > before.rfind("%>");
    let tag = open.and_then(|open| before.get(open..)).unwrap_or_default();
    is_open && !tag.starts_with("<%#") && !tag.starts_with("<%%")
}
