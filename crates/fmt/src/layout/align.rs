//! Alignment in columns: arrows; parameters, assignments, short resources, options of `case` and comments where the
//! author aligned them.

use std::ops::RangeInclusive;

use super::{BracketSide, side};
use crate::options::ArrowAlignment;
use crate::piece::{BracketKind, Piece, token_before, token_from};
use puppetfn_syntax::LexemeKind;

/// Puts more spaces before pieces that belong below each other.
pub(super) fn decide(pieces: &mut [Piece<'_>], arrows: ArrowAlignment, is_lenient: bool) {
    let mut open = vec![AlignmentCandidates::new(BracketKind::Block, arrows, is_lenient)];
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
            BracketSide::Opening(bracket) => {
                // The arrows of a resource's attributes are aligned across empty lines.
                let is_attribute = open.iter().any(|open| open.bracket == BracketKind::Resource);
                let is_block = is_attribute || bracket == BracketKind::Resource;
                let is_paragraph = arrows == ArrowAlignment::Block && !is_block;
                let within = if is_paragraph { ArrowAlignment::Paragraph } else { arrows };
                open.push(AlignmentCandidates::new(bracket, within, is_lenient));
            }
            BracketSide::Closing(_) if open.len() > 1 => {
                if let Some(mut closed) = open.pop() {
                    closed.finish(pieces);
                }
            }
            BracketSide::Closing(_) | BracketSide::Neither => {}
        }
    }
    open.iter_mut().for_each(|open| open.finish(pieces));
    comments(pieces, is_lenient);
}

/// Pieces that may stand below each other.
struct Column {
    /// The pieces, each with the number of its paragraph.
    pieces: Vec<(usize, usize)>,
    /// The spaces before the last of them: one, or none before colons.
    gap: u32,
    /// The most spaces before one that is not below another.
    widest: u32,
    /// Whether columns stay as they are if they are set off further than needed.
    is_lenient: bool,
}

impl Column {
    fn new(gap: u32, widest: u32, is_lenient: bool) -> Self {
        Self { pieces: Vec::new(), gap, widest, is_lenient }
    }

    fn push(&mut self, pieces: &mut [Piece<'_>], index: usize, paragraph: usize) {
        self.pieces.push((index, paragraph));
        if let Some(piece) = pieces.get_mut(index) {
            piece.is_aligned = true;
        }
    }

    /// Aligns the pieces of each paragraph, if some were. One column of all paragraphs stays.
    fn settle(&mut self, pieces: &mut [Piece<'_>]) {
        let candidates = std::mem::take(&mut self.pieces);
        if self.is_lenient && is_settled(pieces, &candidates, self.gap..=self.widest) {
            return keep(pieces, &candidates);
        }
        let narrowest = narrowest(pieces, &candidates);
        // If all colons are set off, they stay so.
        let gap = narrowest.clamp(self.gap, 1);
        if is_one_column(pieces, &candidates, gap) {
            let gap = if self.keeps_distance() { narrowest.max(gap) } else { gap };
            return align(pieces, &candidates, gap);
        }
        for paragraph in candidates.chunk_by(|one, next| one.1 == next.1) {
            if self.is_lenient && is_settled(pieces, paragraph, self.gap..=self.widest) {
                keep(pieces, paragraph);
            } else {
                align_as_author(pieces, paragraph, gap, self.keeps_distance());
            }
        }
    }

    /// Returns true if a column stays further to the right than needed. Colons belong to the texts before them.
    fn keeps_distance(&self) -> bool {
        self.gap > 0
    }

    /// Aligns all pieces, or the ones of each paragraph.
    fn align(&mut self, pieces: &mut [Piece<'_>], arrows: ArrowAlignment) {
        let candidates = std::mem::take(&mut self.pieces);
        match arrows {
            ArrowAlignment::Off => {}
            ArrowAlignment::Block => align(pieces, &candidates, self.gap),
            ArrowAlignment::Paragraph => {
                if is_one_column(pieces, &candidates, self.gap) {
                    return if self.is_lenient {
                        keep(pieces, &candidates);
                    } else {
                        align(pieces, &candidates, self.gap);
                    };
                }
                let paragraphs = candidates.chunk_by(|one, next| one.1 == next.1);
                paragraphs.for_each(|paragraph| align(pieces, paragraph, self.gap));
            }
        }
    }
}

/// Candidates for alignment within a pair of brackets.
struct AlignmentCandidates {
    bracket: BracketKind,
    /// The arrows that are aligned with each other.
    alignment: ArrowAlignment,
    /// The first token of the current element, and the line that it begins, if it does.
    element: usize,
    line: Option<usize>,
    /// The number of the current paragraph.
    paragraph: usize,
    arrows: Column,
    /// The names of parameters with types.
    names: Column,
    has_name: bool,
    /// The tokens behind the names: `=` of parameters.
    defaults: Column,
    /// The `=` of statements that follow each other.
    assignments: Column,
    /// Whether the statement is the last of these.
    is_assigned: bool,
    /// The colons of options and titles.
    colons: Column,
    /// The tokens behind colons: the blocks of options, and attributes on the line of their title.
    behind: Column,
}

impl AlignmentCandidates {
    fn new(bracket: BracketKind, alignment: ArrowAlignment, is_lenient: bool) -> Self {
        let column = || Column::new(1, 1, is_lenient);
        Self {
            bracket,
            alignment,
            element: 0,
            line: None,
            paragraph: 0,
            arrows: column(),
            names: column(),
            has_name: false,
            defaults: column(),
            assignments: column(),
            is_assigned: false,
            colons: Column::new(0, 1, is_lenient),
            behind: Column::new(1, 2, is_lenient),
        }
    }

    /// Takes note of a token.
    fn pass(&mut self, pieces: &mut [Piece<'_>], index: usize, line: usize, has_blank_line: bool) {
        let Some(piece) = pieces.get(index) else { return };
        let (is_statement, is_element) = (piece.mark.is_statement, piece.is_element);
        let (ends_body, breaks) = (piece.is_sign(";") || piece.mark.is_title_end, piece.breaks);
        self.paragraph += usize::from(has_blank_line);
        if !self.bracket.is_list() && is_statement {
            if !self.is_assigned {
                self.assignments.settle(pieces);
            }
            self.is_assigned = false;
        }
        if is_element {
            self.element = index;
            self.line = (index == 0 || breaks > 0).then_some(line);
            self.has_name = false;
        }
        if ends_body {
            self.arrows.align(pieces, self.alignment);
        }
        if self.line == Some(line) {
            self.pass_on_first_line(pieces, index);
        }
    }

    /// Takes note of a token on the first line of an element that begins a line.
    fn pass_on_first_line(&mut self, pieces: &mut [Piece<'_>], index: usize) {
        let Some(piece) = pieces.get(index) else { return };
        let paragraph = self.paragraph;
        let has_parameters = matches!(self.bracket, BracketKind::Parameters | BracketKind::Pipes);
        if piece.is_arrow() {
            self.arrows.push(pieces, index, paragraph);
        } else if piece.mark.is_assignment {
            self.assignments.push(pieces, index, paragraph);
            self.is_assigned = true;
        } else if has_parameters && piece.kind == LexemeKind::Variable && !self.has_name {
            self.has_name = true;
            let prefix = token_before(pieces, index)
                .filter(|&prefix| pieces.get(prefix).is_some_and(|piece| piece.mark.is_prefix));
            let name = prefix.unwrap_or(index);
            if name != self.element {
                self.names.push(pieces, name, paragraph);
            }
        } else if has_parameters && piece.text == "=" {
            self.defaults.push(pieces, index, paragraph);
        } else if piece.mark.is_option_end || piece.mark.is_title_end {
            let is_option = piece.mark.is_option_end;
            self.colons.push(pieces, index, paragraph);
            let behind =
                if is_option { short_option(pieces, index) } else { attribute_on_line(pieces, index) };
            if let Some(behind) = behind {
                self.behind.push(pieces, behind, paragraph);
            }
        }
    }

    /// Aligns the remaining candidates at the closing bracket.
    fn finish(&mut self, pieces: &mut [Piece<'_>]) {
        self.arrows.align(pieces, self.alignment);
        self.names.settle(pieces);
        self.defaults.settle(pieces);
        self.assignments.settle(pieces);
        self.colons.settle(pieces);
        self.behind.settle(pieces);
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

/// Returns the column of a piece if the space before it stays.
fn written(pieces: &[Piece<'_>], index: usize) -> Option<u32> {
    let gap = pieces.get(index).filter(|piece| piece.breaks == 0 && !piece.began_line)?.gap;
    column(pieces, index).map(|column| column.saturating_add(gap))
}

/// Returns true if several pieces were below each other, and at least one of them not set off.
fn is_one_column(pieces: &[Piece<'_>], candidates: &[(usize, usize)], gap: u32) -> bool {
    let columns: Vec<_> = candidates.iter().map(|&(index, _)| written(pieces, index)).collect();
    let gaps = candidates.iter().filter_map(|&(index, _)| pieces.get(index)).map(|piece| piece.gap);
    let is_set_off = gaps.max() > Some(gap);
    let is_one = columns.windows(2).all(|pair| pair.first() == pair.last());
    is_set_off && is_one && columns.len() > 1 && columns.first().is_some_and(Option::is_some)
}

/// Returns true if pieces are all as an author aligns them: below a neighbour, or set off by one space and not to the left of
/// a column beside them.
fn is_settled(pieces: &[Piece<'_>], candidates: &[(usize, usize)], gaps: RangeInclusive<u32>) -> bool {
    let columns: Vec<Option<u32>> = candidates.iter().map(|&(index, _)| written(pieces, index)).collect();
    let at = |place: Option<usize>| place.and_then(|place| columns.get(place).copied().flatten());
    let gap_at = |place: usize| {
        let piece = candidates.get(place).and_then(|&(index, _)| pieces.get(index));
        piece.filter(|piece| !piece.began_line).map(|piece| piece.gap)
    };
    // Of two neighbours in a column, one is set off.
    let makes_column = |place: Option<usize>, next: usize| {
        let is_set_off = place.and_then(gap_at).max(gap_at(next)) > Some(*gaps.start());
        is_set_off && at(place).is_some() && at(place) == at(Some(next))
    };
    let is_below =
        |place: usize| makes_column(place.checked_sub(1), place) || makes_column(Some(place), place + 1);
    let is_alone = |place: usize| gap_at(place).is_some_and(|gap| gap <= *gaps.end());
    // Two of many may be below each other by chance.
    let is_rare = |paragraph: usize| {
        let places = candidates.iter().enumerate().filter(|(_, candidate)| candidate.1 == paragraph);
        let (below, alone): (Vec<_>, Vec<_>) = places.partition(|(place, _)| is_below(*place));
        below.len() < alone.len()
    };
    let is_beside_column = |place: usize| {
        let (Some(this), Some(next)) = (candidates.get(place), candidates.get(place + 1)) else {
            return true;
        };
        if this.1 != next.1 || is_below(place) == is_below(place + 1) {
            return true;
        }
        let (alone, aligned) = if is_below(place) { (place + 1, place) } else { (place, place + 1) };
        at(Some(alone)) > at(Some(aligned)) || is_rare(this.1)
    };
    let mut places = 0..candidates.len();
    places.all(|place| {
        gap_at(place) >= Some(*gaps.start())
            && (is_below(place) || is_alone(place))
            && is_beside_column(place)
    })
}

/// Keeps the spaces before pieces.
fn keep(pieces: &mut [Piece<'_>], candidates: &[(usize, usize)]) {
    for &(index, _) in candidates {
        if let Some(piece) = pieces.get_mut(index) {
            piece.spaces = piece.gap;
        }
    }
}

/// Returns the fewest spaces before one of the pieces.
fn narrowest(pieces: &[Piece<'_>], candidates: &[(usize, usize)]) -> u32 {
    let gaps = candidates.iter().filter_map(|&(index, _)| pieces.get(index)).map(|piece| piece.gap);
    gaps.min().unwrap_or_default()
}

/// Aligns pieces, if one of them was below another and set off by more than a space. Pieces that were further to the right
/// than the others, and still are, stay out. A column that keeps its distance stays as far behind the longest text before it.
fn align_as_author(pieces: &mut [Piece<'_>], candidates: &[(usize, usize)], gap: u32, keeps_distance: bool) {
    let written: Vec<&Piece<'_>> = candidates.iter().filter_map(|&(index, _)| pieces.get(index)).collect();
    let mut columns: Vec<u32> = written.iter().map(|piece| piece.column).collect();
    columns.sort_unstable();
    let count = |column: u32| {
        let before = columns.partition_point(|&other| other < column);
        columns.partition_point(|&other| other <= column).saturating_sub(before)
    };
    let set_off = written.iter().filter(|piece| piece.gap > 1 && count(piece.column) > 1);
    let Some(furthest) = set_off.map(|piece| piece.column).max() else { return };
    let is_within = |index: usize| pieces.get(index).is_some_and(|piece| piece.column <= furthest);
    let within = candidates.iter().filter(|(index, _)| is_within(*index));
    let end = within.clone().filter_map(|&(index, _)| column(pieces, index)).max().unwrap_or_default();
    let ends = within
        .filter_map(|&(index, _)| pieces.get(index))
        .map(|piece| piece.column.saturating_sub(piece.gap));
    let distance = furthest.saturating_sub(ends.max().unwrap_or_default());
    let target = end.saturating_add(if keeps_distance { distance.max(gap) } else { gap });
    let reaches = |index: usize| column(pieces, index).is_some_and(|end| end.saturating_add(gap) <= target);
    let aligned: Vec<_> = candidates.iter().copied().filter(|&(index, _)| reaches(index)).collect();
    align_at(pieces, &aligned, target);
}

/// Puts pieces on lines of their own below each other.
fn align(pieces: &mut [Piece<'_>], aligned: &[(usize, usize)], gap: u32) {
    let ends = aligned.iter().filter_map(|&(index, _)| column(pieces, index));
    let furthest = ends.max().unwrap_or_default();
    align_at(pieces, aligned, furthest.saturating_add(gap));
}

/// Puts pieces in a column.
fn align_at(pieces: &mut [Piece<'_>], aligned: &[(usize, usize)], target: u32) {
    for &(index, _) in aligned {
        if let Some(end) = column(pieces, index)
            && let Some(piece) = pieces.get_mut(index)
        {
            piece.spaces = target.saturating_sub(end);
        }
    }
}

/// Returns where the piece before a piece ends on its line; `None` if that is not the line it begins on.
pub(super) fn column(pieces: &[Piece<'_>], index: usize) -> Option<u32> {
    let before = pieces.get(..index)?;
    let start = before.iter().rposition(|piece| piece.breaks > 0).unwrap_or(0);
    before.get(start..)?.iter().try_fold(0, |column, piece| {
        let width = piece.text.chars().count() + usize::from(piece.has_comma);
        (!piece.has_lines()).then_some(piece.spaces.saturating_add(column).saturating_add(width as u32))
    })
}

/// Puts comments at the ends of lines that follow each other below each other, if they were.
fn comments(pieces: &mut [Piece<'_>], is_lenient: bool) {
    let mut run = Column::new(1, 2, is_lenient);
    for index in 1..pieces.len() {
        let Some(piece) = pieces.get(index) else { continue };
        // A line ends here, and the one before it did not end with such a comment.
        if piece.breaks > 1 || piece.breaks == 1 && !is_at_end(pieces, index - 1) {
            run.settle(pieces);
        }
        if is_at_end(pieces, index) {
            run.push(pieces, index, 0);
        }
    }
    run.settle(pieces);
}

fn is_at_end(pieces: &[Piece<'_>], index: usize) -> bool {
    pieces.get(index).is_some_and(|piece| piece.kind == LexemeKind::Comment && piece.breaks == 0)
}
