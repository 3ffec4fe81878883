//! The word that may have been meant.

/// The candidate that is most like a word, if one is like it at all.
pub(super) fn similar<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    const LONGEST: usize = 100;
    if word.len() > LONGEST {
        return None;
    }
    let lower = word.to_lowercase();
    let distance = |candidate: &str| strsim::osa_distance(&lower, &candidate.to_lowercase());
    // One letter in three may differ.
    let allowed = (word.chars().count() / 3).max(1);
    let near = candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| (distance(candidate), candidate));
    near.filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_letters_differ() {
        let levels = ["debug", "info", "warning"];
        for (word, meant) in [
            ("debgu", Some("debug")),
            ("INFO", Some("info")),
            ("warn", None),
            ("warnings", Some("warning")),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(similar(word, levels), meant, "{word}");
        }
        assert_eq!(similar("a", ["b"]), None);
        assert_eq!(similar(&"x".repeat(1000), [&*"x".repeat(999)]), None);
    }
}
