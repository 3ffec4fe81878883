//! The horizontal positions of slots in their ranks.

/// The number of sweeps, each from top to bottom and back.
const SWEEPS: usize = 10;

/// The content of a slot in a rank: a node, or a passing line.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankSlot {
    pub width: f64,
    /// The weight of the distance to its neighbours: passing lines should be straight.
    pub weight: f64,
}

/// A link between slots of adjacent ranks, with its offsets from their middles.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotLink {
    pub upper: usize,
    pub lower: usize,
    pub upper_offset: f64,
    pub lower_offset: f64,
}

/// Returns the middles of slots: each as near to its linked slots as possible, with `gap` between neighbours.
pub(super) fn places(ranks: &[Vec<usize>], slots: &[RankSlot], links: &[SlotLink], gap: f64) -> Vec<f64> {
    let mut above: Vec<Vec<(usize, f64)>> = vec![Vec::new(); slots.len()];
    let mut below = above.clone();
    for link in links {
        let shift = link.upper_offset - link.lower_offset;
        above.get_mut(link.lower).into_iter().for_each(|known| known.push((link.upper, shift)));
        below.get_mut(link.upper).into_iter().for_each(|known| known.push((link.lower, -shift)));
    }
    let mut middles = vec![0.0; slots.len()];
    for row in ranks {
        settle(row, &vec![None; row.len()], slots, gap, &mut middles);
    }
    for sweep in 0..SWEEPS {
        let is_down = sweep % 2 == 0;
        let near = if is_down { &above } else { &below };
        let rows: Vec<&Vec<usize>> =
            if is_down { ranks.iter().collect() } else { ranks.iter().rev().collect() };
        for row in rows {
            let wanted: Vec<Option<f64>> = row.iter().map(|slot| mean(near.get(*slot)?, &middles)).collect();
            settle(row, &wanted, slots, gap, &mut middles);
        }
    }
    let left = |(slot, middle): (&RankSlot, &f64)| middle - slot.width / 2.0;
    let leftmost = slots.iter().zip(&middles).map(left).fold(f64::INFINITY, f64::min);
    middles.iter().map(|middle| middle - leftmost).collect()
}

#[allow(clippy::cast_precision_loss, reason = "there are few")]
fn mean(near: &[(usize, f64)], middles: &[f64]) -> Option<f64> {
    let wanted = near.iter().filter_map(|(other, shift)| Some(middles.get(*other)? + shift));
    (!near.is_empty()).then(|| wanted.sum::<f64>() / near.len() as f64)
}

/// Adjacent slots that are moved together.
struct SlotGroup {
    /// The mean of the wanted positions, relative to the first slot.
    start: f64,
    weight: f64,
    count: usize,
}

/// Places the slots of a rank as near to their wanted positions as their order allows: with the least sum of weighted
/// squared distances, by pooling adjacent violators.
fn settle(row: &[usize], wanted: &[Option<f64>], slots: &[RankSlot], gap: f64, middles: &mut [f64]) {
    let mut offsets = Vec::with_capacity(row.len());
    let mut groups: Vec<SlotGroup> = Vec::new();
    let (mut offset, mut before) = (0.0, None);
    for (index, wanted) in row.iter().zip(wanted) {
        let slot = slots.get(*index).copied().unwrap_or(RankSlot { width: 0.0, weight: 1.0 });
        if let Some(half) = before {
            offset += half + gap + slot.width / 2.0;
        }
        before = Some(slot.width / 2.0);
        offsets.push(offset);
        let place = wanted.or_else(|| middles.get(*index).copied()).unwrap_or_default();
        let mut group = SlotGroup { start: place - offset, weight: slot.weight, count: 1 };
        while let Some(last) = groups.pop_if(|last| last.start >= group.start) {
            let weight = last.weight + group.weight;
            let start = (last.start * last.weight + group.start * group.weight) / weight;
            group = SlotGroup { start, weight, count: last.count.saturating_add(group.count) };
        }
        groups.push(group);
    }
    let starts = groups.iter().flat_map(|group| std::iter::repeat_n(group.start, group.count));
    for ((index, offset), start) in row.iter().zip(offsets).zip(starts) {
        middles.get_mut(*index).into_iter().for_each(|middle| *middle = start + offset);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_alone_is_below_what_it_belongs_to() {
        let slots = [RankSlot { width: 10.0, weight: 1.0 }; 5];
        let link = |upper, lower| SlotLink { upper, lower, upper_offset: 0.0, lower_offset: 0.0 };
        let ranks = [vec![0, 1, 2], vec![3, 4]];
        let middles = places(&ranks, &slots, &[link(0, 3), link(2, 4)], 5.0);
        assert_eq!(middles, [5.0, 20.0, 35.0, 5.0, 35.0]);
        let middles = places(&ranks, &slots, &[link(1, 3), link(1, 4)], 5.0);
        assert_eq!(middles[1] * 2.0, middles[3] + middles[4]);
    }
}
