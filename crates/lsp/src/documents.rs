//! Notifications about documents and files.

use std::path::{Path, PathBuf};

use lsp_server::Notification;
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Initialized, Notification as Kind,
};
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, FileChangeType, FileEvent,
    TextDocumentItem, Uri,
};
use puppetfn_check::ModuleFileKind;
use puppetfn_ide::ModuleFile;

use super::ConnectionError;
use super::open_document::OpenDocument;
use super::server::Server;
use super::text::{Positions, changed};
use super::uri::path;

impl Server<'_> {
    /// Handles a notification. Unknown ones are ignored, as the protocol requires.
    pub(crate) fn notice(&mut self, notification: Notification) -> Result<(), ConnectionError> {
        match notification.method.as_str() {
            Initialized::METHOD => return self.watch_files(),
            DidOpenTextDocument::METHOD => {
                read::<DidOpenTextDocument>(notification)
                    .into_iter()
                    .for_each(|opened| self.opened(opened.text_document));
            }
            DidChangeTextDocument::METHOD => {
                read::<DidChangeTextDocument>(notification)
                    .into_iter()
                    .for_each(|change| self.changed(change));
            }
            DidCloseTextDocument::METHOD => {
                read::<DidCloseTextDocument>(notification)
                    .into_iter()
                    .for_each(|closed| self.state.close(&document(&closed.text_document.uri)));
            }
            DidSaveTextDocument::METHOD => self.state.is_saved = true,
            DidChangeWatchedFiles::METHOD => {
                let changes = read::<DidChangeWatchedFiles>(notification).map(|params| params.changes);
                changes.into_iter().flatten().for_each(|change| self.file_changed(&change));
            }
            DidChangeWorkspaceFolders::METHOD => {
                read::<DidChangeWorkspaceFolders>(notification)
                    .into_iter()
                    .for_each(|change| self.folders_changed(change));
            }
            _ => {}
        }
        Ok(())
    }

    fn opened(&mut self, opened: TextDocumentItem) {
        let path = document(&opened.uri);
        let is_code = is_code(&path) || matches!(opened.language_id.as_str(), "puppet" | "epp");
        let TextDocumentItem { uri, version, text, .. } = opened;
        self.state.open(path, OpenDocument { uri, version, text: text.into(), is_code });
    }

    fn changed(&mut self, change: DidChangeTextDocumentParams) {
        let path = document(&change.text_document.uri);
        let Some(document) = self.state.documents.remove(&path) else { return };
        let text = changed(&document.text, change.content_changes, self.client.encoding).into();
        self.state.set(path, OpenDocument { text, version: change.text_document.version, ..document });
    }

    fn file_changed(&mut self, FileEvent { uri, typ }: &FileEvent) {
        let path = document(uri);
        self.state.is_saved = true;
        let is_ruby = path.extension().is_some_and(|end| end == "rb");
        let is_known = *typ == FileChangeType::CHANGED;
        let is_template = path.extension().is_some_and(|end| end == "erb");
        let is_task = ModuleFile::kind_of(&path) == Some(ModuleFileKind::TaskMetadata);
        if (is_code(&path) && is_known) || is_template || is_task {
            // An open document's text comes from the editor.
            if !self.state.documents.contains_key(&path)
                && let Some(project) = self.state.project_mut(&path).filter(|project| !project.is_stale)
            {
                project.set_from_disk(&path);
            }
        } else if is_ruby && is_known {
            // Any project may use it.
            self.state.projects.iter_mut().for_each(|project| project.ide.forget(&path));
        } else if !(is_data(&path) && is_known) {
            // Paths determine which modules and data files are found, and settings which findings are reported.
            self.state.projects.iter_mut().for_each(|project| project.is_stale = true);
        }
    }

    fn folders_changed(&mut self, change: DidChangeWorkspaceFoldersParams) {
        let paths = |folders: &[lsp_types::WorkspaceFolder]| {
            folders.iter().filter_map(|folder| path(&folder.uri)).collect::<Vec<_>>()
        };
        self.state.change_folders(paths(&change.event.added), &paths(&change.event.removed));
    }

    /// Returns the positions in a text: of an open document or a project's file, or else of a file on disk.
    pub(crate) fn positions(&self, path: &Path) -> Option<Positions> {
        let text = self.state.text(path).or_else(|| self.state.read(path))?;
        Some(Positions::new(text, self.client.encoding))
    }
}

/// Returns the path of a document; without a file, its URI as a path.
pub(crate) fn document(uri: &Uri) -> PathBuf {
    path(uri).unwrap_or_else(|| PathBuf::from(uri.as_str()))
}

fn is_code(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "pp" || end == "epp")
}

/// Returns true if a file has only data: other YAML and JSON files describe a module or locate data.
fn is_data(path: &Path) -> bool {
    let is_setting = path.file_name().is_some_and(|name| name == "metadata.json" || name == "hiera.yaml");
    puppetfn_project::is_data(path) && !is_setting
}

fn read<N: Kind>(notification: Notification) -> Option<N::Params> {
    serde_json::from_value(notification.params).ok()
}
