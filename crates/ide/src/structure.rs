//! The structure of texts: outlines, foldings and selections.

use std::path::{Path, PathBuf};

use super::Ide;
use puppetfn_base::source::Span;
use puppetfn_index::{Folding, Outline, OutlineKind, foldings, outline, spans_around};

impl Ide {
    /// Returns the definitions of a text, as a tree.
    pub fn outline(&self, path: &Path) -> Vec<Outline> {
        self.source(path).map(|source| outline(source.program())).unwrap_or_default()
    }

    /// Returns the project's definitions whose names contain the letters of a query in the same order.
    pub fn workspace_symbols(&self, query: &str) -> Vec<(Outline, PathBuf)> {
        let query: Vec<char> = query.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
        let files = self.files().map(|file| (&file.path, self.outline(&file.path)));
        let all = files.flat_map(|(path, found)| found.into_iter().map(move |one| (one, path.clone())));
        let named = all.filter(|(one, _)| !matches!(one.kind, OutlineKind::Variable | OutlineKind::Resource));
        let mut found: Vec<_> =
            named.filter(|(one, _)| has_letters(&one.name.to_lowercase(), &query)).collect();
        found.iter_mut().for_each(|(one, _)| one.children.clear());
        found.sort_by(|(a, _), (b, _)| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
        found
    }

    /// Returns the foldable ranges of a text.
    pub fn foldings(&self, path: &Path) -> Vec<Folding> {
        self.source(path).map(|source| foldings(source.text(), source.mode())).unwrap_or_default()
    }

    /// Returns the spans around an offset, the innermost first.
    pub fn selections(&self, path: &Path, offset: u32) -> Vec<Span> {
        let Some(source) = self.source(path) else { return Vec::new() };
        let mut spans = spans_around(source.program(), offset);
        let end = source.text().len() as u32;
        spans.iter_mut().for_each(|span| span.end = span.end.min(end));
        spans.extend(source.index().at(offset).map(|found| found.span));
        spans.sort_by_key(|span| (span.length(), span.start));
        spans.dedup();
        spans
    }
}

/// Returns true if a name contains these letters in this order.
fn has_letters(name: &str, letters: &[char]) -> bool {
    let mut name = name.chars();
    letters.iter().all(|letter| name.any(|c| c == *letter))
}
