//! The editor's capabilities.

use lsp_types::{
    Documentation, InitializeParams, MarkupContent, MarkupKind, PositionEncodingKind,
    TextDocumentClientCapabilities,
};
use serde_json::Value as Json;
use sysinfo::{Pid, ProcessStatus, ProcessesToUpdate, System};

use super::text::Encoding;

/// The editor's capabilities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EditorSupport {
    pub encoding: Encoding,
    /// Whether it shows the progress of work.
    pub shows_progress: bool,
    /// Whether it can be asked to watch files.
    pub watches_files: bool,
    /// Whether workspace edits can rename files, and can name the versions of documents.
    pub renames_files: bool,
    pub takes_document_changes: bool,
    /// Whether outlines can be trees.
    pub takes_trees: bool,
    pub takes_snippets: bool,
    /// Whether it asks for diagnostics, and can be told to ask again.
    pub pulls_diagnostics: bool,
    /// The places where texts can be Markdown.
    pub takes_markdown: MarkdownSupport,
}

/// The places where an editor shows Markdown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MarkdownSupport {
    pub hovers: bool,
    pub completions: bool,
    pub signatures: bool,
}

impl MarkdownSupport {
    fn of(document: Option<&TextDocumentClientCapabilities>) -> Self {
        let takes = |kinds: Option<&Vec<MarkupKind>>| {
            kinds.is_some_and(|kinds| kinds.contains(&MarkupKind::Markdown))
        };
        let hover = document.and_then(|document| document.hover.as_ref());
        let item = document.and_then(|document| document.completion.as_ref()?.completion_item.as_ref());
        let signature =
            document.and_then(|document| document.signature_help.as_ref()?.signature_information.as_ref());
        Self {
            hovers: takes(hover.and_then(|hover| hover.content_format.as_ref())),
            completions: takes(item.and_then(|item| item.documentation_format.as_ref())),
            signatures: takes(signature.and_then(|signature| signature.documentation_format.as_ref())),
        }
    }
}

/// Returns a documentation text in Markdown, or as plain text.
pub(crate) fn documentation(text: String, takes_markdown: bool) -> Documentation {
    match markup(text, takes_markdown) {
        markdown if takes_markdown => Documentation::MarkupContent(markdown),
        plain => Documentation::String(plain.value),
    }
}

/// Returns a text in Markdown, or as plain text.
pub(crate) fn markup(text: String, takes_markdown: bool) -> MarkupContent {
    if takes_markdown {
        return MarkupContent { kind: MarkupKind::Markdown, value: text };
    }
    let is_layout = |line: &&str| line.starts_with("```") || *line == "---";
    let lines: Vec<&str> = text.lines().filter(|line| !is_layout(line)).collect();
    MarkupContent { kind: MarkupKind::PlainText, value: lines.join("\n").replace("\n\n\n", "\n\n") }
}

impl EditorSupport {
    /// Reads the capabilities in the parameters of `initialize`, which are also given as they arrived.
    pub fn new(params: &InitializeParams, sent: &Json) -> Self {
        let capabilities = &params.capabilities;
        let general = capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_deref()).unwrap_or_default();
        let takes_utf8 = encodings.contains(&PositionEncodingKind::UTF8);
        let window = capabilities.window.as_ref();
        let workspace = capabilities.workspace.as_ref();
        let edit = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let document = capabilities.text_document.as_ref();
        let operations = edit.and_then(|edit| edit.resource_operations.as_deref()).unwrap_or_default();
        let watching = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
        let symbol = document.and_then(|document| document.document_symbol.as_ref());
        let item = document
            .and_then(|document| document.completion.as_ref())
            .and_then(|completion| completion.completion_item.as_ref());
        Self {
            encoding: if takes_utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            shows_progress: window.and_then(|window| window.work_done_progress).unwrap_or(false),
            watches_files: watching.and_then(|watching| watching.dynamic_registration).unwrap_or(false),
            renames_files: operations.contains(&lsp_types::ResourceOperationKind::Rename),
            takes_document_changes: edit.and_then(|edit| edit.document_changes).unwrap_or(false),
            takes_trees: symbol
                .and_then(|symbol| symbol.hierarchical_document_symbol_support)
                .unwrap_or(false),
            takes_snippets: item.and_then(|item| item.snippet_support).unwrap_or(false),
            pulls_diagnostics: document.is_some_and(|document| document.diagnostic.is_some())
                // lsp-types expects `diagnostic` here, against the protocol.
                && sent.pointer("/capabilities/workspace/diagnostics/refreshSupport") == Some(&Json::Bool(true)),
            takes_markdown: MarkdownSupport::of(document),
        }
    }
}

/// Monitors the process of the editor.
pub(crate) struct EditorWatch {
    process: Option<Pid>,
    system: System,
}

impl EditorWatch {
    /// Monitors a process, if the editor has named one.
    pub fn of(process: Option<u32>) -> Self {
        Self { process: process.map(Pid::from_u32), system: System::new() }
    }

    /// Returns false if the process has ended.
    pub fn is_there(&mut self) -> bool {
        let Some(process) = self.process else { return true };
        self.system.refresh_processes(ProcessesToUpdate::Some(&[process]), true);
        // A process has ended even if its exit code was not collected yet.
        self.system.process(process).is_some_and(|found| found.status() != ProcessStatus::Zombie)
    }
}
