//! Markdown, for comments on pull requests.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::rows::{ReportRow, RowKind, RowOptions, rows, visible};
use super::{addressed, counted, names, summary};
use crate::difference::ChangeKind;
use crate::group::{DiffReport, DifferenceGroup};

/// Options of the Markdown output.
#[derive(Clone, Copy, Debug)]
pub struct MarkdownReport {
    /// Whether the parameters of added and removed resources are shown.
    pub details: bool,
    /// The number of context lines around changed lines.
    pub context: usize,
    /// The maximum size, in bytes. A remark counts the omitted entries.
    pub limit: usize,
}

impl Default for MarkdownReport {
    /// Comments on GitHub have 65,536 characters at most.
    fn default() -> Self {
        Self { details: true, context: 3, limit: 65_000 }
    }
}

/// The room that is reserved for the remark on omitted groups.
const RESERVE: usize = 200;

/// Writes a report as Markdown, in which each group of nodes can be unfolded.
///
/// # Errors
/// Fails if the writer does.
pub fn markdown(report: &DiffReport, how: &MarkdownReport, out: &mut dyn Write) -> io::Result<()> {
    let mut text = format!("### Catalog differences\n\n{}.\n", summary(report));
    let room = how.limit.saturating_sub(RESERVE);
    let fits = |text: &str, part: &str| text.len().saturating_add(part.len()) <= room;
    let mut left_out = 0usize;
    for failure in &report.failed {
        let message = html(&failure.message);
        let message = format!("\n- {}: <code>{message}</code>", html(&addressed(&failure.nodes)));
        if fits(&text, &message) { text.push_str(&message) } else { left_out = left_out.saturating_add(1) }
    }
    if !report.failed.is_empty() {
        text.push('\n');
    }
    let short = |group: &DifferenceGroup| section(group, "Left out for lack of space.\n");
    let mut later = report.groups.iter().fold(0usize, |sum, group| sum.saturating_add(short(group).len()));
    for group in &report.groups {
        let short = short(group);
        later = later.saturating_sub(short.len());
        // The headings of later groups matter more than all lines of this one, unless there are very many.
        let kept = later.min(room.div_euclid(2));
        let shown = section(group, &block(group, how));
        if text.len().saturating_add(shown.len()).saturating_add(kept) <= room {
            text.push_str(&shown);
        } else if fits(&text, &short) {
            text.push_str(&short);
        } else {
            left_out = left_out.saturating_add(1);
        }
    }
    if left_out > 0 {
        let left_out = counted(left_out, "more entry").replace("entrys", "entries");
        // Writing to a string does not fail.
        _ = write!(text, "\n{left_out} left out for lack of space.\n");
    }
    out.write_all(text.as_bytes())
}

/// Returns a group that can be unfolded, with its content.
fn section(group: &DifferenceGroup, content: &str) -> String {
    let (count, names) = (counted(group.nodes.len(), "node"), html(&names(&group.nodes)));
    let counts = group.differences.counts();
    format!("\n<details>\n<summary><b>{count}</b> ({names}): {counts}</summary>\n\n{content}\n</details>\n")
}

/// Returns the differences as a block of code that is coloured by the signs at the beginnings of lines.
fn block(group: &DifferenceGroup, how: &MarkdownReport) -> String {
    let shown = RowOptions { details: how.details, context: how.context };
    let lines: String = rows(&group.differences, shown).iter().map(row).collect();
    let longest = lines.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    // The content cannot close a longer fence.
    let fence = "`".repeat(longest.saturating_add(1).max(3));
    format!("{fence}diff\n{lines}{fence}\n")
}

fn row(row: &ReportRow) -> String {
    let indent = "  ".repeat(row.depth);
    let sign = match row.change {
        Some(ChangeKind::Added) => '+',
        Some(ChangeKind::Removed) => '-',
        // This sign makes changed lines yellow.
        Some(ChangeKind::Changed) => '!',
        None => ' ',
    };
    let sign = if row.kind == RowKind::Heading { '#' } else { sign };
    let note = row.note.as_ref().map(|note| format!("  ({note})")).unwrap_or_default();
    format!("{sign} {indent}{}{note}\n", row.text)
}

/// Returns a text escaped for HTML and Markdown, on one line.
fn html(text: &str) -> String {
    let mut escaped = String::new();
    for c in visible(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '`' | '*' | '_' | '[' | ']' | '\\' | '@' | '#' | '~' | '!' | '|' | ':' => {
                // Writing to a string does not fail.
                _ = write!(escaped, "&#{};", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}
