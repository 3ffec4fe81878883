//! Where the code pauses: by a step, a breakpoint, or an error.

use puppetfn_runtime::eval::{PausePoint, PausedEvaluation};
use serde::Deserialize;

use super::Session;
use super::breakpoints::Breakpoints;

/// The wishes of the editor.
#[derive(Default)]
pub(super) struct Control {
    pub client: Client,
    pub breakpoints: Breakpoints,
    pub exceptions: ExceptionFilters,
    pub step: Step,
    pub is_configured: bool,
    pub is_paused: bool,
    /// Whether the error that is ending statements was shown where it began.
    pub has_shown_error: bool,
}

/// The arguments of `initialize`.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Client {
    #[serde(rename = "linesStartAt1")]
    lines_from_1: bool,
    #[serde(rename = "columnsStartAt1")]
    columns_from_1: bool,
}

impl Default for Client {
    fn default() -> Self {
        Self { lines_from_1: true, columns_from_1: true }
    }
}

impl Client {
    /// Returns a line, from 1, as the editor counts lines.
    pub fn line(&self, line: u32) -> u32 {
        if self.lines_from_1 { line } else { line.saturating_sub(1) }
    }

    /// Returns a column, from 1, as the editor counts columns.
    pub fn column(&self, column: u32) -> u32 {
        if self.columns_from_1 { column } else { column.saturating_sub(1) }
    }

    /// Returns a line of the editor, from 1.
    pub fn line_from_1(&self, line: u32) -> u32 {
        if self.lines_from_1 { line } else { line.saturating_add(1) }
    }
}

/// The part of the arguments of `launch` that is about the code.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Launch {
    #[serde(default)]
    pub stop_on_entry: bool,
}

/// The arguments of `setExceptionBreakpoints`.
#[derive(Deserialize, Default, Debug)]
pub(super) struct ExceptionFilters {
    filters: Vec<String>,
}

impl ExceptionFilters {
    /// Returns true if the code pauses for these exceptions.
    pub fn has(&self, filter: &str) -> bool {
        self.filters.iter().any(|wanted| wanted == filter)
    }
}

/// The next statement at which the code pauses.
#[derive(Clone, Copy, Default, Debug)]
pub(super) enum Step {
    #[default]
    None,
    /// The first one.
    Entry,
    /// The next one, as the editor asked for a pause.
    Pause,
    /// The next one.
    Into,
    /// The next one that is not in a call or body which is nested deeper.
    Over(usize),
    /// The next one outside of the call or body.
    Out(usize),
}

impl Step {
    /// Returns the reason for a pause, in the words of the protocol.
    fn reason(self, depth: impl FnOnce() -> usize) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Entry => Some("entry"),
            Self::Pause => Some("pause"),
            Self::Into => Some("step"),
            Self::Over(from) => (depth() <= from).then_some("step"),
            Self::Out(from) => (depth() < from).then_some("step"),
        }
    }
}

impl Control {
    pub fn stop_on_entry(&mut self, stop: bool) {
        self.step = if stop { Step::Entry } else { Step::None };
    }

    pub fn pause(&mut self) {
        self.step = Step::Pause;
    }

    /// Lets the code run until the next pause.
    pub fn resume(&mut self, step: Step) {
        self.step = step;
        self.is_paused = false;
    }
}

/// The reason for a pause.
#[derive(Default, Debug)]
pub(super) struct Stop {
    /// The word of the protocol.
    pub reason: &'static str,
    /// The error or message.
    pub text: Option<String>,
    /// The numbers of the breakpoints.
    pub breakpoints: Vec<i64>,
}

impl Stop {
    pub fn failed(text: String) -> Self {
        Self { reason: "exception", text: Some(text), ..Self::default() }
    }
}

impl Session {
    /// Returns the reason for a pause at a statement or body, if there is one.
    pub(super) fn stop_at(&self, evaluation: &mut PausedEvaluation<'_>) -> Option<Stop> {
        if let Some(stop) = self.breakpoint_at(evaluation) {
            return Some(stop);
        }
        // A step into a function goes to its first statement.
        let step = self.control().step;
        let reason =
            step.reason(|| evaluation.depth()).filter(|_| evaluation.point() == PausePoint::Statement)?;
        Some(Stop { reason, ..Stop::default() })
    }
}
