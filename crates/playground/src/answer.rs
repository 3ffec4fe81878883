//! The answers for the page.

use puppetfn::check::Finding;
use puppetfn::diagnostic::Severity;
use puppetfn::error::Error;
use puppetfn::function::LogLevel;
use puppetfn::source::LineIndex;
use serde::Serialize;

/// The answer to a [`super::Request`].
#[derive(Serialize, Default, Debug)]
pub struct Answer {
    /// The result; none if it failed.
    pub output: Option<String>,
    /// The language of the result.
    pub format: OutputFormat,
    /// Messages of functions and warnings of the evaluation.
    pub log: Vec<LoggedMessage>,
    /// Mistakes in the code, or the error that ended the evaluation.
    pub problems: Vec<Problem>,
}

/// The language of a result.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "snake_case")]
pub enum OutputFormat {
    /// Plain text.
    #[default]
    Text,
    /// The Puppet language.
    Puppet,
    /// JSON.
    Json,
    /// A picture.
    Svg,
}

/// A message of the evaluation.
#[derive(Serialize, Debug)]
pub struct LoggedMessage {
    /// The level, as Puppet names it.
    pub level: String,
    /// The text.
    pub message: String,
}

/// A mistake in the code.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub struct Problem {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The text.
    pub message: String,
    /// The name of the rule of `puppetfn check`.
    pub rule: Option<&'static str>,
    /// The line, from 1, if known.
    pub line: Option<u32>,
    /// The column, from 1, in characters, if known.
    pub column: Option<u32>,
}

impl Answer {
    /// Returns the answer with a result in a language.
    pub fn with(format: OutputFormat, output: impl Into<String>) -> Self {
        Self { output: Some(output.into()), format, ..Self::default() }
    }

    /// Returns the answer to a request that failed, for a reason that is not in the code.
    pub fn failed(message: impl Into<String>) -> Self {
        let problem =
            Problem { severity: "error", message: message.into(), rule: None, line: None, column: None };
        Self { problems: vec![problem], ..Self::default() }
    }

    /// Returns the same answer with the messages of the evaluation.
    #[must_use]
    pub fn logging(self, messages: impl IntoIterator<Item = (LogLevel, String)>) -> Self {
        let logged =
            |(level, message): (LogLevel, String)| LoggedMessage { level: level.to_string(), message };
        Self { log: messages.into_iter().map(logged).collect(), ..self }
    }
}

/// The answer to a request whose code fails.
impl From<Error> for Answer {
    fn from(error: Error) -> Self {
        let place = error.place();
        let (line, column) = (place.and_then(|place| place.line), place.and_then(|place| place.column));
        let problem = Problem { severity: "error", message: error.to_string(), rule: None, line, column };
        Self { problems: vec![problem], ..Self::default() }
    }
}

impl Problem {
    /// Returns the problem of a finding about a text with these lines.
    pub fn of(finding: &Finding, text: &str, lines: &LineIndex) -> Self {
        let (line, column) = lines.position(text, finding.span.start);
        Self {
            severity: if finding.severity == Severity::Error { "error" } else { "warning" },
            message: finding.message.clone(),
            rule: Some(finding.rule.name()),
            line: Some(line),
            column: Some(column),
        }
    }
}
