//! Groups of nodes with their differences.

use maud::{Markup, PreEscaped, html};

use super::super::counted;
use super::super::rows::{VARIES, moved, name, visible};
use super::attribute::attributes;
use super::overview::{KINDS, by_kind};
use super::{HtmlReport, OutputBudget, names, not_shown, number};
use crate::difference::{
    ChangeKind, ContainmentDifference, CycleDifference, OrderDifference, OrderKind, ResourceDifference,
};
use crate::group::{DiffReport, DifferenceGroup};
use puppetfn_catalog::Reference;

/// The number of node names in the heading of a group.
const NAMES: usize = 3;

/// The number of resources in the heading of a folded group.
const RESOURCES: usize = 4;

/// The number of other resources with a change that are named.
const OTHERS: usize = 50;

/// The number of differences that are unfolded at first.
const UNFOLDED: usize = 100;

/// The maximum number of nodes of a graph that is unfolded at first.
const SMALL: usize = 12;

/// The number of the digest's digits in links to groups.
const DIGITS: usize = 16;

/// Estimated bytes of markup around a group, and at most around its nodes and each kind of its differences.
const FRAME: usize = 250;
const FRAME_OF_KIND: usize = 300;

/// Returns as many groups as fit: first their headings, then their differences, and then their graphs.
pub(super) fn groups(report: &DiffReport, how: &HtmlReport, room: &mut OutputBudget) -> Markup {
    let heads: Vec<(&DifferenceGroup, Markup)> = report
        .groups
        .iter()
        .map(|group| (group, head(group)))
        .take_while(|(group, head)| room.open(group, head))
        .collect();
    let left_out = report.groups.len().saturating_sub(heads.len());
    let mut bodies = Vec::new();
    for (group, head) in heads {
        // Later groups are to have room, too, however long this one is.
        let body = body(group, how, &mut OutputBudget(room.0.div_euclid(2)));
        room.0 = room.0.saturating_add(frame(group)).saturating_sub(body.0.len().saturating_add(FRAME));
        bodies.push((group, head, body));
    }
    let mut unfolded = 0usize;
    let shown = bodies.into_iter().map(|(group, head, body)| {
        let is_first = unfolded == 0;
        unfolded = unfolded.saturating_add(count(group));
        let is_open = is_first || unfolded <= UNFOLDED;
        let (id, graph) = (id(group), graph(group).filter(|drawn| room.take(drawn)));
        let section = html! {
            details.group id=(id) open[is_open] {
                (head)
                div.body {
                    a.link href={ "#" (id) } { "Link to this group" }
                    (body)
                    @if let Some(graph) = graph { (graph) }
                }
            }
        };
        section.0
    });
    let shown: String = shown.collect();
    let title = if report.groups.is_empty() { "No differences" } else { "Differences" };
    html! {
        section #differences aria-labelledby="differences-title" {
            h2 #differences-title { (title) }
            (PreEscaped(shown))
            @if left_out > 0 { (not_shown(left_out, "group")) }
            p #none hidden { "Nothing matches the search." }
        }
    }
}

impl OutputBudget {
    /// Takes the room for a group without its differences, if enough is left.
    fn open(&mut self, group: &DifferenceGroup, head: &Markup) -> bool {
        let left = self.0.checked_sub(frame(group).saturating_add(head.0.len()));
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// Returns the bytes that a group takes besides its heading, its nodes and its differences.
fn frame(group: &DifferenceGroup) -> usize {
    let kinds = by_kind(group.differences.counts()).into_iter().filter(|count| *count > 0).count();
    kinds.saturating_add(1).saturating_mul(FRAME_OF_KIND).saturating_add(FRAME)
}

/// Returns the number of a group's differences.
fn count(group: &DifferenceGroup) -> usize {
    by_kind(group.differences.counts()).into_iter().fold(0, usize::saturating_add)
}

/// Returns the target of links to a group, which is the same in every report.
fn id(group: &DifferenceGroup) -> String {
    format!("group-{}", group.digest.get(..DIGITS).unwrap_or(&group.digest))
}

/// Returns the visible part of a folded group.
fn head(group: &DifferenceGroup) -> Markup {
    let first: Vec<String> = group.nodes.iter().take(NAMES).map(|node| visible(node)).collect();
    let more = group.nodes.len().saturating_sub(first.len());
    let counts = by_kind(group.differences.counts());
    html! {
        summary {
            h3 {
                @if group.nodes.len() > 1 { (number(group.nodes.len())) " nodes " }
                span.names.alone[group.nodes.len() == 1] { (first.join(", ")) @if more > 0 { " and " (number(more)) " more" } }
            }
            span.counts {
                @for ((kind, title, sign), count) in KINDS.into_iter().zip(counts) {
                    @if count > 0 {
                        span.count.(kind) title=(title) {
                            span aria-hidden="true" { (sign) } (number(count))
                            span.hidden { " " (title.to_lowercase()) }
                        }
                    }
                }
            }
            span.preview { (preview(group)) }
        }
    }
}

/// Returns the names of a group's first resources.
fn preview(group: &DifferenceGroup) -> String {
    let differences = &group.differences;
    let ordered = differences.ordering.iter().map(|order| &order.then);
    let moved = differences.containment.iter().map(|containment| &containment.reference);
    let mut all: Vec<&Reference> = differences.resources.iter().map(|found| &found.reference).collect();
    if all.is_empty() {
        all.extend(ordered.chain(moved));
    }
    let shown: Vec<String> = all.iter().take(RESOURCES).map(|reference| name(reference)).collect();
    match all.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {} more", shown.join(", "), number(more)),
    }
}

/// Returns the content of an unfolded group.
fn body(group: &DifferenceGroup, how: &HtmlReport, room: &mut OutputBudget) -> Markup {
    let differences = &group.differences;
    let of = |change: ChangeKind, room: &mut OutputBudget| {
        let found = differences.resources.iter().filter(|resource| resource.change == change);
        room.fill(found.map(|found| resource(found, how)))
    };
    let sections = [
        of(ChangeKind::Changed, room),
        of(ChangeKind::Added, room),
        of(ChangeKind::Removed, room),
        room.fill(differences.ordering.iter().map(ordering)),
        room.fill(differences.containment.iter().map(containment)),
        room.fill(differences.cycles.iter().map(cycle)),
    ];
    let counts = by_kind(differences.counts());
    html! {
        @if group.nodes.len() > NAMES {
            details.nodes {
                summary { "All " (counted(group.nodes.len(), "node")) }
                (names(&group.nodes, room))
            }
        }
        @for (((kind, title, _), (items, left_out)), count) in KINDS.into_iter().zip(sections).zip(counts) {
            @if count > 0 {
                section.kind.(kind) {
                    h4 { (title) " " span.number { (number(count)) } }
                    (items)
                    @if left_out > 0 { (not_shown(left_out, "difference")) }
                }
            }
        }
    }
}

/// Returns a picture of the resources that differ and their neighbours. It is an illustration: the text has the same
/// content.
fn graph(group: &DifferenceGroup) -> Option<Markup> {
    let graph = group.surroundings.as_ref().filter(|graph| graph.nodes().len() > 1)?;
    let drawn = puppetfn_graph::render::figure(graph).ok()?;
    Some(html! {
        details.graph open[graph.nodes().len() <= SMALL] {
            summary { h4 { "Graph" } " " span.number { "of these resources and those around them" } }
            figure {
                div.picture tabindex="0" role="group" aria-label="Scrollable graph" { (PreEscaped(drawn)) }
                figcaption {
                    "Arrows lead to what comes later; blue ones notify. "
                    span.key.added { "Added" } " " span.key.changed { "Changed" } " " span.key.removed { "Removed" }
                    @if group.nodes.len() > 1 {
                        " On " (group.nodes.first().map(|node| visible(node)).unwrap_or_default()) "."
                    }
                }
            }
        }
    })
}

fn resource(found: &ResourceDifference, how: &HtmlReport) -> Markup {
    let (kind, sign) = match found.change {
        ChangeKind::Added => ("added", "+"),
        ChangeKind::Removed => ("removed", "−"),
        ChangeKind::Changed => ("changed", "~"),
    };
    let place = found.place().map(|place| visible(&place.to_string()));
    let was = found
        .old_place
        .as_ref()
        .map(|place| visible(&place.to_string()))
        .filter(|was| Some(was) != place.as_ref());
    let head = html! {
        span.sign aria-hidden="true" { (sign) }
        code.reference { (name(&found.reference)) }
        @if found.shared.len() > 1 {
            span.others title=(others(found)) { " and " (number(found.shared.len().saturating_sub(1))) " more" }
        }
        @if let Some(place) = place { span.place title=[was.map(|was| format!("was {was}"))] { (place) } }
        @if found.varies { span.place { (VARIES) } }
    };
    let is_open = found.change == ChangeKind::Changed;
    html! {
        @if found.attributes.is_empty() {
            div.item.(kind) data-kind=(kind) data-types=(visible(found.reference.type_name())) { (head) }
        } @else {
            details.item.(kind) data-kind=(kind) data-types=(visible(found.reference.type_name())) open[is_open] {
                summary { (head) }
                (attributes(&found.attributes, how))
            }
        }
    }
}

/// Returns the names of the other resources with a change.
fn others(found: &ResourceDifference) -> String {
    let others = found.shared.iter().filter(|shared| shared.reference != found.reference);
    let names: Vec<String> = others.clone().take(OTHERS).map(|shared| name(&shared.reference)).collect();
    let more = others.count().saturating_sub(names.len());
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}

fn ordering(order: &OrderDifference) -> Markup {
    let (kind, sign) = match order.change() {
        ChangeKind::Added => ("added", "+"),
        ChangeKind::Removed => ("removed", "−"),
        ChangeKind::Changed => ("changed", "~"),
    };
    let arrow = |order| match order {
        OrderKind::Before => ("→", "comes before"),
        OrderKind::Notify => ("⇝", "notifies"),
    };
    let (shown, word) = order.new.or(order.old).map(arrow).unwrap_or_default();
    let was = order.old.filter(|_| order.new.is_some()).map(arrow);
    let types = format!("{}|{}", visible(order.first.type_name()), visible(order.then.type_name()));
    html! {
        div.item.(kind) data-kind="order" data-types=(types) {
            span.sign aria-hidden="true" { (sign) }
            code.reference { (name(&order.first)) }
            " " span.arrow aria-hidden="true" title=(word) { (shown) } span.hidden { " " (word) " " } " "
            code.reference { (name(&order.then)) }
            span.place {
                @match (was, order.change()) {
                    (Some((_, was)), _) => { (word) ", " (was) " before" }
                    (None, ChangeKind::Removed) => { (word) " no longer" }
                    (None, _) => { (word) }
                }
            }
        }
    }
}

fn cycle(CycleDifference { change, cycle }: &CycleDifference) -> Markup {
    let (kind, sign) = match change {
        ChangeKind::Removed => ("removed", "−"),
        ChangeKind::Added | ChangeKind::Changed => ("added", "+"),
    };
    let types: Vec<String> = cycle.resources.iter().map(|found| visible(found.type_name())).collect();
    html! {
        div.item.(kind) data-kind="cycle" data-types=(types.join("|")) {
            span.sign aria-hidden="true" { (sign) }
            @if *change == ChangeKind::Removed { "No dependency cycle any more" } @else { "No agent can apply this" }
            ul.items { @for edge in &cycle.edges { li { (visible(&edge.to_string())) } } }
        }
    }
}

fn containment(found: &ContainmentDifference) -> Markup {
    html! {
        div.item.changed data-kind="containment" data-types=(visible(found.reference.type_name())) {
            span.sign aria-hidden="true" { "⊂" }
            code.reference { (name(&found.reference)) }
            span.moved { (moved(found)) }
        }
    }
}
