//! Rows of unconnected boxes.

use super::{BoxSize, Point};

/// Packs boxes into rows that are not wider than `widest`, unless a single box is. Returns their corners and the size
/// of the whole.
pub(super) fn pack(sizes: &[BoxSize], widest: f64, gap: f64) -> (Vec<Point>, BoxSize) {
    let mut placed = Vec::with_capacity(sizes.len());
    let (mut x, mut y, mut row, mut total) = (0.0, 0.0, 0.0, BoxSize::default());
    for size in sizes {
        if x > 0.0 && x + size.width > widest {
            y += row + gap;
            (x, row) = (0.0, 0.0);
        }
        placed.push(Point { x, y });
        row = f64::max(row, size.height);
        total = BoxSize { width: total.width.max(x + size.width), height: total.height.max(y + size.height) };
        x += size.width + gap;
    }
    (placed, total)
}

/// Returns the row width with which the boxes make a sheet in landscape format.
pub(super) fn widest(sizes: &[BoxSize], gap: f64) -> f64 {
    let area: f64 = sizes.iter().map(|size| (size.width + gap) * (size.height + gap)).sum();
    let widest = sizes.iter().map(|size| size.width).fold(0.0, f64::max);
    (area * 1.8).sqrt().max(widest)
}
