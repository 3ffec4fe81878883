//! Hover texts, hints, completions and signatures.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse,
    CompletionTextEdit, CompletionTriggerKind, Hover, HoverContents, HoverParams, InlayHint, InlayHintKind,
    InlayHintLabel, InlayHintParams, InsertTextFormat, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureHelpParams, SignatureInformation, TextEdit,
};
use puppetfn_ide::{Completion, CompletionKind, SignatureText, SourceHint};

use crate::client::{EditorSupport, documentation, markup};
use crate::dispatch::RequestError;
use crate::documents::document;
use crate::server::Server;
use crate::text::Positions;

impl Server<'_> {
    pub(crate) fn completion(
        &self,
        params: CompletionParams,
    ) -> Result<Option<CompletionResponse>, RequestError> {
        let Some(place) = self.place(&params.text_document_position) else { return Ok(None) };
        let trigger = params.context.map(|context| context.trigger_kind);
        let found = if trigger == Some(CompletionTriggerKind::TRIGGER_CHARACTER) {
            place.ide.completions_after_character(&place.path, place.offset)
        } else {
            place.ide.completions(&place.path, place.offset)
        };
        let items = found.into_iter().map(|one| item(one, &place.positions, &self.client)).collect();
        Ok(Some(CompletionResponse::List(CompletionList { is_incomplete: false, items })))
    }

    pub(crate) fn hover(&self, params: HoverParams) -> Result<Option<Hover>, RequestError> {
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let found = place.ide.hover(&place.path, place.offset);
        Ok(found.map(|hover| Hover {
            contents: HoverContents::Markup(markup(hover.markdown, self.client.takes_markdown.hovers)),
            range: Some(place.positions.range(hover.span)),
        }))
    }

    pub(crate) fn signature_help(
        &self,
        params: SignatureHelpParams,
    ) -> Result<Option<SignatureHelp>, RequestError> {
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let found = place.ide.signature_help(&place.path, place.offset);
        Ok(found.map(|help| SignatureHelp {
            signatures: help.signatures.into_iter().map(|text| signature(text, &self.client)).collect(),
            active_signature: Some(help.active as u32),
            active_parameter: Some(help.parameter as u32),
        }))
    }

    pub(crate) fn hints(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>, RequestError> {
        let path = document(&params.text_document.uri);
        let Some((ide, positions)) = self.code(&path) else { return Ok(None) };
        let found = ide.hints(&path, positions.span(params.range));
        Ok(Some(found.into_iter().map(|one| hint(one, &positions)).collect()))
    }
}

fn item(one: Completion, positions: &Positions, client: &EditorSupport) -> CompletionItem {
    let is_snippet = one.is_snippet && client.takes_snippets;
    let new_text = if one.is_snippet && !client.takes_snippets { one.label.clone() } else { one.insert };
    CompletionItem {
        label: one.label,
        kind: Some(kind(one.kind)),
        detail: one.detail,
        documentation: one.documentation.map(|text| documentation(text, client.takes_markdown.completions)),
        insert_text_format: Some(if is_snippet {
            InsertTextFormat::SNIPPET
        } else {
            InsertTextFormat::PLAIN_TEXT
        }),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: positions.range(one.span), new_text })),
        ..CompletionItem::default()
    }
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Variable => CompletionItemKind::VARIABLE,
        CompletionKind::Fact | CompletionKind::Key => CompletionItemKind::FIELD,
        CompletionKind::Function => CompletionItemKind::FUNCTION,
        CompletionKind::Class => CompletionItemKind::CLASS,
        CompletionKind::ResourceType => CompletionItemKind::STRUCT,
        CompletionKind::Type => CompletionItemKind::INTERFACE,
        CompletionKind::Attribute => CompletionItemKind::PROPERTY,
        CompletionKind::Value => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Title => CompletionItemKind::REFERENCE,
        CompletionKind::File => CompletionItemKind::FILE,
        CompletionKind::Module => CompletionItemKind::MODULE,
    }
}

fn signature(text: SignatureText, client: &EditorSupport) -> SignatureInformation {
    // The protocol counts in UTF-16.
    let count = |end: usize| text.label.get(..end).unwrap_or_default().encode_utf16().count() as u32;
    let parameters = text.parameters.iter().map(|range| ParameterInformation {
        label: ParameterLabel::LabelOffsets([count(range.start), count(range.end)]),
        documentation: None,
    });
    SignatureInformation {
        parameters: Some(parameters.collect()),
        documentation: Some(documentation(text.documentation, client.takes_markdown.signatures)),
        label: text.label,
        active_parameter: None,
    }
}

fn hint(one: SourceHint, positions: &Positions) -> InlayHint {
    InlayHint {
        position: positions.position(one.offset),
        label: InlayHintLabel::String(one.label),
        kind: Some(if one.is_type { InlayHintKind::TYPE } else { InlayHintKind::PARAMETER }),
        text_edits: None,
        tooltip: None,
        padding_left: None,
        padding_right: None,
        data: None,
    }
}
