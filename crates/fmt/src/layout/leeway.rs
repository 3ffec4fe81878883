//! Layouts that the style guide leaves open. puppet-lint, with the plugins of Vox Pupuli, finds nothing in them, so a file that
//! differs from the normal form only in these stays as it is.

use super::{BracketSide, side};
use crate::options::ArrowAlignment;
use crate::piece::{BracketKind, Piece, token_before};
use puppetfn_syntax::LexemeKind;

/// Returns true if the layout of a text differs from the one of its pieces only where the style guide leaves it open.
pub(crate) fn is_within_leeway(text: &str, pieces: &[Piece<'_>], arrows: ArrowAlignment) -> bool {
    let has_mixed_ends = text.contains("\r\n") && text.matches("\r\n").count() != text.matches('\n').count();
    if has_mixed_ends {
        return false;
    }
    let (mut end, mut open) = (0, Vec::new());
    for (index, piece) in pieces.iter().enumerate() {
        let start = piece.span.start as usize;
        let Some(between) = text.get(end..start) else { return false };
        // In documentation, which is Markdown, two spaces at the end of a line break it.
        let follows_comment =
            index.checked_sub(1).and_then(|before| pieces.get(before)).is_some_and(Piece::is_comment);
        let between = if follows_comment { between.trim_start_matches(' ') } else { between };
        if !is_clean(between) || piece.text != piece.span.text(text) {
            return false;
        }
        if !has_its_place(pieces, index, &open, arrows) || piece.has_comma && !may_miss_comma(pieces, index) {
            return false;
        }
        match side(pieces, index) {
            BracketSide::Opening(bracket) => open.push(bracket),
            BracketSide::Closing(_) => _ = open.pop(),
            BracketSide::Neither => {}
        }
        end = piece.span.end as usize;
    }
    let rest = text.get(end..).unwrap_or_default();
    // The text of a heredoc may follow the last line.
    let has_heredoc = pieces.last().is_some_and(|last| last.below.is_some());
    matches!(rest, "\n" | "\r\n")
        || has_heredoc && rest.ends_with('\n') && !rest.replace('\r', "").ends_with("\n\n")
}

/// Returns true if the space between tokens has no tab and none at the end of a line. Behind heredocs, it is their text.
fn is_clean(between: &str) -> bool {
    !between.contains('\t') && !between.contains(" \n") && !between.contains(" \r")
}

/// Returns true if a piece is where the layout puts it, or where the style guide leaves it.
fn has_its_place(pieces: &[Piece<'_>], index: usize, open: &[BracketKind], arrows: ArrowAlignment) -> bool {
    let Some(piece) = pieces.get(index) else { return true };
    let before = index.checked_sub(1).and_then(|before| pieces.get(before));
    if piece.breaks != piece.written_breaks {
        let is_else = piece.is_keyword(&["else", "elsif"]);
        return index > 0
            && (piece.breaks, piece.written_breaks) == (0, 1)
            && is_else
            && before.is_some_and(|before| before.is_sign("}"));
    }
    let written = if piece.breaks > 0 || index == 0 { piece.column } else { piece.gap };
    if piece.spaces == written {
        return true;
    }
    if piece.breaks > 0 {
        // Code that was commented out.
        return piece.kind == LexemeKind::Comment && written == 0;
    }
    if piece.is_arrow() && arrows == ArrowAlignment::Off {
        return false;
    }
    if piece.is_arrow() && piece.spaces == 1 && written > 0 {
        return true;
    }
    let is_colon = |piece: &Piece<'_>| piece.mark.is_title_end || piece.mark.is_option_end;
    if written > 1 {
        return written == 2 && before.is_some_and(is_colon);
    }
    let is_control = |piece: &Piece<'_>| piece.is_keyword(&["if", "elsif", "unless", "case"]);
    let is_after_operator =
        before.is_some_and(|before| before.kind == LexemeKind::Operator && before.gap > 0);
    // `$a >=0`, `if($a)`, `( $a )`, `'a' :`, `'a':{`, and arrows of selectors outside of resources.
    is_after_operator && written == 0
        || piece.is_sign("(") && before.is_some_and(is_control)
        || is_colon(piece)
        || piece.is_sign("{") && before.is_some_and(is_colon)
        || piece.is_sign(")")
        || before.is_some_and(|before| before.is_sign("("))
        || piece.is_arrow()
            && written == 1
            && open.last() == Some(&BracketKind::Selector)
            && !open.contains(&BracketKind::Resource)
}

/// Returns true if the list that ends after a piece may do without a comma: parameters, selectors, and hashes that are
/// arguments or within a type.
fn may_miss_comma(pieces: &[Piece<'_>], index: usize) -> bool {
    let mut depth = 0_usize;
    let mut before = (0..=index).rev();
    let opening = before.find(|&at| match side(pieces, at) {
        BracketSide::Closing(_) => {
            depth += 1;
            false
        }
        BracketSide::Opening(_) if depth == 0 => true,
        BracketSide::Opening(_) => {
            depth -= 1;
            false
        }
        BracketSide::Neither => false,
    });
    let Some(opening) = opening else { return false };
    let BracketSide::Opening(bracket) = side(pieces, opening) else { return false };
    match bracket {
        BracketKind::Parameters | BracketKind::Pipes | BracketKind::Selector => true,
        BracketKind::Hash => {
            let before = token_before(pieces, opening).and_then(|before| pieces.get(before));
            let is_in_type = |before: &Piece<'_>| before.mark.bracket == Some(BracketKind::Access);
            before.is_some_and(|before| before.is_sign(",") || before.is_sign("[") && is_in_type(before))
        }
        BracketKind::Body
        | BracketKind::Block
        | BracketKind::Case
        | BracketKind::Resource
        | BracketKind::Array
        | BracketKind::Access
        | BracketKind::Group
        | BracketKind::Query => false,
    }
}
