//! Files that match a pattern of paths, as Ruby's `Dir.glob` finds them.
//!
//! See Ruby's `dir.c`.

use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::file_system::{EntryKind, FileSystem};
use puppetfn_base::limits::Depth;

/// How names are matched: `*` stands for no dot at the beginning.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// Returns the files, not directories, that match an absolute pattern.
pub(super) fn files(system: &dyn FileSystem, pattern: &Path, depth: Depth) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let walk = Walk { system, depth };
    walk.pattern(Path::new("/"), &pattern.to_string_lossy(), &mut found)?;
    Ok(found)
}

/// Returns the patterns that one with alternatives in braces stands for.
///
/// They are expanded here, and not matched by globset, since Ruby finds the files of one alternative after the other.
pub fn braces(pattern: &str, depth: Depth) -> Result<Vec<String>, Error> {
    let depth = depth.deeper()?;
    let Some((open, close)) = first_braces(pattern) else { return Ok(vec![pattern.to_owned()]) };
    let part = |range: std::ops::Range<usize>| pattern.get(range).unwrap_or_default();
    let (before, inner) = (part(0..open), part(open.saturating_add(1)..close));
    let after = part(close.saturating_add(1)..pattern.len());
    let mut patterns = Vec::new();
    for alternative in split(inner, ',') {
        patterns.extend(braces(&format!("{before}{alternative}{after}"), depth)?);
    }
    Ok(patterns)
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
}

impl Walk<'_> {
    /// Finds what matches a pattern below a directory.
    fn pattern(self, at: &Path, pattern: &str, found: &mut Vec<PathBuf>) -> Result<(), Error> {
        let parts: Vec<&str> = split(pattern, '/').into_iter().filter(|part| !part.is_empty()).collect();
        self.parts(at, &parts, found)
    }

    fn parts(self, at: &Path, parts: &[&str], found: &mut Vec<PathBuf>) -> Result<(), Error> {
        let Some((part, rest)) = parts.split_first() else {
            if self.system.exists(at) && !self.system.is_directory(at) {
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
            for pattern in braces(&parts.join("/"), self.depth)? {
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
        for (name, kind) in entries(self.system, at) {
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
            braces(part, self.depth)?.into_iter().map(pattern).collect::<Result<Vec<_>, Error>>()?;
        for (name, _) in entries(self.system, at) {
            if patterns.iter().any(|pattern| pattern.matches_with(&name, OPTIONS)) {
                self.parts(&at.join(name), rest, found)?;
            }
        }
        Ok(())
    }
}

/// Returns what is in a directory, by name; nothing where it cannot be listed.
fn entries(system: &dyn FileSystem, directory: &Path) -> Vec<(String, EntryKind)> {
    let mut entries: Vec<_> = system
        .list(directory)
        .unwrap_or_default()
        .into_iter()
        .map(|entry| (entry.name, entry.kind))
        .collect();
    entries.sort_unstable();
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_base::limits::Limits;

    #[test]
    fn braces_stand_for_their_alternatives() {
        let depth = Depth::nesting(&Limits::DEFAULT);
        assert_eq!(braces("/a/{b,c{d,e}}/*.{x,y}", depth).unwrap().len(), 6);
        assert_eq!(braces("/a{b", depth).unwrap(), ["/a{b"]);
    }
}
