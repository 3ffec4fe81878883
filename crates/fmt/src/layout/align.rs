//! What is put below each other: arrows always; parameters, assignments, options of `case` and comments where the author
//! did.

use super::{Side, side};
use crate::piece::{Bracket, Piece, token_before, token_from};
use puppetfn_syntax::LexemeKind;

/// Puts more spaces before pieces that belong below each other.
pub(super) fn decide(pieces: &mut [Piece<'_>]) {
    let mut open = vec![Open::new(Bracket::Block)];
    let mut has_blank_line = false;
    for index in 0..pieces.len() {
        let Some(piece) = pieces.get(index) else { continue };
        has_blank_line |= piece.breaks > 1;
        if piece.is_comment() {
            continue;
        }
        if let Some(around) = open.last_mut() {
            around.pass(pieces, index, has_blank_line);
        }
        has_blank_line = false;
        match side(pieces, index) {
            Side::Opening(bracket) => open.push(Open::new(bracket)),
            Side::Closing(_) if open.len() > 1 => {
                if let Some(mut closed) = open.pop() {
                    closed.finish(pieces);
                }
            }
            Side::Closing(_) | Side::Neither => {}
        }
    }
    open.iter_mut().for_each(|open| open.finish(pieces));
    comments(pieces);
}

/// What belongs below each other within a pair of brackets.
struct Open {
    bracket: Bracket,
    /// The first token of the current element.
    element: usize,
    arrows: Vec<usize>,
    /// The names of parameters with types.
    names: Vec<usize>,
    has_name: bool,
    /// What is behind the names: `=` of parameters.
    defaults: Vec<usize>,
    /// The `=` of statements that follow each other.
    assignments: Vec<usize>,
    is_assigned: bool,
    /// What is behind the colons of `case`.
    options: Vec<usize>,
}

impl Open {
    fn new(bracket: Bracket) -> Self {
        Self {
            bracket,
            element: 0,
            arrows: Vec::new(),
            names: Vec::new(),
            has_name: false,
            defaults: Vec::new(),
            assignments: Vec::new(),
            is_assigned: false,
            options: Vec::new(),
        }
    }

    /// Takes note of a token.
    fn pass(&mut self, pieces: &mut [Piece<'_>], index: usize, has_blank_line: bool) {
        let Some(piece) = pieces.get(index) else { return };
        let is_statement = matches!(self.bracket, Bracket::Body | Bracket::Block) && piece.mark.is_statement;
        if piece.is_element {
            self.element = index;
            self.has_name = false;
        }
        if is_statement && (has_blank_line || !self.is_assigned) {
            align_as_author(pieces, &mut self.assignments);
        }
        self.is_assigned &= !is_statement;
        let Some(piece) = pieces.get(index) else { return };
        let has_parameters = matches!(self.bracket, Bracket::Parameters | Bracket::Pipes);
        if piece.is_arrow() && self.is_on_first_line(pieces, index) {
            self.arrows.push(index);
        } else if piece.is_sign(";") || piece.mark.is_title_end {
            align(pieces, &mut self.arrows);
        } else if piece.mark.is_assignment && self.is_on_first_line(pieces, index) {
            self.assignments.push(index);
            self.is_assigned = true;
        } else if has_parameters && piece.kind == LexemeKind::Variable && !self.has_name {
            self.has_name = true;
            let prefix = token_before(pieces, index);
            let prefix =
                prefix.filter(|&prefix| pieces.get(prefix).is_some_and(|piece| piece.mark.is_prefix));
            let name = prefix.unwrap_or(index);
            if name != self.element && self.is_on_first_line(pieces, index) {
                self.names.push(name);
            }
        } else if has_parameters && piece.text == "=" && self.is_on_first_line(pieces, index) {
            self.defaults.push(index);
        } else if piece.mark.is_option_end {
            self.options.extend(short_option(pieces, index));
        }
    }

    /// Returns true if the current element begins a line, and a piece of it is still on that line.
    fn is_on_first_line(&self, pieces: &[Piece<'_>], index: usize) -> bool {
        let begins_line = self.element == 0 || pieces.get(self.element).is_some_and(|piece| piece.breaks > 0);
        let rest = pieces.get(self.element + 1..=index).unwrap_or_default();
        begins_line && rest.iter().all(|piece| piece.breaks == 0)
    }

    fn finish(&mut self, pieces: &mut [Piece<'_>]) {
        align(pieces, &mut self.arrows);
        align_as_author(pieces, &mut self.names);
        align_as_author(pieces, &mut self.defaults);
        align_as_author(pieces, &mut self.assignments);
        align_as_author(pieces, &mut self.options);
    }
}

/// Returns the brace of an option of `case` that is all on one line.
fn short_option(pieces: &[Piece<'_>], colon: usize) -> Option<usize> {
    let brace = token_from(pieces, colon + 1)?;
    let end = pieces.get(brace)?.partner?;
    let is_short = pieces.get(brace..=end)?.iter().all(|piece| piece.breaks == 0 && !piece.has_lines());
    is_short.then_some(brace)
}

/// Puts pieces below each other, if one of them was set off by more than a space.
fn align_as_author(pieces: &mut [Piece<'_>], aligned: &mut Vec<usize>) {
    let is_set_off = |&index: &usize| pieces.get(index).is_some_and(|piece| piece.gap > 1);
    if aligned.iter().any(is_set_off) {
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
