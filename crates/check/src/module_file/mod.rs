//! Checks files of modules and environments that are neither code nor data: `metadata.json`, the metadata of tasks,
//! `Puppetfile`, `environment.conf` and `puppet.conf`.
#![allow(clippy::wildcard_enum_match_arm, reason = "other values are reported by the type that is expected")]

mod former_settings;
mod metadata;
mod puppetfile;
mod settings;
mod task;

use puppetfn_base::diagnostic::Severity;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::{LineIndex, Span};
use puppetfn_types::convert::json;
use puppetfn_types::value::{Hash, Value};

use super::finding::Finding;
use super::rule::Rule;
use super::world::World;

/// A file of a module or an environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModuleFileKind {
    /// `metadata.json` of a module.
    Metadata,
    /// The metadata of a task, `tasks/NAME.json`.
    TaskMetadata,
    /// The `Puppetfile` of an environment.
    Puppetfile,
    /// The `environment.conf` of an environment.
    EnvironmentConf,
    /// A `puppet.conf`.
    PuppetConf,
}

impl World {
    /// Returns the findings about a file, in the order of the text.
    pub fn check_module_file(&self, kind: ModuleFileKind, text: &str) -> Vec<Finding> {
        let mut found = match kind {
            ModuleFileKind::Metadata => json_findings(text, self.limits(), metadata::findings),
            ModuleFileKind::TaskMetadata => json_findings(text, self.limits(), task::findings),
            ModuleFileKind::Puppetfile => puppetfile::findings(text),
            ModuleFileKind::EnvironmentConf => settings::of_environment(text, self),
            ModuleFileKind::PuppetConf => settings::of_puppet(text, self),
        };
        found.retain(|finding| self.selection().has(finding.rule));
        found.sort_by_key(|finding| finding.span.start);
        found
    }
}

/// Returns the findings about a text in JSON, which is to be a hash.
fn json_findings(
    text: &str,
    limits: &Limits,
    findings: impl FnOnce(&mut JsonFindings<'_>, &Hash),
) -> Vec<Finding> {
    let broken = |message: String, span: Span| vec![Finding::new(Rule::Metadata, message, span)];
    match json::parse(text, limits) {
        Ok(Ok(Value::Hash(hash))) => {
            let mut found = JsonFindings { text, limits, found: Vec::new() };
            findings(&mut found, &hash);
            found.found
        }
        Ok(Ok(_)) => broken("The file does not contain a JSON object".to_owned(), Span::at(0)),
        Ok(Err(error)) => {
            let message = error.to_string();
            let span = place_in(&message, text);
            broken(format!("The file cannot be read as JSON: {message}"), span)
        }
        Err(error) => broken(error.message().to_owned(), Span::at(0)),
    }
}

/// Returns the place that a message of the JSON parser ends with.
fn place_in(message: &str, text: &str) -> Span {
    let place = || {
        let (_, place) = message.rsplit_once("at line ")?;
        let (line, column) = place.split_once(" column ")?;
        Some((line.parse().ok()?, column.parse().ok()?))
    };
    place().map_or(Span::at(0), |(line, column): (u32, u32)| {
        Span::rest_of_line(text, LineIndex::new(text).offset(text, line, column.max(1)))
    })
}

/// The findings about a text in JSON.
struct JsonFindings<'t> {
    text: &'t str,
    limits: &'t Limits,
    found: Vec<Finding>,
}

impl JsonFindings<'_> {
    fn error(&mut self, key: &str, message: impl Into<String>) {
        self.report(Severity::Error, key, message.into());
    }

    fn warning(&mut self, key: &str, message: impl Into<String>) {
        self.report(Severity::Warning, key, message.into());
    }

    /// Reports a problem at the first place of a text in quotation marks, or at the beginning.
    fn report(&mut self, severity: Severity, key: &str, message: String) {
        let quoted = format!("\"{key}\"");
        let span = self.text.find(&quoted).map_or(Span::at(0), |start| {
            let start = u32::try_from(start).unwrap_or(u32::MAX);
            Span::new(start, start.saturating_add(u32::try_from(quoted.len()).unwrap_or(0)))
        });
        self.found.push(Finding { severity, ..Finding::new(Rule::Metadata, message, span) });
    }
}
