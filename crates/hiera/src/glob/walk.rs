//! The search of directories for a pattern.

use std::path::{Path, PathBuf};

use puppetfn_base::error::Error;
use puppetfn_base::file_system::{DirectoryEntry, EntryKind, FileSystem};
use puppetfn_base::limits::{Depth, Limits};

use super::braces::braces;
use super::fnmatch::matches;
use super::pattern::{GlobPattern, GlobSegment, without_escapes};

/// A search, with the files found so far.
pub(super) struct GlobWalk<'a> {
    system: &'a dyn FileSystem,
    limits: &'a Limits,
    poll: &'a dyn Fn() -> Result<(), Error>,
    /// Number of entries of directories looked at.
    seen: u64,
    pub found: Vec<PathBuf>,
}

/// A path that the search has come to.
pub(super) struct GlobDirectory {
    path: String,
    /// The kind of the path; `None` if no directory was listed that has it.
    kind: Option<EntryKind>,
    is_root: bool,
    /// Whether names of a directory above have been matched.
    is_below_names: bool,
}

/// A pattern that matches below a path, from some of its segments on.
///
/// After `**/` there are several such places. The first of them counts where only one can be followed, as in Ruby.
struct GlobPositions<'p> {
    pattern: &'p GlobPattern,
    starts: Vec<usize>,
}

impl GlobDirectory {
    pub fn root() -> Self {
        Self { path: "/".to_owned(), kind: Some(EntryKind::Directory), is_root: true, is_below_names: false }
    }

    /// Returns the path of an entry that was listed.
    fn entry(&self, name: &str, kind: EntryKind) -> Self {
        Self { kind: Some(kind), is_below_names: true, ..self.child(name) }
    }

    fn child(&self, name: &str) -> Self {
        let separator = if self.is_root { "" } else { "/" };
        let path = format!("{}{separator}{name}", self.path);
        Self { path, kind: None, is_root: false, is_below_names: self.is_below_names }
    }
}

impl<'p> GlobPositions<'p> {
    fn new(pattern: &'p GlobPattern) -> Self {
        Self { pattern, starts: vec![0] }
    }

    fn of(&self, starts: Vec<usize>) -> Self {
        Self { pattern: self.pattern, starts }
    }

    fn segment(&self, index: usize) -> Option<&'p GlobSegment> {
        self.pattern.segments.get(index)
    }

    /// Returns the positions of segments that a name may match next: also the ones after `**/`, which may match no directory.
    fn segments(&self) -> impl Iterator<Item = (usize, &'p GlobSegment)> {
        self.starts.iter().filter_map(|start| {
            let index = start.saturating_add(usize::from(self.is_recursive_at(*start)));
            self.segment(index).map(|segment| (index, segment))
        })
    }

    fn is_recursive_at(&self, start: usize) -> bool {
        self.segment(start) == Some(&GlobSegment::Recursive)
    }

    fn is_recursive(&self) -> bool {
        self.starts.iter().any(|start| self.is_recursive_at(*start))
    }

    /// Returns true if the whole pattern has matched.
    fn is_complete(&self) -> bool {
        self.starts.iter().any(|start| *start >= self.pattern.segments.len())
    }

    /// Returns true if braces are expanded before names are looked at. After `**/` they are alternatives for one name,
    /// unless they contain a slash.
    fn needs_expansion(&self) -> bool {
        let mut is_recursive = false;
        self.starts.iter().any(|start| {
            is_recursive |= self.is_recursive_at(*start);
            let index = start.saturating_add(usize::from(self.is_recursive_at(*start)));
            match self.segment(index) {
                Some(GlobSegment::Brace(text)) => !is_recursive || text.contains('/'),
                Some(GlobSegment::Recursive | GlobSegment::Plain(_) | GlobSegment::Magical(_)) | None => {
                    false
                }
            }
        })
    }

    fn needs_names(&self) -> bool {
        self.segments().any(|(_, segment)| match segment {
            GlobSegment::Magical(_) => true,
            GlobSegment::Recursive | GlobSegment::Plain(_) | GlobSegment::Brace(_) => false,
        })
    }
}

impl<'a> GlobWalk<'a> {
    pub fn new(
        system: &'a dyn FileSystem,
        limits: &'a Limits,
        poll: &'a dyn Fn() -> Result<(), Error>,
    ) -> Self {
        Self { system, limits, poll, seen: 0, found: Vec::new() }
    }

    /// Finds the files below a directory that match a pattern.
    pub fn enter(&mut self, directory: &GlobDirectory, pattern: &GlobPattern) -> Result<(), Error> {
        self.visit(directory, &GlobPositions::new(pattern), Depth::nesting(self.limits))
    }

    /// Goes on with a path. See `glob_helper` in Ruby's `dir.c`.
    fn visit(
        &mut self,
        at: &GlobDirectory,
        positions: &GlobPositions<'_>,
        depth: Depth,
    ) -> Result<(), Error> {
        let depth = depth.deeper()?;
        if positions.needs_expansion() {
            return self.expand(at, positions, depth);
        }
        if positions.is_complete() && positions.pattern.matches_files() && self.is_found(at) {
            self.found.push(PathBuf::from(&at.path));
        }
        if positions.is_recursive() || positions.needs_names() {
            return self.entries(at, positions, depth);
        }
        self.plain(at, positions, depth)
    }

    /// Returns true for a regular file, and for a link that leads nowhere, which cannot be read. A pipe is passed over:
    /// Puppet would wait for it.
    fn is_found(&self, at: &GlobDirectory) -> bool {
        let path = Path::new(&at.path);
        self.system.is_file(path) || (at.kind == Some(EntryKind::Link) && !self.system.exists(path))
    }

    /// Expands the braces of the first position, and goes on with each alternative.
    fn expand(
        &mut self,
        at: &GlobDirectory,
        positions: &GlobPositions<'_>,
        depth: Depth,
    ) -> Result<(), Error> {
        let Some(first) = positions.starts.first() else { return Ok(()) };
        for alternative in braces(&positions.pattern.text_from(*first), self.limits)? {
            let pattern = GlobPattern::parse(&alternative);
            self.visit(at, &GlobPositions::new(&pattern), depth)?;
        }
        Ok(())
    }

    /// Goes on with the entries of a directory, by name.
    fn entries(
        &mut self,
        at: &GlobDirectory,
        positions: &GlobPositions<'_>,
        depth: Depth,
    ) -> Result<(), Error> {
        if at.kind == Some(EntryKind::File) {
            return Ok(());
        }
        let mut entries = self.list(Path::new(&at.path))?;
        if !at.is_below_names && !positions.is_recursive() {
            // The first names that are matched include the directory itself.
            entries.insert(0, DirectoryEntry { name: ".".to_owned(), kind: EntryKind::Directory });
        }
        for DirectoryEntry { name, kind } in entries {
            let mut starts = Vec::new();
            let mut add = |start| {
                if !starts.contains(&start) {
                    starts.push(start);
                }
            };
            for start in &positions.starts {
                let mut index = *start;
                if positions.is_recursive_at(index) {
                    // Links are not followed.
                    if kind == EntryKind::Directory && !name.starts_with('.') {
                        add(index);
                    }
                    index = index.saturating_add(1);
                }
                let is_match = match positions.segment(index) {
                    Some(GlobSegment::Plain(text) | GlobSegment::Magical(text)) => matches(text, &name),
                    Some(GlobSegment::Brace(text)) => {
                        braces(text, self.limits)?.iter().any(|alternative| matches(alternative, &name))
                    }
                    Some(GlobSegment::Recursive) | None => false,
                };
                if is_match {
                    add(index.saturating_add(1));
                }
            }
            if !starts.is_empty() {
                self.visit(&at.entry(&name, kind), &positions.of(starts), depth)?;
            }
        }
        Ok(())
    }

    /// Goes on with names that the pattern spells out, without listing the directory.
    fn plain(
        &mut self,
        at: &GlobDirectory,
        positions: &GlobPositions<'_>,
        depth: Depth,
    ) -> Result<(), Error> {
        let mut names: Vec<(String, Vec<usize>)> = Vec::new();
        for (index, segment) in positions.segments() {
            let GlobSegment::Plain(text) = segment else { continue };
            let name = without_escapes(text);
            let next = index.saturating_add(1);
            match names.iter_mut().find(|(known, _)| *known == name) {
                Some((_, starts)) => starts.push(next),
                None => names.push((name, vec![next])),
            }
        }
        for (name, starts) in names {
            // Some file systems answer for `file/.` as for the file.
            if name != "." || self.system.is_directory(Path::new(&at.path)) {
                self.visit(&at.child(&name), &positions.of(starts), depth)?;
            }
        }
        Ok(())
    }

    /// Returns the entries of a directory, by name; none if it cannot be listed.
    fn list(&mut self, directory: &Path) -> Result<Vec<DirectoryEntry>, Error> {
        (self.poll)()?;
        let mut entries = self.system.list(directory).unwrap_or_default();
        self.seen = self.seen.saturating_add(entries.len() as u64);
        self.limits.check_size(self.seen)?;
        entries.sort_unstable();
        Ok(entries)
    }
}
