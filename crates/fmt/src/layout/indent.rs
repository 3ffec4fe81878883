//! The indentation of lines: two spaces for each line on which brackets are open, and for the continuation lines of
//! elements.

use super::{BracketSide, HEADS, side};
use crate::piece::{BracketKind, Piece, token_before, token_from};
use puppetfn_syntax::LexemeKind;

/// Decides how far each line is indented, and which tokens are the first of elements.
pub(super) fn decide(pieces: &mut [Piece<'_>], step: u32) {
    let lines = lines(pieces);
    let levels = vec![IndentLevel::new(None, BracketKind::Block, 0, 0)];
    let mut open = BracketStack { levels, indentation: 0, step, lines };
    // The indentation of the comments before a token.
    let mut comments: Option<u32> = None;
    for index in 0..pieces.len() {
        let is_element = open.is_element(pieces, index);
        let Some(piece) = pieces.get(index) else { continue };
        if index == 0 || piece.breaks > 0 {
            let indentation = match comments {
                Some(indentation) if piece.is_comment() => indentation,
                _ => open.indentation_of(pieces, index),
            };
            comments = piece.is_comment().then_some(indentation);
            if piece.kind != LexemeKind::Comment {
                open.indentation = indentation;
            }
            set(pieces, index, |piece| piece.spaces = indentation);
        }
        set(pieces, index, |piece| piece.is_element = is_element);
        if pieces.get(index).is_some_and(|piece| !piece.is_comment()) {
            comments = None;
            open.pass(pieces, index, side(pieces, index));
        }
    }
}

fn set(pieces: &mut [Piece<'_>], index: usize, change: impl FnOnce(&mut Piece<'_>)) {
    if let Some(piece) = pieces.get_mut(index) {
        change(piece);
    }
}

/// Returns the line of each piece.
fn lines(pieces: &[Piece<'_>]) -> Vec<u32> {
    let mut line = 0;
    let numbered = pieces.iter().map(|piece| {
        line += piece.breaks;
        let first = line;
        line += piece.text.matches('\n').count() as u32;
        first
    });
    numbered.collect()
}

/// The brackets that are open.
struct BracketStack {
    /// The innermost last.
    levels: Vec<IndentLevel>,
    /// The indentation of the line that a bracket here would belong to.
    indentation: u32,
    /// The width of a level.
    step: u32,
    /// The line of each piece.
    lines: Vec<u32>,
}

/// The state of a pair of brackets.
struct IndentLevel {
    /// The opening bracket; `None` for the whole text.
    index: Option<usize>,
    bracket: BracketKind,
    /// The indentation of the opening bracket's line.
    outside: u32,
    /// The indentation of lines within.
    inside: u32,
    /// The indentation of the line on which the current element starts.
    element: u32,
    /// The indentation of the line with the keyword of a block.
    head: Option<u32>,
    /// Whether the current title begins a line, so that its attributes are below it.
    is_title_above: bool,
    /// Whether the next piece belongs to a resource whose title has been passed.
    is_after_title: bool,
}

impl IndentLevel {
    fn new(index: Option<usize>, bracket: BracketKind, outside: u32, inside: u32) -> Self {
        let (head, element) = (None, outside);
        Self { index, bracket, outside, inside, element, head, is_title_above: false, is_after_title: false }
    }

    /// Returns how far an element is indented, or a comment where one could be.
    fn indentation(&self, step: u32) -> u32 {
        if self.is_title_above && self.is_after_title { self.inside + step } else { self.inside }
    }
}

impl BracketStack {
    /// Returns true if a token is the first of a statement, an entry and the like.
    fn is_element(&self, pieces: &[Piece<'_>], index: usize) -> bool {
        let (Some(level), Some(piece)) = (self.levels.last(), pieces.get(index)) else { return false };
        let is_closing = matches!(side(pieces, index), BracketSide::Closing(_));
        if piece.is_comment() || is_closing || piece.is_sign(";") {
            return false;
        }
        let before = token_before(pieces, index);
        let follows = |signs: &[&str]| {
            let before = before.and_then(|before| pieces.get(before));
            before.is_some_and(|before| signs.iter().any(|sign| before.is_sign(sign)))
        };
        match level.bracket {
            BracketKind::Body | BracketKind::Block => piece.mark.is_statement,
            BracketKind::Case => piece.mark.is_statement || follows(&[","]),
            BracketKind::Resource => {
                before == level.index
                    || follows(&[",", ";"])
                    || before
                        .and_then(|before| pieces.get(before))
                        .is_some_and(|before| before.mark.is_title_end)
            }
            BracketKind::Hash
            | BracketKind::Selector
            | BracketKind::Array
            | BracketKind::Access
            | BracketKind::Group
            | BracketKind::Parameters
            | BracketKind::Pipes
            | BracketKind::Query => before == level.index || follows(&[","]),
        }
    }

    /// Returns the indentation of the line that a piece begins. A comment belongs to the next token.
    fn indentation_of(&self, pieces: &[Piece<'_>], index: usize) -> u32 {
        let Some(level) = self.levels.last() else { return 0 };
        let is_comment = pieces.get(index).is_some_and(Piece::is_comment);
        let token = token_from(pieces, index);
        let Some((token, piece)) = token.and_then(|token| Some((token, pieces.get(token)?))) else {
            return 0;
        };
        let side = side(pieces, token);
        match side {
            BracketSide::Closing(_) if is_comment => level.indentation(self.step),
            BracketSide::Closing(_) => level.outside,
            _ if self.is_element(pieces, token) => {
                if piece.mark.is_title {
                    level.inside
                } else {
                    level.indentation(self.step)
                }
            }
            _ if piece.is_sign(",") => level.indentation(self.step),
            _ if piece.is_sign(";") => level.inside,
            _ if piece.mark.is_chain => level.element,
            _ if piece.is_keyword(&["else", "elsif"]) => self.indentation,
            BracketSide::Opening(BracketKind::Body | BracketKind::Case) => {
                level.head.unwrap_or(level.element)
            }
            BracketSide::Opening(_) | BracketSide::Neither => {
                level.element.max(level.head.unwrap_or_default()) + self.step
            }
        }
    }

    /// Returns the indentation within the enclosing brackets for brackets that start on the same line, if both begin a line
    /// where they end. Otherwise their ends would share a column.
    fn indentation_inside(&self, pieces: &[Piece<'_>], index: usize) -> Option<u32> {
        let around = self.levels.last()?;
        let start = around.index?;
        let (end, outer_end) = (pieces.get(index)?.partner?, pieces.get(start)?.partner?);
        let line = |index: usize| self.lines.get(index);
        let begins_line = |index: usize| pieces.get(index).is_some_and(|piece| piece.breaks > 0);
        // In the title of a resource, the brackets of an array end where the attributes begin.
        let is_title = around.bracket == BracketKind::Resource
            && pieces.get(index).is_some_and(|piece| piece.mark.is_title);
        let is_apart = !is_title && end > index && begins_line(end) && begins_line(outer_end);
        (line(start) == line(index) && is_apart).then_some(around.inside)
    }

    /// Takes note of a token.
    fn pass(&mut self, pieces: &[Piece<'_>], index: usize, side: BracketSide) {
        let around = self.indentation_inside(pieces, index);
        let (Some(level), Some(piece)) = (self.levels.last_mut(), pieces.get(index)) else { return };
        if piece.is_element {
            level.element = self.indentation;
            level.head = None;
        }
        if piece.mark.is_title {
            level.is_title_above = index == 0 || piece.breaks > 0;
            level.is_after_title = false;
        } else if piece.mark.is_title_end {
            level.is_after_title = true;
        } else if piece.is_sign(";") {
            level.is_after_title = false;
        }
        if piece.is_keyword(&HEADS) {
            level.head = Some(self.indentation);
        }
        match side {
            BracketSide::Opening(bracket) => {
                let has_head = matches!(bracket, BracketKind::Body | BracketKind::Case);
                let head = if has_head { level.head.take() } else { None };
                let outside = head.or(around).unwrap_or(self.indentation);
                self.levels.push(IndentLevel::new(Some(index), bracket, outside, outside + self.step));
            }
            BracketSide::Closing(_) if self.levels.len() > 1 => {
                if let Some(closed) = self.levels.pop() {
                    self.indentation = closed.outside;
                }
            }
            BracketSide::Closing(_) | BracketSide::Neither => {}
        }
    }
}
