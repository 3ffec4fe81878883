//! The layout of drawn graphs.
//!
//! A container is a box around its contents. The contents of each container are laid out separately, from the innermost
//! container to the outermost, in the manner of Sugiyama: in ranks from top to bottom, dependencies above dependents. A
//! line between containers crosses the borders of both.

mod level;
mod order;
mod pack;
mod place;
mod ranks;
mod routes;

use std::fmt;

use crate::graph::{Graph, GraphNode};
use crate::tree::ContainmentTree;
use level::ContainerLayout;
use routes::Routes;

/// The maximum number of nodes of a drawing.
pub const MOST_NODES: usize = 3_000;
/// The maximum number of edges of a drawing.
pub const MOST_EDGES: usize = 12_000;
/// The maximum number of slots for nodes and lines in all ranks.
const MOST_SLOTS: usize = 100_000;

/// The width of a letter and the height of a node.
const LETTER: f64 = 7.3;
const NODE_HEIGHT: f64 = 26.0;
/// The distance between the border of a node and its label.
const LABEL_MARGIN: f64 = 9.0;
/// The distance between the border of a container and its contents.
const PADDING: f64 = 14.0;
/// The height of a container's label.
const TITLE_HEIGHT: f64 = 24.0;
/// The length at which labels are shortened in the middle.
const LONGEST_LABEL: usize = 48;

/// The graph is too large to be drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    nodes: usize,
    edges: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, edges } = self;
        write!(
            f,
            "a graph of {nodes} nodes and {edges} edges is too large to be drawn: expected at most {MOST_NODES} nodes and \
             {MOST_EDGES} edges, and fewer if they are entangled"
        )
    }
}

impl std::error::Error for TooLarge {}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct BoxSize {
    pub width: f64,
    pub height: f64,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
}

/// A vertical segment of a line.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct VerticalSegment {
    pub x: f64,
    pub top: f64,
    pub bottom: f64,
}

impl VerticalSegment {
    fn moved(self, by: Point) -> Self {
        Self { x: self.x + by.x, top: self.top + by.y, bottom: self.bottom + by.y }
    }
}

/// The position of a node.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct PlacedNode {
    /// The corner at the top and left.
    pub at: Point,
    pub size: BoxSize,
    /// Whether the node is a box around others.
    pub is_container: bool,
}

/// The course of an edge: from top to bottom, or reversed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct EdgeLine {
    pub stops: Vec<VerticalSegment>,
    pub is_upwards: bool,
}

/// The positions of all nodes and edges of a graph.
#[derive(Debug)]
pub(crate) struct GraphLayout {
    pub size: BoxSize,
    /// One entry for each node.
    pub nodes: Vec<PlacedNode>,
    /// One entry for each edge. Boxes show most containment without a line.
    pub lines: Vec<Option<EdgeLine>>,
    pub tree: ContainmentTree,
}

impl GraphLayout {
    pub(crate) fn of(graph: &Graph) -> Result<Self, TooLarge> {
        let too_large = || TooLarge { nodes: graph.nodes().len(), edges: graph.edges().len() };
        if graph.nodes().len() > MOST_NODES || graph.edges().len() > MOST_EDGES {
            return Err(too_large());
        }
        let tree = ContainmentTree::of(graph);
        let routes = Routes::of(graph, &tree);
        let mut nodes: Vec<PlacedNode> = graph.nodes().map(|(_, node)| leaf(node)).collect();
        let mut levels: Vec<Option<ContainerLayout>> = (0..=nodes.len()).map(|_| None).collect();
        let mut slots = 0_usize;
        let inner_first = tree.order().iter().rev().filter(|index| !tree.children(**index).is_empty());
        for container in inner_first.copied().map(Some).chain([None]) {
            let children = container.map_or(tree.roots(), |index| tree.children(index));
            let level = ContainerLayout::of(children, routes.within(container), &nodes, &levels)
                .ok_or_else(too_large)?;
            slots = slots.saturating_add(level.slots);
            if slots > MOST_SLOTS {
                return Err(too_large());
            }
            if let Some(placed) = container.and_then(|index| nodes.get_mut(index)) {
                placed.is_container = true;
                placed.size = boxed(level.size, placed.size.width);
            }
            if let Some(place) = levels.get_mut(place_of(container, graph)) {
                *place = Some(level);
            }
        }
        Ok(Self::join(graph, tree, &routes, nodes, &levels))
    }

    /// Moves the layout of each container to its position in the drawing.
    fn join(
        graph: &Graph,
        tree: ContainmentTree,
        routes: &Routes,
        mut nodes: Vec<PlacedNode>,
        levels: &[Option<ContainerLayout>],
    ) -> Self {
        let level = |container| levels.get(place_of(container, graph)).and_then(Option::as_ref);
        let mut size = BoxSize::default();
        for container in std::iter::once(None).chain(tree.order().iter().copied().map(Some)) {
            let Some(level) = level(container) else { continue };
            let origin =
                container.and_then(|index| nodes.get(index)).map_or_else(Point::default, contents_of);
            if container.is_none() {
                size = level.size;
            }
            for (index, at) in level.placed() {
                let at = Point { x: at.x + origin.x, y: at.y + origin.y };
                nodes.get_mut(index).into_iter().for_each(|placed| placed.at = at);
            }
        }
        let stops = |container: Option<usize>, key| {
            let origin =
                container.and_then(|index| nodes.get(index)).map_or_else(Point::default, contents_of);
            let stops = level(container).map(|level| level.stops(key)).unwrap_or_default();
            stops.into_iter().map(move |stop| stop.moved(origin)).collect::<Vec<VerticalSegment>>()
        };
        let lines = routes
            .edges()
            .iter()
            .map(|route| {
                let route = route.as_ref()?;
                let parts = route.parts.iter().flat_map(|(container, key)| stops(*container, *key));
                Some(EdgeLine { stops: parts.collect(), is_upwards: route.is_upwards })
            })
            .collect();
        Self { size, nodes, lines, tree }
    }
}

/// Returns the index of a container's level. The level of the whole graph follows the levels of all nodes.
fn place_of(container: Option<usize>, graph: &Graph) -> usize {
    container.unwrap_or(graph.nodes().len())
}

/// Returns the size of a node without contents.
fn leaf(node: &GraphNode) -> PlacedNode {
    let width = columns(&shown(&node.label)) * LETTER + 2.0 * LABEL_MARGIN;
    PlacedNode { size: BoxSize { width, height: NODE_HEIGHT }, ..PlacedNode::default() }
}

/// Returns the size of a box around contents, which is wide enough for its label.
fn boxed(contents: BoxSize, label: f64) -> BoxSize {
    BoxSize {
        width: label.max(contents.width + 2.0 * PADDING),
        height: contents.height + PADDING + TITLE_HEIGHT,
    }
}

/// Returns the origin of a box's contents.
fn contents_of(placed: &PlacedNode) -> Point {
    Point { x: placed.at.x + PADDING, y: placed.at.y + TITLE_HEIGHT }
}

/// Returns a label as it is displayed: on one line, and shortened if it is long.
pub(crate) fn shown(label: &str) -> String {
    let letters: Vec<char> = label.chars().map(|c| if c.is_control() { '␣' } else { c }).collect();
    if letters.len() <= LONGEST_LABEL {
        return letters.into_iter().collect();
    }
    let half = LONGEST_LABEL / 2;
    let (start, end) = (letters.get(..half), letters.get(letters.len().saturating_sub(half)..));
    let text = |part: Option<&[char]>| part.unwrap_or_default().iter().collect::<String>();
    format!("{}…{}", text(start), text(end))
}

/// Returns the width of a text in letters of a monospaced font. Letters outside European scripts may be twice as wide.
#[allow(clippy::cast_precision_loss, reason = "labels are short")]
fn columns(text: &str) -> f64 {
    text.chars().map(|c| if u32::from(c) < 0x1100 || c == '…' || c == '␣' { 1 } else { 2 }).sum::<usize>()
        as f64
}
