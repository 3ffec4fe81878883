//! Edits: renames, code actions and formatting.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    DocumentChangeOperation, DocumentChanges, DocumentFormattingParams, DocumentOnTypeFormattingParams,
    DocumentRangeFormattingParams, OneOf, OptionalVersionedTextDocumentIdentifier, PrepareRenameResponse,
    RenameFile, RenameParams, ResourceOp, TextDocumentEdit, TextDocumentPositionParams, TextEdit,
    WorkspaceEdit,
};
use puppetfn_ide::{Action, ActionKind, Rename, SourceEdit};

use crate::capabilities::FIX_ALL;
use crate::dispatch::RequestError;
use crate::documents::document;
use crate::server::Server;
use crate::text::Positions;
use puppetfn_base::error::Error;
use puppetfn_base::source::Span;
use puppetfn_fmt::{FormatOptions, RangeEdit};

impl Server<'_> {
    pub(crate) fn prepare_rename(
        &self,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>, RequestError> {
        let Some(place) = self.place(&params) else { return Ok(None) };
        let found = place.ide.renamed(&place.path, place.offset);
        Ok(found.map(|span| PrepareRenameResponse::Range(place.positions.range(span))))
    }

    pub(crate) fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>, RequestError> {
        let Some(place) = self.place(&params.text_document_position) else { return Ok(None) };
        let rename = place.ide.rename(&place.path, place.offset, &params.new_name)?;
        // The directory of a project stays.
        let is_below = |path: &Path| self.state.project(path).is_some_and(|project| project.root != path);
        let moves = rename.moves.into_iter().filter(|(old, _)| is_below(old)).collect();
        Ok(Some(self.renaming(Rename { moves, ..rename })))
    }

    fn renaming(&self, rename: Rename) -> WorkspaceEdit {
        if !self.client.takes_document_changes {
            return self.edit(rename.edits);
        }
        let edits = rename.edits.into_iter().filter_map(|(path, edits)| {
            let edits = self.text_edits(&path, edits)?.into_iter().map(OneOf::Left).collect();
            let version = self.state.documents.get(&path).map(|document| document.version);
            let text_document = OptionalVersionedTextDocumentIdentifier { uri: self.uri(&path)?, version };
            Some(DocumentChangeOperation::Edit(TextDocumentEdit { text_document, edits }))
        });
        let moves =
            rename.moves.into_iter().filter(|_| self.client.renames_files).filter_map(|(old, new)| {
                let moved = RenameFile {
                    old_uri: self.uri(&old)?,
                    new_uri: self.uri(&new)?,
                    options: None,
                    annotation_id: None,
                };
                Some(DocumentChangeOperation::Op(ResourceOp::Rename(moved)))
            });
        let changes = edits.chain(moves).collect();
        WorkspaceEdit {
            document_changes: Some(DocumentChanges::Operations(changes)),
            ..WorkspaceEdit::default()
        }
    }

    #[allow(clippy::mutable_key_type, reason = "caches of addresses do not take part in comparisons")]
    fn edit(&self, edits: Vec<(PathBuf, Vec<SourceEdit>)>) -> WorkspaceEdit {
        let changed = edits.into_iter();
        let changes: HashMap<_, _> = changed
            .filter_map(|(path, edits)| Some((self.uri(&path)?, self.text_edits(&path, edits)?)))
            .collect();
        WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
    }

    fn text_edits(&self, path: &Path, edits: Vec<SourceEdit>) -> Option<Vec<TextEdit>> {
        let positions = self.positions(path)?;
        let edit = |edit: SourceEdit| TextEdit { range: positions.range(edit.span), new_text: edit.text };
        Some(edits.into_iter().map(edit).collect())
    }

    pub(crate) fn actions(
        &self,
        params: CodeActionParams,
    ) -> Result<Option<CodeActionResponse>, RequestError> {
        let path = document(&params.text_document.uri);
        let Some((ide, positions)) = self.code(&path) else { return Ok(None) };
        let found = ide.actions(&path, positions.span(params.range));
        let wanted = |action: &Action| {
            params.context.only.as_ref().is_none_or(|only| {
                only.iter().any(|kind| kind_of(action).as_str().starts_with(kind.as_str()))
            })
        };
        let shown = found.into_iter().filter(wanted).map(|action| {
            let rule = action.rule.map(|rule| lsp_types::NumberOrString::String(rule.name().to_owned()));
            let mended = params.context.diagnostics.iter().filter(|one| rule.is_some() && one.code == rule);
            CodeActionOrCommand::CodeAction(CodeAction {
                kind: Some(kind_of(&action)),
                diagnostics: Some(mended.cloned().collect()),
                edit: Some(self.edit(vec![(path.clone(), action.edits)])),
                title: action.title,
                ..CodeAction::default()
            })
        });
        let fix_all = wants_fix_all(params.context.only.as_deref()).then(|| ide.fix_all(&path));
        let fix_all = fix_all.filter(|edits| !edits.is_empty()).map(|edits| {
            CodeActionOrCommand::CodeAction(CodeAction {
                title: "Fix all findings".to_owned(),
                kind: Some(CodeActionKind::new(FIX_ALL)),
                edit: Some(self.edit(vec![(path.clone(), edits)])),
                ..CodeAction::default()
            })
        });
        Ok(Some(shown.chain(fix_all).collect()))
    }

    pub(crate) fn formatting(
        &self,
        params: DocumentFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>, RequestError> {
        let path = document(&params.text_document.uri);
        self.laid_out(&path, |options, text, _| options.edits(text, &self.state.limits))
    }

    pub(crate) fn range_formatting(
        &self,
        params: DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>, RequestError> {
        let path = document(&params.text_document.uri);
        self.laid_out(&path, |options, text, positions| {
            let span = positions.span(params.range);
            options.edits_within(text, span.start as usize..span.end as usize, &self.state.limits)
        })
    }

    pub(crate) fn on_type_formatting(
        &self,
        params: DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>, RequestError> {
        let path = document(&params.text_document_position.text_document.uri);
        let typed = params.ch.chars().next().unwrap_or('\n');
        self.laid_out(&path, |options, text, positions| {
            let offset = positions.offset(params.text_document_position.position);
            options.on_type(text, offset as usize, typed, &self.state.limits)
        })
    }

    /// Returns the formatting edits of a document; `None` for templates and invalid code.
    fn laid_out(
        &self,
        path: &Path,
        edits: impl FnOnce(FormatOptions, &str, &Positions) -> Result<Vec<RangeEdit>, Error>,
    ) -> Result<Option<Vec<TextEdit>>, RequestError> {
        let Some((ide, positions)) = self.code(path) else { return Ok(None) };
        let Some(text) = ide.code(path).filter(|_| path.extension().is_none_or(|end| end != "epp")) else {
            return Ok(None);
        };
        let options = ide.selection().layout();
        let Ok(edits) = edits(options, text, &positions) else { return Ok(None) };
        let edit = |edit: RangeEdit| {
            let span = Span::new(edit.range.start as u32, edit.range.end as u32);
            TextEdit { range: positions.range(span), new_text: edit.text }
        };
        Ok(Some(edits.into_iter().map(edit).collect()))
    }
}

/// Returns true if a client asks for actions of a kind that includes the fixes of a whole document, as on saving.
fn wants_fix_all(only: Option<&[CodeActionKind]>) -> bool {
    only.unwrap_or_default()
        .iter()
        .any(|kind| FIX_ALL == kind.as_str() || FIX_ALL.starts_with(&format!("{}.", kind.as_str())))
}

fn kind_of(action: &Action) -> CodeActionKind {
    match action.kind {
        ActionKind::Fix => CodeActionKind::QUICKFIX,
        ActionKind::Refactor => CodeActionKind::REFACTOR,
    }
}
