//! The places of tokens and comments: first the lines, then the spaces between, the indentation of lines, and
//! alignment.

mod align;
mod breaks;
mod columns;
mod indent;
mod leeway;
mod spaces;
mod width;

pub(super) use leeway::is_within_leeway;

use super::options::FormatOptions;
use super::piece::{BracketKind, Piece};

/// Keywords that a block belongs to, at some distance.
pub(super) const HEADS: [&str; 9] =
    ["if", "elsif", "unless", "case", "class", "define", "function", "plan", "node"];

/// Decides where each piece goes. A lenient layout keeps choices of the author that the style guide leaves open.
pub(super) fn lay_out(pieces: &mut [Piece<'_>], options: &FormatOptions, is_lenient: bool) {
    breaks::decide(pieces);
    place(pieces, options, is_lenient);
    let Some(width) = options.line_width else { return };
    while width::break_long_lines(pieces, width) {
        place(pieces, options, is_lenient);
    }
}

/// Decides about the spaces before pieces whose lines are known.
fn place(pieces: &mut [Piece<'_>], options: &FormatOptions, is_lenient: bool) {
    spaces::decide(pieces, is_lenient);
    indent::decide(pieces, options.indent);
    align::decide(pieces, options.arrow_alignment, is_lenient);
    columns::decide(pieces, is_lenient);
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
