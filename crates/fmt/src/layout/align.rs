//! Alignment in columns: arrows always; parameters, assignments, short resources and options of `case`, and
//! comments where the author did.

use super::{BracketSide, side};
use crate::piece::{BracketKind, Piece, token_before, token_from};
use puppetfn_syntax::LexemeKind;

/// Puts more spaces before pieces that belong below each other.
pub(super) fn decide(pieces: &mut [Piece<'_>]) {
    let mut open = vec![AlignmentCandidates::new(BracketKind::Block)];
    let (mut has_blank_line, mut line) = (false, 0);
    for index in 0..pieces.len() {
        let Some(piece) = pieces.get(index) else { continue };
        has_blank_line |= piece.breaks > 1;
        line += usize::from(piece.breaks > 0);
        if piece.is_comment() {
            continue;
        }
        if let Some(around) = open.last_mut() {
            around.pass(pieces, index, line, has_blank_line);
        }
        has_blank_line = false;
        match side(pieces, index) {
            BracketSide::Opening(bracket) => open.push(AlignmentCandidates::new(bracket)),
            BracketSide::Closing(_) if open.len() > 1 => {
                if let Some(mut closed) = open.pop() {
                    closed.finish(pieces);
                }
            }
            BracketSide::Closing(_) | BracketSide::Neither => {}
        }
    }
    open.iter_mut().for_each(|open| open.finish(pieces));
    comments(pieces);
}

/// Candidates for alignment within a pair of brackets.
struct AlignmentCandidates {
    bracket: BracketKind,
    /// The first token of the current element, and the line that it begins, if it does.
    element: usize,
    line: Option<usize>,
    arrows: Vec<usize>,
    /// The names of parameters with types.
    names: Vec<usize>,
    has_name: bool,
    /// The tokens behind the names: `=` of parameters.
    defaults: Vec<usize>,
    /// The `=` of statements that follow each other.
    assignments: Vec<usize>,
    /// Whether the statement is the last of these.
    is_assigned: bool,
    /// The tokens behind colons: the blocks of options, and attributes on the line of their title.
    behind: Vec<usize>,
}

impl AlignmentCandidates {
    fn new(bracket: BracketKind) -> Self {
        Self {
            bracket,
            element: 0,
            line: None,
            arrows: Vec::new(),
            names: Vec::new(),
            has_name: false,
            defaults: Vec::new(),
            assignments: Vec::new(),
            is_assigned: false,
            behind: Vec::new(),
        }
    }

    /// Takes note of a token.
    fn pass(&mut self, pieces: &mut [Piece<'_>], index: usize, line: usize, has_blank_line: bool) {
        let Some(piece) = pieces.get(index) else { return };
        if !self.bracket.is_list() && piece.mark.is_statement {
            if has_blank_line || !self.is_assigned {
                align_as_author(pieces, &mut self.assignments);
            }
            self.is_assigned = false;
        }
        let Some(piece) = pieces.get(index) else { return };
        if piece.is_element {
            self.element = index;
            self.line = (index == 0 || piece.breaks > 0).then_some(line);
            self.has_name = false;
        }
        if piece.is_sign(";") || piece.mark.is_title_end {
            align(pieces, &mut self.arrows);
        }
        if self.line == Some(line) {
            self.pass_on_first_line(pieces, index);
        }
    }

    /// Takes note of a token on the first line of an element that begins a line.
    fn pass_on_first_line(&mut self, pieces: &mut [Piece<'_>], index: usize) {
        let Some(piece) = pieces.get(index) else { return };
        let has_parameters = matches!(self.bracket, BracketKind::Parameters | BracketKind::Pipes);
        if piece.is_arrow() {
            self.arrows.push(index);
        } else if piece.mark.is_assignment {
            self.assignments.push(index);
            self.is_assigned = true;
        } else if has_parameters && piece.kind == LexemeKind::Variable && !self.has_name {
            self.has_name = true;
            let prefix = token_before(pieces, index)
                .filter(|&prefix| pieces.get(prefix).is_some_and(|piece| piece.mark.is_prefix));
            self.names.extend(Some(prefix.unwrap_or(index)).filter(|&name| name != self.element));
        } else if has_parameters && piece.text == "=" {
            self.defaults.push(index);
        } else if piece.mark.is_option_end {
            self.behind.extend(short_option(pieces, index));
        } else if piece.mark.is_title_end {
            self.behind.extend(attribute_on_line(pieces, index));
        }
    }

    /// Aligns the remaining candidates at the closing bracket.
    fn finish(&mut self, pieces: &mut [Piece<'_>]) {
        align(pieces, &mut self.arrows);
        align_as_author(pieces, &mut self.names);
        align_as_author(pieces, &mut self.defaults);
        align_as_author(pieces, &mut self.assignments);
        align_as_author(pieces, &mut self.behind);
    }
}

/// Returns the brace of an option of `case` that is all on one line.
fn short_option(pieces: &[Piece<'_>], colon: usize) -> Option<usize> {
    let brace = token_from(pieces, colon + 1)?;
    let end = pieces.get(brace)?.partner?;
    let is_short = pieces.get(brace..=end)?.iter().all(|piece| piece.breaks == 0 && !piece.has_lines());
    is_short.then_some(brace)
}

/// Returns the first attribute behind a title, if it is on the same line.
fn attribute_on_line(pieces: &[Piece<'_>], colon: usize) -> Option<usize> {
    let is_attribute = |piece: &&Piece<'_>| piece.breaks == 0 && !piece.is_comment() && !piece.is_sign("}");
    pieces.get(colon + 1).filter(is_attribute).map(|_| colon + 1)
}

/// Aligns pieces, if one of them was below another and set off by more than a space. Pieces that were further to the right
/// than the others, and still are, stay out.
fn align_as_author(pieces: &mut [Piece<'_>], aligned: &mut Vec<usize>) {
    let written: Vec<&Piece<'_>> = aligned.iter().filter_map(|&index| pieces.get(index)).collect();
    let mut columns: Vec<u32> = written.iter().map(|piece| piece.column).collect();
    columns.sort_unstable();
    let count = |column: u32| {
        let before = columns.partition_point(|&other| other < column);
        columns.partition_point(|&other| other <= column).saturating_sub(before)
    };
    let set_off = written.iter().filter(|piece| piece.gap > 1 && count(piece.column) > 1);
    if let Some(furthest) = set_off.map(|piece| piece.column).max() {
        let is_within = |index: &usize| pieces.get(*index).is_some_and(|piece| piece.column <= furthest);
        let within =
            aligned.iter().copied().filter(is_within).filter_map(|index| column(pieces, index)).max();
        aligned.retain(|&index| column(pieces, index) <= within);
        align(pieces, aligned);
    }
    aligned.clear();
}

/// Puts pieces on lines of their own below each other.
fn align(pieces: &mut [Piece<'_>], aligned: &mut Vec<usize>) {
    if aligned.len() > 1 {
        let columns: Vec<Option<u32>> = aligned.iter().map(|&index| column(pieces, index)).collect();
        let furthest = columns.iter().flatten().max().copied().unwrap_or_default();
        for (&index, column) in aligned.iter().zip(columns) {
            if let (Some(piece), Some(column)) = (pieces.get_mut(index), column) {
                piece.spaces = furthest.saturating_sub(column).saturating_add(1);
            }
        }
    }
    aligned.clear();
}

/// Returns where the piece before a piece ends on its line; `None` if that is not the line it begins on.
fn column(pieces: &[Piece<'_>], index: usize) -> Option<u32> {
    let before = pieces.get(..index)?;
    let start = before.iter().rposition(|piece| piece.breaks > 0).unwrap_or(0);
    before.get(start..)?.iter().try_fold(0, |column, piece| {
        let width = piece.text.chars().count() + usize::from(piece.has_comma);
        (!piece.has_lines()).then_some(piece.spaces.saturating_add(column).saturating_add(width as u32))
    })
}

/// Puts comments at the ends of lines that follow each other below each other, if they were.
fn comments(pieces: &mut [Piece<'_>]) {
    let mut run: Vec<usize> = Vec::new();
    for index in 1..pieces.len() {
        let Some(piece) = pieces.get(index) else { continue };
        // A line ends here, and the one before it did not end with such a comment.
        if piece.breaks > 1 || piece.breaks == 1 && !is_at_end(pieces, index - 1) {
            align_if_aligned(pieces, &mut run);
        }
        if is_at_end(pieces, index) {
            run.push(index);
        }
    }
    align_if_aligned(pieces, &mut run);
}

fn is_at_end(pieces: &[Piece<'_>], index: usize) -> bool {
    pieces.get(index).is_some_and(|piece| piece.kind == LexemeKind::Comment && piece.breaks == 0)
}

fn align_if_aligned(pieces: &mut [Piece<'_>], run: &mut Vec<usize>) {
    let mut columns = run.iter().map(|&index| pieces.get(index).map(|piece| piece.column));
    let first = columns.next();
    if columns.all(|column| Some(column) == first) {
        align(pieces, run);
    }
    run.clear();
}
