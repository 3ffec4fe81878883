//! Diagnostics of documents and files.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::notification::{Notification, PublishDiagnostics};
use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Position, PublishDiagnosticsParams, Range, Uri,
};
use puppetfn_base::diagnostic::Severity;
use puppetfn_base::source::LineIndex;
use puppetfn_check::{Finding, RelatedLocation, RuleTag};
use rayon::prelude::*;

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
        let due = self.state.due();
        if !due.is_empty() {
            self.check(&due)?;
            return Ok(true);
        }
        let unchecked = &mut self.state.unchecked;
        let batch: Vec<PathBuf> = unchecked.drain(..unchecked.len().min(BATCH)).collect();
        self.check(&batch)?;
        Ok(!batch.is_empty())
    }

    /// Prepares the projects for requests.
    pub(crate) fn settle(&mut self) -> Result<(), ConnectionError> {
        self.read_projects()?;
        self.learn();
        Ok(())
    }

    fn learn(&mut self) {
        self.state.projects.iter_mut().for_each(|project| project.learn(self.ruby));
    }

    /// Reads the data of all projects, and schedules checks of all files and the removal of deleted files' diagnostics.
    fn read_data(&mut self) {
        let ServerState { projects, documents, published, unchecked, .. } = &mut self.state;
        projects.iter_mut().for_each(|project| project.read_data(documents));
        *unchecked = projects.iter().flat_map(Project::files).map(Path::to_owned).collect();
        let mut gone: BTreeSet<&PathBuf> = published.keys().collect();
        unchecked.iter().for_each(|path| _ = gone.remove(path));
        let gone: Vec<_> = gone.into_iter().cloned().collect();
        unchecked.extend(gone);
    }

    /// Checks files on all cores and publishes their diagnostics.
    fn check(&mut self, paths: &[PathBuf]) -> Result<(), ConnectionError> {
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
            self.publish(path, shown)?;
        }
        Ok(())
    }

    /// Publishes diagnostics, unless the editor already has them.
    fn publish(&mut self, path: &Path, diagnostics: Vec<Diagnostic>) -> Result<(), ConnectionError> {
        let document = self.state.documents.get(path);
        let known = self.state.published.get(path);
        let is_known =
            known.map_or(document.is_none() && diagnostics.is_empty(), |(_, known)| *known == diagnostics);
        if is_known {
            return Ok(());
        }
        let version = document.map(|document| document.version);
        // A closed document keeps the URI that it was opened with.
        let known = known.map(|(uri, _)| uri.clone()).filter(|_| document.is_none());
        let Some(uri) = known.or_else(|| self.uri(path)) else { return Ok(()) };
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        self.tell(PublishDiagnostics::METHOD, &params)?;
        let PublishDiagnosticsParams { uri, diagnostics, .. } = params;
        match diagnostics.is_empty() && version.is_none() {
            true => _ = self.state.published.remove(path),
            false => _ = self.state.published.insert(path.to_owned(), (uri, diagnostics)),
        }
        Ok(())
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
