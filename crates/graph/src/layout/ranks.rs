//! The ranks of a container's contents.

use std::collections::BTreeMap;

/// Assigns members to ranks so that each line leads to a later rank. A rank wider than `widest` is split.
pub(super) fn ranks(
    members: &[usize],
    lines: &[(usize, usize)],
    width: impl Fn(usize) -> f64,
    widest: f64,
) -> BTreeMap<usize, usize> {
    let depth = longest_paths(members, lines);
    let mut by_depth: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for member in members {
        by_depth.entry(depth.get(member).copied().unwrap_or_default()).or_default().push(*member);
    }
    let mut ranks = BTreeMap::new();
    let mut rank = 0_usize;
    for members in by_depth.into_values() {
        let total: f64 = members.iter().map(|member| width(*member)).sum();
        // Rows of about the same width.
        let widest = total / (total / widest).ceil().max(1.0) + 1.0;
        let mut used = 0.0;
        for member in members {
            let width = width(member);
            if used > 0.0 && used + width / 2.0 > widest {
                rank = rank.saturating_add(1);
                used = 0.0;
            }
            used += width;
            ranks.insert(member, rank);
        }
        rank = rank.saturating_add(1);
    }
    ranks
}

/// Returns the length of the longest path to each member. A member without incoming lines moves down to its successors.
fn longest_paths(members: &[usize], lines: &[(usize, usize)]) -> BTreeMap<usize, usize> {
    let mut below: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut open: BTreeMap<usize, usize> = members.iter().map(|member| (*member, 0)).collect();
    for (upper, lower) in lines {
        below.entry(*upper).or_default().push(*lower);
        open.entry(*lower).and_modify(|count| *count = count.saturating_add(1));
    }
    let mut depth: BTreeMap<usize, usize> = members.iter().map(|member| (*member, 0)).collect();
    let tops: Vec<usize> = members.iter().copied().filter(|member| open.get(member) == Some(&0)).collect();
    let mut waiting = tops.clone();
    while let Some(member) = waiting.pop() {
        let next = depth.get(&member).copied().unwrap_or_default().saturating_add(1);
        for lower in below.get(&member).into_iter().flatten() {
            depth.entry(*lower).and_modify(|known| *known = (*known).max(next));
            if let Some(count) = open.get_mut(lower) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    waiting.push(*lower);
                }
            }
        }
    }
    for top in tops {
        let lowers = below.get(&top).into_iter().flatten();
        let nearest = lowers.filter_map(|lower| depth.get(lower).copied()).min();
        if let Some(nearest) = nearest {
            depth.insert(top, nearest.saturating_sub(1));
        }
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lead_down() {
        let lines = [(0, 1), (1, 2), (0, 2), (3, 2), (4, 5)];
        let ranks = ranks(&[0, 1, 2, 3, 4, 5], &lines, |_| 10.0, 25.0);
        assert!(lines.iter().all(|(upper, lower)| ranks[upper] < ranks[lower]), "{ranks:?}");
        assert_eq!(ranks[&3], ranks[&1]);
    }
}
