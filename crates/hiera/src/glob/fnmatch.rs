//! A name that matches a segment of a pattern.

/// Returns true if a pattern without slashes matches a name without slashes, as Ruby's `File.fnmatch?` does without flags. A malformed
/// pattern, for example an unclosed bracket, matches nothing.
///
/// See `fnmatch_helper` in Ruby's `dir.c`.
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let mut pattern = pattern.as_slice();
    let mut rest = name.as_slice();
    if rest.first() == Some(&'.') && unescaped(pattern).first() != Some(&'.') {
        return false;
    }
    // The pattern after the last asterisk, and the text that is tried next if the pattern does not match here.
    let mut retry: Option<(&[char], &[char])> = None;
    loop {
        let matched = match pattern {
            ['*', ..] => {
                while let ['*', after @ ..] = pattern {
                    pattern = after;
                }
                if unescaped(pattern).is_empty() {
                    return true;
                }
                if rest.is_empty() {
                    return false;
                }
                retry = Some((pattern, rest));
                continue;
            }
            _ if rest.is_empty() => {
                return !matches!(pattern, ['?' | '[', ..]) && unescaped(pattern).is_empty();
            }
            ['?', after @ ..] => Some(after),
            ['[', inner @ ..] => rest.first().and_then(|c| bracket(inner, *c)),
            _ => match (unescaped(pattern), rest) {
                ([expected, after @ ..], [c, ..]) if expected == c => Some(after),
                _ => None,
            },
        };
        match (matched, retry) {
            (Some(after), _) => {
                pattern = after;
                rest = rest.get(1..).unwrap_or_default();
            }
            (None, Some((after, [_, next @ ..]))) => {
                retry = Some((after, next));
                (pattern, rest) = (after, next);
            }
            (None, _) => return false,
        }
    }
}

/// Returns a pattern without a backslash at its beginning.
fn unescaped(pattern: &[char]) -> &[char] {
    if let ['\\', after @ ..] = pattern { after } else { pattern }
}

/// Returns the pattern after a bracket whose characters include a character. `pattern` begins after the opening bracket.
///
/// Ruby knows no classes such as `[:digit:]`, and an empty bracket has no character.
fn bracket(pattern: &[char], c: char) -> Option<&[char]> {
    let (is_negated, mut rest) = match pattern {
        ['!' | '^', after @ ..] => (true, after),
        all => (false, all),
    };
    let mut is_member = false;
    loop {
        if let [']', after @ ..] = rest {
            return (is_member != is_negated).then_some(after);
        }
        let [first, after @ ..] = unescaped(rest) else { return None };
        rest = after;
        let last = match rest {
            [] => return None,
            ['-', next, ..] if *next != ']' => {
                let [last, after @ ..] = unescaped(rest.get(1..).unwrap_or_default()) else { return None };
                rest = after;
                last
            }
            ['-'] => return None,
            _ => first,
        };
        // The ends count even if the range is written backwards.
        is_member |= c == *first || c == *last || (*first..=*last).contains(&c);
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_segment_matches_names_as_in_ruby() {
        let cases = [
            ("*", "a", true),
            ("*", ".a", false),
            (".*", ".a", true),
            (r"\.*", ".a", true),
            ("[.]a", ".a", false),
            ("a**b", "axxb", true),
            ("**.yaml", "c.yaml", true),
            ("a?c", "abc", true),
            ("a?", "a", false),
            ("[a-c]", "b", true),
            ("[c-a]", "c", true),
            ("[c-a]", "b", false),
            ("[^a]", "b", true),
            ("[!a]", "a", false),
            ("[]", "]", false),
            ("[^]", "x", true),
            ("[]a]", "]a]", false),
            (r"[\]]", "]", true),
            ("[[:digit:]]", "5", false),
            ("[[:digit:]]", "d]", true),
            ("[a", "[a", false),
            ("[a-", "[a-", false),
            ("[a-]", "-", true),
            (r"q\*", "q*", true),
            (r"q\*", "qa", false),
            (r"a\", "a", true),
            (r"*\", "a", true),
            ("*a*b", "xaab", true),
            ("", "a", false),
            ("é?", "éü", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
