//! The words in a text, to find out whether a name can occur in it.

use std::collections::{HashMap, HashSet};

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the words in a text: letters, digits and underscores.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

/// Returns the word at the end of a text; empty if it does not end in one.
pub(super) fn last_word(text: &str) -> &str {
    text.rsplit(|c| !is_word(c)).next().unwrap_or_default()
}

/// Returns the names with `::` in a text, in lower case and without `::` at their start.
pub(super) fn qualified(text: &str) -> HashSet<String> {
    let is_end = |c: char| !is_word(c) && c != ':';
    let mut names = HashSet::new();
    let mut rest = text;
    // Most of a text is in no such name.
    while let Some((before, after)) = rest.split_once("::") {
        let first = before.rsplit(is_end).next().unwrap_or_default();
        let others = after.split(is_end).next().unwrap_or_default();
        let name = format!("{first}::{others}").to_lowercase();
        let name = name.trim_matches(':');
        if name.contains("::") && !names.contains(name) {
            names.insert(name.to_owned());
        }
        rest = after.get(others.len()..).unwrap_or_default();
    }
    names
}

/// Returns the number of times that each word occurs in a text.
pub(super) fn counts(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for word in words(text) {
        let count: &mut usize = counts.entry(word).or_default();
        *count = count.saturating_add(1);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert_eq!(counts("$a = $ab + \"${a}\" # a"), HashMap::from([("a", 3), ("ab", 1)]));
        let mut names: Vec<_> =
            qualified("$::A::b \"${c::d::e}x\" f: { g::h['i::j'] } ::k").into_iter().collect();
        names.sort();
        assert_eq!(names, ["a::b", "c::d::e", "g::h", "i::j"]);
        assert_eq!(qualified(":::A::b::: ü::é ::"), HashSet::from(["a::b".to_owned()]));
    }
}
