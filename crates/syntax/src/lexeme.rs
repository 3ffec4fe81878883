//! The tokens of a text with the comments between them, for formatters and rules of style.
#![allow(clippy::wildcard_enum_match_arm, reason = "most tokens are signs")]

use std::collections::VecDeque;

use super::Mode;
use super::lexer::{Lexer, Position};
use super::token::{Token, TokenKind};
use puppetfn_base::error::Error;
use puppetfn_base::source::Span;

/// A token or a comment. A string with interpolations is one lexeme, and so is the tag of a heredoc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lexeme {
    /// The kind.
    pub kind: LexemeKind,
    /// The span, quotes included.
    pub span: Span,
    /// Number of line breaks before it. Heredoc texts have none.
    pub breaks: u32,
    /// The texts of the heredocs on its line, with the lines that end them.
    pub below: Option<Span>,
}

/// The kinds of lexemes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LexemeKind {
    /// A name in lower or upper case, or a bare word.
    Name,
    /// A keyword.
    Keyword,
    /// A variable.
    Variable,
    /// A number.
    Number,
    /// A string without code.
    Text,
    /// A string with code.
    Interpolation,
    /// `@(END)`.
    Heredoc,
    /// A regular expression.
    Regexp,
    /// An operator between operands, or that may be; also `and`, `or` and `in`.
    Operator,
    /// Brackets, commas and the like.
    Sign,
    /// A `#` comment up to the end of the line, without trailing space.
    Comment,
    /// `/* */`.
    BlockComment,
}

impl LexemeKind {
    /// Returns true if the lexeme is a comment.
    pub fn is_comment(self) -> bool {
        matches!(self, Self::Comment | Self::BlockComment)
    }
}

/// Cuts a text that is no template into lexemes, up to the first error.
///
/// ```
/// use puppetfn::syntax::{Mode, lexemes};
///
/// let text = "$x = \"a${1 + 1}\" # two";
/// let found: Vec<&str> = lexemes(text, Mode::default()).map(|found| found.map(|it| it.span.text(text))).collect::<Result<_, _>>()?;
/// assert_eq!(found, ["$x", "=", "\"a${1 + 1}\"", "# two"]);
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
pub fn lexemes(text: &str, mode: Mode) -> impl Iterator<Item = Result<Lexeme, Error>> {
    let (lexer, error) = match Lexer::new(text, Mode { template: false, ..mode }) {
        Ok(lexer) => (Some(lexer), None),
        Err(error) => (None, Some(error)),
    };
    Lexemes { text, lexer, error, breaks: 0, found: VecDeque::new() }
}

struct Lexemes<'s> {
    text: &'s str,
    /// `None` at the end.
    lexer: Option<Lexer<'s>>,
    error: Option<Error>,
    /// The line breaks since the last lexeme.
    breaks: u32,
    found: VecDeque<Lexeme>,
}

impl Iterator for Lexemes<'_> {
    type Item = Result<Lexeme, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(found) = self.found.pop_front() {
            return Some(Ok(found));
        }
        if let Some(mut lexer) = self.lexer.take() {
            match self.read(&mut lexer) {
                Ok(true) => self.lexer = Some(lexer),
                Ok(false) => {}
                Err(error) => self.error = Some(error),
            }
        }
        self.found.pop_front().map(Ok).or_else(|| self.error.take().map(Err))
    }
}

impl<'s> Lexemes<'s> {
    /// Reads the next token and queues its lexemes after the ones of the comments before it. Returns false at the end.
    fn read(&mut self, lexer: &mut Lexer<'s>) -> Result<bool, Error> {
        let before = lexer.position();
        let first = lexer.next()?;
        self.comments(before, first.span.start as usize);
        if first.kind == TokenKind::End {
            return Ok(false);
        }
        let kind = kind(&first);
        let mut span = first.span;
        let mut below: Option<Span> = None;
        let mut open = usize::from(kind == LexemeKind::Interpolation);
        let mut is_text = kind == LexemeKind::Heredoc;
        // How many strings are open around the text of a heredoc.
        let mut around: Option<usize> = None;
        // The rest of a string, and the text of a heredoc, which can be a string with code.
        while open > 0 || is_text {
            let token = lexer.next()?;
            if is_text || around.is_some() {
                below = Some(below.map_or(token.span, |below| below.to(token.span)));
            } else {
                span = span.to(token.span);
            }
            match token.kind {
                TokenKind::StringStart(_) => {
                    around = around.or(is_text.then_some(open));
                    open += 1;
                }
                TokenKind::StringEnd(_) => {
                    open = open.saturating_sub(1);
                    around = around.filter(|&around| around != open);
                }
                TokenKind::End => break,
                _ => {}
            }
            is_text = matches!(token.kind, TokenKind::Heredoc(_));
        }
        let below = below.map(|below| {
            let end = lexer.position().next_line.unwrap_or(below.end as usize);
            Span::new(below.start, end as u32)
        });
        self.add(kind, span, below);
        Ok(true)
    }

    fn add(&mut self, kind: LexemeKind, span: Span, below: Option<Span>) {
        self.found.push_back(Lexeme { kind, span, breaks: std::mem::take(&mut self.breaks), below });
    }

    /// Finds the comments before a token.
    fn comments(&mut self, from: Position, end: usize) {
        let Position { mut at, mut next_line, .. } = from;
        while at < end {
            let rest = self.text.get(at..).unwrap_or_default();
            match rest.as_bytes() {
                [b'\n', ..] => {
                    at = next_line.take().unwrap_or(at + 1);
                    self.breaks = self.breaks.saturating_add(1);
                }
                [b'#', ..] => {
                    let line = rest.split('\n').next().unwrap_or_default();
                    let length = line.trim_end().len();
                    self.add(LexemeKind::Comment, Span::new(at as u32, (at + length) as u32), None);
                    at += line.len();
                }
                [b'/', b'*', ..] => {
                    let length =
                        rest.get(2..).and_then(|rest| rest.find("*/")).map_or(rest.len(), |end| end + 4);
                    self.add(LexemeKind::BlockComment, Span::new(at as u32, (at + length) as u32), None);
                    at += length;
                }
                _ => at += rest.chars().next().map_or(1, char::len_utf8),
            }
        }
    }
}

fn kind(token: &Token<'_>) -> LexemeKind {
    match token.kind {
        TokenKind::Name(_) | TokenKind::Word(_) | TokenKind::Reference(_) => LexemeKind::Name,
        TokenKind::Keyword(_) => LexemeKind::Keyword,
        TokenKind::Variable(_) => LexemeKind::Variable,
        TokenKind::Integer(_) | TokenKind::Float(_) => LexemeKind::Number,
        TokenKind::String(_) => LexemeKind::Text,
        TokenKind::StringStart(_) => LexemeKind::Interpolation,
        TokenKind::Heredoc(_) => LexemeKind::Heredoc,
        TokenKind::Regexp(_) => LexemeKind::Regexp,
        TokenKind::Operator(_) => LexemeKind::Operator,
        _ => LexemeKind::Sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(LexemeKind, &str, u32)> {
        let lexemes = lexemes(text, Mode::default()).map(Result::unwrap);
        lexemes.map(|lexeme| (lexeme.kind, lexeme.span.text(text), lexeme.breaks)).collect()
    }

    #[test]
    fn comments_stand_between_tokens() {
        assert_eq!(
            found("# a  \n\n/* b\n */ c # d\r\n#"),
            [
                (LexemeKind::Comment, "# a", 0),
                (LexemeKind::BlockComment, "/* b\n */", 2),
                (LexemeKind::Name, "c", 0),
                (LexemeKind::Comment, "# d", 0),
                (LexemeKind::Comment, "#", 1),
            ]
        );
    }

    #[test]
    fn heredocs_are_tags_with_a_text_below() {
        let text = "f(@(A), @(\"B\")) # c\n 1\n A\n ${[@(C)]}\n2\nC\n | B\n\nx";
        let shown: Vec<_> = found(text).into_iter().map(|(_, text, breaks)| (text, breaks)).collect();
        assert_eq!(
            shown,
            [("f", 0), ("(", 0), ("@(A)", 0), (",", 0), ("@(\"B\")", 0), (")", 0), ("# c", 0), ("x", 2)]
        );
        let below: Vec<_> = lexemes(text, Mode::default())
            .filter_map(|lexeme| lexeme.unwrap().below)
            .map(|span| span.text(text))
            .collect();
        assert_eq!(below, [" 1\n A\n", " ${[@(C)]}\n2\nC\n | B\n"]);
    }

    #[test]
    fn what_stands_before_an_error_is_found() {
        let mut lexemes = lexemes("a # b\n'c", Mode::default());
        assert_eq!(lexemes.next().unwrap().unwrap().kind, LexemeKind::Name);
        assert!(lexemes.next().unwrap().is_err());
        assert!(lexemes.next().is_none());
    }
}
