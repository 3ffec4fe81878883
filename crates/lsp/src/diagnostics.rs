//! What is wrong with documents and files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use lsp_types::notification::{Notification, PublishDiagnostics};
use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Position, PublishDiagnosticsParams, Range, Uri,
};
use puppetfn_base::diagnostic::Severity;
use puppetfn_base::source::Span;
use puppetfn_check::{Finding, Related, Rule};

use super::server::Server;
use super::text::Positions;
use super::uri::uri;

type End = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// Where the rules are described.
const RULES: &str = "https://github.com/puppetfn/puppetfn/blob/main/docs/check.md";

impl Server<'_> {
    /// Says what is wrong with the documents that have changed, and with all that are open if what they see has.
    pub(crate) fn publish_changed(&mut self) -> End {
        if self.changed.is_empty() {
            return Ok(());
        }
        let mut paths: HashSet<PathBuf> = std::mem::take(&mut self.changed);
        if self.checked_at != self.ide.generation() {
            paths.extend(self.open.keys().cloned());
            self.checked_at = self.ide.generation();
        }
        for path in paths {
            if self.ide.text(&path).is_some() {
                self.publish_code(&path)?;
            } else if !self.open.contains_key(&path) {
                self.publish(&path, Vec::new())?;
            }
        }
        Ok(())
    }

    /// Says what is wrong with all files.
    pub(crate) fn publish_all(&mut self) -> End {
        self.changed.clear();
        let data = self.workspace.check_data(&mut self.ide);
        let mut gone: HashSet<PathBuf> = self.published.keys().cloned().collect();
        for (path, text, findings) in data {
            gone.remove(&path);
            let positions = Positions::new(text.into(), self.client.encoding);
            let shown = self.shown(&path, findings, &positions);
            self.publish(&path, shown)?;
        }
        let paths: Vec<PathBuf> = self.ide.files().map(|file| file.path.clone()).collect();
        for path in paths {
            gone.remove(&path);
            self.publish_code(&path)?;
        }
        gone.into_iter().try_for_each(|path| self.publish(&path, Vec::new()))
    }

    fn publish_code(&mut self, path: &Path) -> End {
        let Some(positions) = self.positions(path) else { return Ok(()) };
        let mut findings = self.ide.check(path);
        self.workspace.adjust(path, &mut findings);
        let shown = self.shown(path, findings, &positions);
        self.publish(path, shown)
    }

    /// Tells the editor, unless it knows.
    fn publish(&mut self, path: &Path, diagnostics: Vec<Diagnostic>) -> End {
        let is_open = self.open.contains_key(path);
        // Of a document that is open, also that nothing is wrong is said once.
        let is_known = match self.published.get(path) {
            Some(known) => *known == diagnostics,
            None => diagnostics.is_empty() && !is_open,
        };
        if is_known {
            return Ok(());
        }
        let Some(uri) = uri(path) else { return Ok(()) };
        let version = self.open.get(path).copied();
        let params = PublishDiagnosticsParams { uri, diagnostics: diagnostics.clone(), version };
        self.tell(PublishDiagnostics::METHOD, &params)?;
        match diagnostics.is_empty() && !is_open {
            true => _ = self.published.remove(path),
            false => _ = self.published.insert(path.to_owned(), diagnostics),
        }
        Ok(())
    }

    fn shown(&self, path: &Path, findings: Vec<Finding>, positions: &Positions) -> Vec<Diagnostic> {
        findings.into_iter().map(|finding| self.diagnostic(path, finding, positions)).collect()
    }

    /// Returns a finding as editors show it.
    fn diagnostic(&self, path: &Path, finding: Finding, positions: &Positions) -> Diagnostic {
        let related: Vec<_> =
            finding.related.iter().filter_map(|related| self.related(path, related)).collect();
        let rule = finding.rule;
        let href: Option<Uri> = format!("{RULES}#{}", rule.name()).parse().ok();
        Diagnostic {
            range: positions.range(self.word(path, finding.offset)),
            severity: Some(match finding.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning | Severity::Deprecation => DiagnosticSeverity::WARNING,
            }),
            code: Some(NumberOrString::String(rule.name().to_owned())),
            code_description: href.map(|href| CodeDescription { href }),
            source: Some("puppetfn".to_owned()),
            message: finding.message.clone(),
            related_information: Some(related).filter(|related| !related.is_empty()),
            tags: tag(&finding).map(|tag| vec![tag]),
            data: None,
        }
    }

    /// Returns the word at an offset, which is what is underlined.
    fn word(&self, path: &Path, offset: u32) -> Span {
        let text = self.text(path).unwrap_or_else(|| "".into());
        let rest = text.get(offset as usize..).unwrap_or_default();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$');
        let word = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let length = if word > 0 {
            word
        } else {
            rest.chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8)
        };
        // What follows the name of a resource's type or a title is no part of it.
        let word = rest.get(..length).unwrap_or_default().trim_end_matches(':');
        Span::new(offset, offset + if word.is_empty() { length } else { word.len() } as u32)
    }

    fn related(&self, path: &Path, related: &Related) -> Option<DiagnosticRelatedInformation> {
        let file = related.place.file.as_deref().map_or(path, Path::new);
        let (line, column) = (related.place.line.unwrap_or(1), related.place.column.unwrap_or(1));
        let position = match self.text(file) {
            Some(text) => {
                let lines = puppetfn_base::source::LineIndex::new(&text);
                let offset = lines.offset(&text, line, column);
                Positions::new(text, self.client.encoding).position(offset)
            }
            None => Position::new(line.saturating_sub(1), column.saturating_sub(1)),
        };
        let location = Location { uri: uri(file)?, range: Range::new(position, position) };
        Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
    }
}

fn tag(finding: &Finding) -> Option<DiagnosticTag> {
    let is_unused = matches!(finding.rule, Rule::Unreachable | Rule::NeedlessIgnore);
    let is_deprecated = finding.rule == Rule::LegacyFact || finding.severity == Severity::Deprecation;
    match (is_unused, is_deprecated) {
        (true, _) => Some(DiagnosticTag::UNNECESSARY),
        (_, true) => Some(DiagnosticTag::DEPRECATED),
        _ => None,
    }
}
