//! Values and the differences between them.

use maud::{Markup, PreEscaped, html};

use super::super::counted;
use super::super::rows::{LONG_LINE, ONLY_ORDER, OTHER_ORDER, cut, excerpts, visible};
use super::HtmlReport;
use crate::detail::{Hunk, HunkLine, ValueDetail};
use crate::difference::{AttributeDifference, ChangeKind};
use crate::items::ArrayDetail;
use crate::value::DiffValue;
use crate::words::{self, LinePart};

/// Values that are longer are cut.
const LONG: usize = 1_000;

/// Returns the attributes of a resource that differ.
pub(super) fn attributes(attributes: &[AttributeDifference], how: &HtmlReport) -> Markup {
    html! {
        dl.attributes { @for attribute in attributes { (of(attribute, how)) } }
    }
}

fn of(attribute: &AttributeDifference, how: &HtmlReport) -> Markup {
    let name = html! { dt { code { (visible(&attribute.path.shown())) } } };
    let (old, new) = (attribute.old.as_ref(), attribute.new.as_ref());
    match attribute.detail(how.context) {
        ValueDetail::Whole => html! { (name) dd { (values(old, new)) } },
        ValueDetail::Text(hunks) => html! { (name) dd.wide { (text(&hunks, how.lines)) } },
        ValueDetail::Items(ArrayDetail { items, is_reordered: true }) if items.is_empty() => {
            html! { (name) dd { (ONLY_ORDER) ": " (values(old, new)) } }
        }
        ValueDetail::Items(detail) => html! { (name) dd { (list(&detail, how.lines)) } },
    }
}

/// Returns an old and a new value.
fn values(old: Option<&DiffValue>, new: Option<&DiffValue>) -> Markup {
    let one = |value: &DiffValue| cut(&visible(&value.to_string()), 0, LONG);
    match (old, new) {
        (Some(old), Some(new)) => {
            let (old, new) = excerpts(&visible(&old.to_string()), &visible(&new.to_string()), LONG);
            let (old, new) = words::changed(&[&old], &[&new]);
            html! {
                @for line in old { del { (parts(&line, ChangeKind::Removed)) } }
                span.arrow aria-hidden="true" { " → " }
                @for line in new { ins { (parts(&line, ChangeKind::Added)) } }
            }
        }
        (Some(old), None) => html! { del { (one(old)) } },
        (None, Some(new)) => html! { ins { (one(new)) } },
        (None, None) => html! {},
    }
}

/// Returns the items of an array that differ.
fn list(ArrayDetail { items, is_reordered }: &ArrayDetail, most: usize) -> Markup {
    html! {
        ul.items {
            @for item in items.iter().take(most) {
                li {
                    @if !item.is_element() { code.path { (visible(&item.path.to_string())) } " " }
                    (values(item.old.as_ref(), item.new.as_ref()))
                }
            }
            @if *is_reordered { li { (OTHER_ORDER) } }
        }
        (more(items.len().saturating_sub(most), "item"))
    }
}

/// Returns a remark on omitted parts of a value.
fn more(count: usize, what: &str) -> Markup {
    html! {
        @if count > 0 {
            p.more { (counted(count, &format!("more {what}"))) " not shown here: " code { "--format json" } " has all." }
        }
    }
}

/// Returns hunks of lines, with line numbers.
fn text(hunks: &[Hunk<'_>], most: usize) -> Markup {
    let all = hunks.iter().fold(0usize, |sum, hunk| sum.saturating_add(hunk.lines.len()));
    let mut left = most;
    let mut body = String::new();
    for hunk in hunks {
        if left == 0 {
            break;
        }
        let shown = hunk.lines.get(..left).unwrap_or(&hunk.lines);
        left = left.saturating_sub(shown.len());
        body.push_str(&rows(hunk, shown).0);
    }
    html! {
        div.text { table { (PreEscaped(body)) } }
        (more(all.saturating_sub(most), "line"))
    }
}

/// Returns the table rows of lines: line numbers in the old and the new text, a sign, and the text.
fn rows(hunk: &Hunk<'_>, lines: &[HunkLine<'_>]) -> Markup {
    let (mut old, mut new) = (hunk.old.0, hunk.new.0);
    let mut rows = String::new();
    // Removed lines stay with their replacements.
    let together = |a: &HunkLine<'_>, b: &HunkLine<'_>| {
        a.change == b.change || a.change == Some(ChangeKind::Removed) && b.change == Some(ChangeKind::Added)
    };
    for run in lines.chunk_by(together) {
        for (line, parts) in run.iter().zip(marked(run)) {
            let numbers = match line.change {
                Some(ChangeKind::Removed) => (Some(old), None),
                Some(ChangeKind::Added) => (None, Some(new)),
                Some(ChangeKind::Changed) | None => (Some(old), Some(new)),
            };
            old = old.saturating_add(usize::from(numbers.0.is_some()));
            new = new.saturating_add(usize::from(numbers.1.is_some()));
            rows.push_str(&row(line, numbers, &parts).0);
        }
    }
    html! {
        tbody {
            tr.hunk { td colspan="4" { (hunk.header()) } }
            (PreEscaped(rows))
        }
    }
}

fn row(line: &HunkLine<'_>, numbers: (Option<usize>, Option<usize>), content: &Markup) -> Markup {
    let (class, sign) = match line.change {
        Some(ChangeKind::Added) => (Some("added"), "+"),
        Some(ChangeKind::Removed) => (Some("removed"), "−"),
        Some(ChangeKind::Changed) | None => (None, ""),
    };
    html! {
        tr class=[class] {
            td.n { @if let Some(old) = numbers.0 { (old) } }
            td.n { @if let Some(new) = numbers.1 { (new) } }
            td.s { (sign) }
            td.l { (content) @if !line.has_end { span.more { " no newline at the end" } } }
        }
    }
}

/// Returns lines with the changed words marked.
fn marked(run: &[HunkLine<'_>]) -> Vec<Markup> {
    let of = |change: ChangeKind| -> Vec<String> {
        let lines = run.iter().filter(|line| line.change == Some(change));
        lines.map(|line| cut(line.text, 0, LONG_LINE)).collect()
    };
    let (old, new) = (of(ChangeKind::Removed), of(ChangeKind::Added));
    if old.is_empty() || new.is_empty() {
        let whole = |line: &HunkLine<'_>| html! { (visible(&cut(line.text, 0, LONG_LINE))) };
        return run.iter().map(whole).collect();
    }
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    let (old, new) = words::changed(&old, &new);
    let old = old.iter().map(|line| parts(line, ChangeKind::Removed));
    let new = new.iter().map(|line| parts(line, ChangeKind::Added));
    old.chain(new).collect()
}

fn parts(line: &[LinePart<'_>], change: ChangeKind) -> Markup {
    let text = |parts: &[LinePart<'_>]| parts.iter().map(|part| visible(part.text)).collect::<String>();
    html! {
        @for run in line.chunk_by(|a, b| a.is_changed == b.is_changed) {
            @if !run.first().is_some_and(|part| part.is_changed) { (text(run)) }
            @else if change == ChangeKind::Removed { del { (text(run)) } }
            @else { ins { (text(run)) } }
        }
    }
}
