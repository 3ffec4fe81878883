//! Columns of an author: tokens below each other that no other rule aligns, as in tables of short hashes and selectors.

use super::align::column;
use crate::piece::Piece;
use puppetfn_syntax::LexemeKind;

/// A column: tokens of lines that follow each other.
struct AuthorColumn {
    /// The column in the old text.
    written: u32,
    /// Whether more than a space stands before one of its tokens.
    is_set_off: bool,
    pieces: Vec<usize>,
}

/// Keeps columns, from left to right, as each moves the ones behind it.
pub(super) fn decide(pieces: &mut [Piece<'_>], is_lenient: bool) {
    let mut columns = columns(pieces);
    columns.retain(|column| column.is_set_off && column.pieces.len() > 1);
    columns.sort_by_key(|column| column.written);
    for AuthorColumn { pieces: members, .. } in columns {
        let written = members.iter().filter_map(|&index| pieces.get(index));
        let gap = written.map(|piece| if is_lenient { piece.gap } else { piece.spaces.min(1) }).min();
        let ends: Option<Vec<u32>> = members.iter().map(|&index| column(pieces, index)).collect();
        let (Some(gap), Some(ends)) = (gap, ends) else { continue };
        let furthest = ends.iter().max().copied().unwrap_or_default().saturating_add(gap);
        for (&index, end) in members.iter().zip(ends) {
            if let Some(piece) = pieces.get_mut(index) {
                piece.spaces = furthest.saturating_sub(end);
            }
        }
    }
}

/// Returns the tokens below each other.
fn columns(pieces: &[Piece<'_>]) -> Vec<AuthorColumn> {
    let mut found: Vec<AuthorColumn> = Vec::new();
    // The columns on the line before, and on this one.
    let (mut above, mut here): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut indentation = 0;
    for (index, piece) in pieces.iter().enumerate() {
        if piece.breaks > 0 {
            above = std::mem::take(&mut here);
        }
        if piece.breaks > 0 && (piece.breaks > 1 || !piece.is_element || piece.spaces != indentation) {
            above.clear();
        }
        if piece.breaks > 0 {
            indentation = piece.spaces;
        }
        if !is_candidate(piece) {
            continue;
        }
        let is_below = |column: &&usize| {
            found.get(**column).is_some_and(|found| {
                let last = found.pieces.last().and_then(|&last| pieces.get(last));
                found.written == piece.column && last.is_some_and(|last| is_alike(last, piece))
            })
        };
        let column = above.iter().find(is_below).copied().unwrap_or(found.len());
        if column == found.len() {
            found.push(AuthorColumn { written: piece.column, is_set_off: false, pieces: Vec::new() });
        }
        if let Some(column) = found.get_mut(column) {
            column.is_set_off |= is_set_off(piece);
            column.pieces.push(index);
        }
        here.push(column);
    }
    found
}

/// Returns true for tokens within a line, except for separators and closing brackets.
fn is_candidate(piece: &Piece<'_>) -> bool {
    let is_within = piece.breaks == 0 && !piece.began_line && !piece.is_aligned && !piece.is_comment();
    is_within && (piece.spaces > 0 || is_colon(piece))
}

fn is_colon(piece: &Piece<'_>) -> bool {
    piece.mark.is_title_end || piece.mark.is_option_end
}

fn is_set_off(piece: &Piece<'_>) -> bool {
    piece.gap > if is_colon(piece) { 0 } else { 1 }
}

/// Returns true if tokens can make a column: the same signs, or operands.
fn is_alike(one: &Piece<'_>, other: &Piece<'_>) -> bool {
    let is_operand = |piece: &Piece<'_>| !matches!(piece.kind, LexemeKind::Sign | LexemeKind::Operator);
    is_operand(one) && is_operand(other) || one.text == other.text
}
