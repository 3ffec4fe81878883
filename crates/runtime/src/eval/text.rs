//! Wording of messages.

/// Returns a text with `a` or `an` in front.
pub(super) fn with_article(text: &str) -> String {
    format!("{} {text}", article(text))
}

/// Returns a text with `A` or `An` in front.
pub(super) fn with_article_uc(text: &str) -> String {
    format!("{} {text}", if article(text) == "an" { "An" } else { "A" })
}

/// By the first letter, or the second after a quote; `y` counts as a vowel.
pub(super) fn article(text: &str) -> &'static str {
    let first = text.chars().find(|c| !matches!(c, '\'' | '"'));
    match first.map(|c| c.to_ascii_lowercase()) {
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'y') => "an",
        _ => "a",
    }
}
