//! The requests by topic. Each is answered by [`puppetfn_ide::Ide`] and converted to the protocol's types.

mod calls;
mod diagnostics;
mod edits;
mod navigation;
mod structure;
mod tokens;
mod types;
mod words;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lsp_types::{Location, Range, TextDocumentPositionParams, Uri};
use puppetfn_base::source::Span;
use puppetfn_ide::Ide;

use super::documents::document;
use super::server::Server;
use super::text::Positions;
use super::uri::uri;

/// A position in a text of code.
pub(crate) struct RequestPosition<'s> {
    pub ide: &'s Ide,
    pub path: PathBuf,
    pub positions: Positions,
    pub offset: u32,
}

impl Server<'_> {
    /// Returns the position in a request.
    pub(crate) fn place(&self, params: &TextDocumentPositionParams) -> Option<RequestPosition<'_>> {
        let path = document(&params.text_document.uri);
        let (ide, positions) = self.code(&path)?;
        let offset = positions.offset(params.position);
        Some(RequestPosition { ide, path, positions, offset })
    }

    /// Returns the language features for a text of code, and the positions in it.
    pub(crate) fn code(&self, path: &Path) -> Option<(&Ide, Positions)> {
        let ide = self.state.ide(path)?;
        let positions = Positions::new(ide.text(path)?.clone(), self.client.encoding);
        Some((ide, positions))
    }

    /// Converts locations.
    pub(crate) fn locations(&self, found: &[puppetfn_ide::FileSpan]) -> Vec<Location> {
        let mut known: HashMap<PathBuf, Option<Positions>> = HashMap::new();
        let mut range = |path: &Path, span| {
            let positions = known.entry(path.to_owned()).or_insert_with(|| self.positions(path));
            positions.as_ref().map_or_else(Range::default, |positions| positions.range(span))
        };
        let location = |one: &puppetfn_ide::FileSpan| {
            Some(Location { uri: self.uri(&one.path)?, range: range(&one.path, one.span) })
        };
        found.iter().filter_map(location).collect()
    }

    /// Returns the URI of a file; of an open document, the editor's own URI.
    pub(crate) fn uri(&self, path: &Path) -> Option<Uri> {
        let open = self.state.documents.get(path).map(|document| document.uri.clone());
        open.or_else(|| uri(path))
    }
}

/// Returns the span of a whole text.
pub(crate) fn whole() -> Span {
    Span::new(0, u32::MAX)
}
