//! The structure of documents.

use std::path::PathBuf;

use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeKind,
    FoldingRangeParams, Location, OneOf, SelectionRange, SelectionRangeParams, SymbolInformation, SymbolKind,
    Uri, WorkspaceSymbol, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};
use puppetfn_ide::{FoldingKind, Outline, OutlineKind};

use crate::dispatch::RequestError;
use crate::documents::document;
use crate::server::Server;
use crate::text::Positions;

impl Server<'_> {
    pub(crate) fn document_symbols(
        &self,
        params: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>, RequestError> {
        let path = document(&params.text_document.uri);
        let Some((ide, positions)) = self.code(&path) else { return Ok(None) };
        let outline = ide.outline(&path);
        Ok(Some(if self.client.takes_trees {
            DocumentSymbolResponse::Nested(outline.into_iter().map(|one| symbol(one, &positions)).collect())
        } else {
            let mut flat = Vec::new();
            outline
                .into_iter()
                .for_each(|one| flatten(one, None, &params.text_document.uri, &positions, &mut flat));
            DocumentSymbolResponse::Flat(flat)
        }))
    }

    pub(crate) fn workspace_symbols(
        &self,
        params: WorkspaceSymbolParams,
    ) -> Result<Option<WorkspaceSymbolResponse>, RequestError> {
        /// Nobody reads more results than this.
        const MOST: usize = 500;
        let found = self
            .state
            .projects
            .iter()
            .flat_map(|project| project.ide.workspace_symbols(&params.query))
            .take(MOST);
        let symbol = |(one, path): (Outline, PathBuf)| {
            let range = self.positions(&path)?.range(one.name_span);
            Some(WorkspaceSymbol {
                name: one.name,
                kind: kind(one.kind),
                tags: None,
                container_name: None,
                location: OneOf::Left(Location { uri: self.uri(&path)?, range }),
                data: None,
            })
        };
        Ok(Some(WorkspaceSymbolResponse::Nested(found.filter_map(symbol).collect())))
    }

    pub(crate) fn foldings(
        &self,
        params: FoldingRangeParams,
    ) -> Result<Option<Vec<FoldingRange>>, RequestError> {
        let path = document(&params.text_document.uri);
        let Some((ide, positions)) = self.code(&path) else { return Ok(None) };
        let found = ide.foldings(&path).into_iter().map(|folding| {
            let range = positions.range(folding.span);
            FoldingRange {
                start_line: range.start.line,
                start_character: Some(range.start.character),
                end_line: range.end.line,
                end_character: Some(range.end.character),
                kind: match folding.kind {
                    FoldingKind::Comment => Some(FoldingRangeKind::Comment),
                    FoldingKind::Code => None,
                },
                collapsed_text: None,
            }
        });
        Ok(Some(found.collect()))
    }

    pub(crate) fn selections(
        &self,
        params: SelectionRangeParams,
    ) -> Result<Option<Vec<SelectionRange>>, RequestError> {
        let path = document(&params.text_document.uri);
        let Some((ide, positions)) = self.code(&path) else { return Ok(None) };
        let selection = |position| {
            let spans = ide.selections(&path, positions.offset(position));
            let outermost_first = spans.into_iter().rev().map(|span| positions.range(span));
            let nested = outermost_first.fold(None, |parent: Option<SelectionRange>, range| {
                Some(SelectionRange { range, parent: parent.map(Box::new) })
            });
            nested
                .unwrap_or(SelectionRange { range: lsp_types::Range::new(position, position), parent: None })
        };
        Ok(Some(params.positions.into_iter().map(selection).collect()))
    }
}

pub(super) fn kind(kind: OutlineKind) -> SymbolKind {
    match kind {
        OutlineKind::Class => SymbolKind::CLASS,
        OutlineKind::DefinedType => SymbolKind::STRUCT,
        OutlineKind::Function | OutlineKind::Plan => SymbolKind::FUNCTION,
        OutlineKind::TypeAlias => SymbolKind::INTERFACE,
        OutlineKind::Node => SymbolKind::MODULE,
        OutlineKind::Resource => SymbolKind::OBJECT,
        OutlineKind::Parameter => SymbolKind::PROPERTY,
        OutlineKind::Variable => SymbolKind::VARIABLE,
    }
}

#[allow(deprecated, reason = "the field has no other way to be left out")]
fn symbol(one: Outline, positions: &Positions) -> DocumentSymbol {
    let children = one.children.into_iter().map(|child| symbol(child, positions)).collect();
    DocumentSymbol {
        name: one.name,
        detail: Some(one.detail).filter(|detail| !detail.is_empty()),
        kind: kind(one.kind),
        tags: None,
        deprecated: None,
        range: positions.range(one.span.to(one.name_span)),
        selection_range: positions.range(one.name_span),
        children: Some(children),
    }
}

#[allow(deprecated, reason = "the field has no other way to be left out")]
fn flatten(
    one: Outline,
    around: Option<&str>,
    uri: &Uri,
    positions: &Positions,
    flat: &mut Vec<SymbolInformation>,
) {
    flat.push(SymbolInformation {
        name: one.name.clone(),
        kind: kind(one.kind),
        tags: None,
        deprecated: None,
        location: Location { uri: uri.clone(), range: positions.range(one.span) },
        container_name: around.map(str::to_owned),
    });
    one.children.into_iter().for_each(|child| flatten(child, Some(&one.name), uri, positions, flat));
}
