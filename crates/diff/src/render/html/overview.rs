//! The overview of all nodes: the two sides, the numbers of nodes, failures and unchanged nodes.

use maud::{Markup, html};

use super::super::counted;
use super::super::rows::{cut, visible};
use super::{DiffSide, HtmlReport, OutputBudget, names, not_shown, number};
use crate::difference::Counts;
use crate::failure::FailureGroup;
use crate::group::DiffReport;

/// The width of the bar of changed nodes.
const BAR: usize = 1_000;

/// The maximum length of a failure's message, in characters.
const LONG_MESSAGE: usize = 10_000;

/// The kinds of differences: their names in the page, titles and signs.
pub(super) const KINDS: [(&str, &str, &str); 6] = [
    ("changed", "Changed", "~"),
    ("added", "Added", "+"),
    ("removed", "Removed", "−"),
    ("order", "Order", "⇄"),
    ("containment", "Containment", "⊂"),
    ("cycle", "Dependency cycles", "↻"),
];

/// Returns the number of differences of each kind.
pub(super) fn by_kind(counts: Counts) -> [usize; 6] {
    [counts.changed, counts.added, counts.removed, counts.ordering, counts.containment, counts.cycles]
}

/// Returns the header of the page.
pub(super) fn header(report: &DiffReport, how: &HtmlReport) -> Markup {
    let is_named = !how.old.name.is_empty() || !how.new.name.is_empty();
    html! {
        header.page {
            h1 { "Catalog differences" }
            @if is_named {
                dl.sides {
                    div { dt { "Old" } dd { (side(&how.old)) } }
                    div { dt { "New" } dd { (side(&how.new)) } }
                }
            }
            (bar(report))
            (figures(report))
        }
    }
}

fn side(side: &DiffSide) -> Markup {
    html! {
        code { (visible(&side.name)) }
        @if let Some(commit) = &side.commit {
            " " span.commit {
                @if commit.hash != side.name {
                    code title=(commit.hash) { (commit.hash.chars().take(10).collect::<String>()) } " "
                }
                (visible(&commit.subject))
                @if !commit.date.is_empty() {
                    ", " time datetime=(commit.date) { (commit.date.chars().take(10).collect::<String>()) }
                }
            }
        }
    }
}

/// Returns a bar that shows the share of changed nodes.
fn bar(report: &DiffReport) -> Markup {
    let all = report.nodes().max(1);
    let width = |count: usize| count.saturating_mul(BAR).div_ceil(all).min(BAR);
    let (failed, changed) = (width(report.failures()), width(report.changed.len()));
    let parts = [("failed", 0, failed), ("different", failed, changed)];
    html! {
        svg.bar viewBox={ "0 0 " (BAR) " 8" } preserveAspectRatio="none" aria-hidden="true" {
            @for (class, x, width) in parts {
                @if width > 0 { rect.(class) x=(x) y="0" width=(width) height="8" {} }
            }
        }
    }
}

fn figures(report: &DiffReport) -> Markup {
    let counts = by_kind(total(report));
    let nodes = [
        ("failed", "failed", report.failures()),
        ("different", "different", report.changed.len()),
        ("same", "the same", report.unchanged.len()),
    ];
    html! {
        dl.figures {
            div { dt { "Nodes" } dd { (number(report.nodes())) } }
            @for (class, title, count) in nodes {
                @if count > 0 || class != "failed" {
                    div.(class) { dt { (title) } dd { (number(count)) } }
                }
            }
            div.apart { dt { "Groups" } dd { (number(report.groups.len())) } }
            @for ((kind, title, _), count) in KINDS.into_iter().zip(counts) {
                @if count > 0 { div.(kind) { dt { (title) } dd { (number(count)) } } }
            }
        }
    }
}

/// Returns the number of differences, each counted once per group.
fn total(report: &DiffReport) -> Counts {
    report.groups.iter().map(|group| group.differences.counts()).sum()
}

/// Returns the form for the script; without the script it is hidden.
pub(super) fn tools(report: &DiffReport) -> Markup {
    let counts = by_kind(total(report));
    html! {
        form.tools role="search" hidden {
            input #search type="search" placeholder="Search nodes, resources, parameters, texts" autocomplete="off"
                aria-label="Search nodes, resources, parameters and texts" spellcheck="false";
            div.kinds role="group" aria-label="Kinds of differences" {
                @if !report.failed.is_empty() {
                    button type="button" aria-pressed="false" data-kind="failed" { "Failed" }
                }
                @for ((kind, title, sign), count) in KINDS.into_iter().zip(counts) {
                    @if count > 0 {
                        button type="button" aria-pressed="false" data-kind=(kind) {
                            span.sign aria-hidden="true" { (sign) } " " (title)
                        }
                    }
                }
            }
            select #type aria-label="Type of resources" { option value="" { "All types" } }
            div.folding role="group" aria-label="Folding" {
                button #unfold type="button" { "Unfold all" }
                button #fold type="button" { "Fold all" }
            }
            p #status role="status" {}
        }
    }
}

/// Returns the nodes that could not be compared.
pub(super) fn failures(report: &DiffReport, room: &mut OutputBudget) -> Markup {
    if report.failed.is_empty() {
        return html! {};
    }
    let title = match report.failures() {
        1 => "1 node could not be compared".to_owned(),
        count => format!("{} nodes could not be compared", number(count)),
    };
    let mut shown = Vec::new();
    for entry in &report.failed {
        let head = failure(entry);
        if !room.take(&head) {
            break;
        }
        shown.push((head, entry));
    }
    let left_out = report.failed.len().saturating_sub(shown.len());
    html! {
        section #failures aria-labelledby="failures-title" {
            h2 #failures-title { (title) }
            @for (head, entry) in shown {
                article.failure {
                    (head)
                    @if entry.nodes.len() > super::super::NODES {
                        details.nodes { summary { "All " (counted(entry.nodes.len(), "node")) } (names(&entry.nodes, room)) }
                    }
                }
            }
            @if left_out > 0 { (not_shown(left_out, "reason")) }
        }
    }
}

fn failure(failure: &FailureGroup) -> Markup {
    html! {
        h3 { (counted(failure.nodes.len(), "node")) ": " span.names { (super::super::names(&failure.nodes)) } }
        pre { (cut(&failure.message.lines().map(visible).collect::<Vec<_>>().join("\n"), 0, LONG_MESSAGE)) }
    }
}

/// Returns the nodes that do not differ.
pub(super) fn unchanged(report: &DiffReport, room: &mut OutputBudget) -> Markup {
    let title = match report.unchanged.len() {
        0 => return html! {},
        1 => "1 node is the same".to_owned(),
        count => format!("{} nodes are the same", number(count)),
    };
    html! {
        section #unchanged aria-labelledby="unchanged-title" {
            details.nodes {
                summary { h2 #unchanged-title { (title) } }
                (names(&report.unchanged, room))
            }
        }
    }
}
