//! The order within ranks, in which few lines cross.

/// The number of sweeps, each from top to bottom and back.
const SWEEPS: usize = 8;

/// Orders ranks of slots. `links` are pairs of slots, the first of which is in the rank above the second.
pub(super) fn order(ranks: &mut Vec<Vec<usize>>, links: &[(usize, usize)], count: usize) {
    let (mut above, mut below) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (upper, lower) in links {
        above.get_mut(*lower).into_iter().for_each(|known| known.push(*upper));
        below.get_mut(*upper).into_iter().for_each(|known| known.push(*lower));
    }
    let mut best = (crossings(ranks, &below, count), ranks.clone());
    for sweep in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        let mut places = places(ranks, count);
        let is_down = sweep % 2 == 0;
        let mut rows: Vec<&mut Vec<usize>> = ranks.iter_mut().collect();
        if !is_down {
            rows.reverse();
        }
        for row in rows {
            arrange(row, if is_down { &above } else { &below }, &mut places);
        }
        let crossed = crossings(ranks, &below, count);
        if crossed < best.0 {
            best = (crossed, ranks.clone());
        }
    }
    *ranks = best.1;
}

/// Sorts a rank by the mean position of each slot's neighbours. A slot without neighbours keeps its position.
#[allow(clippy::cast_precision_loss, reason = "there are few")]
fn arrange(row: &mut [usize], neighbours: &[Vec<usize>], places: &mut [usize]) {
    let place = |slot: usize| places.get(slot).copied().unwrap_or_default() as f64;
    let mut weighed: Vec<(f64, usize)> = row
        .iter()
        .map(|slot| {
            let near = neighbours.get(*slot).map(Vec::as_slice).unwrap_or_default();
            let mean = near.iter().map(|other| place(*other)).sum::<f64>() / near.len() as f64;
            (if near.is_empty() { place(*slot) } else { mean }, *slot)
        })
        .collect();
    weighed.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    for (at, (slot, (_, sorted))) in row.iter_mut().zip(weighed).enumerate() {
        *slot = sorted;
        places.get_mut(sorted).into_iter().for_each(|place| *place = at);
    }
}

fn places(ranks: &[Vec<usize>], count: usize) -> Vec<usize> {
    let mut places = vec![0; count];
    for row in ranks {
        for (at, slot) in row.iter().enumerate() {
            places.get_mut(*slot).into_iter().for_each(|place| *place = at);
        }
    }
    places
}

/// Returns the number of crossings.
fn crossings(ranks: &[Vec<usize>], below: &[Vec<usize>], count: usize) -> usize {
    let places = places(ranks, count);
    let mut crossed = 0_usize;
    for (row, next) in ranks.iter().zip(ranks.iter().skip(1)) {
        // The lines from left to right. Each crosses all earlier lines that end further to the right; a Fenwick tree
        // counts them.
        let mut sums = vec![0_usize; next.len().saturating_add(1)];
        let mut lines = 0_usize;
        for slot in row {
            let lowers = below.get(*slot).into_iter().flatten();
            let mut ends: Vec<usize> = lowers.filter_map(|lower| places.get(*lower).copied()).collect();
            ends.sort_unstable();
            for end in &ends {
                crossed = crossed.saturating_add(lines.saturating_sub(up_to(&sums, *end)));
            }
            for end in &ends {
                count_at(&mut sums, *end);
            }
            lines = lines.saturating_add(ends.len());
        }
    }
    crossed
}

/// Returns the number of ends at a place or to the left of it (a Fenwick tree).
fn up_to(sums: &[usize], place: usize) -> usize {
    let (mut at, mut total) = (place.saturating_add(1), 0_usize);
    while at > 0 {
        total = total.saturating_add(sums.get(at).copied().unwrap_or_default());
        at &= at.wrapping_sub(1);
    }
    total
}

fn count_at(sums: &mut [usize], place: usize) {
    let mut at = place.saturating_add(1);
    while let Some(sum) = sums.get_mut(at) {
        *sum = sum.saturating_add(1);
        at = at.saturating_add(at & at.wrapping_neg());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_do_not_cross_where_they_need_not() {
        let links = [(0, 5), (1, 4), (2, 3), (0, 4)];
        let mut ranks = vec![vec![0, 1, 2], vec![3, 4, 5]];
        let mut below = vec![Vec::new(); 6];
        links.iter().for_each(|(upper, lower)| below[*upper].push(*lower));
        assert_eq!(crossings(&ranks, &below, 6), 4);
        order(&mut ranks, &links, 6);
        assert_eq!(crossings(&ranks, &below, 6), 0, "{ranks:?}");
    }
}
