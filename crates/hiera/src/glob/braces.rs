//! Alternatives in braces.

use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits};

/// Returns the patterns that a pattern with alternatives in braces stands for: none if a brace is not closed.
///
/// Ruby expands braces before it looks for files, so that matches are grouped by alternative.
///
/// # Errors
/// Fails with [`ErrorKind::Limit`](puppetfn_base::error::ErrorKind::Limit) if the braces nest too deep, or stand for more
/// bytes of patterns than [`Limits::size`].
pub fn braces(pattern: &str, limits: &Limits) -> Result<Vec<String>, Error> {
    let mut expansion = BraceExpansion { limits, size: 0, patterns: Vec::new() };
    expansion.expand(pattern, Depth::nesting(limits)).map_err(|error| {
        error.reworded(|message| format!("the alternatives of the pattern '{pattern}': {message}"))
    })?;
    Ok(expansion.patterns)
}

/// The patterns of an expansion, and the number of their bytes.
struct BraceExpansion<'l> {
    limits: &'l Limits,
    size: u64,
    patterns: Vec<String>,
}

/// The first alternatives of a pattern.
enum FirstBraces<'p> {
    /// The text before the braces, within them, and after them.
    Closed([&'p str; 3]),
    /// An opening brace has no closing one.
    Open,
    None,
}

impl BraceExpansion<'_> {
    fn expand(&mut self, pattern: &str, depth: Depth) -> Result<(), Error> {
        let depth = depth.deeper()?;
        match first_braces(pattern) {
            FirstBraces::Closed([before, inner, after]) => {
                for alternative in alternatives(inner) {
                    self.expand(&format!("{before}{alternative}{after}"), depth)?;
                }
            }
            FirstBraces::Open => {}
            FirstBraces::None => {
                self.size = self.size.saturating_add(pattern.len() as u64).saturating_add(1);
                self.limits.check_size(self.size)?;
                self.patterns.push(pattern.to_owned());
            }
        }
        Ok(())
    }
}

fn first_braces(pattern: &str) -> FirstBraces<'_> {
    let mut open = None;
    let mut level = 0usize;
    let mut is_escaped = false;
    for (at, c) in pattern.char_indices() {
        match (c, open) {
            _ if is_escaped => {
                is_escaped = false;
                continue;
            }
            ('\\', _) => is_escaped = true,
            ('{', _) => {
                open = open.or(Some(at));
                level = level.saturating_add(1);
            }
            ('}', Some(open)) => {
                level = level.saturating_sub(1);
                if level == 0 {
                    let part = |range: std::ops::Range<usize>| pattern.get(range).unwrap_or_default();
                    let inner = part(open.saturating_add(1)..at);
                    return FirstBraces::Closed([
                        part(0..open),
                        inner,
                        part(at.saturating_add(1)..pattern.len()),
                    ]);
                }
            }
            _ => {}
        }
    }
    if open.is_some() { FirstBraces::Open } else { FirstBraces::None }
}

/// Returns the alternatives between commas that are neither in braces nor escaped.
fn alternatives(text: &str) -> Vec<&str> {
    let mut level = 0usize;
    let mut is_escaped = false;
    text.split(|c| {
        if is_escaped {
            is_escaped = false;
            return false;
        }
        match c {
            '\\' => is_escaped = true,
            '{' => level = level.saturating_add(1),
            '}' => level = level.saturating_sub(1),
            _ => {}
        }
        c == ',' && level == 0
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_base::error::ErrorKind;

    #[test]
    fn braces_stand_for_their_alternatives() {
        let limits = &Limits::DEFAULT;
        assert_eq!(braces("/a/{b,c{d,e}}/*.{x,y}", limits).unwrap().len(), 6);
        assert_eq!(braces("a{b", limits).unwrap(), [""; 0]);
        assert_eq!(braces("a}b", limits).unwrap(), ["a}b"]);
        assert_eq!(braces(r"\{a,b}{c\,d,e}", limits).unwrap(), [r"\{a,b}c\,d", r"\{a,b}e"]);
    }

    #[test]
    fn too_many_alternatives_are_an_error() {
        let error = |pattern: &str, limits: &Limits| braces(pattern, limits).unwrap_err();
        let size = if cfg!(miri) { 1_000 } else { Limits::DEFAULT.size };
        let limits = Limits { size, ..Limits::DEFAULT };
        let many = error(&"{a,b}".repeat(40), &limits);
        assert_eq!(many.kind(), &ErrorKind::Limit);
        assert!(many.message().contains("(limit 'size'; raise it with"), "{many}");
        assert_eq!(error(&"{,}".repeat(40), &limits).kind(), &ErrorKind::Limit);
        let limits = Limits { size: 12, ..Limits::DEFAULT };
        assert_eq!(braces("{a,b}{c,d}", &limits).unwrap(), ["ac", "ad", "bc", "bd"]);
        assert_eq!(
            error("{a,b}{c,de}", &limits).message(),
            "the alternatives of the pattern '{a,b}{c,de}': would have more than 12 elements or bytes \
             (limit 'size'; raise it with Limits, Puppetfn.limits= or --limit)"
        );
    }
}
