//! The requests, by what they are about: each is asked of [`puppetfn_ide::Ide`], and its answer put as the protocol has it.

mod calls;
mod edits;
mod navigation;
mod structure;
mod tokens;
mod words;

use std::path::PathBuf;

use lsp_types::{Location, TextDocumentPositionParams};

use super::server::Server;
use super::text::Positions;
use super::uri::uri;
use puppetfn_base::source::Span;

/// A place in a document.
pub(crate) struct Place {
    pub path: PathBuf,
    pub positions: Positions,
    pub offset: u32,
}

impl Server<'_> {
    /// Returns the place that a request is about.
    pub(crate) fn place(&self, params: &TextDocumentPositionParams) -> Option<Place> {
        let path = self.path(&params.text_document.uri);
        let positions = self.positions(&path)?;
        let offset = positions.offset(params.position);
        Some(Place { path, positions, offset })
    }

    /// Returns places as the protocol has them.
    pub(crate) fn locations(&self, found: &[puppetfn_ide::Location]) -> Vec<Location> {
        let location = |one: &puppetfn_ide::Location| {
            let range =
                self.positions(&one.path).map(|positions| positions.range(one.span)).unwrap_or_default();
            Some(Location { uri: uri(&one.path)?, range })
        };
        found.iter().filter_map(location).collect()
    }
}

/// Returns the whole of a text.
pub(crate) fn whole() -> Span {
    Span::new(0, u32::MAX)
}
