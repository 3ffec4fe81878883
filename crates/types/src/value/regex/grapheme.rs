//! Grapheme clusters, which `\X` matches.
//!
//! Ruby's library has the extended clusters of UAX #29 as an atomic group of alternatives, so that nothing that follows
//! takes a part of a cluster away. Indic conjuncts, which came with Unicode 15.1, are several clusters there.

/// A line break, a syllable or character with its combining marks, or any other character.
pub(super) const CLUSTER: &str = concat!(
    r"(?>\r\n|(?-i:\p{gcb=Prepend}*(?:",
    // Syllables of Hangul.
    r"\p{gcb=L}*(?:\p{gcb=V}+|\p{gcb=LV}\p{gcb=V}*|\p{gcb=LVT})\p{gcb=T}*|\p{gcb=L}+|\p{gcb=T}+",
    // Flags.
    r"|\p{gcb=Regional_Indicator}{2}",
    // Pictographs joined to one.
    r"|\p{Extended_Pictographic}(?:\p{gcb=Extend}*\p{gcb=ZWJ}\p{Extended_Pictographic})*",
    r"|[^\p{gcb=Control}\r\n]",
    r")[\p{gcb=Extend}\p{gcb=ZWJ}\p{gcb=SpacingMark}]*)|(?s:.))",
);
