//! Text for people, at a terminal.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::rows::{ReportRow, RowKind, RowOptions, rows, visible};
use super::{addressed, counted, names, summary};
use crate::difference::ChangeKind;
use crate::group::DiffReport;

/// Options of the terminal output.
#[derive(Clone, Copy, Debug)]
pub struct TerminalReport {
    /// Whether there are colours.
    pub colours: bool,
    /// Whether the parameters of added and removed resources are shown.
    pub details: bool,
    /// The number of context lines around changed lines.
    pub context: usize,
}

impl Default for TerminalReport {
    fn default() -> Self {
        Self { colours: false, details: false, context: 3 }
    }
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Writes a report for people. Characters that could change the terminal are escaped.
///
/// # Errors
/// Fails if the writer does.
pub fn human(report: &DiffReport, how: &TerminalReport, out: &mut dyn Write) -> io::Result<()> {
    let shown = RowOptions { details: how.details, context: how.context };
    let paint = Paint { colours: how.colours };
    for group in &report.groups {
        let title = format!("{}: {}", counted(group.nodes.len(), "node"), names(&group.nodes));
        let counts = paint.apply(DIM, &format!("({})", group.differences.counts()));
        writeln!(out, "{} {counts}", paint.apply(BOLD, &title))?;
        for row in rows(&group.differences, shown) {
            writeln!(out, "{}", paint.row(&row))?;
        }
        writeln!(out)?;
    }
    for failure in &report.failed {
        let message = format!("{}: {}", addressed(&failure.nodes), visible(&failure.message));
        writeln!(out, "{} {message}", paint.apply(colour(AnsiColor::Red).bold(), "could not compare"))?;
    }
    writeln!(out, "{}", paint.apply(BOLD, &summary(report)))
}

/// Returns the lines of differences as plain text.
pub(super) fn plain(rows: &[ReportRow]) -> String {
    let paint = Paint { colours: false };
    rows.iter().map(|row| format!("{}\n", paint.row(row))).collect()
}

struct Paint {
    colours: bool,
}

impl Paint {
    fn apply(&self, style: Style, text: &str) -> String {
        if self.colours && style != Style::new() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    fn row(&self, row: &ReportRow) -> String {
        let indent = " ".repeat(row.depth.saturating_mul(4));
        let sign = row.change.map_or(' ', ChangeKind::sign);
        let text = match row.kind {
            RowKind::Heading | RowKind::Hunk => row.text.clone(),
            RowKind::Line => format!("{sign}{}", row.text),
            RowKind::Resource | RowKind::Attribute => format!("{sign} {}", row.text),
        };
        let note = row.note.as_ref().map(|note| self.apply(DIM, &format!("  ({note})"))).unwrap_or_default();
        format!("  {indent}{}{note}", self.apply(style(row), &text))
    }
}

fn style(row: &ReportRow) -> Style {
    let changed = match row.change {
        Some(ChangeKind::Added) => colour(AnsiColor::Green),
        Some(ChangeKind::Removed) => colour(AnsiColor::Red),
        Some(ChangeKind::Changed) => colour(AnsiColor::Yellow),
        None => Style::new(),
    };
    match row.kind {
        RowKind::Resource => changed.bold(),
        RowKind::Heading => BOLD,
        RowKind::Hunk => colour(AnsiColor::Cyan),
        RowKind::Attribute | RowKind::Line => changed,
    }
}

fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(colour.into()))
}
