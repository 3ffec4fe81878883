//! Lines that are too long: their lists get a line for each element, the outermost first.

use super::breaks::is_last_without_comma;
use super::{BracketSide, side};
use crate::piece::{BracketKind, Piece};

/// Breaks a list on each line that is longer than a width. Returns false if there is none left.
pub(super) fn break_long_lines(pieces: &mut [Piece<'_>], width: u32) -> bool {
    let mut has_broken = false;
    let mut start = 0;
    while start < pieces.len() {
        let rest = pieces.get(start + 1..).unwrap_or_default();
        let end =
            rest.iter().position(|piece| piece.breaks > 0).map_or(pieces.len(), |next| start + 1 + next);
        if length(pieces.get(start..end).unwrap_or_default()) > width
            && let Some(opening) = (start..end).find(|&index| is_list_within(pieces, index, end))
        {
            break_list(pieces, opening);
            has_broken = true;
        }
        start = end;
    }
    has_broken
}

/// Returns the width of a line.
fn length(line: &[Piece<'_>]) -> u32 {
    let code = line.iter().filter(|piece| !piece.is_comment());
    code.fold(0, |length, piece| {
        let first = piece.text.split('\n').next().unwrap_or_default().chars().count();
        length + piece.spaces + first as u32 + u32::from(piece.has_comma)
    })
}

/// Returns true if a list with elements opens here that ends on the same line.
fn is_list_within(pieces: &[Piece<'_>], index: usize, end: usize) -> bool {
    let BracketSide::Opening(bracket) = side(pieces, index) else { return false };
    let may_break = bracket.is_list() && bracket != BracketKind::Pipes || bracket == BracketKind::Resource;
    let closing = pieces.get(index).and_then(|piece| piece.partner);
    // The text of a heredoc follows its line, so its line stays.
    let has_heredoc = |closing| {
        let within = pieces.get(index..closing).unwrap_or_default();
        within.iter().any(|piece| piece.below.is_some() || piece.is_comment())
    };
    may_break && closing.is_some_and(|closing| closing < end && closing > index + 1 && !has_heredoc(closing))
}

/// Puts each element of a list on a line of its own.
fn break_list(pieces: &mut [Piece<'_>], opening: usize) {
    let Some(closing) = pieces.get(opening).and_then(|piece| piece.partner) else { return };
    let is_resource =
        pieces.get(opening..closing).is_some_and(|within| within.iter().any(|piece| piece.mark.is_title_end));
    let mut depth = 0_usize;
    for index in opening..closing {
        let side = side(pieces, index);
        let is_separator = pieces
            .get(index)
            .is_some_and(|piece| piece.is_sign(",") || piece.is_sign(";") || piece.mark.is_title_end);
        let ends_element = match side {
            BracketSide::Opening(_) => index == opening && !is_resource,
            BracketSide::Closing(_) => false,
            BracketSide::Neither => depth == 1 && is_separator,
        };
        match side {
            BracketSide::Opening(_) => depth += 1,
            BracketSide::Closing(_) => depth = depth.saturating_sub(1),
            BracketSide::Neither => {}
        }
        if ends_element && let Some(next) = pieces.get_mut(index + 1) {
            next.breaks = 1;
        }
    }
    let has_no_comma = is_last_without_comma(pieces, closing - 1);
    if let Some(last) = pieces.get_mut(closing - 1) {
        last.has_comma |= !has_no_comma;
    }
    if let Some(closing) = pieces.get_mut(closing) {
        closing.breaks = 1;
    }
}
