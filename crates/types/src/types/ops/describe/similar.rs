//! Suggests words that were probably meant.

/// Returns the candidate that is most like a word, if one is like it at all.
pub(super) fn similar<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    most_similar(word, candidates).into_iter().next()
}

/// Returns the candidates that are similar to a word, most similar first.
pub fn most_similar<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Vec<&'c str> {
    const LONGEST: usize = 100;
    if word.len() > LONGEST {
        return Vec::new();
    }
    let lower = word.to_lowercase();
    let length = word.chars().count();
    // One letter in three may differ.
    let allowed = (length / 3).max(1);
    let distance = |candidate: &str| {
        // Candidates that differ more in length need no comparison.
        let is_near = candidate.len() <= LONGEST && candidate.chars().count().abs_diff(length) <= allowed;
        is_near.then(|| strsim::osa_distance(&lower, &candidate.to_lowercase()))
    };
    let near = candidates.into_iter().filter_map(|candidate| Some((distance(candidate)?, candidate)));
    let is_like =
        |(distance, candidate): &(usize, &str)| *distance <= allowed && *distance < candidate.chars().count();
    let mut near: Vec<_> = near.filter(is_like).collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().map(|(_, candidate)| candidate).collect()
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

    #[test]
    fn the_nearest_come_first() {
        let names = ["sample", "exmple", "examples", "exam"];
        assert_eq!(most_similar("example", names), ["exmple", "examples", "sample"]);
    }
}
