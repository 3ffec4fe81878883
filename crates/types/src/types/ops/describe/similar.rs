//! Suggests words that were probably meant.

/// Returns the candidate that is most like a word, if one is like it at all.
pub(super) fn similar<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    most_similar(word, candidates).into_iter().next()
}

/// Returns the candidates that are similar to a word, most similar first.
pub fn most_similar<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Vec<&'c str> {
    most_similar_within(word, usize::MAX, candidates)
}

/// Returns the candidates that are similar to a word and at most so many edits away from it, most similar first.
pub fn most_similar_within<'c>(
    word: &str,
    edits: usize,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Vec<&'c str> {
    const LONGEST: usize = 100;
    if word.len() > LONGEST {
        return Vec::new();
    }
    let lower = word.to_lowercase();
    // One letter in three may differ.
    let allowed = (word.chars().count() / 3).max(1).min(edits);
    let outline = WordOutline::of(word);
    let distance = |candidate: &str| {
        let may_be_near =
            candidate.len() <= LONGEST && outline.may_be_within(allowed, &WordOutline::of(candidate));
        may_be_near.then(|| strsim::osa_distance(&lower, &candidate.to_lowercase()))
    };
    let near = candidates.into_iter().filter_map(|candidate| Some((distance(candidate)?, candidate)));
    let is_like =
        |(distance, candidate): &(usize, &str)| *distance <= allowed && *distance < candidate.chars().count();
    let mut near: Vec<_> = near.filter(is_like).collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The length and the letters of a word. They show that most words are further apart than some edits, without counting edits.
#[derive(Clone, Copy)]
pub struct WordOutline {
    length: usize,
    /// The letters without their case, as bits; none unless all are in ASCII.
    letters: Option<u32>,
}

impl WordOutline {
    /// Returns the outline of a word.
    pub fn of(word: &str) -> Self {
        let bit = |byte: u8| 1u32.wrapping_shl(u32::from(byte.to_ascii_lowercase()));
        if word.is_ascii() {
            let letters = word.bytes().fold(0, |letters, byte| letters | bit(byte));
            Self { length: word.len(), letters: Some(letters) }
        } else {
            Self { length: word.chars().count(), letters: None }
        }
    }

    /// Returns false if two words are certainly more edits apart: an edit inserts, deletes or replaces a letter, or swaps two.
    pub fn may_be_within(&self, edits: usize, other: &Self) -> bool {
        let have_near_letters = |(own, other): (u32, u32)| {
            // A letter that is replaced changes two bits, any other edit fewer.
            (own ^ other).count_ones() as usize <= edits.saturating_mul(2)
        };
        self.length.abs_diff(other.length) <= edits
            && self.letters.zip(other.letters).is_none_or(have_near_letters)
    }
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
        assert_eq!(most_similar_within("example", 1, names), ["exmple", "examples"]);
    }

    #[test]
    fn outlines_exclude_no_near_word() {
        let words = [
            "",
            "a",
            "port",
            "Port",
            "ports",
            "prot",
            "sport",
            "poort",
            "p\u{f6}rt",
            "apache::port",
            "zzzzzz",
        ];
        for (one, other) in words.iter().flat_map(|one| words.iter().map(move |other| (one, other))) {
            let edits = strsim::osa_distance(&one.to_lowercase(), &other.to_lowercase());
            assert!(WordOutline::of(one).may_be_within(edits, &WordOutline::of(other)), "{one} and {other}");
        }
        assert!(!WordOutline::of("port").may_be_within(1, &WordOutline::of("size")));
    }
}
