//! What the editor says of itself.

use std::time::{Duration, Instant};

use lsp_types::{InitializeParams, PositionEncodingKind};
use sysinfo::{Pid, ProcessesToUpdate, System};

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

/// The process of the editor, which may end without saying so.
pub(crate) struct Process {
    id: Option<Pid>,
    system: System,
    looked: Instant,
}

impl Process {
    pub fn new(id: Option<u32>) -> Self {
        Self { id: id.map(Pid::from_u32), system: System::new(), looked: Instant::now() }
    }

    /// Returns true if it has ended. It is looked for now and then.
    pub fn is_gone(&mut self) -> bool {
        const OFTEN: Duration = Duration::from_secs(3);
        let Some(id) = self.id.filter(|_| self.looked.elapsed() >= OFTEN) else { return false };
        self.looked = Instant::now();
        self.system.refresh_processes(ProcessesToUpdate::Some(&[id]), true);
        self.system.process(id).is_none()
    }
}
