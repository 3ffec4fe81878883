//! Names that were probably meant.

use super::finding::{Finding, Fix};
use puppetfn_base::source::Span;
use puppetfn_types::types::ops::describe::{WordOutline, most_similar_within};

/// How many letters may differ in any name.
pub(super) const MOST_DIFFERING: usize = 2;

impl Finding {
    /// Adds the name that was probably meant to the message. Where it is certain, and `written` has the name at its offset,
    /// it is also the fix.
    #[must_use]
    pub(super) fn meant<'c>(
        mut self,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
        written: (&str, u32),
    ) -> Self {
        let mut near = most_similar_within(name, most_differing(name), candidates);
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

/// Returns how many letters of a name may differ, which are few: long names are put together of words, and with another word they
/// mean something else.
fn most_differing(name: &str) -> usize {
    const LONG: usize = 10;
    if name.chars().count() < LONG { 1 } else { MOST_DIFFERING }
}

/// Returns true if one name is written for the other by a single slip. Other names may well differ by a letter if they
/// are short, or in number.
pub(super) fn is_slip(name: &str, meant: &str) -> bool {
    const SHORTEST: usize = 5;
    let Some((part, other)) = slipped(name, meant) else { return false };
    let length = part.chars().count();
    length >= SHORTEST || are_swapped(part, other) && length.saturating_add(1) == SHORTEST
}

/// Returns true if a name that may exist elsewhere is still a slip of a known name: two neighbouring letters are
/// swapped, or one inside is another, missing or too many.
pub(super) fn is_slip_of_known(name: &str, known: &str) -> bool {
    let ends = |name: &str| (name.chars().next(), name.chars().last());
    slipped(name, known).is_some_and(|(part, other)| are_swapped(part, other) || ends(part) == ends(other))
}

/// Returns the parts of two names that differ, and by nothing but a single slip.
fn slipped<'n>(name: &'n str, meant: &'n str) -> Option<(&'n str, &'n str)> {
    let may_be_slip = WordOutline::of(name).may_be_within(1, &WordOutline::of(meant));
    if !may_be_slip || name.split("::").count() != meant.split("::").count() {
        return None;
    }
    let mut parts = name.split("::").zip(meant.split("::")).filter(|(a, b)| a != b);
    let (Some((part, other)), None) = (parts.next(), parts.next()) else { return None };
    let singular = |word: &'n str| word.strip_suffix('s').filter(|word| !word.ends_with('s'));
    let is_plural = singular(part) == Some(other) || singular(other) == Some(part);
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).collect::<String>();
    (differing(part, other) == 1 && !is_plural && digits(part) == digits(other)).then_some((part, other))
}

fn are_swapped(part: &str, other: &str) -> bool {
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    letters(part) == letters(other)
}

#[cfg(test)]
mod tests {
    use super::super::rule::Rule;
    use super::*;

    fn found(name: &str, candidates: &[&str], text: &str) -> (String, Option<String>) {
        let finding = Finding::new(Rule::UnknownFunction, format!("no {name}."), Span::at(0));
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
        assert_eq!(found("idle_timeout", &["pool_timeout"], "").0, "no idle_timeout.");
        assert_eq!(
            found("Lib::Ip_addr", &["Lib::Ip::Addr"], "").0,
            "no Lib::Ip_addr; did you mean 'Lib::Ip::Addr'?"
        );
        assert_eq!(found("upcsae", &["upcase"], "'upcsae'").1, None);
        assert_eq!(found("upcsae", &["upcase"], "upcsaes()").1, None);
        assert_eq!(found("abd", &["abc"], "abd()"), ("no abd; did you mean 'abc'?".to_owned(), None));
        // Something else may be meant.
        for (name, other) in [
            ("mod::dev", "mod::dav"),
            ("server", "servers"),
            ("uris", "uri"),
            ("size", "side"),
            ("port1", "port2"),
        ] {
            assert_eq!(found(name, &[other], &format!("{name} => 1")).1, None, "{name}");
        }
        assert!(is_slip_of_known("eah", "each") && is_slip_of_known("Exce", "Exec"));
        assert!(!is_slip_of_known("apache2", "apache") && !is_slip_of_known("sub", "sum"));
        assert_eq!(found("mod::siez", &["mod::size"], "mod::siez").1, mended("mod::size"));
        assert_eq!(found("nothing", &["else"], "nothing"), ("no nothing.".to_owned(), None));
    }
}
