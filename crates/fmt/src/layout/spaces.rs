//! The spaces between pieces on a line.

use super::{BracketSide, side};
use crate::piece::{BracketKind, Piece, token_before};
use puppetfn_syntax::LexemeKind;

/// Decides how many spaces stand before each piece that does not begin a line: none or one.
pub(super) fn decide(pieces: &mut [Piece<'_>], is_lenient: bool) {
    for index in 1..pieces.len() {
        let is_spaced = is_spaced(pieces, index, is_lenient);
        if let Some(piece) = pieces.get_mut(index) {
            piece.spaces = u32::from(is_spaced);
        }
    }
    for index in 0..if is_lenient { pieces.len() } else { 0 } {
        tighten(pieces, index);
    }
}

/// Leaves elements and arguments without spaces behind commas, if they are on one line and none has one.
fn tighten(pieces: &mut [Piece<'_>], opening: usize) {
    let BracketSide::Opening(BracketKind::Access | BracketKind::Array | BracketKind::Group) =
        side(pieces, opening)
    else {
        return;
    };
    let Some(closing) = pieces.get(opening).and_then(|piece| piece.partner) else { return };
    let mut tight = Vec::new();
    let mut depth = 0_usize;
    for index in opening..closing {
        match side(pieces, index) {
            BracketSide::Opening(_) => depth += 1,
            BracketSide::Closing(_) => depth = depth.saturating_sub(1),
            BracketSide::Neither
                if depth == 1 && pieces.get(index).is_some_and(|piece| piece.is_sign(",")) =>
            {
                tight.push(index + 1);
            }
            BracketSide::Neither => {}
        }
    }
    let is_tight = |&index: &usize| {
        pieces
            .get(index)
            .is_some_and(|next| next.gap == 0 && !next.began_line && next.breaks == 0 && !next.is_comment())
    };
    if tight.iter().all(is_tight) {
        for index in tight {
            if let Some(next) = pieces.get_mut(index) {
                next.spaces = 0;
            }
        }
    }
}

fn is_spaced(pieces: &[Piece<'_>], index: usize, is_lenient: bool) -> bool {
    let (Some(left), Some(right)) = (pieces.get(index - 1), pieces.get(index)) else { return false };
    let is_sign =
        |piece: &Piece<'_>, signs: &[&str]| piece.kind == LexemeKind::Sign && signs.contains(&&*piece.text);
    if right.text.is_empty() || is_sign(right, &[",", ";", ":"]) {
        return false;
    }
    if right.kind == LexemeKind::Comment {
        return true;
    }
    if is_sign(right, &["["]) && (left.is_comment() || ends_operand(left)) {
        // Without a space, it accesses the operand before it.
        return right.gap > 0 || right.began_line;
    }
    if left.is_comment() || right.is_comment() {
        return !is_sign(left, &["(", "["]) && !is_sign(right, &[")", "]"]);
    }
    let starts_query = |piece| is_sign(piece, &["<|", "<<|"]);
    let is_query = starts_query(left) || starts_query(right) || is_sign(right, &["|>", "|>>"]);
    let is_negation = left.mark.is_prefix && left.text == "!";
    if is_lenient && (is_query || is_negation) {
        return right.gap > 0 || right.began_line;
    }
    if is_sign(left, &["{"]) || is_sign(right, &["}"]) {
        return !(is_sign(left, &["{"]) && is_sign(right, &["}"]));
    }
    if is_sign(left, &["(", "[", "@", "@@"]) || is_sign(right, &[")", "]"]) || left.mark.is_prefix {
        return false;
    }
    if is_sign(left, &["."]) || is_sign(right, &["."]) {
        // After a number, a dot would be one of it.
        return right.gap > 0 && (left.kind == LexemeKind::Number || right.kind == LexemeKind::Number);
    }
    match &*right.text {
        "|" if is_closing(right, index) => false,
        _ if left.is_sign("|") && !is_closing(left, index - 1) => false,
        "(" => is_spaced_group(pieces, index, left, right),
        _ => true,
    }
}

fn is_closing(piece: &Piece<'_>, index: usize) -> bool {
    piece.partner.is_some_and(|partner| partner < index)
}

/// Returns true if a space stands before a parenthesis: not before the arguments of a call.
fn is_spaced_group(pieces: &[Piece<'_>], index: usize, left: &Piece<'_>, right: &Piece<'_>) -> bool {
    if right.mark.bracket == Some(BracketKind::Parameters) {
        let keyword = token_before(pieces, index - 1).and_then(|keyword| pieces.get(keyword));
        return !keyword.is_some_and(|keyword| keyword.is_keyword(&["function"]));
    }
    let is_control = left.is_keyword(&["if", "elsif", "unless", "case"]);
    let is_closing = left.kind == LexemeKind::Sign && matches!(&*left.text, ")" | "]" | "}");
    let may_be_called = matches!(left.kind, LexemeKind::Keyword | LexemeKind::Variable) || is_closing;
    if left.kind == LexemeKind::Name {
        false
    } else if may_be_called && !is_control {
        right.gap > 0
    } else {
        true
    }
}

/// Returns true if a token can be the last of an operand that brackets access.
fn ends_operand(piece: &Piece<'_>) -> bool {
    match piece.kind {
        LexemeKind::Sign => matches!(&*piece.text, ")" | "]" | "}" | "|>" | "|>>"),
        LexemeKind::Operator | LexemeKind::Comment | LexemeKind::BlockComment => false,
        LexemeKind::Name
        | LexemeKind::Keyword
        | LexemeKind::Variable
        | LexemeKind::Number
        | LexemeKind::Text
        | LexemeKind::Interpolation
        | LexemeKind::Heredoc
        | LexemeKind::Regexp => true,
    }
}
