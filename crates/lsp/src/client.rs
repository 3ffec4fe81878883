//! What the editor says of itself.

use lsp_types::{InitializeParams, PositionEncodingKind};
use sysinfo::{Pid, ProcessStatus, ProcessesToUpdate, System};

use super::text::Encoding;

/// What the editor can do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub encoding: Encoding,
    /// Whether it shows how far work has come.
    pub shows_progress: bool,
    /// Whether it can be asked to watch files.
    pub watches_files: bool,
    /// Whether edits can be of versions of documents, and rename files.
    pub renames_files: bool,
    pub takes_document_changes: bool,
    /// Whether outlines can be trees.
    pub takes_trees: bool,
    pub takes_snippets: bool,
}

impl Client {
    pub fn new(params: &InitializeParams) -> Self {
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
        }
    }
}

/// Sees whether the process of the editor is still there.
pub(crate) struct Watch {
    process: Option<Pid>,
    system: System,
}

impl Watch {
    /// Watches a process, if the editor has named one.
    pub fn of(process: Option<u32>) -> Self {
        Self { process: process.map(Pid::from_u32), system: System::new() }
    }

    /// Returns false if the process has ended.
    pub fn is_there(&mut self) -> bool {
        let Some(process) = self.process else { return true };
        self.system.refresh_processes(ProcessesToUpdate::Some(&[process]), true);
        // One that nobody has asked for its exit code has ended all the same.
        self.system.process(process).is_some_and(|found| found.status() != ProcessStatus::Zombie)
    }
}
