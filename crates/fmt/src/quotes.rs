//! Quotes: single ones, unless double ones have a meaning.

use std::borrow::Cow;

/// Returns a string without code in its preferred quotes. Strings with a single quote keep double quotes, and so do strings
/// with escapes, except for quotes: in single ones, an escaped dollar would look like a mistake.
pub(super) fn requoted(written: &str) -> Cow<'_, str> {
    let Some(content) = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return Cow::Borrowed(written);
    };
    let plain = content.replace("\\\"", "\"");
    if plain.contains(['\'', '\\']) { Cow::Borrowed(written) } else { Cow::Owned(format!("'{plain}'")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn double_quotes_stay_where_they_say_something() {
        for (written, best) in [
            (r#""a b""#, "'a b'"),
            (r#""""#, "''"),
            (r#""\"a\" $""#, "'\"a\" $'"),
            (r#""\${a}""#, r#""\${a}""#),
            (r#""it's""#, r#""it's""#),
            (r#""a\n""#, r#""a\n""#),
            (r#""a\\\"""#, r#""a\\\"""#),
            ("'a'", "'a'"),
            ("bare-word", "bare-word"),
        ] {
            assert_eq!(requoted(written), best);
        }
    }
}
