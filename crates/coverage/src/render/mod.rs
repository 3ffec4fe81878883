//! Reports in several formats.

mod cobertura;
mod html;
mod lcov;
mod simplecov;
mod text;

use super::report::CoverageReport;

/// The formats of reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// A table for terminals.
    Text,
    /// The tracefile of lcov, which `genhtml`, editors and most services read.
    Lcov,
    /// Cobertura's XML, which GitLab and Jenkins read.
    Cobertura,
    /// Pages for browsers, with the source code.
    Html,
    /// SimpleCov's `.resultset.json`.
    Simplecov,
}

/// A rendered file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportFile {
    /// The path, relative to the directory of the report; empty if the report is one file.
    pub path: String,
    /// The text.
    pub text: String,
}

impl ReportFormat {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Text, Self::Lcov, Self::Cobertura, Self::Html, Self::Simplecov];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Lcov => "lcov",
            Self::Cobertura => "cobertura",
            Self::Html => "html",
            Self::Simplecov => "simplecov",
        }
    }

    /// Returns the format of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl CoverageReport {
    /// Renders the report. `timestamp` is the time of the run in milliseconds since 1970.
    ///
    /// # Errors
    /// Fails if the XML writer does.
    pub fn render(&self, format: ReportFormat, timestamp: u64) -> std::io::Result<Vec<ReportFile>> {
        let single = |text| vec![ReportFile { path: String::new(), text }];
        Ok(match format {
            ReportFormat::Text => single(text::text(self)),
            ReportFormat::Lcov => single(lcov::lcov(self)),
            ReportFormat::Cobertura => single(cobertura::cobertura(self, timestamp)?),
            ReportFormat::Html => html::html(self),
            ReportFormat::Simplecov => single(simplecov::simplecov(self, timestamp)),
        })
    }
}
