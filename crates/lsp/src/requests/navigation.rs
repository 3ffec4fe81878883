//! Definitions, references and links.

use lsp_types::{
    CodeLens, CodeLensParams, Command, DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams,
    DocumentLink, DocumentLinkParams, GotoDefinitionParams, GotoDefinitionResponse, Location,
    ReferenceParams,
};
use puppetfn_ide::Role;

use crate::dispatch::RequestError;
use crate::documents::document;
use crate::server::Server;

impl Server<'_> {
    pub(crate) fn definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>, RequestError> {
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let found = place.ide.definitions(&place.path, place.offset);
        Ok(Some(GotoDefinitionResponse::Array(self.locations(&found))))
    }

    pub(crate) fn type_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>, RequestError> {
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let found = place.ide.type_definitions(&place.path, place.offset);
        Ok(Some(GotoDefinitionResponse::Array(self.locations(&found))))
    }

    pub(crate) fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>, RequestError> {
        let Some(place) = self.place(&params.text_document_position) else { return Ok(None) };
        let found = place.ide.references(&place.path, place.offset, params.context.include_declaration);
        Ok(Some(self.locations(&found)))
    }

    pub(crate) fn highlights(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>, RequestError> {
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let found = place.ide.highlights(&place.path, place.offset);
        let highlight = |(span, role)| DocumentHighlight {
            range: place.positions.range(span),
            kind: Some(match role {
                Role::Definition => DocumentHighlightKind::WRITE,
                Role::Read => DocumentHighlightKind::READ,
            }),
        };
        Ok(Some(found.into_iter().map(highlight).collect()))
    }

    pub(crate) fn links(
        &self,
        params: DocumentLinkParams,
    ) -> Result<Option<Vec<DocumentLink>>, RequestError> {
        let path = document(&params.text_document.uri);
        let Some((ide, positions)) = self.code(&path) else { return Ok(None) };
        let link = |(span, target): (_, std::path::PathBuf)| DocumentLink {
            range: positions.range(span),
            target: self.uri(&target),
            tooltip: None,
            data: None,
        };
        Ok(Some(ide.links(&path).into_iter().map(link).collect()))
    }

    pub(crate) fn lenses(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>, RequestError> {
        let path = document(&params.text_document.uri);
        let Some((ide, positions)) = self.code(&path) else { return Ok(None) };
        let lens = |one: puppetfn_ide::Lens| {
            let range = positions.range(one.span);
            let locations = self.locations(&one.locations);
            let arguments = serde_json::json!([params.text_document.uri, range.start, locations]);
            // Editors have a command that shows locations; without any, the lens has no command.
            let command = if one.locations.is_empty() { "" } else { "editor.action.showReferences" };
            let arguments = arguments.as_array().cloned().filter(|_| !one.locations.is_empty());
            let command = Command { title: one.title, command: command.to_owned(), arguments };
            CodeLens { range, command: Some(command), data: None }
        };
        Ok(Some(ide.lenses(&path).into_iter().map(lens).collect()))
    }
}
