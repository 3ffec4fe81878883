//! Names that were probably meant.

use super::finding::{Finding, Fix};
use puppetfn_base::source::Span;
use puppetfn_types::types::ops::describe::most_similar;

impl Finding {
    /// Adds the name that was probably meant, to the message and, where it is certain and `written` is what stands
    /// at `at`, as what mends it.
    #[must_use]
    pub(super) fn meant<'c>(
        mut self,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
        written: (&str, u32),
    ) -> Self {
        let mut near = most_similar(name, candidates);
        near.sort_by_key(|candidate| differing(name, candidate));
        near.dedup();
        let Some(meant) = near.first() else { return self };
        self.message = format!("{}; did you mean '{meant}'?", self.message.trim_end_matches('.'));
        let (text, at) = written;
        let is_there = text.get(at as usize..).is_some_and(|rest| stands_first(rest, name));
        if is_there && is_slip(name, meant) && near.get(1).is_none_or(|other| !is_slip(name, other)) {
            let span = Span::new(at, at.saturating_add(u32::try_from(name.len()).unwrap_or(u32::MAX)));
            self.fix = Some(Fix { span, text: (*meant).to_owned() });
        }
        self
    }
}

/// Returns true if a text begins with a name that ends there.
fn stands_first(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_part) && !rest.starts_with("::"))
}

/// Returns how many letters are to be put in, left out, replaced or swapped with the next one.
fn differing(a: &str, b: &str) -> usize {
    strsim::osa_distance(a, b)
}

/// Returns true if one name is written for the other by a single slip, which short names allow none of: what is left
/// of them says too little.
fn is_slip(name: &str, meant: &str) -> bool {
    const SHORTEST: usize = 4;
    name.chars().count() >= SHORTEST && differing(name, meant) == 1
}

#[cfg(test)]
mod tests {
    use super::super::rule::Rule;
    use super::*;

    fn found(name: &str, candidates: &[&str], text: &str) -> (String, Option<String>) {
        let finding = Finding::new(Rule::UnknownFunction, format!("no {name}."), 0);
        let finding = finding.meant(name, candidates.iter().copied(), (text, 0));
        (finding.message, finding.fix.map(|fix| fix.text))
    }

    #[test]
    fn one_slip_that_leads_to_one_name_is_mended() {
        let mended = |meant: &str| Some(meant.to_owned());
        assert_eq!(
            found("upcsae", &["upcase", "downcase"], "upcsae('a')"),
            ("no upcsae; did you mean 'upcase'?".to_owned(), mended("upcase"))
        );
        // Two names are as near.
        assert_eq!(found("pory", &["port", "pors"], "pory => 1").1, None);
        // The name is further away, or stands in quotes.
        assert_eq!(found("upsacse", &["upcase"], "upsacse()").1, None);
        assert_eq!(found("upcsae", &["upcase"], "'upcsae'").1, None);
        assert_eq!(found("upcsae", &["upcase"], "upcsaes()").1, None);
        assert_eq!(found("abd", &["abc"], "abd()"), ("no abd; did you mean 'abc'?".to_owned(), None));
        assert_eq!(found("nothing", &["else"], "nothing"), ("no nothing.".to_owned(), None));
    }
}
