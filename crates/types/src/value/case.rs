//! Upper and lower case, as Ruby changes it.

/// Returns the text in lower case. Each letter for itself: a sigma at the end of a word is like any other.
pub fn downcase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Returns the text with its first letter in title case, the others in lower case.
pub fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(titlecase).unwrap_or_default();
    first + &downcase(chars.as_str())
}

/// Returns the titlecase form of a letter. It differs from upper case for digraphs with a single code point.
fn titlecase(c: char) -> String {
    let digraph = |c| char::from_u32(c).into_iter().collect();
    match u32::from(c) {
        0x149 => c.to_uppercase().collect(),
        0x1C4..=0x1C6 => digraph(0x1C5),
        0x1C7..=0x1C9 => digraph(0x1C8),
        0x1CA..=0x1CC => digraph(0x1CB),
        0x1F1..=0x1F3 => digraph(0x1F2),
        // Georgian has capitals, but does not begin words with them.
        0x10D0..=0x10FF | 0x1C90..=0x1CBF => c.to_lowercase().collect(),
        // Greek with an iota subscript, which has a precomposed titlecase letter or becomes a combining mark.
        code @ 0x1F80..=0x1FAF => digraph(code | 8),
        code @ (0x1FB3 | 0x1FBC | 0x1FC3 | 0x1FCC | 0x1FF3 | 0x1FFC) => digraph((code & !0xF) | 0xC),
        0x1FB2..=0x1FFF => c.to_uppercase().map(|c| if c == '\u{399}' { '\u{345}' } else { c }).collect(),
        _ => {
            let mut upper = c.to_uppercase();
            let first: String = upper.next().into_iter().collect();
            first + &downcase(&upper.collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_in_title_case() {
        for (text, capitalized) in [
            ("", ""),
            ("hELLO wORLD", "Hello world"),
            ("ß", "Ss"),
            ("ﬁx", "Fix"),
            ("ǆA", "ǅa"),
            ("ŉA", "ʼNa"),
            ("ა", "ა"),
            ("ᾳΒ", "ᾼβ"),
            ("ᾀ", "ᾈ"),
            ("ᾲ", "Ὰ\u{345}"),
            ("\u{390}", "\u{399}\u{308}\u{301}"),
            ("éÀ", "Éà"),
        ] {
            assert_eq!(capitalize(text), capitalized);
        }
        assert_eq!(downcase("ΑΣ"), "ασ");
    }
}
