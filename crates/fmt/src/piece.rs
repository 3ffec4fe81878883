//! The tokens and comments of a text, and the layout of each.

use std::borrow::Cow;

use super::quotes::requoted;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_syntax::{Lexeme, LexemeKind};

/// A token or a comment.
#[derive(Clone, Debug)]
pub(super) struct Piece<'s> {
    pub kind: LexemeKind,
    /// Its span in the old text.
    pub span: Span,
    /// Its text in the output.
    pub text: Cow<'s, str>,
    /// Number of line breaks before it.
    pub breaks: u32,
    /// Number of line breaks before it in the old text.
    pub written_breaks: u32,
    /// Number of spaces before it: indentation, if it is the first on its line.
    pub spaces: u32,
    /// Whether it was the first on its line.
    pub began_line: bool,
    /// Number of bytes between it and the piece before it on its line.
    pub gap: u32,
    /// Its column in the old text.
    pub column: u32,
    /// The texts of heredocs that stand below its line.
    pub below: Option<&'s str>,
    /// Whether a comma is added after it.
    pub has_comma: bool,
    /// Its role in the program.
    pub mark: TokenRole,
    /// Whether it is the first token of an element within the brackets: a statement, an entry, an argument.
    pub is_element: bool,
    /// Whether a rule of alignment decides about the space before it.
    pub is_aligned: bool,
    /// The other one of a pair of brackets.
    pub partner: Option<usize>,
}

/// The role of a token in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct TokenRole {
    /// The kind of brackets it is one of.
    pub bracket: Option<BracketKind>,
    /// The first of a statement, or of an option of `case`.
    pub is_statement: bool,
    /// An arrow between resources, or the first token after it.
    pub is_chain: bool,
    /// An operator before its operand, or the sign before the name of a parameter.
    pub is_prefix: bool,
    /// The first of a title.
    pub is_title: bool,
    /// The colon after a title.
    pub is_title_end: bool,
    /// The colon after the values of an option of `case`.
    pub is_option_end: bool,
    /// The `=` of a statement.
    pub is_assignment: bool,
}

/// The kinds of brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BracketKind {
    /// Statements after the words that they belong to: `if`, `class` and the like.
    Body,
    /// Other statements: in lambdas and in options of `case`.
    Block,
    /// The options of `case`.
    Case,
    Hash,
    Selector,
    /// Titles and attributes.
    Resource,
    Array,
    /// Indexes that access an operand.
    Access,
    /// Arguments, and expressions in parentheses.
    Group,
    /// Parameters of definitions.
    Parameters,
    /// Parameters of a lambda.
    Pipes,
    /// The condition of a collector.
    Query,
}

impl BracketKind {
    /// Returns true for brackets around statements and the like, which have no commas between.
    pub fn has_statements(self) -> bool {
        matches!(self, Self::Body | Self::Block | Self::Case)
    }

    /// Returns true for brackets around a list of which all elements stand on lines of their own if some do, and
    /// which may end with a comma.
    pub fn is_list(self) -> bool {
        matches!(self, Self::Hash | Self::Selector | Self::Array | Self::Parameters | Self::Pipes)
    }
}

impl Piece<'_> {
    /// Returns true if it is a bracket or the like that is written this way.
    pub fn is_sign(&self, text: &str) -> bool {
        self.kind == LexemeKind::Sign && self.text == text
    }

    /// Returns true if it is a keyword that is written this way.
    pub fn is_keyword(&self, words: &[&str]) -> bool {
        self.kind == LexemeKind::Keyword && words.contains(&&*self.text)
    }

    pub fn is_arrow(&self) -> bool {
        self.is_sign("=>") || self.is_sign("+>")
    }

    pub fn is_comment(&self) -> bool {
        self.kind.is_comment()
    }

    /// Returns true if it was written over several lines, and is.
    pub fn has_lines(&self) -> bool {
        self.text.contains('\n')
    }
}

/// Returns the pieces of a text with these tokens and comments.
pub(super) fn pieces<'s>(
    text: &'s str,
    lexemes: impl Iterator<Item = Result<Lexeme, Error>>,
    limits: &Limits,
) -> Result<Vec<Piece<'s>>, Error> {
    let line_end = line_end(text);
    let mut pieces: Vec<Piece<'s>> = Vec::with_capacity(text.len() / 8);
    let mut end = 0;
    // The text of the first heredoc on the line.
    let mut text_below: Option<Span> = None;
    for lexeme in lexemes {
        let lexeme = lexeme?;
        limits.check_elements(pieces.len())?;
        text_below = text_below.filter(|_| lexeme.breaks == 0).or(lexeme.below);
        if text_below.is_some_and(|below| lexeme.span.end > below.start) {
            return Err(overlap(text, lexeme.span));
        }
        let written = lexeme.span.text(text);
        pieces.push(Piece {
            kind: lexeme.kind,
            span: lexeme.span,
            text: if lexeme.kind == LexemeKind::Text {
                requoted(written)
            } else if lexeme.kind == LexemeKind::BlockComment {
                without_space_at_ends(written, line_end)
            } else {
                Cow::Borrowed(written)
            },
            breaks: lexeme.breaks.min(2),
            written_breaks: lexeme.breaks,
            spaces: 0,
            began_line: lexeme.breaks > 0 || pieces.is_empty(),
            gap: if lexeme.breaks == 0 { lexeme.span.start.saturating_sub(end) } else { 0 },
            column: column(text, pieces.last(), &lexeme),
            below: lexeme.below.map(|below| below.text(text)),
            has_comma: false,
            mark: TokenRole::default(),
            is_element: false,
            is_aligned: false,
            partner: None,
        });
        end = lexeme.span.end;
    }
    Ok(pieces)
}

/// Returns the error for tokens on the line of a heredoc that go on below: Puppet reads them as both, which leaves no layout.
#[cold]
fn overlap(text: &str, span: Span) -> Error {
    let message =
        "Cannot be formatted: this begins on the line of a heredoc and continues after the heredoc's text";
    Error::new(ErrorKind::Syntax, message).at(SourceLocation::of(text, span.start))
}

/// Returns how far to the right a lexeme stands, which comes after a piece.
fn column(text: &str, before: Option<&Piece<'_>>, lexeme: &Lexeme) -> u32 {
    let end = lexeme.span.start as usize;
    let (start, column) = match before {
        Some(before) if lexeme.breaks == 0 => (before.span.start as usize, before.column),
        _ => (text.get(..end).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1), 0),
    };
    let between = text.get(start..end).unwrap_or_default();
    match between.rsplit_once('\n') {
        Some((_, line)) => line.chars().count() as u32,
        None => column.saturating_add(between.chars().count() as u32),
    }
}

/// Returns how lines end in a text: as the last does that is not blank, as that is the one that is always there afterwards.
pub(super) fn line_end(text: &str) -> &'static str {
    let content = text.trim_end();
    let end = text.get(content.len()..).and_then(|blank| blank.find('\n')).map(|at| content.len() + at);
    let line = end.or_else(|| content.rfind('\n')).and_then(|end| text.get(..end)).unwrap_or_default();
    if line.ends_with('\r') { "\r\n" } else { "\n" }
}

fn without_space_at_ends<'s>(comment: &'s str, line_end: &str) -> Cow<'s, str> {
    if !comment.contains('\n') {
        return Cow::Borrowed(comment);
    }
    let lines: Vec<&str> = comment.split('\n').map(str::trim_end).collect();
    Cow::Owned(lines.join(line_end))
}

/// Returns the index of the nearest token before a piece.
pub(super) fn token_before(pieces: &[Piece<'_>], index: usize) -> Option<usize> {
    pieces.get(..index)?.iter().rposition(|piece| !piece.is_comment())
}

/// Returns the index of the first token from a piece on.
pub(super) fn token_from(pieces: &[Piece<'_>], index: usize) -> Option<usize> {
    let found = pieces.get(index..)?.iter().position(|piece| !piece.is_comment())?;
    Some(index + found)
}
