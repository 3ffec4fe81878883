//! What the editor says of its documents and of files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_server::Notification;
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Notification as Kind,
};
use lsp_types::{FileChangeType, FileEvent, Uri};

use super::server::Server;
use super::text::{Positions, changed};
use super::uri::path;

type End = Result<(), Box<dyn std::error::Error + Send + Sync>>;

impl Server<'_> {
    /// Takes note of something. What is not understood is passed over, as the protocol has it.
    pub(crate) fn notice(&mut self, notification: Notification) -> End {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(opened) = read::<DidOpenTextDocument>(notification) {
                    let document = opened.text_document;
                    let path = self.path(&document.uri);
                    self.open.insert(path.clone(), document.version);
                    self.set(path, document.text);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(params) = read::<DidChangeTextDocument>(notification) {
                    let path = self.path(&params.text_document.uri);
                    let Some(text) = self.text(&path) else { return Ok(()) };
                    let text = changed(&text, params.content_changes, self.client.encoding);
                    self.open.insert(path.clone(), params.text_document.version);
                    self.set(path, text);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Some(closed) = read::<DidCloseTextDocument>(notification) {
                    let path = self.path(&closed.text_document.uri);
                    self.open.remove(&path);
                    self.others.remove(&path);
                    self.read_again(&path);
                }
            }
            DidSaveTextDocument::METHOD => {
                self.workspace.learn(&mut self.ide);
                self.publish_all()?;
            }
            DidChangeWatchedFiles::METHOD => {
                if let Some(params) = read::<DidChangeWatchedFiles>(notification) {
                    self.files_changed(params.changes)?;
                }
            }
            DidChangeWorkspaceFolders::METHOD => {
                if let Some(params) = read::<DidChangeWorkspaceFolders>(notification) {
                    let removed: Vec<_> =
                        params.event.removed.iter().filter_map(|one| path(&one.uri)).collect();
                    self.roots.retain(|root| !removed.contains(root));
                    self.roots.extend(params.event.added.iter().filter_map(|one| path(&one.uri)));
                    self.reload()?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the path of a document; of one that is in no file, its address as one.
    pub(crate) fn path(&self, uri: &Uri) -> PathBuf {
        path(uri).unwrap_or_else(|| PathBuf::from(uri.as_str()))
    }

    /// Returns what a document says.
    pub(crate) fn text(&self, path: &Path) -> Option<Arc<str>> {
        let code = self.ide.text(path).cloned();
        code.or_else(|| self.others.get(path).map(|text| text.as_str().into()))
    }

    pub(crate) fn positions(&self, path: &Path) -> Option<Positions> {
        let text = self.text(path).or_else(|| self.workspace.read(path).map(Arc::from));
        text.map(|text| Positions::new(text, self.client.encoding))
    }

    fn set(&mut self, path: PathBuf, text: String) {
        match self.workspace.file(&path, text.as_str().into()) {
            Some(file) => self.ide.set(file),
            None => _ = self.others.insert(path.clone(), text),
        }
        self.changed.insert(path);
    }

    /// Reads a file that nobody edits.
    fn read_again(&mut self, path: &Path) {
        let file = self.workspace.read(path).and_then(|text| self.workspace.file(path, text.into()));
        match file {
            Some(file) => self.ide.set(file),
            None => self.ide.remove(path),
        }
        self.changed.insert(path.to_owned());
    }

    fn files_changed(&mut self, changes: Vec<FileEvent>) -> End {
        let mut is_other_project = false;
        for FileEvent { uri, typ } in changes {
            let path = self.path(&uri);
            let is_code = path.extension().is_some_and(|end| end == "pp" || end == "epp");
            if self.open.contains_key(&path) {
                continue;
            }
            if is_code && typ == FileChangeType::CHANGED {
                self.read_again(&path);
            } else if path.extension().is_some_and(|end| end == "rb") && typ == FileChangeType::CHANGED {
                self.ide.forget(&path);
            } else {
                // Where files are decides what is found, and settings decide what is said.
                is_other_project = true;
            }
        }
        if is_other_project {
            return self.reload();
        }
        self.workspace.learn(&mut self.ide);
        self.publish_all()
    }

    /// Reads the projects again, and keeps the documents that are open as they are.
    fn reload(&mut self) -> End {
        let open: Vec<_> = self
            .open
            .keys()
            .filter_map(|path| Some((path.clone(), self.ide.text(path)?.to_string())))
            .collect();
        self.load()?;
        open.into_iter().for_each(|(path, text)| self.set(path, text));
        Ok(())
    }
}

fn read<N: Kind>(notification: Notification) -> Option<N::Params> {
    serde_json::from_value(notification.params).ok()
}
