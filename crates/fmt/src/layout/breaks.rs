//! Line breaks before pieces. The author has decided most of them.

use std::borrow::Cow;

use super::{BracketSide, side};
use crate::piece::{BracketKind, Piece, token_before, token_from};
use puppetfn_syntax::LexemeKind;

/// Decides before which pieces lines break, and which lists end with a comma.
pub(super) fn decide(pieces: &mut [Piece<'_>]) {
    if let Some(first) = pieces.first_mut() {
        first.breaks = 0;
    }
    join(pieces);
    drop_commas(pieces);
    lead_with_arrows(pieces);
    spread(pieces);
    end_with_commas(pieces);
}

/// Joins pieces that belong to the end of the line before with that line.
fn join(pieces: &mut [Piece<'_>]) {
    // Whether the text of a heredoc follows the line: a piece after the heredoc could not be put on the line in any case.
    let mut has_heredoc = false;
    for index in 1..pieces.len() {
        let (Some(before), Some(piece)) = (pieces.get(index - 1), pieces.get(index)) else { continue };
        has_heredoc = before.below.is_some() || has_heredoc && before.breaks == 0;
        if piece.breaks == 0 || before.is_comment() || has_heredoc {
            continue;
        }
        let breaks = piece.breaks;
        let is_separator = piece.is_sign(",") || piece.is_sign(";") && !before.is_sign(",");
        let is_joined = is_separator
            || piece.is_sign(":")
            || piece.is_arrow()
            || piece.is_keyword(&["else", "elsif"]) && before.is_sign("}")
            || match side(pieces, index) {
                BracketSide::Opening(BracketKind::Hash) => before.is_sign("=>") || before.text == "=",
                BracketSide::Opening(bracket) => {
                    bracket.has_statements()
                        || matches!(
                            bracket,
                            BracketKind::Resource | BracketKind::Selector | BracketKind::Parameters
                        )
                }
                BracketSide::Closing(_) | BracketSide::Neither => false,
            };
        if is_joined {
            set(pieces, index, 0);
        }
        // The piece after a comma at the start of a line begins a line instead.
        if is_separator && let Some(next) = pieces.get_mut(index + 1) {
            next.breaks = next.breaks.max(breaks);
        }
    }
}

/// Removes the comma before a semicolon on the same line, which separates nothing.
fn drop_commas(pieces: &mut [Piece<'_>]) {
    for index in 1..pieces.len() {
        let is_dropped = pieces.get(index).is_some_and(|piece| piece.is_sign(";") && piece.breaks == 0);
        if let Some(comma) = pieces.get_mut(index - 1).filter(|before| is_dropped && before.is_sign(",")) {
            comma.text = Cow::Borrowed("");
        }
    }
}

/// Moves arrows between resources from the ends of lines to the start of the next, behind comments.
fn lead_with_arrows(pieces: &mut [Piece<'_>]) {
    for index in 1..pieces.len() {
        let (Some(arrow), Some(right)) = (pieces.get(index), token_from(pieces, index + 1)) else { continue };
        let is_arrow = arrow.mark.is_chain && arrow.kind == LexemeKind::Operator && !arrow.mark.is_prefix;
        let Some(breaks) = pieces.get(right).map(|piece| piece.breaks) else { continue };
        if !is_arrow || breaks == 0 || !is_movable(pieces.get(index..right).unwrap_or_default()) {
            continue;
        }
        let before = arrow.breaks;
        if right > index + 1 {
            move_behind(pieces, index, right);
        }
        set(pieces, right - 1, if right > index + 1 { breaks } else { before.max(breaks) });
        set(pieces, right, 0);
    }
}

/// Returns true if an arrow can stand behind the comments that follow it. A heredoc's text may begin below them.
fn is_movable(pieces: &[Piece<'_>]) -> bool {
    pieces.iter().all(|piece| piece.below.is_none()) && pieces.iter().skip(1).all(Piece::is_comment)
}

/// Moves an arrow behind the comments between it and its right operand.
fn move_behind(pieces: &mut [Piece<'_>], arrow: usize, right: usize) {
    let breaks = pieces.get(arrow).map_or(0, |arrow| arrow.breaks);
    if let Some(moved) = pieces.get_mut(arrow..right) {
        moved.rotate_left(1);
    }
    // The line that the arrow began begins with the comment.
    if let Some(comment) = pieces.get_mut(arrow) {
        comment.breaks = comment.breaks.max(breaks);
    }
    if let Some(arrow) = pieces.get_mut(right - 1) {
        arrow.began_line = false;
    }
}

fn set(pieces: &mut [Piece<'_>], index: usize, breaks: u32) {
    if let Some(piece) = pieces.get_mut(index) {
        piece.breaks = breaks;
    }
}

/// The state of a pair of brackets.
struct BracketState {
    index: usize,
    bracket: BracketKind,
    /// How many commas stand between elements, and how many of them end a line.
    commas: u32,
    line_ends: u32,
    /// Whether a statement or a title begins a line.
    is_spread: bool,
    /// The colon after the last title.
    title_end: Option<usize>,
}

impl BracketState {
    /// Returns true if all elements but the first begin a line.
    fn has_one_a_line(&self) -> bool {
        self.commas > 0 && self.commas == self.line_ends
    }
}

/// Breaks lines after the opening bracket and before the closing one, where the elements in between stand on lines of
/// their own.
fn spread(pieces: &mut [Piece<'_>]) {
    let mut open: Vec<BracketState> = Vec::new();
    for index in 0..pieces.len() {
        let Some(piece) = pieces.get(index).filter(|piece| !piece.is_comment()) else { continue };
        let before = token_before(pieces, index);
        let begins_line = begins_line(pieces, index);
        let side = side(pieces, index);
        if let Some(around) = open.last_mut()
            && !matches!(side, BracketSide::Closing(_))
        {
            let follows = |sign| {
                before.and_then(|before| pieces.get(before)).is_some_and(|before| before.is_sign(sign))
            };
            if follows(",") {
                around.commas += 1;
                around.line_ends += u32::from(begins_line);
            }
            if begins_line && before != Some(around.index) && (piece.mark.is_statement || piece.mark.is_title)
            {
                around.is_spread = true;
            }
        }
        match side {
            BracketSide::Opening(bracket) => open.push(BracketState {
                index,
                bracket,
                commas: 0,
                line_ends: 0,
                is_spread: false,
                title_end: None,
            }),
            BracketSide::Closing(_) => {
                if let Some(closed) = open.pop() {
                    close(pieces, &closed, index);
                }
            }
            BracketSide::Neither if piece.mark.is_title_end => {
                if let Some(around) = open.last_mut() {
                    around.title_end = Some(index);
                    (around.commas, around.line_ends) = (0, 0);
                }
            }
            BracketSide::Neither if piece.is_sign(";") => {
                if let Some(around) = open.last_mut() {
                    end_resource(pieces, around);
                    (around.commas, around.line_ends) = (0, 0);
                }
            }
            BracketSide::Neither => {}
        }
    }
}

/// Breaks the line after a title, if each attribute is to have its own.
fn end_resource(pieces: &mut [Piece<'_>], open: &BracketState) {
    if let Some(title_end) = open.title_end.filter(|_| open.has_one_a_line()) {
        break_after(pieces, title_end);
    }
}

fn close(pieces: &mut [Piece<'_>], open: &BracketState, end: usize) {
    let breaks_after =
        |index: usize| token_from(pieces, index + 1).is_some_and(|next| begins_line(pieces, next));
    let is_opening_broken = breaks_after(open.index);
    let is_closing_broken = begins_line(pieces, end);
    let bracket = open.bracket;
    if bracket == BracketKind::Resource && open.title_end.is_some() {
        let is_title_broken = open.title_end.is_some_and(breaks_after);
        end_resource(pieces, open);
        if open.is_spread {
            break_after(pieces, open.index);
        }
        if is_opening_broken || is_title_broken || open.is_spread || open.has_one_a_line() {
            break_before(pieces, end);
        }
    } else if bracket.is_list() || bracket.has_statements() || bracket == BracketKind::Resource {
        let has_lines = if bracket.has_statements() { open.is_spread } else { open.has_one_a_line() };
        if has_lines || is_opening_broken || is_closing_broken {
            break_after(pieces, open.index);
            break_before(pieces, end);
        }
    } else if is_opening_broken {
        break_before(pieces, end);
    }
}

/// Returns true if a line breaks between the token before a token and it.
fn begins_line(pieces: &[Piece<'_>], index: usize) -> bool {
    let from = token_before(pieces, index).map_or(0, |before| before + 1);
    pieces.get(from..=index).unwrap_or_default().iter().any(|piece| piece.breaks > 0)
}

fn break_after(pieces: &mut [Piece<'_>], index: usize) {
    if let Some(next) = token_from(pieces, index + 1) {
        break_before(pieces, next);
    }
}

fn break_before(pieces: &mut [Piece<'_>], index: usize) {
    if !begins_line(pieces, index) {
        set(pieces, index, 1);
    }
}

/// Adds a comma to the last element of each list whose closing bracket begins a line.
fn end_with_commas(pieces: &mut [Piece<'_>]) {
    for end in 0..pieces.len() {
        let BracketSide::Closing(bracket) = side(pieces, end) else { continue };
        let Some(last) = token_before(pieces, end) else { continue };
        let start = pieces.get(end).and_then(|piece| piece.partner);
        if (bracket.is_list() || bracket == BracketKind::Resource)
            && begins_line(pieces, end)
            && Some(last) != start
            && !is_last_without_comma(pieces, last)
            && let Some(last) = pieces.get_mut(last)
        {
            last.has_comma = true;
        }
    }
}

/// Returns true if no comma can follow a token: another separator, or the parameter that is the block of a call.
pub(super) fn is_last_without_comma(pieces: &[Piece<'_>], last: usize) -> bool {
    let is_separator = pieces
        .get(last)
        .is_none_or(|last| last.kind == LexemeKind::Sign && matches!(&*last.text, "," | ";" | ":"));
    let sign = token_before(pieces, last).and_then(|sign| pieces.get(sign));
    is_separator || sign.is_some_and(|sign| sign.is_sign("&"))
}
