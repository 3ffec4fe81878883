//! Splits a text into tokens, one at a time, on the parser's demand.
//!
//! The lexer alone decides where code interrupts strings, heredocs and the texts of templates, and where they continue:
//! [`Lexer::next_up`] holds the state for the next token.
//!
//! Variables and numbers are recognized with nom. Names, references and the tags of heredocs are not: whether they are
//! names at all, and at which character they are wrong, is found while they are read.
//!
//! See Puppet's `pops/parser/lexer2.rb`.

mod byte_order_mark;
mod escape;
mod heredoc;
mod interpolation;
mod number;
mod resume;
mod template;
mod word;

use std::borrow::Cow;
use std::mem;

pub use self::byte_order_mark::{not_utf8, refuse_byte_order_mark};
use self::heredoc::HeredocText;
use self::interpolation::{Interpolation, Quote, SegmentStart};
use self::template::TemplateState;
use super::Mode;
use super::ast::BinaryOp;
use super::token::{Token, TokenKind};
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation, SyntaxDetail};
use puppetfn_base::source::Span;

pub(super) struct Lexer<'s> {
    /// The whole text.
    source: &'s str,
    /// The part of it up to which tokens are read: all, or up to the end of a heredoc.
    text: &'s str,
    at: usize,
    /// Whether only space precedes the token on its line.
    is_line_start: bool,
    /// Start of the next line, if this line's heredocs have texts between it and this line's break.
    next_line: Option<usize>,
    /// Whether a slash would divide the expression before it, not start a regular expression.
    after_operand: bool,
    after_question: bool,
    /// Number of open braces.
    braces: u32,
    next_up: NextUp<'s>,
    /// The `${` that are open, the innermost last.
    interpolations: Vec<Interpolation>,
    /// The heredocs whose text is read, the innermost last.
    heredocs: Vec<HeredocText<'s>>,
    template: TemplateState,
    mode: Mode,
    warnings: Vec<Diagnostic>,
}

/// The construct that the next token belongs to.
enum NextUp<'s> {
    Code,
    /// Code after `${`, whose first word may name a variable.
    Interpolated,
    /// The name of a variable, and then a string's text.
    Variable(Quote),
    /// A string's text after an interpolation.
    Tail(Quote, SegmentStart),
    /// A heredoc's text.
    HeredocText(Box<HeredocText<'s>>),
    /// A template.
    TemplateStart,
    /// The text of a template.
    TemplateText {
        trim: bool,
    },
    /// The rendered expression after a template's text, which starts here.
    Render(usize),
}

impl<'s> Lexer<'s> {
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if the text's offsets do not fit into spans, and with [`ErrorKind::Syntax`] if
    /// it starts with a byte order mark.
    pub fn new(source: &'s str, mode: Mode) -> Result<Self, Error> {
        if u32::try_from(source.len()).is_err() {
            return Err(Error::new(ErrorKind::Limit, "a text of 4 GB or more cannot be parsed"));
        }
        refuse_byte_order_mark(source.as_bytes())?;
        Ok(Self {
            source,
            text: source,
            at: 0,
            is_line_start: true,
            next_line: None,
            after_operand: false,
            after_question: false,
            braces: 0,
            next_up: if mode.template { NextUp::TemplateStart } else { NextUp::Code },
            interpolations: Vec::new(),
            heredocs: Vec::new(),
            template: TemplateState::default(),
            mode,
            warnings: Vec::new(),
        })
    }

    /// Returns the whole text.
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// Returns the warnings.
    pub fn into_warnings(self) -> Vec<Diagnostic> {
        self.warnings
    }

    /// Reads the next token; [`TokenKind::End`] at the end, again and again.
    pub fn next(&mut self) -> Result<Token<'s>, Error> {
        if let NextUp::Code = self.next_up { self.code() } else { self.other() }
    }

    /// Reads the next token of code.
    fn code(&mut self) -> Result<Token<'s>, Error> {
        self.skip_space()?;
        let start = self.at;
        let kind = match self.byte(0) {
            b'a'..=b'z' | b'_' => self.name(),
            b'$' => self.variable(),
            b'\'' => self.single_quoted()?,
            b'"' => self.double_quoted()?,
            b'A'..=b'Z' => self.reference()?,
            b'0'..=b'9' => self.number()?,
            b':' if self.byte(1) == b':' => self.qualified()?,
            b'/' if !self.after_operand => self.regexp(),
            b'@' if self.byte(1) == b'(' => self.heredoc()?,
            b'}' => {
                self.at += 1;
                self.braces = self.braces.wrapping_sub(1);
                if self.interpolations.last().is_some_and(|last| last.braces == self.braces) {
                    // As after any brace, a regular expression can follow: as the first of the next interpolation.
                    self.after_operand = false;
                    if let Some(string) = self.resume() {
                        return string;
                    }
                }
                TokenKind::RightBrace
            }
            b'%' | b'-' if self.template.is_tag() => match self.end_tag() {
                Some(length) => return self.leave_tag(length),
                None => self.symbol(),
            },
            0 if self.rest().is_empty() => {
                if let Some(string) = self.resume() {
                    return string;
                }
                self.check_template_end()?;
                TokenKind::End
            }
            _ => self.symbol(),
        };
        // Puppet's lexer reads all of a string before it records the string's start. For the code in the string, the
        // previous token is the one before the string.
        let keeps = matches!(kind, TokenKind::StringStart(_)) && self.after_operand;
        self.after_operand = keeps
            || kind.is_value()
            || matches!(kind, TokenKind::RightBracket | TokenKind::RightParen | TokenKind::CollectEnd { .. });
        self.after_question = matches!(kind, TokenKind::Question);
        self.is_line_start = false;
        Ok(Token { kind, span: self.span(start) })
    }

    /// Reads the next token where the text is not simply code.
    fn other(&mut self) -> Result<Token<'s>, Error> {
        match mem::replace(&mut self.next_up, NextUp::Code) {
            NextUp::Code => self.code(),
            NextUp::Interpolated => self.interpolated(),
            NextUp::Variable(quote) => Ok(self.interpolated_variable(quote)),
            NextUp::Tail(quote, before) => self.tail(quote, before),
            NextUp::TemplateStart => Ok(self.template_start()),
            NextUp::HeredocText(heredoc) => self.heredoc_text(*heredoc),
            NextUp::TemplateText { trim } => self.template_text(trim),
            NextUp::Render(start) => Ok(self.render_start(start)),
        }
    }

    /// Reads on past the string or heredoc that the lexer is in.
    ///
    /// # Errors
    /// Fails if a token of the string is malformed.
    #[cold]
    pub fn finish_string(&mut self) -> Result<(), Error> {
        while !self.interpolations.is_empty()
            || matches!(self.next_up, NextUp::Variable(_) | NextUp::Tail(..) | NextUp::HeredocText(_))
        {
            if let TokenKind::End = self.next()?.kind {
                break;
            }
        }
        Ok(())
    }

    /// Returns true if `=>` or `+>` follows the current token.
    pub fn arrow_follows(&self) -> bool {
        let mut ahead = self.position();
        // A comment that is not closed is an error of the next token, not here.
        self.skip_space_from(&mut ahead).is_ok()
            && matches!(self.text.as_bytes().get(ahead.at..), Some([b'=' | b'+', b'>', ..]))
    }

    /// Returns a syntax error at an offset.
    #[cold]
    pub fn error(&self, offset: usize, message: impl Into<String>) -> Error {
        self.error_in(self.span_read(offset), message)
    }

    /// Returns the error of a text that ends too early.
    #[cold]
    fn unfinished(&self, offset: usize, message: impl Into<String>) -> Error {
        self.error(offset, message).with_details(SyntaxDetail::Unfinished)
    }

    /// Returns the span from an offset to the current position or the end of the line; at least one character.
    #[cold]
    fn span_read(&self, offset: usize) -> Span {
        let read = self.source.get(offset..self.at).unwrap_or_default();
        let next = self.source.get(offset..).and_then(|rest| rest.chars().next());
        let length = read.lines().next().unwrap_or_default().len();
        let length = length.max(next.filter(|c| !matches!(c, '\n' | '\r')).map_or(0, char::len_utf8));
        Span::new(offset as u32, (offset + length) as u32)
    }

    /// Returns a syntax error about a part of the text.
    #[cold]
    pub fn error_in(&self, span: Span, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Syntax, message).at(SourceLocation::of(self.source, span.start)).spanning(span)
    }

    #[cold]
    fn warn(&mut self, offset: usize, code: &'static str, message: impl Into<String>) {
        let span = self.span_read(offset);
        self.warnings.push(Diagnostic::warning(code, message, span));
    }

    fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn since(&self, start: usize) -> &'s str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn span(&self, start: usize) -> Span {
        Span::new(start as u32, self.at as u32)
    }

    /// Returns the byte this far ahead; 0 past the end.
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Returns the position from which the next token is read.
    pub fn position(&self) -> Position {
        Position { at: self.at, is_line_start: self.is_line_start, next_line: self.next_line }
    }

    fn skip_space(&mut self) -> Result<(), Error> {
        // Most tokens follow one space, or nothing.
        if self.byte(0) == b' ' {
            self.at += 1;
        }
        if self.byte(0).is_ascii_graphic() && !matches!(self.byte(0), b'#' | b'/') {
            return Ok(());
        }
        let mut position = self.position();
        self.skip_space_from(&mut position)?;
        Position { at: self.at, is_line_start: self.is_line_start, next_line: self.next_line } = position;
        Ok(())
    }

    fn skip_space_from(&self, position: &mut Position) -> Result<(), Error> {
        let bytes = self.text.as_bytes();
        loop {
            let rest = bytes.get(position.at..).unwrap_or_default();
            match rest {
                [b' ' | b'\t' | b'\r', ..] => position.at += 1,
                [b'\n', ..] => {
                    position.at = position.next_line.take().unwrap_or(position.at + 1);
                    position.is_line_start = true;
                }
                [b'#', ..] => {
                    let rest = self.text.get(position.at..).unwrap_or_default();
                    position.at += rest.find('\n').unwrap_or(rest.len());
                }
                [b'/', b'*', ..] => {
                    let comment = self.text.get(position.at + 2..).unwrap_or_default();
                    match comment.find("*/") {
                        Some(length) => {
                            position.at += length + 4;
                            position.is_line_start = false;
                        }
                        None => return Err(self.unfinished(position.at, "Unclosed multiline comment")),
                    }
                }
                [..0x80, ..] | [] => return Ok(()),
                _ => match self.text.get(position.at..).and_then(|rest| rest.chars().next()) {
                    Some(c) if is_blank(c) => position.at += c.len_utf8(),
                    _ => return Ok(()),
                },
            }
        }
    }

    fn regexp(&mut self) -> TokenKind<'s> {
        let content = self.rest().get(1..).unwrap_or_default();
        let Some(length) = escape::regexp(content) else { return self.symbol() };
        let content = self.without_margins(self.at + 1, self.at + 1 + length);
        self.at += length + 2;
        TokenKind::Regexp(match content {
            Cow::Borrowed(content) => escape::unescape_regexp(content),
            Cow::Owned(content) => Cow::Owned(escape::unescape_regexp(&content).into_owned()),
        })
    }

    fn symbol(&mut self) -> TokenKind<'s> {
        let (length, kind) = match (self.byte(0), self.byte(1)) {
            (b'{', _) => {
                self.braces = self.braces.wrapping_add(1);
                (1, if self.after_question { TokenKind::SelectorBrace } else { TokenKind::LeftBrace })
            }
            (b'(', _) => (1, if self.is_line_start { TokenKind::GroupStart } else { TokenKind::LeftParen }),
            (b')', _) => (1, TokenKind::RightParen),
            (b'[', _) => {
                (1, if self.is_after_space(self.at) { TokenKind::ListStart } else { TokenKind::LeftBracket })
            }
            (b']', _) => (1, TokenKind::RightBracket),
            (b',', _) => (1, TokenKind::Comma),
            (b';', _) => (1, TokenKind::Semicolon),
            (b':', _) => (1, TokenKind::Colon),
            (b'.', _) => (1, TokenKind::Dot),
            (b'?', _) => (1, TokenKind::Question),
            (b'=', b'>') => (2, TokenKind::FatArrow),
            (b'=', b'=') => (2, TokenKind::Operator(BinaryOp::Equal)),
            (b'=', b'~') => (2, TokenKind::Operator(BinaryOp::Match)),
            (b'=', _) => (1, TokenKind::Operator(BinaryOp::Assign)),
            (b'!', b'=') => (2, TokenKind::Operator(BinaryOp::NotEqual)),
            (b'!', b'~') => (2, TokenKind::Operator(BinaryOp::NotMatch)),
            (b'!', _) => (1, TokenKind::Not),
            (b'+', b'=') => (2, TokenKind::Operator(BinaryOp::Append)),
            (b'+', b'>') => (2, TokenKind::PlusArrow),
            (b'+', _) => (1, TokenKind::Operator(BinaryOp::Add)),
            (b'-', b'=') => (2, TokenKind::Operator(BinaryOp::Delete)),
            (b'-', b'>') => (2, TokenKind::Operator(BinaryOp::Before)),
            (b'-', _) => (1, TokenKind::Operator(BinaryOp::Subtract)),
            (b'~', b'>') => (2, TokenKind::Operator(BinaryOp::Notify)),
            (b'*', _) => (1, TokenKind::Operator(BinaryOp::Multiply)),
            (b'/', _) => (1, TokenKind::Operator(BinaryOp::Divide)),
            (b'%', _) => (1, TokenKind::Operator(BinaryOp::Modulo)),
            (b'<', b'<') if self.byte(2) == b'|' => (3, TokenKind::CollectStart { exported: true }),
            (b'<', b'<') => (2, TokenKind::Operator(BinaryOp::ShiftLeft)),
            (b'<', b'=') => (2, TokenKind::Operator(BinaryOp::LessOrEqual)),
            (b'<', b'|') => (2, TokenKind::CollectStart { exported: false }),
            (b'<', b'-') => (2, TokenKind::Operator(BinaryOp::After)),
            (b'<', b'~') => (2, TokenKind::Operator(BinaryOp::Subscribe)),
            (b'<', _) => (1, TokenKind::Operator(BinaryOp::Less)),
            (b'>', b'>') => (2, TokenKind::Operator(BinaryOp::ShiftRight)),
            (b'>', b'=') => (2, TokenKind::Operator(BinaryOp::GreaterOrEqual)),
            (b'>', _) => (1, TokenKind::Operator(BinaryOp::Greater)),
            (b'|', b'>') if self.byte(2) == b'>' => (3, TokenKind::CollectEnd { exported: true }),
            (b'|', b'>') => (2, TokenKind::CollectEnd { exported: false }),
            (b'|', _) => (1, TokenKind::Pipe),
            (b'@', b'@') => (2, TokenKind::AtAt),
            (b'@', _) => (1, TokenKind::At),
            _ => (self.rest().chars().next().map_or(0, char::len_utf8), TokenKind::Other),
        };
        self.at += length;
        kind
    }

    fn is_after_space(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        before.chars().next_back().is_none_or(|c| c == '\n' || c == '\r' || is_blank(c))
    }
}

/// A place at which tokens are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub at: usize,
    is_line_start: bool,
    pub next_line: Option<usize>,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}
