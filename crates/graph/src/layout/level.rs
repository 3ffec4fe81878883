//! The contents of one container.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::unionfind::UnionFind;

use super::order::order;
use super::pack::{pack, widest};
use super::place::{RankSlot, SlotLink, places};
use super::ranks::ranks;
use super::routes::{SegmentEnds, SegmentKey};
use super::{BoxSize, MOST_SLOTS, PADDING, PlacedNode, Point, TITLE_HEIGHT, VerticalSegment};
use crate::graph::EdgeKind;

/// The distance between neighbours in a rank.
const GAP: f64 = 20.0;
/// The distance between ranks; the increment for each line between them, and its maximum.
const RANK_GAP: f64 = 34.0;
const LINE_GAP: f64 = 1.5;
const MOST_LINE_GAP: f64 = 40.0;
/// The width at which ranks are split.
const WIDEST_RANK: f64 = 1_300.0;
/// The weight of straight lines; nodes have 1.
const LINE_WEIGHT: f64 = 3.0;

/// The layout of a container's contents, with the origin at 0, and of the lines among them.
#[derive(Debug)]
pub(super) struct ContainerLayout {
    pub size: BoxSize,
    /// The number of slots for nodes and lines.
    pub slots: usize,
    placed: Vec<(usize, Point)>,
    stops: BTreeMap<SegmentKey, Vec<VerticalSegment>>,
}

impl ContainerLayout {
    /// Lays out the children of a container, whose own contents are already laid out. Returns `None` if the layout is
    /// too large.
    pub(super) fn of(
        children: &[usize],
        lines: impl Iterator<Item = (SegmentKey, SegmentEnds)>,
        nodes: &[PlacedNode],
        inner: &[Option<Self>],
    ) -> Option<Self> {
        let lines: Vec<(SegmentKey, SegmentEnds)> = lines.collect();
        let size = |child: usize| nodes.get(child).map_or_else(BoxSize::default, |placed| placed.size);
        let mut bordered = None;
        let (mut sheets, mut alone) = (Vec::new(), Vec::new());
        for ConnectedComponent { members, lines, is_bordered } in parts(children, lines) {
            match members[..] {
                [only] if lines.is_empty() => alone.push(only),
                _ => {
                    let sheet = ComponentLayout { members, lines, nodes, inner }.lay_out()?;
                    if is_bordered {
                        bordered = Some(sheet);
                    } else {
                        sheets.push(sheet);
                    }
                }
            }
        }
        // Rows are even if boxes of similar size are neighbours.
        alone.sort_by(|one, other| size(*other).height.total_cmp(&size(*one).height));
        sheets.extend(alone.into_iter().map(|child| Self {
            size: size(child),
            slots: 1,
            placed: vec![(child, Point::default())],
            stops: BTreeMap::new(),
        }));
        Some(Self::beside(bordered, sheets))
    }

    /// Puts unconnected parts into rows, beside the part whose lines cross borders.
    fn beside(bordered: Option<Self>, sheets: Vec<Self>) -> Self {
        let sizes: Vec<BoxSize> = sheets.iter().map(|sheet| sheet.size).collect();
        let (corners, packed) = pack(&sizes, widest(&sizes, GAP), GAP);
        let mut whole = bordered.unwrap_or_else(Self::empty);
        let left = if whole.placed.is_empty() || sheets.is_empty() { 0.0 } else { whole.size.width + GAP };
        let height = whole.size.height.max(packed.height);
        whole.size = BoxSize { width: whole.size.width.max(left + packed.width), height };
        for (key, stops) in &mut whole.stops {
            if let (None, Some(last)) = (key.lower, stops.last_mut()) {
                last.bottom = height + PADDING;
            }
        }
        for (sheet, corner) in sheets.into_iter().zip(corners) {
            let by = Point { x: corner.x + left, y: corner.y };
            whole.slots = whole.slots.saturating_add(sheet.slots);
            whole.placed.extend(
                sheet.placed.into_iter().map(|(child, at)| (child, Point { x: at.x + by.x, y: at.y + by.y })),
            );
            let moved = |stops: Vec<VerticalSegment>| stops.into_iter().map(|stop| stop.moved(by)).collect();
            whole.stops.extend(sheet.stops.into_iter().map(|(key, stops)| (key, moved(stops))));
        }
        whole
    }

    fn empty() -> Self {
        Self { size: BoxSize::default(), slots: 0, placed: Vec::new(), stops: BTreeMap::new() }
    }

    /// Returns the corners of the children.
    pub(super) fn placed(&self) -> impl Iterator<Item = (usize, Point)> {
        self.placed.iter().copied()
    }

    /// Returns the stops of a line.
    pub(super) fn stops(&self, key: SegmentKey) -> Vec<VerticalSegment> {
        self.stops.get(&key).cloned().unwrap_or_default()
    }

    /// Returns where a line crosses the top or bottom border.
    fn port(&self, key: SegmentKey) -> Option<f64> {
        let stops = self.stops.get(&key)?;
        let stop = if key.upper.is_none() { stops.first() } else { stops.last() };
        stop.map(|stop| stop.x)
    }
}

/// A connected component.
struct ConnectedComponent {
    members: Vec<usize>,
    lines: Vec<(SegmentKey, SegmentEnds)>,
    is_bordered: bool,
}

/// Splits contents into connected components. All nodes with lines across borders are in one component.
fn parts(children: &[usize], lines: Vec<(SegmentKey, SegmentEnds)>) -> Vec<ConnectedComponent> {
    let places: BTreeMap<usize, usize> = children.iter().copied().zip(0..).collect();
    let border = children.len();
    let place = |end: Option<usize>| end.and_then(|child| places.get(&child)).copied().unwrap_or(border);
    let mut joined: UnionFind<usize> = UnionFind::new(border.saturating_add(1));
    for (_, ends) in &lines {
        joined.union(place(ends.upper), place(ends.lower));
    }
    let mut parts: BTreeMap<usize, ConnectedComponent> = BTreeMap::new();
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    for (at, child) in children.iter().enumerate() {
        // Parts are in the order of their first members.
        let first = *numbers.entry(joined.find(at)).or_insert(at);
        let is_bordered = joined.equiv(at, border);
        let part = parts.entry(first).or_insert_with(|| ConnectedComponent {
            members: Vec::new(),
            lines: Vec::new(),
            is_bordered,
        });
        part.members.push(*child);
    }
    for (key, ends) in lines {
        let at = if ends.upper.is_some() { place(ends.upper) } else { place(ends.lower) };
        let part = numbers.get(&joined.find(at)).and_then(|first| parts.get_mut(first));
        part.into_iter().for_each(|part| part.lines.push((key, ends)));
    }
    parts.into_values().collect()
}

/// A slot in a rank: for a node, or for lines that pass and begin or end at the same node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum RankSpot {
    Node(usize),
    Line { begins: bool, node: usize, relation: EdgeKind, rank: usize },
}

/// A connected component during its layout.
struct ComponentLayout<'a> {
    members: Vec<usize>,
    lines: Vec<(SegmentKey, SegmentEnds)>,
    nodes: &'a [PlacedNode],
    inner: &'a [Option<ContainerLayout>],
}

/// The spots of a line, with its offsets from the middles of the nodes at its ends.
struct SpotChain {
    key: SegmentKey,
    spots: Vec<usize>,
    offsets: (f64, f64),
}

/// All spots, by number.
#[derive(Default)]
struct SpotTable {
    numbers: BTreeMap<RankSpot, usize>,
    spots: Vec<RankSpot>,
    ranks: Vec<Vec<usize>>,
}

impl SpotTable {
    fn number(&mut self, spot: RankSpot, rank: usize) -> usize {
        let next = self.spots.len();
        let number = *self.numbers.entry(spot).or_insert(next);
        if number == next {
            self.spots.push(spot);
            if self.ranks.len() <= rank {
                self.ranks.resize_with(rank.saturating_add(1), Vec::new);
            }
            self.ranks.get_mut(rank).into_iter().for_each(|row| row.push(number));
        }
        number
    }
}

impl ComponentLayout<'_> {
    fn lay_out(&self) -> Option<ContainerLayout> {
        let (spots, chains) = self.spots()?;
        let SpotTable { spots, mut ranks, .. } = spots;
        let pairs: BTreeSet<(usize, usize)> = chains.iter().flat_map(SpotChain::pairs).collect();
        let pairs: Vec<(usize, usize)> = pairs.into_iter().collect();
        order(&mut ranks, &pairs, spots.len());
        let slots: Vec<RankSlot> = spots.iter().map(|spot| self.slot(*spot)).collect();
        let links: Vec<SlotLink> = chains.iter().flat_map(SpotChain::links).collect();
        let middles = places(&ranks, &slots, &links, GAP);
        let bands = self.bands(&ranks, &spots, &pairs);

        let middle = |spot: usize| middles.get(spot).copied().unwrap_or_default();
        let mut level = ContainerLayout::empty();
        level.slots = spots.len();
        for (number, spot) in spots.iter().enumerate() {
            let width = slots.get(number).map_or(0.0, |slot| slot.width);
            level.size.width = level.size.width.max(middle(number) + width / 2.0);
            if let RankSpot::Node(child) = spot {
                let top = bands.get(number).map_or(0.0, |band| band.0);
                level.placed.push((*child, Point { x: middle(number) - width / 2.0, y: top }));
            }
        }
        level.size.height = bands.iter().map(|band| band.1).fold(0.0, f64::max);
        for chain in &chains {
            let stops = chain.spots.iter().enumerate().map(|(at, number)| {
                let (top, bottom) = bands.get(*number).copied().unwrap_or_default();
                let node = match spots.get(*number) {
                    Some(RankSpot::Node(child)) => Some(self.size(*child)),
                    _ => None,
                };
                let begins = at == 0;
                match node {
                    Some(size) if begins => VerticalSegment {
                        x: middle(*number) + chain.offsets.0,
                        top: top + size.height,
                        bottom,
                    },
                    Some(_) => VerticalSegment { x: middle(*number) + chain.offsets.1, top, bottom: top },
                    None if begins => VerticalSegment { x: middle(*number), top: top - TITLE_HEIGHT, bottom },
                    None => VerticalSegment { x: middle(*number), top, bottom },
                }
            });
            level.stops.insert(chain.key, stops.collect());
        }
        Some(level)
    }

    /// Assigns nodes and lines to ranks. The first and the last rank are the borders, if lines cross them.
    fn spots(&self) -> Option<(SpotTable, Vec<SpotChain>)> {
        let inner: Vec<(usize, usize)> =
            self.lines.iter().filter_map(|(_, ends)| ends.upper.zip(ends.lower)).collect();
        let ranks = ranks(&self.members, &inner, |child| self.size(child).width + GAP, WIDEST_RANK);
        let above = usize::from(self.lines.iter().any(|(_, ends)| ends.upper.is_none()));
        let rank = |child: usize| ranks.get(&child).copied().unwrap_or_default().saturating_add(above);
        let last = self.members.iter().map(|child| rank(*child)).max().unwrap_or_default().saturating_add(1);
        let mut spots = SpotTable::default();
        for child in &self.members {
            spots.number(RankSpot::Node(*child), rank(*child));
        }
        let (mut beginning, mut ending) = (BTreeMap::new(), BTreeMap::new());
        for (key, _) in &self.lines {
            *beginning.entry((key.upper, key.relation)).or_insert(0_usize) += 1;
            *ending.entry((key.lower, key.relation)).or_insert(0_usize) += 1;
        }
        let mut chains = Vec::new();
        for (key, ends) in &self.lines {
            // Lines that begin or end at the same node are bundled.
            let is_fan_out =
                beginning.get(&(key.upper, key.relation)) >= ending.get(&(key.lower, key.relation));
            let (begins, node) = match (key.upper, key.lower) {
                (Some(upper), None) => (true, upper),
                (Some(upper), Some(_)) if is_fan_out => (true, upper),
                (_, Some(lower)) => (false, lower),
                (None, None) => continue,
            };
            let passing = |rank| RankSpot::Line { begins, node, relation: key.relation, rank };
            let first = ends.upper.map_or(0, rank);
            let end = ends.lower.map_or(last, rank);
            let mut chain = vec![spots.number(ends.upper.map_or(passing(first), RankSpot::Node), first)];
            for rank in first.saturating_add(1)..end {
                chain.push(spots.number(passing(rank), rank));
            }
            chain.push(spots.number(ends.lower.map_or(passing(end), RankSpot::Node), end));
            if spots.spots.len() > MOST_SLOTS {
                return None;
            }
            chains.push(SpotChain { key: *key, spots: chain, offsets: self.offsets(*key, *ends) });
        }
        Some((spots, chains))
    }

    fn size(&self, child: usize) -> BoxSize {
        self.nodes.get(child).map_or_else(BoxSize::default, |placed| placed.size)
    }

    fn slot(&self, spot: RankSpot) -> RankSlot {
        match spot {
            RankSpot::Node(child) => RankSlot { width: self.size(child).width, weight: 1.0 },
            RankSpot::Line { .. } => RankSlot { width: 0.0, weight: LINE_WEIGHT },
        }
    }

    /// Returns the offsets of a line's ends from the middles of their nodes. A line to a node within a box meets the
    /// box at its port.
    fn offsets(&self, key: SegmentKey, ends: SegmentEnds) -> (f64, f64) {
        let offset = |child: usize, key: SegmentKey| {
            let port = self.inner.get(child).and_then(Option::as_ref).and_then(|level| level.port(key));
            port.map_or(0.0, |x| x + PADDING - self.size(child).width / 2.0)
        };
        let leaving = SegmentKey { lower: None, ..key };
        let entering = SegmentKey { upper: None, ..key };
        let of = |end: Option<usize>, whole: Option<usize>, key| match end {
            Some(child) if Some(child) != whole => offset(child, key),
            _ => 0.0,
        };
        (of(ends.upper, key.upper, leaving), of(ends.lower, key.lower, entering))
    }

    /// Returns the top and the bottom of the rank of each spot.
    #[allow(clippy::cast_precision_loss, reason = "there are few lines")]
    fn bands(&self, ranks: &[Vec<usize>], spots: &[RankSpot], pairs: &[(usize, usize)]) -> Vec<(f64, f64)> {
        let mut rank_of = vec![0_usize; spots.len()];
        for (rank, row) in ranks.iter().enumerate() {
            row.iter().for_each(|spot| rank_of.get_mut(*spot).into_iter().for_each(|known| *known = rank));
        }
        let mut lines = vec![0_usize; ranks.len()];
        for (upper, _) in pairs {
            let rank = rank_of.get(*upper).copied().unwrap_or_default();
            lines.get_mut(rank).into_iter().for_each(|count| *count = count.saturating_add(1));
        }
        let mut bands = vec![(0.0, 0.0); spots.len()];
        let mut top = 0.0;
        for (row, lines) in ranks.iter().zip(lines) {
            let heights = row.iter().filter_map(|number| match spots.get(*number) {
                Some(RankSpot::Node(child)) => Some(self.size(*child).height),
                _ => None,
            });
            let bottom = top + heights.fold(0.0, f64::max);
            for spot in row {
                bands.get_mut(*spot).into_iter().for_each(|band| *band = (top, bottom));
            }
            top = bottom + RANK_GAP + f64::min(lines as f64 * LINE_GAP, MOST_LINE_GAP);
        }
        bands
    }
}

impl SpotChain {
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.spots.iter().copied().zip(self.spots.iter().copied().skip(1))
    }

    fn links(&self) -> impl Iterator<Item = SlotLink> {
        let (first, last) = (self.spots.first().copied(), self.spots.last().copied());
        self.pairs().map(move |(upper, lower)| SlotLink {
            upper,
            lower,
            upper_offset: if Some(upper) == first { self.offsets.0 } else { 0.0 },
            lower_offset: if Some(lower) == last { self.offsets.1 } else { 0.0 },
        })
    }
}
