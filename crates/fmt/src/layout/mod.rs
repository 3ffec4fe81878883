//! The places of tokens and comments: first the lines, then the spaces between, the indentation of lines, and
//! alignment.

mod align;
mod breaks;
mod indent;
mod spaces;

use super::piece::{BracketKind, Piece};

/// The indentation of a level, relative to the enclosing one.
pub(super) const STEP: u32 = 2;

/// Keywords that a block belongs to, at some distance.
pub(super) const HEADS: [&str; 9] =
    ["if", "elsif", "unless", "case", "class", "define", "function", "plan", "node"];

/// Decides where each piece goes.
pub(super) fn lay_out(pieces: &mut [Piece<'_>]) {
    breaks::decide(pieces);
    spaces::decide(pieces);
    indent::decide(pieces);
    align::decide(pieces);
}

/// The role of a token for brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BracketSide {
    Opening(BracketKind),
    Closing(BracketKind),
    Neither,
}

fn side(pieces: &[Piece<'_>], index: usize) -> BracketSide {
    match pieces.get(index) {
        Some(Piece { mark, partner: Some(partner), .. }) => match mark.bracket {
            Some(bracket) if *partner > index => BracketSide::Opening(bracket),
            Some(bracket) => BracketSide::Closing(bracket),
            None => BracketSide::Neither,
        },
        _ => BracketSide::Neither,
    }
}
