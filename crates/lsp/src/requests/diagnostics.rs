//! Diagnostics for editors that ask for them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, Uri,
    WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult,
    WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};

use crate::dispatch::RequestError;
use crate::documents::document;
use crate::server::Server;

impl Server<'_> {
    pub(crate) fn document_diagnostics(
        &mut self,
        params: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult, RequestError> {
        let path = document(&params.text_document.uri);
        // A closed connection is noticed when the next message is read.
        _ = self.check_now(&path);
        let report = match self.unchanged(&path, params.previous_result_id.as_deref()) {
            Some(report) => DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
                related_documents: None,
                unchanged_document_diagnostic_report: report,
            }),
            None => DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
                related_documents: None,
                full_document_diagnostic_report: self.full(&path),
            }),
        };
        Ok(report.into())
    }

    /// Returns the diagnostics of all files, and that the editor's diagnostics of other files are gone.
    pub(crate) fn workspace_diagnostics(
        &self,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult, RequestError> {
        let previous = params.previous_result_ids.into_iter();
        let mut previous: BTreeMap<PathBuf, (Uri, String)> =
            previous.map(|known| (document(&known.uri), (known.uri, known.value))).collect();
        let mut items = Vec::new();
        for (path, report) in self.state.reports.iter() {
            let id = previous.remove(path).map(|(_, id)| id);
            items.push(self.workspace_item(path, report.uri.clone(), id.as_deref()));
        }
        items
            .extend(previous.into_iter().map(|(path, (uri, id))| self.workspace_item(&path, uri, Some(&id))));
        Ok(WorkspaceDiagnosticReport { items }.into())
    }

    fn workspace_item(
        &self,
        path: &Path,
        uri: Uri,
        previous_id: Option<&str>,
    ) -> WorkspaceDocumentDiagnosticReport {
        let version = self.state.documents.get(path).map(|document| i64::from(document.version));
        match self.unchanged(path, previous_id) {
            Some(report) => {
                WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                    uri,
                    version,
                    unchanged_document_diagnostic_report: report,
                })
            }
            None => WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                uri,
                version,
                full_document_diagnostic_report: self.full(path),
            }),
        }
    }

    /// Returns a report without diagnostics if the editor's result id is the current one.
    fn unchanged(&self, path: &Path, previous_id: Option<&str>) -> Option<UnchangedDocumentDiagnosticReport> {
        let result_id = self.state.reports.result_id(path);
        (previous_id == Some(result_id))
            .then(|| UnchangedDocumentDiagnosticReport { result_id: result_id.to_owned() })
    }

    fn full(&self, path: &Path) -> FullDocumentDiagnosticReport {
        let items = self.state.reports.get(path).map(|report| report.diagnostics.clone());
        FullDocumentDiagnosticReport {
            result_id: Some(self.state.reports.result_id(path).to_owned()),
            items: items.unwrap_or_default(),
        }
    }
}
