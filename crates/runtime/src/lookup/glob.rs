//! Files that match a pattern of paths, as Ruby's `Dir.glob` finds them.
//!
//! See Ruby's `dir.c`.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::file_system::{EntryKind, FileSystem};
use puppetfn_base::limits::{Depth, Limits};

/// How names are matched: `*` stands for no dot at the beginning.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// Returns the regular files that match an absolute pattern. `poll` is asked for each directory whether to go on.
///
/// # Errors
/// When the pattern is malformed, when more entries of directories than [`Limits::size`] are looked at, and whatever `poll`
/// returns.
pub(super) fn files(
    system: &dyn FileSystem,
    pattern: &Path,
    limits: &Limits,
    poll: &dyn Fn() -> Result<(), Error>,
) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let seen = Cell::new(0);
    let walk = Walk { system, depth: Depth::nesting(limits), limits, poll, seen: &seen };
    let text = pattern.to_string_lossy();
    walk.pattern(Path::new("/"), &text, &mut found).map_err(|error| match error.kind() {
        ErrorKind::Limit => error.reworded(|message| format!("the pattern '{text}': {message}")),
        _ => error,
    })?;
    Ok(found)
}

/// Returns the patterns that one with alternatives in braces stands for.
///
/// They are expanded here, and not matched by globset, since Ruby finds the files of one alternative after the other.
///
/// # Errors
/// [`ErrorKind::Limit`] when the braces nest too deep, or stand for too many patterns: for more bytes than
/// [`Limits::size`].
pub fn braces(pattern: &str, limits: &Limits) -> Result<Vec<String>, Error> {
    let mut expansion = Expansion { limits, size: 0, patterns: Vec::new() };
    expansion.expand(pattern, Depth::nesting(limits)).map_err(|error| {
        error.reworded(|message| format!("the alternatives of the pattern '{pattern}': {message}"))
    })?;
    Ok(expansion.patterns)
}

/// The patterns that have been found so far, and how many bytes they have, each with one for itself.
struct Expansion<'l> {
    limits: &'l Limits,
    size: u64,
    patterns: Vec<String>,
}

impl Expansion<'_> {
    fn expand(&mut self, pattern: &str, depth: Depth) -> Result<(), Error> {
        let depth = depth.deeper()?;
        let Some((open, close)) = first_braces(pattern) else {
            self.size = self.size.saturating_add(pattern.len() as u64).saturating_add(1);
            self.limits.check_size(self.size)?;
            self.patterns.push(pattern.to_owned());
            return Ok(());
        };
        let part = |range: std::ops::Range<usize>| pattern.get(range).unwrap_or_default();
        let (before, inner) = (part(0..open), part(open.saturating_add(1)..close));
        let after = part(close.saturating_add(1)..pattern.len());
        for alternative in split(inner, ',') {
            self.expand(&format!("{before}{alternative}{after}"), depth)?;
        }
        Ok(())
    }
}

/// Returns where the first alternatives begin and end.
fn first_braces(pattern: &str) -> Option<(usize, usize)> {
    let open = pattern.find('{')?;
    let mut level = 0usize;
    for (at, c) in pattern.char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            '{' => level = level.saturating_add(1),
            '}' => {
                level = level.saturating_sub(1);
                if level == 0 {
                    return Some((open, at));
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns what is between separators that are not within braces.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut level = 0usize;
    text.split(|c| {
        match c {
            '{' => level = level.saturating_add(1),
            '}' => level = level.saturating_sub(1),
            _ => {}
        }
        c == separator && level == 0
    })
    .collect()
}

/// A search of directories.
#[derive(Clone, Copy)]
struct Walk<'a> {
    system: &'a dyn FileSystem,
    depth: Depth,
    limits: &'a Limits,
    poll: &'a dyn Fn() -> Result<(), Error>,
    /// How many entries of directories were looked at.
    seen: &'a Cell<u64>,
}

impl Walk<'_> {
    /// Finds what matches a pattern below a directory.
    fn pattern(self, at: &Path, pattern: &str, found: &mut Vec<PathBuf>) -> Result<(), Error> {
        let parts: Vec<&str> = split(pattern, '/').into_iter().filter(|part| !part.is_empty()).collect();
        self.parts(at, &parts, found)
    }

    fn parts(self, at: &Path, parts: &[&str], found: &mut Vec<PathBuf>) -> Result<(), Error> {
        let Some((part, rest)) = parts.split_first() else {
            if self.system.is_file(at) {
                found.push(at.to_owned());
            }
            return Ok(());
        };
        if *part == "**"
            && let Some((next, rest)) = rest.split_first()
        {
            return self.anywhere(at, next, rest, found);
        }
        if first_braces(part).is_some() {
            for pattern in braces(&parts.join("/"), self.limits)? {
                self.pattern(at, &pattern, found)?;
            }
            return Ok(());
        }
        if !part.contains(['*', '?', '[', '\\']) {
            return self.parts(&at.join(part), rest, found);
        }
        self.matching(at, part, rest, found)
    }

    /// Finds what matches in a directory, and in all that are in it.
    fn anywhere(self, at: &Path, next: &str, rest: &[&str], found: &mut Vec<PathBuf>) -> Result<(), Error> {
        self.matching(at, next, rest, found)?;
        let deeper = Self { depth: self.depth.deeper()?, ..self };
        for (name, kind) in self.entries(at)? {
            if kind == EntryKind::Directory && !name.starts_with('.') {
                deeper.anywhere(&at.join(name), next, rest, found)?;
            }
        }
        Ok(())
    }

    /// Goes on with the entries of a directory that match a part, by name.
    fn matching(self, at: &Path, part: &str, rest: &[&str], found: &mut Vec<PathBuf>) -> Result<(), Error> {
        let pattern = |text: String| {
            Pattern::new(&text.replace("[^", "[!")).map_err(|error| {
                Error::new(ErrorKind::Evaluation, format!("the pattern '{part}' is malformed: {error}"))
            })
        };
        let patterns =
            braces(part, self.limits)?.into_iter().map(pattern).collect::<Result<Vec<_>, Error>>()?;
        for (name, _) in self.entries(at)? {
            if patterns.iter().any(|pattern| pattern.matches_with(&name, OPTIONS)) {
                self.parts(&at.join(name), rest, found)?;
            }
        }
        Ok(())
    }

    /// Returns what is in a directory, by name; nothing where it cannot be listed.
    fn entries(self, directory: &Path) -> Result<Vec<(String, EntryKind)>, Error> {
        (self.poll)()?;
        let listed = self.system.list(directory).unwrap_or_default();
        self.seen.set(self.seen.get().saturating_add(listed.len() as u64));
        self.limits.check_size(self.seen.get())?;
        let mut entries: Vec<_> = listed.into_iter().map(|entry| (entry.name, entry.kind)).collect();
        entries.sort_unstable();
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_stand_for_their_alternatives() {
        let limits = &Limits::DEFAULT;
        assert_eq!(braces("/a/{b,c{d,e}}/*.{x,y}", limits).unwrap().len(), 6);
        assert_eq!(braces("/a{b", limits).unwrap(), ["/a{b"]);
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
