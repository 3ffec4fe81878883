//! The tokens up to an error, and the brackets that are open there.
#![allow(clippy::wildcard_enum_match_arm, reason = "only some tokens open or close something")]

use crate::Mode;
use crate::lexer::Lexer;
use crate::token::{Keyword, Token, TokenKind};
use puppetfn_base::source::Span;

pub(super) struct TokenOutline<'s> {
    pub text: &'s str,
    /// The tokens before the one at the error.
    pub before: Vec<Token<'s>>,
    /// The token at the error, unless the lexer fails there.
    pub token: Option<Token<'s>>,
    /// The token after the error.
    pub next: Option<Token<'s>>,
    /// The open brackets, the innermost last.
    pub open: Vec<OpenBracket>,
    /// A bracket whose closing bracket is probably missing, because the one that closes it starts a less indented line.
    pub suspect: Option<OpenBracket>,
}

/// An opening bracket.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenBracket {
    pub span: Span,
    pub closing: Closing,
    /// Number of tokens before the bracket.
    pub index: usize,
}

/// Kinds of closing brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Closing {
    Brace,
    Paren,
    Bracket,
    /// The rest of a string after `${...}`.
    String,
}

impl Closing {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Brace | Self::String => "}",
            Self::Paren => ")",
            Self::Bracket => "]",
        }
    }
}

impl<'s> TokenOutline<'s> {
    /// Reads a text up to an offset.
    pub fn new(text: &'s str, mode: Mode, offset: u32) -> Self {
        let mut outline =
            Self { text, before: Vec::new(), token: None, next: None, open: Vec::new(), suspect: None };
        let Ok(mut lexer) = Lexer::new(text, mode) else { return outline };
        while let Ok(token) = lexer.next() {
            if token.span.start >= offset || token.kind == TokenKind::End {
                outline.token = Some(token);
                outline.next = lexer.next().ok();
                break;
            }
            outline.add(token);
        }
        outline
    }

    fn add(&mut self, token: Token<'s>) {
        match bracket(&token.kind) {
            Some(BracketToken::Opening(closing)) => {
                self.open.push(OpenBracket { span: token.span, closing, index: self.before.len() });
            }
            Some(BracketToken::Closing(closing)) => self.close(closing, token.span),
            None => {}
        }
        self.before.push(token);
    }

    fn close(&mut self, closing: Closing, span: Span) {
        let Some(opening) = self.open.pop_if(|open| open.closing == closing) else { return };
        if self.suspect.is_none()
            && self.starts_line(span)
            && self.indentation(span) < self.indentation(opening.span)
        {
            self.suspect = Some(opening);
        }
    }

    /// Returns true if only space precedes it on its line.
    pub fn starts_line(&self, span: Span) -> bool {
        self.line_before(span).trim().is_empty()
    }

    /// Returns how far the line of a token is indented.
    pub fn indentation(&self, span: Span) -> usize {
        let line = self.line_before(span);
        line.len() - line.trim_start().len()
    }

    fn line_before(&self, span: Span) -> &'s str {
        let before = self.text.get(..span.start as usize).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    /// Returns the token right before the error.
    pub fn last(&self) -> Option<&Token<'s>> {
        self.before.last()
    }

    /// Returns the keyword of the statement whose head has the error: `if`, `function` and the like.
    pub fn head(&self) -> Option<Keyword> {
        let from = self.open.iter().rev().find(|open| open.closing == Closing::Brace);
        let from = from.map_or(0, |open| open.index + 1);
        let tokens = self.before.get(from..).unwrap_or_default().iter().rev();
        tokens
            .take_while(|token| !matches!(token.kind, TokenKind::RightBrace | TokenKind::Semicolon))
            .find_map(|token| match token.kind {
                TokenKind::Keyword(
                    keyword @ (Keyword::If
                    | Keyword::Elsif
                    | Keyword::Unless
                    | Keyword::Case
                    | Keyword::Class
                    | Keyword::Define
                    | Keyword::Function
                    | Keyword::Plan),
                ) => Some(keyword),
                _ => None,
            })
    }
}

enum BracketToken {
    Opening(Closing),
    Closing(Closing),
}

fn bracket(token: &TokenKind<'_>) -> Option<BracketToken> {
    Some(match token {
        TokenKind::LeftBrace | TokenKind::SelectorBrace => BracketToken::Opening(Closing::Brace),
        TokenKind::RightBrace => BracketToken::Closing(Closing::Brace),
        TokenKind::LeftParen | TokenKind::GroupStart => BracketToken::Opening(Closing::Paren),
        TokenKind::RightParen => BracketToken::Closing(Closing::Paren),
        TokenKind::LeftBracket | TokenKind::ListStart => BracketToken::Opening(Closing::Bracket),
        TokenKind::RightBracket => BracketToken::Closing(Closing::Bracket),
        TokenKind::StringStart(_) => BracketToken::Opening(Closing::String),
        TokenKind::StringEnd(_) => BracketToken::Closing(Closing::String),
        _ => return None,
    })
}
