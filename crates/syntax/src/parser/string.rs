//! Strings with code in them, and heredocs.

use std::borrow::Cow;
use std::mem;

use super::Parser;
use super::expression::Precedence;
use crate::ast::{Expr, ExprKind, Heredoc, StringSegment};
use crate::token::{HeredocTag, TokenKind};
use puppetfn_base::error::Error;
use puppetfn_base::source::Span;

impl<'s> Parser<'s> {
    /// Parses a string whose first part, which is the current token, has this text.
    pub(super) fn interpolation(&mut self, text: Cow<'s, str>) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let mut segments = Vec::new();
        let add = |segments: &mut Vec<_>, text: Cow<'s, str>, span: Span| {
            if !text.is_empty() {
                segments.push(StringSegment::Text(text, span));
            }
        };
        add(&mut segments, text, start);
        loop {
            let mut code = self.expression(Precedence::Assignment)?;
            // A name alone is a variable.
            if let ExprKind::Name(name) = code.kind {
                code.kind = ExprKind::Variable(name);
            }
            segments.push(StringSegment::Expr(code));
            match mem::replace(&mut self.token.kind, TokenKind::End) {
                TokenKind::StringMiddle(text) => {
                    let span = self.advance()?;
                    add(&mut segments, text, span);
                }
                TokenKind::StringEnd(text) => {
                    let end = self.advance()?;
                    add(&mut segments, text, end);
                    segments.shrink_to_fit();
                    return Ok(Expr { kind: ExprKind::Interpolation(segments), span: start.to(end) });
                }
                kind => {
                    self.token.kind = kind;
                    return Err(self.unexpected());
                }
            }
        }
    }

    /// Parses a heredoc's tag, which is the current token, and its text.
    pub(super) fn heredoc(&mut self, tag: HeredocTag<'s>) -> Result<Expr<'s>, Error> {
        let span = self.advance()?;
        let text = match mem::replace(&mut self.token.kind, TokenKind::End) {
            TokenKind::String(text) => Expr { kind: ExprKind::String(text), span: self.advance()? },
            TokenKind::StringStart(text) => self.interpolation(text)?,
            kind => {
                self.token.kind = kind;
                return Err(self.unexpected());
            }
        };
        let HeredocTag { syntax, margin } = tag;
        Ok(Expr { kind: ExprKind::Heredoc(Box::new(Heredoc { syntax, margin, text })), span })
    }
}
