//! The state of the server: open documents, and their projects.
#![allow(clippy::disallowed_methods, reason = "the user has opened these files")]

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_ide::Ide;
use puppetfn_project::ProjectPlaces;
use serde_json::Value as Json;

use super::open_document::{Documents, OpenDocument};
use super::project::{Project, names_modules};
use super::reports::FileReports;

/// The state of documents and projects.
pub(crate) struct ServerState {
    pub limits: Limits,
    editor_settings: Arc<Json>,
    pub documents: Documents,
    pub projects: Vec<Project>,
    /// The documents that have changed since their last check.
    pub changed: BTreeSet<PathBuf>,
    /// Whether all findings may be stale.
    pub is_saved: bool,
    /// The files that are still to be checked in the background.
    pub unchecked: VecDeque<PathBuf>,
    /// The diagnostics that the editor has or can ask for.
    pub reports: FileReports,
}

impl ServerState {
    pub fn new(folders: Vec<PathBuf>, limits: Limits, editor_settings: Json) -> Self {
        let editor_settings = Arc::new(editor_settings);
        let project = |root| Project::new(root, true, limits, &editor_settings);
        let projects = folders.into_iter().map(project).collect();
        Self {
            limits,
            editor_settings,
            documents: Documents::new(),
            projects,
            changed: BTreeSet::new(),
            is_saved: false,
            unchecked: VecDeque::new(),
            reports: FileReports::default(),
        }
    }

    /// Returns the project of a file.
    pub fn project(&self, path: &Path) -> Option<&Project> {
        nearest(&self.projects, path)
    }

    pub fn project_mut(&mut self, path: &Path) -> Option<&mut Project> {
        let around = self.projects.iter_mut().filter(|project| project.contains(path));
        around.max_by_key(|project| project.root.as_os_str().len())
    }

    /// Returns the language features for a file.
    pub fn ide(&self, path: &Path) -> Option<&Ide> {
        self.project(path).map(|project| &project.ide)
    }

    /// Returns the text of an open document, or of a file in its project.
    pub fn text(&self, path: &Path) -> Option<Arc<str>> {
        let open = self.documents.get(path).map(|document| Arc::clone(&document.text));
        open.or_else(|| self.ide(path)?.text(path).cloned())
    }

    /// Returns the text of a file outside of projects.
    pub fn read(&self, path: &Path) -> Option<Arc<str>> {
        StdFileSystem::new(&self.limits).read_text(path).ok().map(Arc::from)
    }

    /// Opens a document. Outside of all folders, it gets a project of its own: its module or environment, or just the
    /// document.
    pub fn open(&mut self, path: PathBuf, document: OpenDocument) {
        if self.project(&path).is_none() {
            let root = ProjectPlaces::root(&path).or_else(|| document.is_code.then(|| path.clone()));
            self.projects
                .extend(root.map(|root| Project::new(root, false, self.limits, &self.editor_settings)));
        }
        if document.is_code && !path.is_file() {
            // A file that is not saved yet may make its directory a module.
            self.project_mut(&path).into_iter().for_each(|project| project.is_stale = true);
        }
        // Some editors drop the diagnostics of a file when they open it.
        self.reports.forget(&path);
        self.set(path, document);
    }

    /// Sets the current text of a document.
    pub fn set(&mut self, path: PathBuf, document: OpenDocument) {
        if let Some(project) = self.project_mut(&path).filter(|project| !project.is_stale) {
            if document.is_code {
                project.set(&path, Arc::clone(&document.text));
            } else {
                project.set_other(&path, &document.text);
            }
        }
        self.changed.insert(path.clone());
        self.documents.insert(path, document);
    }

    /// Closes a document: its file's text counts again.
    pub fn close(&mut self, path: &Path) {
        let Some(document) = self.documents.remove(path) else { return };
        self.unchecked.push_back(path.to_owned());
        let is_data = puppetfn_project::is_data(path) && !document.is_code && !names_modules(path);
        self.is_saved |= is_data;
        if let Some(project) = self.project_mut(path).filter(|_| !is_data) {
            project.set_from_disk(path);
        }
        let documents = &self.documents;
        self.projects
            .retain(|project| project.is_folder || documents.keys().any(|path| project.contains(path)));
        let gone = self.reports.paths().filter(|path| nearest(&self.projects, path).is_none());
        self.unchecked.extend(gone.map(Path::to_owned));
    }

    /// Returns the documents to check: changed ones, and all documents of projects whose model has changed.
    pub fn due(&mut self) -> Vec<PathBuf> {
        let changed = std::mem::take(&mut self.changed);
        let renewed = |project: &mut Project| project.has_changed().then(|| project.root.clone());
        let renewed: Vec<_> = self.projects.iter_mut().filter_map(renewed).collect();
        let is_renewed =
            |path: &Path| self.project(path).is_some_and(|project| renewed.contains(&project.root));
        let is_checked = |(path, document): &(&PathBuf, &OpenDocument)| {
            document.is_code || self.project(path).is_some_and(|project| project.checks_other(path))
        };
        let open = self.documents.iter().filter(is_checked).map(|(path, _)| path);
        open.filter(|path| changed.contains(*path) || is_renewed(path)).cloned().collect()
    }

    /// Adds and removes folders of the workspace.
    pub fn change_folders(&mut self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        self.projects.retain(|project| !(project.is_folder && removed.contains(&project.root)));
        for root in added {
            self.projects.retain(|project| project.is_folder || !project.root.starts_with(&root));
            self.projects.push(Project::new(root, true, self.limits, &self.editor_settings));
        }
        // Documents of a removed folder may still be open.
        let loose: Vec<PathBuf> =
            self.documents.keys().filter(|path| self.project(path).is_none()).cloned().collect();
        for path in loose {
            if let Some(document) = self.documents.remove(&path) {
                self.open(path, document);
            }
        }
        self.is_saved = true;
    }
}

/// Returns the project with the nearest directory around a file.
pub(crate) fn nearest<'p>(projects: &'p [Project], path: &Path) -> Option<&'p Project> {
    let around = projects.iter().filter(|project| project.contains(path));
    around.max_by_key(|project| project.root.as_os_str().len())
}
