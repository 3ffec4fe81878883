//! Patterns with `*`.

/// A text in which `*` stands for any characters. Case does not count.
#[derive(Clone, Debug)]
pub(super) struct Glob {
    /// The texts between the stars, in lower case: one part if there are no stars.
    parts: Vec<String>,
}

impl Glob {
    pub(super) fn new(text: &str) -> Self {
        Self { parts: text.to_lowercase().split('*').map(str::to_owned).collect() }
    }

    /// Returns true if the pattern is this word in lower case, without stars.
    pub(super) fn is(&self, word: &str) -> bool {
        matches!(self.parts.as_slice(), [only] if only == word)
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let (first, last, inner) = match self.parts.as_slice() {
            [] => return text.is_empty(),
            [only] => return *only == text,
            [first, inner @ .., last] => (first, last, inner),
        };
        let Some(rest) = text.strip_prefix(first.as_str()) else { return false };
        let Some(mut rest) = rest.strip_suffix(last.as_str()) else { return false };
        // The earliest match of each part leaves most room for the parts after it.
        for part in inner {
            let Some((_, after)) = rest.split_once(part.as_str()) else { return false };
            rest = after;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters() {
        for (glob, text, expected) in [
            ("*", "", true),
            ("*", "/a", true),
            ("/etc/*/foo", "/etc/a/b/FOO", true),
            ("/etc/*/foo", "/etc/foo", false),
            ("*a*b*", "xbxaxb", true),
            ("*a*b*", "xbxa", false),
            ("a*a", "a", false),
            ("File", "file", true),
            ("Fil", "file", false),
        ] {
            assert_eq!(Glob::new(glob).matches(text), expected, "{glob} {text}");
        }
    }
}
