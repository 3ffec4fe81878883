//! The diagnostics of files, as the editor has them or can ask for them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{Diagnostic, Uri};

/// The result id of files without diagnostics so far.
const NO_DIAGNOSTICS: &str = "0";

/// The diagnostics of a file, from its last check.
pub(crate) struct FileReport {
    pub uri: Uri,
    pub diagnostics: Vec<Diagnostic>,
    /// Other diagnostics of the file have another id.
    result_id: String,
}

/// The diagnostics by file.
#[derive(Default)]
pub(crate) struct FileReports {
    files: BTreeMap<PathBuf, FileReport>,
    /// The number of result ids.
    count: u64,
}

impl FileReports {
    pub fn get(&self, path: &Path) -> Option<&FileReport> {
        self.files.get(path)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Path, &FileReport)> {
        self.files.iter().map(|(path, report)| (path.as_path(), report))
    }

    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Sets the diagnostics of a file, with a new result id.
    pub fn set(&mut self, path: &Path, uri: Uri, diagnostics: Vec<Diagnostic>) {
        self.count = self.count.wrapping_add(1);
        let report = FileReport { uri, diagnostics, result_id: self.count.to_string() };
        self.files.insert(path.to_owned(), report);
    }

    /// Forgets the diagnostics of a file: the next ones are new to the editor.
    pub fn forget(&mut self, path: &Path) {
        self.files.remove(path);
    }

    /// Returns the result id of a file.
    pub fn result_id(&self, path: &Path) -> &str {
        self.get(path).map_or(NO_DIAGNOSTICS, FileReport::result_id)
    }
}

impl FileReport {
    pub fn result_id(&self) -> &str {
        &self.result_id
    }
}
