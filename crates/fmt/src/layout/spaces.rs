//! The spaces between pieces on a line.

use crate::piece::{BracketKind, Piece, token_before};
use puppetfn_syntax::LexemeKind;

/// Decides how many spaces stand before each piece that does not begin a line: none or one.
pub(super) fn decide(pieces: &mut [Piece<'_>]) {
    for index in 1..pieces.len() {
        let is_spaced = is_spaced(pieces, index);
        if let Some(piece) = pieces.get_mut(index) {
            piece.spaces = u32::from(is_spaced);
        }
    }
}

fn is_spaced(pieces: &[Piece<'_>], index: usize) -> bool {
    let (Some(left), Some(right)) = (pieces.get(index - 1), pieces.get(index)) else { return false };
    let is_sign =
        |piece: &Piece<'_>, signs: &[&str]| piece.kind == LexemeKind::Sign && signs.contains(&&*piece.text);
    if is_sign(right, &[",", ";", ":"]) {
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
