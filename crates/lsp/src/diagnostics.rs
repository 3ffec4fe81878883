//! Diagnostics of documents and files.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::notification::{Notification, PublishDiagnostics};
use lsp_types::request::{Request as _, WorkspaceDiagnosticRefresh};
use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Position, PublishDiagnosticsParams, Range, Uri,
};
use puppetfn_base::diagnostic::Severity;
use puppetfn_base::source::LineIndex;
use puppetfn_check::{Finding, RelatedLocation, RuleTag};
use rayon::prelude::*;
use serde_json::Value as Json;

use super::ConnectionError;
use super::project::Project;
use super::server::{PANIC, Server};
use super::state::{ServerState, nearest};
use super::text::Positions;

/// The documentation of the rules.
const RULES: &str = "https://github.com/puppetfn/puppetfn/blob/main/docs";

/// The number of files that are checked before the next message is read.
const BATCH: usize = 32;

impl Server<'_> {
    /// Does a part of the background work. Returns false if none is left.
    pub(crate) fn work(&mut self) -> Result<bool, ConnectionError> {
        self.read_projects()?;
        if std::mem::take(&mut self.state.is_saved) {
            self.learn();
            self.read_data();
            return Ok(true);
        }
        self.learn();
        if self.check_due()? {
            return Ok(true);
        }
        if std::mem::take(&mut self.has_stale_pulls) {
            self.ask(WorkspaceDiagnosticRefresh::METHOD, &Json::Null)?;
        }
        let unchecked = &mut self.state.unchecked;
        let batch: Vec<PathBuf> = unchecked.drain(..unchecked.len().min(BATCH)).collect();
        self.check(&batch, &BTreeSet::new())?;
        Ok(!batch.is_empty())
    }

    /// Prepares the projects for requests.
    pub(crate) fn settle(&mut self) -> Result<(), ConnectionError> {
        self.read_projects()?;
        self.learn();
        Ok(())
    }

    /// Checks the open documents whose findings may be stale. Returns false if there are none.
    fn check_due(&mut self) -> Result<bool, ConnectionError> {
        let edited = self.state.changed.clone();
        let due = self.state.due();
        self.check(&due, &edited)?;
        Ok(!due.is_empty())
    }

    /// Brings the diagnostics of a file and of the open documents up to date.
    pub(crate) fn check_now(&mut self, path: &Path) -> Result<(), ConnectionError> {
        if std::mem::take(&mut self.state.is_saved) {
            self.read_data();
            self.learn();
        }
        self.check_due()?;
        let is_closed = !self.state.documents.contains_key(path);
        let is_due = || self.state.unchecked.iter().any(|unchecked| unchecked == path);
        if is_closed && (self.state.reports.get(path).is_none() || is_due()) {
            self.check(&[path.to_owned()], &BTreeSet::new())?;
        }
        Ok(())
    }

    fn learn(&mut self) {
        self.state.projects.iter_mut().for_each(|project| project.learn(self.ruby));
    }

    /// Reads the data of all projects, and schedules checks of all files and the removal of deleted files' diagnostics.
    fn read_data(&mut self) {
        let ServerState { projects, documents, reports, unchecked, .. } = &mut self.state;
        projects.iter_mut().for_each(|project| project.read_data(documents));
        *unchecked = projects.iter().flat_map(Project::files).map(Path::to_owned).collect();
        let mut gone: BTreeSet<&Path> = reports.paths().collect();
        unchecked.iter().for_each(|path| _ = gone.remove(path.as_path()));
        let gone: Vec<_> = gone.into_iter().map(Path::to_owned).collect();
        unchecked.extend(gone);
    }

    /// Checks files on all cores and reports their diagnostics. The editor asks by itself for the diagnostics of documents
    /// that it has edited.
    fn check(&mut self, paths: &[PathBuf], edited: &BTreeSet<PathBuf>) -> Result<(), ConnectionError> {
        let projects = &self.state.projects;
        let check = |path: &PathBuf| {
            let check = || nearest(projects, path).map(|project| project.check(path)).unwrap_or_default();
            catch_unwind(AssertUnwindSafe(check))
        };
        let found: Vec<_> = paths.par_iter().map(check).collect();
        for (path, findings) in paths.iter().zip(found) {
            // A text that makes the checker panic does not affect the others.
            let Ok(findings) = findings else {
                self.show(PANIC)?;
                continue;
            };
            let text = self.state.text(path).unwrap_or_else(|| "".into());
            let shown = self.shown(path, text, findings);
            let has_changed = self.report(path, shown)?;
            let is_shown = self.client.pulls_diagnostics && self.state.documents.contains_key(path);
            self.has_stale_pulls |= has_changed && is_shown && !edited.contains(path);
        }
        Ok(())
    }

    /// Keeps the diagnostics of a file, and publishes them unless the editor asks for them. Returns false if the editor already has them.
    fn report(&mut self, path: &Path, diagnostics: Vec<Diagnostic>) -> Result<bool, ConnectionError> {
        let document = self.state.documents.get(path);
        let known = self.state.reports.get(path);
        let is_known = known
            .map_or(document.is_none() && diagnostics.is_empty(), |known| known.diagnostics == diagnostics);
        if is_known {
            return Ok(false);
        }
        let version = document.map(|document| document.version);
        // A closed document keeps the URI that it was opened with.
        let known = known.map(|known| known.uri.clone()).filter(|_| document.is_none());
        let Some(uri) = known.or_else(|| self.uri(path)) else { return Ok(false) };
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        if !self.client.pulls_diagnostics {
            self.tell(PublishDiagnostics::METHOD, &params)?;
        }
        let PublishDiagnosticsParams { uri, diagnostics, .. } = params;
        // The empty report of a closed file makes an editor that asks drop its old diagnostics.
        if diagnostics.is_empty() && version.is_none() && !self.client.pulls_diagnostics {
            self.state.reports.forget(path);
        } else {
            self.state.reports.set(path, uri, diagnostics);
        }
        Ok(true)
    }

    fn shown(&self, path: &Path, text: Arc<str>, findings: Vec<Finding>) -> Vec<Diagnostic> {
        let positions = Positions::new(text, self.client.encoding);
        findings.into_iter().map(|finding| self.diagnostic(path, finding, &positions)).collect()
    }

    /// Converts a finding to a diagnostic.
    fn diagnostic(&self, path: &Path, finding: Finding, positions: &Positions) -> Diagnostic {
        let related = finding.related.iter().filter_map(|related| self.related(path, related));
        let related: Vec<_> = related.collect();
        let href: Option<Uri> =
            format!("{RULES}/{}#{}", finding.rule.document(), finding.rule.name()).parse().ok();
        Diagnostic {
            range: positions.range(finding.span),
            severity: Some(match finding.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning | Severity::Deprecation => DiagnosticSeverity::WARNING,
            }),
            code: Some(NumberOrString::String(finding.rule.name().to_owned())),
            code_description: href.map(|href| CodeDescription { href }),
            source: Some("puppetfn".to_owned()),
            related_information: Some(related).filter(|related| !related.is_empty()),
            tags: tag(&finding).map(|tag| vec![tag]),
            message: finding.message,
            data: None,
        }
    }

    fn related(&self, path: &Path, related: &RelatedLocation) -> Option<DiagnosticRelatedInformation> {
        let file = related.place.file.as_deref().map_or(path, Path::new);
        let (line, column) = (related.place.line.unwrap_or(1), related.place.column.unwrap_or(1));
        let position = match self.state.text(file) {
            Some(text) => {
                let offset = LineIndex::new(&text).offset(&text, line, column);
                Positions::new(text, self.client.encoding).position(offset)
            }
            None => Position::new(line.saturating_sub(1), column.saturating_sub(1)),
        };
        let location = Location { uri: self.uri(file)?, range: Range::new(position, position) };
        Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
    }
}

fn tag(finding: &Finding) -> Option<DiagnosticTag> {
    match finding.rule.tag() {
        Some(RuleTag::Unnecessary) => Some(DiagnosticTag::UNNECESSARY),
        Some(RuleTag::Deprecated) => Some(DiagnosticTag::DEPRECATED),
        None => (finding.severity == Severity::Deprecation).then_some(DiagnosticTag::DEPRECATED),
    }
}
