//! Drawings in SVG.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

use super::{left_out, said, sentence, visible};
use crate::graph::{Edge, EdgeKind, Graph, GraphMark, GraphNode, NodeKind};
use crate::layout::{EdgeLine, GraphLayout, PlacedNode, Point, TooLarge, VerticalSegment, shown};

/// The margin around the picture.
const MARGIN: f64 = 16.0;
/// The height of the remark on omitted nodes.
const CAPTION: f64 = 24.0;
/// The head of an arrow.
const HEAD_LENGTH: f64 = 8.0;
const HEAD_WIDTH: f64 = 7.0;

/// The style of [`svg`]. All its class names begin with `pfg-`, so that the picture can be part of a page.
pub const STYLE: &str = include_str!("graph.css");

/// Draws the graph: containers are boxes around their contents, and arrows lead from dependencies to dependents.
/// Shortened labels appear in full under the pointer. Colours follow the light or dark scheme of the screen. The text
/// can be inserted into a page unchanged.
///
/// # Errors
/// Fails with [`TooLarge`] if the graph has too many nodes or edges; [`Graph::neighbourhood`] reduces it.
pub fn svg(graph: &Graph) -> Result<String, TooLarge> {
    drawn(graph, &DrawingUse::Alone)
}

/// Draws the graph for a page that includes [`STYLE`] once for all its graphs.
///
/// # Errors
/// The same errors as [`svg`].
pub fn figure(graph: &Graph) -> Result<String, TooLarge> {
    drawn(graph, &DrawingUse::Figure)
}

/// Draws the graph for a page whose script folds containers. Elements name their nodes by number: `data-node` with `data-in`
/// for the container, `data-from` and `data-to`.
///
/// # Errors
/// The same errors as [`svg`].
pub(super) fn foldable(graph: &Graph) -> Result<String, TooLarge> {
    drawn(graph, &DrawingUse::Page)
}

/// The surroundings of a drawing.
#[derive(PartialEq, Eq)]
enum DrawingUse {
    /// A file of its own, with its style.
    Alone,
    /// A page with the style.
    Figure,
    /// A page with the style and a script that needs the numbers of nodes.
    Page,
}

fn drawn(graph: &Graph, used: &DrawingUse) -> Result<String, TooLarge> {
    let layout = GraphLayout::of(graph)?;
    let is_page = *used == DrawingUse::Page;
    let numbers = |index: usize| is_page.then(|| (index, layout.tree.parent(index)));
    let caption = left_out(graph);
    let width = layout.size.width + 2.0 * MARGIN;
    let height = layout.size.height + 2.0 * MARGIN + if caption.is_some() { CAPTION } else { 0.0 };
    let (width, height) = (number(width), number(height));
    let nodes = || graph.nodes().map(|(id, node)| (id.0, node)).zip(&layout.nodes);
    // Boxes are drawn before their contents.
    let boxes = layout.tree.order().iter().filter_map(|index| {
        let (_, node) = graph.nodes().nth(*index)?;
        Some((*index, node, layout.nodes.get(*index)?))
    });
    let is_box = |(_, _, placed): &(usize, &GraphNode, &PlacedNode)| placed.is_container;
    let drawn = html! {
        svg xmlns="http://www.w3.org/2000/svg" class="pfg-graph" role="img" width=(width) height=(height)
            viewBox={ "0 0 " (width) " " (height) } {
            title { (visible(graph.title())) }
            @if *used == DrawingUse::Alone { style { (PreEscaped(STYLE)) } }
            g transform={ "translate(" (number(MARGIN)) " " (number(MARGIN)) ")" } {
                @for (index, node, placed) in boxes.filter(is_box) { (rectangle(node, placed, numbers(index))) }
                @for (edge, line) in graph.edges().iter().zip(&layout.lines) {
                    @if let Some(line) = line { (arrow(graph, edge, line, is_page)) }
                    @else if edge.from == edge.to { (circle(graph, edge, layout.nodes.get(edge.from.0))) }
                }
                @for ((index, node), placed) in nodes() {
                    @if placed.is_container { (label(node, placed, numbers(index))) }
                    @else { (rectangle(node, placed, numbers(index))) }
                }
                @if let Some(caption) = caption {
                    text class="pfg-caption" x="0" y=(number(layout.size.height + MARGIN + CAPTION / 2.0)) { (caption) }
                }
            }
        }
    };
    Ok(drawn.into_string())
}

/// Draws a node, or the box around its contents.
fn rectangle(node: &GraphNode, placed: &PlacedNode, numbers: Option<NodeNumbers>) -> Markup {
    let PlacedNode { at, size, is_container } = placed;
    let kind = match (node.kind, is_container) {
        (NodeKind::Class, _) => "pfg-class",
        (NodeKind::Resource, true) => "pfg-box",
        (NodeKind::Resource, false) => "pfg-resource",
    };
    html! {
        g class={ "pfg-node " (kind) (class(node.mark)) } data-node=[number_of(numbers)] data-in=[container_of(numbers)] {
            title { (visible(&node.label)) (said(node.mark)) @if let Some(note) = &node.note { "\n" (visible(note)) } }
            rect x=(number(at.x)) y=(number(at.y)) width=(number(size.width)) height=(number(size.height)) rx="4" {}
            @if !is_container { (text(node, at.x + size.width / 2.0, at.y + size.height / 2.0, "middle")) }
        }
    }
}

/// Writes the label of a box, above the lines that cross its border.
fn label(node: &GraphNode, placed: &PlacedNode, numbers: Option<NodeNumbers>) -> Markup {
    let kind = if node.kind == NodeKind::Class { "pfg-class" } else { "pfg-box" };
    html! {
        g class={ "pfg-node pfg-label " (kind) (class(node.mark)) } data-node=[number_of(numbers)] data-in=[container_of(numbers)] {
            title { (visible(&node.label)) (said(node.mark)) @if let Some(note) = &node.note { "\n" (visible(note)) } }
            (text(node, placed.at.x + 9.0, placed.at.y + 12.0, "start"))
        }
    }
}

fn text(node: &GraphNode, x: f64, y: f64, anchor: &str) -> Markup {
    html! {
        text x=(number(x)) y=(number(y)) text-anchor=(anchor) dominant-baseline="central" { (shown(&visible(&node.label))) }
    }
}

/// The number of a node, and of its container.
type NodeNumbers = (usize, Option<usize>);

fn number_of(numbers: Option<NodeNumbers>) -> Option<usize> {
    numbers.map(|(node, _)| node)
}

fn container_of(numbers: Option<NodeNumbers>) -> Option<usize> {
    numbers.and_then(|(_, container)| container)
}

fn arrow(graph: &Graph, edge: &Edge, line: &EdgeLine, is_page: bool) -> Markup {
    let has_head = edge.relation != EdgeKind::Contains;
    let (path, head) = path(line, has_head);
    let (from, to) = (is_page.then_some(edge.from.0), is_page.then_some(edge.to.0));
    html! {
        g class={ "pfg-edge " (relation(edge.relation)) (class(edge.mark)) } data-from=[from] data-to=[to] {
            title { (visible(&sentence(graph, edge))) }
            path d=(path) {}
            @if has_head { path class="pfg-head" d=(head) {} }
        }
    }
}

/// Draws an edge from a node to itself.
fn circle(graph: &Graph, edge: &Edge, placed: Option<&PlacedNode>) -> Markup {
    let Some(PlacedNode { at, size, .. }) = placed else { return Markup::default() };
    let (x, y) = (at.x + size.width, at.y + size.height / 2.0);
    let path = format!("M{} {}c14 -12 14 12 0 8", number(x), number(y - 4.0));
    html! {
        g class={ "pfg-edge " (relation(edge.relation)) (class(edge.mark)) } {
            title { (visible(&sentence(graph, edge))) }
            path d=(path) {}
        }
    }
}

/// Returns the path of a line and the path of its arrowhead.
fn path(line: &EdgeLine, has_head: bool) -> (String, String) {
    let mut points: Vec<(Point, bool)> = Vec::new();
    for VerticalSegment { x, top, bottom } in line.stops.iter().copied() {
        points.push((Point { x, y: top }, true));
        if bottom > top {
            points.push((Point { x, y: bottom }, false));
        }
    }
    // Lines curve between ranks and go straight down within a rank.
    let mut ways: Vec<(Point, Point, bool)> = points
        .iter()
        .zip(points.iter().skip(1))
        .map(|((from, _), (to, is_curve))| (*from, *to, *is_curve))
        .filter(|(from, to, _)| from != to)
        .collect();
    if line.is_upwards {
        ways = ways.into_iter().rev().map(|(from, to, is_curve)| (to, from, is_curve)).collect();
    }
    let towards = if line.is_upwards { -1.0 } else { 1.0 };
    let tip = ways.last().map(|(_, to, _)| *to).unwrap_or_default();
    if let (true, Some((_, to, _))) = (has_head, ways.last_mut()) {
        to.y -= towards * (HEAD_LENGTH - 1.0);
    }
    let mut path = String::new();
    let mut last = None;
    for (from, to, is_curve) in ways {
        let (x, y) = (number(to.x), number(to.y));
        if last.is_none() {
            _ = write!(path, "M{} {}", number(from.x), number(from.y));
        }
        last = Some(to);
        if is_curve && from.x != to.x {
            let middle = number(f64::midpoint(from.y, to.y));
            _ = write!(path, "C{} {middle} {x} {middle} {x} {y}", number(from.x));
        } else {
            _ = write!(path, "L{x} {y}");
        }
    }
    let back = tip.y - towards * HEAD_LENGTH;
    let (left, right) = (number(tip.x - HEAD_WIDTH / 2.0), number(tip.x + HEAD_WIDTH / 2.0));
    let head =
        format!("M{} {}L{left} {back}L{right} {back}Z", number(tip.x), number(tip.y), back = number(back));
    (path, head)
}

fn relation(relation: EdgeKind) -> &'static str {
    match relation {
        EdgeKind::Contains => "pfg-contains",
        EdgeKind::Before => "pfg-before",
        EdgeKind::Notifies => "pfg-notifies",
    }
}

fn class(mark: GraphMark) -> &'static str {
    match mark {
        GraphMark::None => "",
        GraphMark::Highlighted => " pfg-highlighted",
        GraphMark::Added => " pfg-added",
        GraphMark::Removed => " pfg-removed",
        GraphMark::Changed => " pfg-changed",
    }
}

/// Returns a number with at most one decimal: short, and the same on every machine.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    // There is no -0.
    (rounded + 0.0).to_string()
}
