//! Queries to PuppetDB.

use super::super::finding::Finding;
use super::super::rule::Rule;
use super::Walk;
use puppetfn_base::source::Span;
use puppetfn_puppetdb::{QueryProblem, query_problems};
use puppetfn_types::convert::json::to_json;
use puppetfn_types::value::Value;

/// The function of PuppetDB's termini.
const QUERY: &str = "puppetdb_query";

impl Walk<'_, '_> {
    /// Checks a query, if it is known.
    pub(super) fn puppetdb_query(&mut self, function: &str, arguments: &[Value], at: Span) {
        let [query @ (Value::String(_) | Value::Array(_))] = arguments else { return };
        if function != QUERY || query.contains_unknown() {
            return;
        }
        let Ok(query) = to_json(query, self.limits()) else { return };
        for problem in query_problems(&query, self.limits()) {
            let place = self.problem_place(&problem, query.as_str(), at);
            // The other lines of a syntax error repeat the query and list the expected tokens.
            let mut lines = problem.message.lines();
            let first = lines.next().unwrap_or_default().trim_end_matches(':');
            let finding = Finding::new(Rule::Query, first, place);
            match problem.unknown {
                Some(unknown) => {
                    self.note(finding.meant(&unknown.name, unknown.known, (self.text, place.start)));
                }
                None => {
                    self.note(finding);
                }
            }
        }
    }

    /// Returns the place of a problem within a call, as far as the query is there as it is written: the call otherwise.
    fn problem_place(&self, problem: &QueryProblem, query: Option<&str>, call: Span) -> Span {
        let text = self.text.get(call.start as usize..call.end as usize).unwrap_or_default();
        let within = |offset: usize, length: usize| {
            let start = call.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX));
            Span::new(start, start.saturating_add(u32::try_from(length).unwrap_or(u32::MAX)).min(call.end))
        };
        if let Some(unknown) = &problem.unknown {
            let is_part = |character: char| character.is_alphanumeric() || "_.-".contains(character);
            let mut found = text.match_indices(&*unknown.name).filter(|(at, name)| {
                let before = text.get(..*at).and_then(|before| before.chars().next_back());
                let after = text.get(at.saturating_add(name.len())..).and_then(|after| after.chars().next());
                !before.is_some_and(is_part) && !after.is_some_and(is_part)
            });
            if let Some((at, name)) = found.next() {
                return within(at, name.len());
            }
        }
        match (problem.offset, query.and_then(|query| text.find(query))) {
            (Some(offset), Some(start)) => within(start.saturating_add(offset), 1),
            _ => call,
        }
    }
}
